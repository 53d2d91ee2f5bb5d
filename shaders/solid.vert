#version 330 core
#include "solid_place.glsl"
layout(location = 7) in vec4 solid_color;  // w: 1 where every other octant is darker
uniform mat4 clip_from_world;
invariant gl_Position;
out vec3 world;
out vec3 smooth_normal;
flat out vec3 albedo;
flat out float octants;
out vec3 own;

void main() {
  vec3 at = solid_place();
  world = at;
  // The cofactor matrix turns normals right under any scaling.
  vec3 x = column_x.xyz, y = column_y.xyz, z = column_z.xyz;
  smooth_normal = cross(y, z) * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z;
  own = position;
  octants = solid_color.w;
  albedo = solid_color.rgb;
  gl_Position = clip_from_world * vec4(at, 1.0);
}
