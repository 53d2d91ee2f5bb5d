#include "frame.glsl"
uniform sampler2DShadow shadow_map;
uniform sampler2D fluid_taken_map;  // optical depth of fluids for each colour
uniform sampler2D fluid_place_map;  // m of fluid; m times depth from the sun

// 5x5 texels through nine bilinear comparisons (tent weights 1 2 3 2 1 about the exact place; the scheme of
// I. Castano, "Shadow Mapping Summary", 2013).
float filtered(vec3 at) {
  vec2 texel = at.xy * frame.shadow.y;
  vec2 base = floor(texel + 0.5);
  vec2 f = texel + 0.5 - base;
  base = (base - 0.5) * frame.shadow.z;
  vec2 w0 = 4.0 - 3.0 * f, w2 = 1.0 + 3.0 * f;  // the middle weight is 7
  vec2 o0 = ((3.0 - 2.0 * f) / w0 - 2.0) * frame.shadow.z + base;
  vec2 o1 = (3.0 + f) / 7.0 * frame.shadow.z + base;
  vec2 o2 = (f / w2 + 2.0) * frame.shadow.z + base;
  float sum = w0.x * (w0.y * texture(shadow_map, vec3(o0.x, o0.y, at.z)) +
                      7.0 * texture(shadow_map, vec3(o0.x, o1.y, at.z)) +
                      w2.y * texture(shadow_map, vec3(o0.x, o2.y, at.z)));
  sum += 7.0 * (w0.y * texture(shadow_map, vec3(o1.x, o0.y, at.z)) +
                7.0 * texture(shadow_map, vec3(o1.x, o1.y, at.z)) +
                w2.y * texture(shadow_map, vec3(o1.x, o2.y, at.z)));
  sum += w2.x * (w0.y * texture(shadow_map, vec3(o2.x, o0.y, at.z)) +
                 7.0 * texture(shadow_map, vec3(o2.x, o1.y, at.z)) +
                 w2.y * texture(shadow_map, vec3(o2.x, o2.y, at.z)));
  return sum / 144.0;
}

// How much of the sun reaches a point: 1 all, 0 nothing. `towards` is the normal on the side of the sun;
// the point is moved along it by about the filter's reach, so that a surface does not shade itself.
float sunlight(vec3 position, vec3 towards) {
  bool sampled = frame.sky.w > 0.0;  // the filter is the mean over the drawings
  float grazing = 1.0 - clamp(dot(towards, frame.sun.xyz), 0.0, 1.0);
  vec3 moved = position + towards * (frame.shadow.x * (0.8 + 2.2 * grazing) * (sampled ? 0.6 : 1.0));
  vec3 at = (frame.sun_from_world * vec4(moved, 1.0)).xyz;
  at.z = min(at.z, 1.0);  // behind everything that casts
  vec2 inside = step(abs(at.xy - 0.5), vec2(0.5));
  // A loop of no or one round: software renderers run both sides of an if, but leave a loop early.
  int rounds = int(inside.x * inside.y * frame.sun.w), filtering = sampled ? 0 : rounds;
  float lit = 1.0;
  for (int i = filtering; i < rounds; ++i) lit = texture(shadow_map, at);
  for (int i = 0; i < filtering; ++i) lit = filtered(at);
  return lit;
}

// What fluids leave of each colour of the sun. The fluid along a ray counts as one layer about its middle.
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

// The sun's light at a point, of each colour.
vec3 sunlight_of(vec3 position, vec3 towards) { return sunlight(position, towards) * through_fluids(position); }
