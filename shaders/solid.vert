#version 330 core
#include "solid_place.glsl"
layout(location = 7) in vec4 solid_color;  // w: look, plus 4 if every other octant is darker, plus 8 for a box
uniform mat4 clip_from_world;
invariant gl_Position;
out vec3 world;
out vec3 smooth_normal;
flat out vec3 albedo;
flat out float octants;
flat out int look;   // 0 plain, 1 wood, 2 stone, 3 metal
flat out vec4 size;  // m per unit of own coordinates; w: m, largest half size
flat out vec3 axis_x;  // unit, the solid's own axes
flat out vec3 axis_y;
flat out vec3 axis_z;
flat out float edge;  // m, radius of a box's edges; 0: not a box
out vec3 own;

void main() {
  vec3 at = solid_place();
  world = at;
  // The cofactor matrix transforms normals correctly under any scaling.
  vec3 x = column_x.xyz, y = column_y.xyz, z = column_z.xyz;
  smooth_normal = cross(y, z) * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z;
  own = position + vec3(0.0, end_cap * origin.w, 0.0);
  float box = step(7.5, solid_color.w), rest = solid_color.w - 8.0 * box;
  octants = step(3.5, rest);
  look = int(rest - 4.0 * octants + 0.5);
  size = vec4(length(x), length(y), length(z), column_x.w);
  axis_x = x / max(size.x, 1e-12), axis_y = y / max(size.y, 1e-12), axis_z = z / max(size.z, 1e-12);
  edge = 0.05 * box * min(size.x, min(size.y, size.z));
  albedo = solid_color.rgb;
  gl_Position = clip_from_world * vec4(at, 1.0);
}
