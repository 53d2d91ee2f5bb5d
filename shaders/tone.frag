#version 330 core
// The light of the picture, or the sum of several drawings of it, to the screen.
#include "tone.glsl"
uniform sampler2D light_map;
uniform float share;  // of one drawing in the sum
out vec4 color;

void main() { color = to_screen(share * texelFetch(light_map, ivec2(gl_FragCoord.xy), 0).rgb); }
