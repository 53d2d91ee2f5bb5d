#version 330 core
// A clear fluid: the surroundings mirrored after Fresnel, the scene seen along a ray that is refracted where
// it enters the mesh and where it leaves it, dimmed after Beer and Lambert, and the light that the fluid
// scatters.
#include "fog.glsl"
#include "light.glsl"
#include "fluid_ray.glsl"
#include "lamp.glsl"
uniform sampler2D face_map, tint_map, path_map, exit_map;
uniform float radius;  // m, of a particle
in vec3 direction;
out vec4 color;
const float index = 1.33;  // of refraction
const float least_radii = 2.5;       // particle radii; a thinner film would not be seen up to its rim
const float least_scattered = 0.16;  // share of the light lost in clear fluid that comes back out

// Share of the light that is mirrored. Ripples smaller than the particles turn the rest away from the eye.
float schlick(float cosine, float straight) {
  float rim = 1.0 - clamp(cosine, 0.0, 1.0), rim2 = rim * rim;
  return straight + 0.42 * rim2 * rim2 * rim;
}

// Point at which a ray that enters the fluid leaves it, found from the last faces in the picture: each step
// meets the plane of the face in the pixel of the point before. `leaves`: that face; w = 0 if there is none.
float way_inside(vec3 world, vec3 way, vec3 own, float inside, inout vec4 leaves) {
  for (int k = 0; k < 3; ++k) {
    vec3 place = place_of(world + way * inside);
    vec4 face = texelFetch(exit_map, ivec2(pixel_of(place, own)), 0);
    vec2 across = (place.xy - frame.middle.xy) * vec2(frame.right.w, frame.up.w);
    vec3 ray = frame.forward.xyz + across.x * frame.right.xyz + across.y * frame.up.xyz;
    float towards = dot(way, face.xyz);
    float found = dot(frame.eye.xyz + ray / max(face.w, 1e-6) - world, face.xyz) / max(towards, 1e-3);
    bool better = face.w > 0.0 && towards > 0.12 && found > 0.0 && found < 4.0 * inside;
    inside = better ? found : inside;
    leaves = better ? face : leaves;
  }
  return inside;
}

// Light behind the surface, for a ray that enters it with the direction `way`. `through`: transmittance of the
// fluid along the view.
vec3 seen_through(vec3 world, vec3 way, vec3 own, vec3 through) {
  vec4 leaves = texelFetch(exit_map, ivec2(gl_FragCoord.xy), 0);
  float solid = solid_depth(gl_FragCoord.xy);
  // a fluid that lies on a solid does not leave a film of air
  float gap = (solid - 1.0 / max(leaves.w, 1e-6)) * abs(dot(leaves.xyz, direction));
  bool open = leaves.w > 0.0 && gap > 1.5 * radius;
  float inside = length(direction) * max((open ? 1.0 / leaves.w : solid) - own.z, 0.0);
  if (open) inside = way_inside(world, way, own, inside, leaves);
  vec4 hit = hit_by(world, way, open ? inside : 1.6 * inside, own);
  if (hit.a > 0.5) return hit.rgb;
  if (!open) return texelFetch(backdrop, ivec2(gl_FragCoord.xy), 0).rgb;
  vec3 n = dot(way, leaves.xyz) > 0.0 ? leaves.xyz : way, out_of = refract(way, -n, index);
  float escaped = smoothstep(0.0, 0.35, dot(out_of, n));  // 0: totally reflected
  // a ray that stays inside crosses the fluid once more
  vec3 kept = through * mirrored_light(reflect(way, n));
  if (escaped <= 0.0) return kept;
  return mix(kept, light_along(world + way * inside, out_of, own, backdrop_light(out_of)), escaped);
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 here = texelFetch(face_map, at, 0);
  if (here.w <= 0.0) discard;
  vec3 world = frame.eye.xyz + direction / here.w, v = -normalize(direction), n = here.xyz;
  float facing = dot(n, v);
  n = normalize(n + v * max(0.03 - facing, 0.0));  // a smooth normal may point away at the outline
  vec3 own = place_of(world);
  vec4 path = max(texelFetch(path_map, at, 0), 0.0);
  vec4 tint = clamp(texelFetch(tint_map, at, 0) / max(path.a, 1e-6), 0.0, 1.0);
  path *= max(1.0, least_radii * radius / max(path.a, 1e-6));
  vec3 through = exp(-path.rgb);
  float cloudy = smoothstep(0.0, 0.45, tint.a);
  float fresnel = schlick(dot(n, v), mix(0.02, 0.05, cloudy)), distance = length(world - frame.eye.xyz);

  vec3 bent = refract(-v, n, 1.0 / index), seen = seen_through(world, bent, own, through);
  vec3 mirror = reflect(-v, n);
  float lit = sunlight(world, n), direct = max(dot(n, frame.sun.xyz), 0.0) * lit;
  behind_edge = 0.07;
  vec3 mirrored = light_along(world, mirror, own, mirrored_light(mirror));
  float thick = smoothstep(2.0 * radius, 5.0 * radius, path.a);  // rims of films would flicker in the sun
  mirrored += frame.sun_light.rgb * (lit * thick * lamp_in(mirror));

  // light enters a cloudy fluid on all sides
  vec3 wrapped = frame.sun_light.rgb * mix(direct, lit * (0.35 + 0.65 * direct), 0.6);
  vec3 deep = mix(tint.rgb, tint.rgb * sqrt(tint.rgb), cloudy * (1.0 - exp(-0.4 * path.b)));
  vec3 scattered = deep * mix(least_scattered, 1.0, cloudy) * (ambient(world, n, deep) + wrapped);
  vec3 inside = through * seen + (1.0 - through) * fogged(scattered, distance);
  color = vec4(mix(inside, mirrored, fresnel), 1.0);
  gl_FragDepth = clamp(to_depth.x + to_depth.y * here.w, 0.0, 1.0);
}
