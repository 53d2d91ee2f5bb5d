// Light of the sky and the ground on a surface.
#include "shadow.glsl"
#include "sky.glsl"
uniform sampler2DShadow sky_map;

// 1 if a point sees the sky in a sampled direction, else 0.
float sky_seen(vec3 position, int i) {
  vec3 at = (frame.sky_from_world[i] * vec4(position, 1.0)).xyz;
  at.z = min(at.z, 1.0);
  vec2 outside = step(0.5, abs(at.xy - 0.5));
  at.xy = 0.5 * (at.xy + vec2(i & 1, i >> 1));
  return max(texture(sky_map, at), max(outside.x, outside.y));
}

// Light from four directions of the sky if the point sees them, and from the ground where the first
// direction, mirrored, hits it: there the ground is as bright as sun and sky make it. For directions uniform
// on the upper half space, the mean at an unoccluded point is open_light().
vec3 sampled_ambient(vec3 position, vec3 n) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 4; ++i) {
    vec3 way = frame.sky[i].xyz;
    float facing = dot(n, way), out_of_itself = frame.sky[i].w * (3.0 - 2.2 * clamp(facing, 0.0, 1.0));
    sum += 0.5 * max(facing, 0.0) * sky_seen(position + n * out_of_itself, i) * frame.sky_light[i].rgb;
  }
  vec3 down = frame.sky[0].xyz * vec3(1.0, -1.0, 1.0);
  vec3 foot = position - down * (max(position.y, 0.0) / down.y);
  float ground = mix(1.0, 0.65 * sunlight(foot, vec3(0.0, 1.0, 0.0)) + 0.35 * sky_seen(foot, 0), frame.middle.z);
  return sum + 2.0 * max(dot(n, down), 0.0) * ground * frame.bounce.rgb;
}

// Share of the light that is hidden from a point and comes back from what hides it. Occluders are taken for lit
// surfaces of the point's own albedo, as in folds and heaps: the share grows with the albedo, about as J. Jimenez
// et al. measured where half of the sky is hidden ("Practical Real-Time Strategies for Accurate Indirect Occlusion",
// 2016), and takes its colour.
vec3 between(vec3 albedo) { return 0.02 + 0.6 * albedo; }

// Light of sky and ground on a surface of this albedo.
#ifdef SINGLE_DRAWING
vec3 ambient(vec3 position, vec3 n, vec3 albedo) { return open_light(n); }
#else
vec3 ambient(vec3 position, vec3 n, vec3 albedo) {
  vec3 open = open_light(n), light = open;
  int rounds = frame.sky[0].w > 0.0 ? 1 : 0;
  for (int i = 0; i < rounds; ++i) light = mix(sampled_ambient(position, n), open, between(albedo));
  return light;
}
#endif
