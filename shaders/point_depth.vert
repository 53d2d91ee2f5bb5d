#version 330 core
#include "point_place.glsl"
invariant gl_Position;

#ifdef LEAST_OPACITY
uniform samplerBuffer tint_buffer;  // colour; opacity

void main() {
  int point = gl_VertexID / 3;
  gl_Position = point_place(point);
  if (texelFetch(tint_buffer, point).a < LEAST_OPACITY) gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
#else
void main() { gl_Position = point_place(gl_VertexID / 3); }
#endif
