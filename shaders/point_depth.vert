#version 330 core
#include "point_place.glsl"
invariant gl_Position;

void main() { gl_Position = point_place(gl_VertexID / 3); }
