// The light of the sky and of the ground on a surface.
#include "shadow.glsl"
#include "sky.glsl"
uniform sampler2DShadow sky_map;

// 1 where a point sees the sky in the sampled direction, else 0.
float sky_seen(vec3 position) {
  vec3 at = (frame.sky_from_world * vec4(position, 1.0)).xyz;
  at.z = min(at.z, 1.0);
  vec2 outside = step(0.5, abs(at.xy - 0.5));
  return max(texture(sky_map, at), max(outside.x, outside.y));
}

// Light from one direction of the sky, where a point sees it, and from the ground where the mirrored direction
// meets it: the ground is as bright there as sun and sky make it. Over directions that are evenly spread on
// the upper half space the mean of an open place is open_light().
vec3 sampled_ambient(vec3 position, vec3 n) {
  vec3 way = frame.sky.xyz, down = way * vec3(1.0, -1.0, 1.0);
  float grazing = 1.0 - clamp(dot(n, way), 0.0, 1.0);
  float seen = sky_seen(position + n * (frame.sky.w * (0.8 + 2.2 * grazing)));
  vec3 foot = position + down * (max(position.y, 0.0) / way.y);
  float ground = mix(1.0, 0.65 * sunlight(foot, vec3(0.0, 1.0, 0.0)) + 0.35 * sky_seen(foot), frame.middle.z);
  return 2.0 * (max(dot(n, way), 0.0) * seen * frame.sky_light.rgb +
                max(dot(n, down), 0.0) * ground * frame.bounce.rgb);
}

const float between = 0.1;  // of the ambient light: what surfaces pass on to each other

vec3 ambient(vec3 position, vec3 n) {
  vec3 open = open_light(n), light = open;
  int rounds = frame.sky.w > 0.0 ? 1 : 0;
  for (int i = 0; i < rounds; ++i) light = mix(sampled_ambient(position, n), open, between);
  return light;
}
