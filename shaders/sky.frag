#version 330 core
#include "frame.glsl"
#include "sky.glsl"
in vec3 direction;
out vec4 color;

void main() { color = vec4(backdrop_light(normalize(direction)), 1.0); }
