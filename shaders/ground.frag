#version 330 core
#include "fog.glsl"
#include "light.glsl"
uniform sampler2D occlusion_map;
in vec2 place;
out vec4 color;

// Integral of a square wave of period 2 and values +-1. Its difference over a width is the box filter.
vec2 wave(vec2 x) { return abs(fract(0.5 * x) * 2.0 - 1.0); }

// Alternates between +1 and -1, averaged over the pixel. Fades out before cells get as small as pixels, where
// even the average would alias with the pixel grid.
float checker(vec2 x, vec2 width) {
  vec2 side = (wave(x - 0.5 * width) - wave(x + 0.5 * width)) / width;
  return side.x * side.y * (1.0 - smoothstep(0.3, 0.9, max(width.x, width.y)));
}

// 1 on lines at whole numbers, about one and a half pixels wide. Fades where the lines come close together.
float lines(vec2 x, vec2 width) {
  vec2 away = abs(fract(x - 0.5) - 0.5);
  vec2 on = clamp(1.25 - away / width, 0.0, 1.0) * (1.0 - smoothstep(0.08, 0.3, width));
  return max(on.x, on.y);
}

// Wooden boards one cell wide: 1 in seams and in dark grain. The grain fades where it is as fine as pixels.
float wood(vec2 x, vec2 width) {
  float board = floor(x.y), odd = fract(0.618034 * board), along = 0.35 * x.x + 7.0 * odd;
  float bend = 0.06 * sin(1.9 * along + 6.0 * odd) + 0.03 * sin(4.3 * along);
  float rings = x.y * (5.0 + 3.0 * odd) + 9.0 * bend;
  float grain = 0.5 + 0.5 * sin(6.2831853 * rings + 1.5 * sin(2.0 * rings));
  float fine = 1.0 - smoothstep(0.03, 0.09, width.y);
  float away = abs(fract(x.y + 0.5) - 0.5);
  float seam = clamp(1.2 - away / max(0.012, width.y), 0.0, 1.0) * (1.0 - smoothstep(0.1, 0.4, width.y));
  return clamp(0.30 * mix(0.4, grain, fine) + 0.35 * odd + seam, 0.0, 1.0);
}

float marked() {
  int kind = int(frame.ground.w);
  vec2 step = max(abs(dFdx(place)) + abs(dFdy(place)), 1e-6), cell = place / frame.air.z;
  float mark = 0.0;
  // Loops of zero or one round instead of ifs, see shadow.glsl.
  for (int i = kind; i == 1; ++i) mark = 0.5 + 0.5 * checker(cell, max(1.2 * step / frame.air.z, 1e-4));
  for (int i = kind; i == 2; ++i) mark = max(lines(place, step), 0.4 * lines(10.0 * place, 10.0 * step));
  for (int i = kind; i == 3; ++i) mark = wood(cell, step / frame.air.z);
  return mark;
}

void main() {
  vec3 albedo = mix(frame.ground.rgb, frame.ground_mark.rgb, marked());
  vec3 position = vec3(place.x, 0.0, place.y);
  vec3 lit = sunlight_of(position, vec3(0.0, 1.0, 0.0));
  vec2 map = (place - frame.occlusion.xy) * frame.occlusion.zw;
  vec2 edge = smoothstep(0.5, 0.42, abs(map - 0.5));
  float sampled = frame.sky[0].w > 0.0 ? 1.0 : 0.0;
  float hidden = texture(occlusion_map, map).r * edge.x * edge.y * frame.sun.w * (1.0 - sampled);

  vec3 sky = ambient(position, vec3(0.0, 1.0, 0.0), albedo) * (1.0 - 0.72 * hidden);
  vec3 light = sky + frame.sun_light.rgb * (frame.sun.y * lit);
  vec3 shown = fogged(albedo * light, distance(position, frame.eye.xyz)) * corner_light(position - frame.eye.xyz);
  color = vec4(frame.ground.w > 3.5 ? frame.far.rgb : shown, 1.0);
}
