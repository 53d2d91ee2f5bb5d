#version 330 core
#include "frame.glsl"
#include "sky.glsl"
in vec3 direction;
out vec4 color;

void main() {
  vec3 way = normalize(direction);
  color = vec4(backdrop_light(way) * corner_light(way), 1.0);
}
