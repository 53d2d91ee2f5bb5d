#version 330 core
// A square on y = 0 around the point below the eye, out to where the fog is complete.
#include "frame.glsl"
uniform mat4 clip_from_world;
out vec2 place;  // m, x and z

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  place = frame.eye.xz + corner * frame.air.w;
  gl_Position = clip_from_world * vec4(place.x, 0.0, place.y, 1.0);
}
