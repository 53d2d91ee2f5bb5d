#version 330 core
#include "point_place.glsl"
uniform samplerBuffer tint_buffer;  // square roots of linear RGB; opacity
flat out vec4 tint;

void main() {
  int point = gl_VertexID / 3;
  vec4 stored = texelFetch(tint_buffer, point);
  tint = vec4(stored.rgb * stored.rgb, stored.a);
  gl_Position = point_place(point);
}
