// A number per vertex in colours, straight to the screen: the legend shows the very same ones.
uniform vec3 heat_scale;  // low end, 1 / range, 1 while a heat map is shown

// The polynomial fit of Turbo by A. Mikhailov and R. Du (2019) without its nearly black beginning; the same as
// turbo() in app/view/color_map.hpp.
vec3 turbo(float t) {
  t = mix(0.07, 1.0, clamp(t, 0.0, 1.0));
  vec4 v4 = vec4(1.0, t, t * t, t * t * t);
  vec2 v2 = v4.zw * v4.z;
  return clamp(vec3(dot(v4, vec4(0.13572138, 4.61539260, -42.66032258, 132.13108234)) + dot(v2, vec2(-152.94239396, 59.28637943)),
                    dot(v4, vec4(0.09140261, 2.19418839, 4.84296658, -14.18503333)) + dot(v2, vec2(4.27729857, 2.82956604)),
                    dot(v4, vec4(0.10667330, 12.64194608, -60.58204836, 110.36276771)) + dot(v2, vec2(-89.90310912, 27.34824973))),
               0.0, 1.0);
}

// Shaded just enough to keep the folds readable.
vec4 heat_color(float value, float shade) {
  return vec4(turbo((value - heat_scale.x) * heat_scale.y) * mix(0.62, 1.0, clamp(shade, 0.0, 1.0)), 1.0);
}
