#version 330 core
#include "solid_light.glsl"
#include "point_hit.glsl"
flat in vec3 albedo;
out vec4 color;

void main() {
  float part = covered();
  vec3 n = normal_of_hit();
  color = vec4(lit_solid(sphere.xyz + sphere.w * n, n, n, albedo).rgb, part);
}
