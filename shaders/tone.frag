#version 330 core
// Converts the light of a picture, or the sum of several drawings, to display colours.
#include "tone.glsl"
uniform sampler2D light_map;
uniform float share;  // 1 / number of drawings in the sum
out vec4 color;

void main() { color = to_screen(share * texelFetch(light_map, ivec2(gl_FragCoord.xy), 0).rgb); }
