#version 330 core
#include "sky.glsl"
in vec3 direction;
out vec4 color;

void main() { color = vec4(sky_color(normalize(direction).y), 1.0); }
