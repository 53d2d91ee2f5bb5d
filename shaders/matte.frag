#version 330 core
// A picture with an alpha channel, computed from the same light on black and on white: the share of white
// that is visible is transparent.
#include "tone.glsl"
uniform sampler2D light_map, light_on_white_map;
uniform float share;  // 1 / number of drawings in the sums
out vec4 color;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec3 on_black = share * texelFetch(light_map, pixel, 0).rgb;
  vec3 through = share * texelFetch(light_on_white_map, pixel, 0).rgb - on_black;
  float opacity = clamp(1.0 - (through.r + through.g + through.b) / 3.0, 0.0, 1.0);
  color = opacity < 0.5 / 255.0 ? vec4(0.0) : vec4(to_screen(on_black / opacity).rgb, opacity);
}
