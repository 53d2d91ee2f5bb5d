#version 330 core
// Normal and inverse depth of the mesh of a fluid.
#include "frame.glsl"
in vec3 world;
in vec3 smooth_normal;
out vec4 face;  // unit, outwards; 1/m

void main() {
  float inverse = 1.0 / max(dot(world - frame.eye.xyz, frame.forward.xyz), 1e-6);
  face = vec4(smooth_normal * inversesqrt(max(dot(smooth_normal, smooth_normal), 1e-12)), inverse);
}
