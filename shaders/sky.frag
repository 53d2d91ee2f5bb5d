#version 330 core
#include "tone.glsl"
#include "sky.glsl"
in vec3 direction;
out vec4 color;

void main() { color = to_screen(sky_color(normalize(direction).y)); }
