// A number per vertex in colours that the screen shows as they are: the legend has the very same ones.
#include "tone.glsl"
uniform vec3 heat_scale;  // low end, 1 / range, 1 while a heat map is shown

// A polynomial fit of the map by S. van der Walt and N. Smith (2015); the same as viridis() in
// app/view/color_map.hpp.
vec3 viridis(float t) {
  t = clamp(t, 0.0, 1.0);
  vec3 c = vec3(-5.43545586, 4.64585261, 26.31243525);
  c = vec3(4.77638500, -13.74514538, -65.35303263) + t * c;
  c = vec3(6.22826994, 14.17993337, 56.69055260) + t * c;
  c = vec3(-4.63423050, -5.79910097, -19.33244096) + t * c;
  c = vec3(-0.33086183, 0.21484756, 0.09509516) + t * c;
  c = vec3(0.10509304, 1.40461353, 1.38459016) + t * c;
  return clamp(vec3(0.27772733, 0.00540734, 0.33409981) + t * c, 0.0, 1.0);
}

// Shaded just enough to keep the folds readable.
vec4 heat_color(float value, float shade) {
  vec3 shown = viridis((value - heat_scale.x) * heat_scale.y) * mix(0.62, 1.0, clamp(shade, 0.0, 1.0));
  return vec4(from_screen(shown), 1.0);
}
