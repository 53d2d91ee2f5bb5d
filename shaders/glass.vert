#version 330 core
#include "solid_place.glsl"
layout(location = 7) in vec4 solid_color;
uniform mat4 clip_from_world;
invariant gl_Position;
out vec3 world;
out vec3 smooth_normal;
out vec3 own;          // place in the solid's own coordinates
flat out vec3 albedo;
flat out mat3 axes;    // m per unit of own coordinates
flat out float thick;  // m, the smallest width

void main() {
  vec3 at = solid_place(), x = column_x.xyz, y = column_y.xyz, z = column_z.xyz;
  world = at;
  smooth_normal = cross(y, z) * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z;
  own = position + vec3(0.0, end_cap * origin.w, 0.0);
  axes = mat3(x, y, z);
  thick = 2.0 * min(length(x), min(length(y), length(z)));
  albedo = solid_color.rgb;
  gl_Position = clip_from_world * vec4(at, 1.0);
}
