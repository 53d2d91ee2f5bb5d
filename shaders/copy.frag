#version 330 core
// Outputs the unmodified light of a picture, to be summed.
uniform sampler2D light_map;
out vec4 color;

void main() { color = texelFetch(light_map, ivec2(gl_FragCoord.xy), 0); }
