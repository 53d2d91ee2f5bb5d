// Light from all directions: the visible backdrop, and the dome of light that illuminates surfaces.

// Brightness of backdrop and ground, lower towards the corners of the picture.
float corner_light(vec3 direction) {
  float ahead = max(dot(direction, frame.forward.xyz), 1e-3);
  vec2 place = vec2(dot(direction, frame.right.xyz), dot(direction, frame.up.xyz)) /
               (ahead * max(vec2(frame.right.w, frame.up.w), 1e-3));
  return 1.0 - frame.ground_mark.w * min(0.5 * dot(place, place), 1.0);
}

// At and below the horizon, exactly the colour in which the fog ends.
vec3 backdrop_light(vec3 direction) {
  float up = max(direction.y, 0.0), rise = 1.0 - exp(-9.0 * up * up);  // level at the horizon
  return mix(frame.far.rgb, frame.above.rgb, rise);
}

// The sky as reflected by a polished surface in this direction.
vec3 mirrored_light(vec3 direction) {
  vec3 dome = mix(frame.dome_low.rgb, frame.dome_high.rgb, max(direction.y, 0.0));
  return mix(frame.bounce.rgb, dome, smoothstep(-0.15, 0.25, direction.y));
}

// Light from all directions on an unoccluded surface with normal n.
vec3 open_light(vec3 n) {
  vec3 light = frame.by_normal[0].rgb + frame.by_normal[1].rgb * n.y + frame.by_normal[2].rgb * n.z +
               frame.by_normal[3].rgb * n.x + frame.by_normal[4].rgb * (n.x * n.y) +
               frame.by_normal[5].rgb * (n.y * n.z) + frame.by_normal[6].rgb * (3.0 * n.z * n.z - 1.0) +
               frame.by_normal[7].rgb * (n.x * n.z) + frame.by_normal[8].rgb * (n.x * n.x - n.y * n.y);
  return max(light, vec3(0.0));
}
