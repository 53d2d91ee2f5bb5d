#version 330 core
#include "solid_place.glsl"
layout(location = 7) in vec3 solid_color;
uniform mat4 clip_from_world;
invariant gl_Position;
out vec3 world;
out vec3 smooth_normal;
flat out vec3 albedo;

void main() {
  vec3 at = solid_place();
  world = at;
  // The cofactor matrix turns normals right under any scaling.
  vec3 x = column_x.xyz, y = column_y.xyz, z = column_z.xyz;
  smooth_normal = cross(y, z) * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z;
  albedo = solid_color;
  gl_Position = clip_from_world * vec4(at, 1.0);
}
