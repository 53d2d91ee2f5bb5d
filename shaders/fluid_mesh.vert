#version 330 core
// The mesh of a fluid.
uniform mat4 clip_from_world;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
invariant gl_Position;  // all passes must hit the same depth
out vec3 world;
out vec3 smooth_normal;

void main() {
  world = position;
  smooth_normal = normal;
  gl_Position = clip_from_world * vec4(position, 1.0);
}
