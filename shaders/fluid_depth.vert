#version 330 core
#include "point_place.glsl"
uniform samplerBuffer tint_buffer;  // square roots of linear RGB
flat out vec3 albedo;

void main() {
  int point = gl_VertexID / 3;
  vec3 root = texelFetch(tint_buffer, point).rgb;
  albedo = root * root;
  gl_Position = point_place(point);
}
