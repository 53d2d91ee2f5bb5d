#version 330 core
#include "solid_place.glsl"
uniform mat4 clip_from_world;
invariant gl_Position;

void main() { gl_Position = clip_from_world * vec4(solid_place(), 1.0); }
