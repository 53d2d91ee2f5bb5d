#version 330 core
#include "fog.glsl"
#include "light.glsl"
uniform sampler2D occlusion_map;
in vec2 place;
out vec4 color;

// Integral of a square wave of period 2 and values +-1; its difference over a width is the box filter.
vec2 wave(vec2 x) { return abs(fract(0.5 * x) * 2.0 - 1.0); }

// +1 and -1 in turns, averaged over the pixel and faded out before cells get as small as pixels, where even
// the average would beat with the pixel grid.
float checker(vec2 x, vec2 width) {
  vec2 side = (wave(x - 0.5 * width) - wave(x + 0.5 * width)) / width;
  return side.x * side.y * (1.0 - smoothstep(0.3, 0.9, max(width.x, width.y)));
}

void main() {
  vec2 cell = place / frame.air.z;
  vec2 width = 1.2 * max(abs(dFdx(cell)) + abs(dFdy(cell)), 1e-4);
  float tone = 0.252 + 0.088 * checker(cell, width);
  vec3 albedo = tone * vec3(0.965, 0.995, 1.06);

  vec3 position = vec3(place.x, 0.0, place.y);
  vec3 lit = sunlight_of(position, vec3(0.0, 1.0, 0.0));
  vec2 map = (place - frame.occlusion.xy) * frame.occlusion.zw;
  vec2 edge = smoothstep(0.5, 0.42, abs(map - 0.5));
  float sampled = frame.sky.w > 0.0 ? 1.0 : 0.0;
  float hidden = texture(occlusion_map, map).r * edge.x * edge.y * frame.sun.w * (1.0 - sampled);

  vec3 light = ambient(position, vec3(0.0, 1.0, 0.0)) * (1.0 - 0.72 * hidden) + frame.sun_light.rgb * (frame.sun.y * lit);
  color = vec4(fogged(albedo * light, distance(position, frame.eye.xyz)), 1.0);
}
