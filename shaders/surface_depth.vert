#version 330 core
uniform mat4 clip_from_world;
uniform vec4 kept;  // dot(kept, position) is positive on this side of the clipping plane
layout(location = 0) in vec3 position;
invariant gl_Position;  // the shaded pass must hit the same depth

void main() {
  gl_Position = clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(kept, vec4(position, 1.0));
}
