#version 330 core
#include "solid_light.glsl"
in vec3 world;
in vec3 smooth_normal;
flat in vec3 albedo;
flat in float octants;
in vec3 own;
out vec4 color;

// 1 in every other octant of the solid's own frame, so that its turning shows; edges are two pixels wide.
float octant() {
  vec3 side = clamp(own / max(fwidth(own), 1e-6), -1.0, 1.0);
  return 0.5 - 0.5 * side.x * side.y * side.z;
}

void main() {
  vec3 n = smooth_normal * inversesqrt(max(dot(smooth_normal, smooth_normal), 1e-30));
  color = lit_solid(world, n, albedo * (1.0 - 0.75 * octants * octant()));
}
