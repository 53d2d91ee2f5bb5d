#version 330 core
// The light of the picture as it is, to be added up.
uniform sampler2D light_map;
out vec4 color;

void main() { color = texelFetch(light_map, ivec2(gl_FragCoord.xy), 0); }
