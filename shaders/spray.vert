#version 330 core
#include "point_place.glsl"
flat out float whole;  // opacity, 0 to 1

void main() {
  int point = gl_VertexID / 3;
  whole = 0.35 + 0.6 * fract(0.61803399 * float(point));
  gl_Position = point_place(point);
  // Foam floats on the surface, which lies above the particles that carry it.
  vec4 raised = clip_from_world * vec4(sphere.xyz + 3.0 * sphere.w * towards.xyz, 1.0);
  gl_Position.z = raised.z * gl_Position.w / raised.w;
}
