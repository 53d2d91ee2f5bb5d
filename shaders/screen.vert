#version 330 core
// One triangle over the whole picture, at the far end of the depth range.
#include "frame.glsl"
out vec3 direction;

void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec2 at = corner - frame.middle.xy;
  direction = frame.forward.xyz + at.x * frame.right.w * frame.right.xyz + at.y * frame.up.w * frame.up.xyz;
  gl_Position = vec4(corner, 1.0, 1.0);
}
