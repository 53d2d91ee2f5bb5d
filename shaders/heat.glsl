// Colours of a number per vertex, exactly those of the legend.
#include "tone.glsl"
uniform vec3 heat_scale;       // low end, 1 / range, 1 while a heat map is shown
uniform vec3 heat_colors[33];  // sRGB, evenly spaced over the scale (app/view/color_map.hpp)
uniform float heat_lines;      // number of isolines over the scale; 0: none

vec3 color_of_scale(float t) {
  float place = clamp(t, 0.0, 1.0) * 32.0;
  int first = min(int(place), 31);
  return mix(heat_colors[first], heat_colors[first + 1], place - float(first));
}

// 1 on an isoline, which is about one and a half pixels wide for any gradient; 0 where the number is
// constant.
float isoline(float t) {
  float place = t * heat_lines, slope = fwidth(place);
  if (heat_lines < 0.5 || slope < 1e-5 || place < 0.5 || place > heat_lines - 0.5) return 0.0;
  float away = abs(fract(place - 0.5) - 0.5) / slope;  // pixels
  return (1.0 - smoothstep(0.5, 1.2, away)) * clamp(2.0 - 4.0 * slope, 0.0, 1.0);
}

// Shades just enough that folds stay visible.
vec4 heat_color(float value, float shade) {
  float t = (value - heat_scale.x) * heat_scale.y;
  vec3 shown = color_of_scale(t) * mix(0.62, 1.0, clamp(shade, 0.0, 1.0)) * (1.0 - 0.75 * isoline(t));
  return vec4(from_screen(shown), 1.0);
}
