#include "frame.glsl"
uniform sampler2DShadow shadow_map;
uniform sampler2D fluid_taken_map;  // optical depth of fluids for each colour
uniform sampler2D fluid_place_map;  // m of fluid; m times depth from the sun

// Change of shadow map depth per texel over the plane through a point with this normal. Bounded at grazing
// light, where the slope of the plane is unlimited.
vec2 plane_slope(vec3 normal) {
  vec3 x = vec3(frame.sun_from_world[0].x, frame.sun_from_world[1].x, frame.sun_from_world[2].x);
  vec3 y = vec3(frame.sun_from_world[0].y, frame.sun_from_world[1].y, frame.sun_from_world[2].y);
  vec3 z = vec3(frame.sun_from_world[0].z, frame.sun_from_world[1].z, frame.sun_from_world[2].z);
  float height = dot(z, z) / min(dot(normal, z), -0.06 * length(z));
  return -height * vec2(dot(normal, x) / dot(x, x), dot(normal, y) / dot(y, y));
}

// 5x5 texels by nine bilinear comparisons (tent weights 1 2 3 2 1 around the exact place; scheme of I.
// Castano, "Shadow Mapping Summary", 2013), each with the depth of the plane at its place.
float filtered(vec3 at, vec2 slope) {
  vec2 texel = at.xy * frame.shadow.y;
  vec2 base = floor(texel + 0.5);
  vec2 f = texel + 0.5 - base;
  base = (base - 0.5) * frame.shadow.z;
  vec2 w0 = 4.0 - 3.0 * f, w2 = 1.0 + 3.0 * f;  // the middle weight is 7
  vec2 o0 = ((3.0 - 2.0 * f) / w0 - 2.0) * frame.shadow.z + base;
  vec2 o1 = (3.0 + f) / 7.0 * frame.shadow.z + base;
  vec2 o2 = (f / w2 + 2.0) * frame.shadow.z + base;
  float z = at.z - dot(slope, at.xy);
  vec2 z0 = slope * o0, z1 = slope * o1, z2 = slope * o2;
  float sum = w0.x * (w0.y * texture(shadow_map, vec3(o0.x, o0.y, z + z0.x + z0.y)) +
                      7.0 * texture(shadow_map, vec3(o0.x, o1.y, z + z0.x + z1.y)) +
                      w2.y * texture(shadow_map, vec3(o0.x, o2.y, z + z0.x + z2.y)));
  sum += 7.0 * (w0.y * texture(shadow_map, vec3(o1.x, o0.y, z + z1.x + z0.y)) +
                7.0 * texture(shadow_map, vec3(o1.x, o1.y, z + z1.x + z1.y)) +
                w2.y * texture(shadow_map, vec3(o1.x, o2.y, z + z1.x + z2.y)));
  sum += w2.x * (w0.y * texture(shadow_map, vec3(o2.x, o0.y, z + z2.x + z0.y)) +
                 7.0 * texture(shadow_map, vec3(o2.x, o1.y, z + z2.x + z1.y)) +
                 w2.y * texture(shadow_map, vec3(o2.x, o2.y, z + z2.x + z2.y)));
  return sum / 144.0;
}

// Share of the sunlight that reaches a point, 0 to 1. `towards`: normal on the side of the sun. The point is
// moved along it by some texels, so that a surface does not shadow itself.
float sunlight(vec3 position, vec3 towards) {
  float grazing = 1.0 - clamp(dot(towards, frame.sun.xyz), 0.0, 1.0);
  float texels = frame.middle.w > 0.0 ? 0.8 + 2.2 * grazing : 0.3 + 0.3 * grazing;  // the filter knows the plane
  vec3 moved = position + towards * (frame.shadow.x * texels);
  vec3 at = (frame.sun_from_world * vec4(moved, 1.0)).xyz;
  at.z = min(at.z, 1.0);  // behind all shadow casters
  vec2 inside = step(abs(at.xy - 0.5), vec2(0.5));
#ifdef SHARP_SHADOWS
  float lit = mix(1.0, texture(shadow_map, at), inside.x * inside.y * frame.sun.w);
#else
  // Loops of zero or one round, see Shading (shader_program.hpp): a software renderer runs both sides of an if.
  int rounds = int(inside.x * inside.y * frame.sun.w), filtering = frame.middle.w > 0.0 ? 0 : rounds;
  float lit = 1.0;
#ifndef SINGLE_DRAWING
  for (int i = filtering; i < rounds; ++i) lit = texture(shadow_map, at);  // the mean over drawings filters
#endif
  for (int i = 0; i < filtering; ++i) lit = filtered(at, plane_slope(towards));
#endif
  return lit;
}

// Transmittance of fluids for each colour of sunlight. The fluid along a ray counts as one layer at its mean
// depth.
vec3 through_fluids(vec3 position) {
  vec3 at = (frame.sun_from_world * vec4(position, 1.0)).xyz, left = vec3(1.0);
  vec2 inside = step(abs(at.xy - 0.5), vec2(0.5));
  int rounds = frame.shadow.w > 0.0 ? int(inside.x * inside.y) : 0;
  for (int i = 0; i < rounds; ++i) {
    vec2 layer = texture(fluid_place_map, at.xy).rg;
    float behind = (at.z - layer.g / max(layer.r, 1e-6)) * frame.shadow.w / max(layer.r, 1e-6);
    left = exp(-texture(fluid_taken_map, at.xy).rgb * clamp(behind + 0.5, 0.0, 1.0));
  }
  return left;
}

// Sunlight at a point, per colour.
vec3 sunlight_of(vec3 position, vec3 towards) { return sunlight(position, towards) * through_fluids(position); }
