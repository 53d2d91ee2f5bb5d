#version 330 core
#include "point_hit.glsl"
out vec4 color;

void main() { color = vec4(vec3(0.0), covered()); }
