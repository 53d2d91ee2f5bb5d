#version 330 core
uniform mat4 clip_from_world;
layout(location = 0) in vec3 position;
invariant gl_Position;  // the shaded pass must hit the same depth

void main() { gl_Position = clip_from_world * vec4(position, 1.0); }
