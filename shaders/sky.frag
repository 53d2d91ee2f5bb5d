#version 330 core
#include "frame.glsl"
#include "sky.glsl"
in vec3 direction;
out vec4 color;

void main() {
  if (frame.dome_low.w > 0.5) {
    color = vec4(vec3(frame.dome_high.w), 1.0);
    return;
  }
  vec3 way = normalize(direction);
  color = vec4(backdrop_light(way) * corner_light(way), 1.0);
}
