#version 330 core
#include "point_place.glsl"
flat out float whole;  // opacity, 0 to 1
flat out vec2 froth_place;  // of the sprite in the pattern of bubbles

void main() {
  int point = gl_VertexID / 3;
  // many fine drops and few large ones
  float size = fract(0.61803399 * float(point)), cubed = size * size * size;
  whole = 0.5 - 0.2 * size;
  froth_place = vec2(37.0 * fract(0.7548777 * float(point)), 41.0 * fract(0.5698403 * float(point)));
  gl_Position = point_place_of(point, 0.45 + 1.1 * cubed);
  // Foam floats on the surface, which lies above the particles that carry it.
  vec4 raised = clip_from_world * vec4(sphere.xyz + 3.0 * sphere.w * towards.xyz, 1.0);
  gl_Position.z = raised.z * gl_Position.w / raised.w;
}
