#version 330 core
// One pass of the narrow-range filter (N. Truong and C. Yuksel, "A Narrow-Range Filter for Screen-Space Fluid
// Rendering", 2018). Each pass has taps half as far apart as the one before (the "a trous" scheme with a
// cubic B-spline; M. Shensa, "The Discrete Wavelet Transform", 1992). A point farther in front than the range
// belongs to another surface and is left out; a point farther behind counts as just behind. The range follows
// the slope, so that a surface seen at a grazing angle is smoothed like any other. Filters inverse depths,
// which are linear over a plane; smooths thickness over the fluid only. The share of the surroundings covered
// by fluid gives the outline.
#include "frame.glsl"
uniform sampler2D depth_map, thickness_map;  // 1/m, 0 where there is none; m
uniform float radius;                        // m, of a particle
uniform float apart;                         // between taps, in particle radii
uniform int first;                           // 1: thickness_map has half the size, with m in channel 4
uniform sampler2D solid_map;                 // depth of the solids before and behind the fluid
uniform vec2 to_depth;                       // an inverse depth w is to_depth.x + to_depth.y * w in solid_map
out vec4 smoothed;                           // 1/m, m, share; 0 for a lone particle, 1 within a fluid

float depth(ivec2 at) { return texelFetch(depth_map, clamp(at, ivec2(0), textureSize(depth_map, 0) - 1), 0).r; }

// Slope along an axis, per tap: the smaller of both one-sided differences, zero if their signs differ.
float slope(ivec2 at, ivec2 step, float own) {
  float after = depth(at + step), before = depth(at - step);
  float a = after > 0.0 ? after - own : 1e9, b = before > 0.0 ? own - before : 1e9;
  return abs(a) < 1e8 && abs(b) < 1e8 && a * b < 0.0 ? 0.0 : abs(a) < abs(b) ? a : abs(b) < 1e8 ? b : 0.0;
}

const float lone_taps = 0.3;  // distance of taps in a lone particle, relative to that in a fluid

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(depth_map, 0) - 1;
  vec4 here = texelFetch(depth_map, at, 0);
  // a lone particle stays a drop
  float own = here.r, joined = first == 1 ? here.g : here.a;
  int stride = int(clamp(apart * mix(lone_taps, 1.0, joined) * radius * own / frame.eye.w + 0.5, 1.0, 48.0));
  float range = 7.0 * radius * own * own, behind = 0.08 * range;
  const float spline[3] = float[3](6.0, 4.0, 1.0);
  float touch = to_depth.x + to_depth.y * own / (1.0 + 1.5 * radius * own), thick = 0.0, cover = 0.0, inside = 0.0;
  bool coarse = apart > 0.5;
  vec2 sum = vec2(0.0), turn = vec2(0.0);
  // Software renderers leave a loop early but run both sides of an if, so outside the fluid the loop has no
  // rounds.
  int end = own > 0.0 ? 2 : -3;
  for (int round = 0; round <= end; round += 3)
    turn = vec2(slope(at, ivec2(stride, 0), own), slope(at, ivec2(0, stride), own));
  for (int y = -2; y <= end; ++y)
    for (int x = -2; x <= 2; ++x) {
      ivec2 near = clamp(at + stride * ivec2(x, y), ivec2(0), last);
      float other = texelFetch(depth_map, near, 0).r, w = spline[abs(x)] * spline[abs(y)];
      bool empty = false;
      if (other > 0.0) {
        vec4 there = texelFetch(thickness_map, near >> first, 0);
        thick += w * (first == 1 ? there.a : there.g);
        cover += w * (coarse ? 1.0 : there.b);
        inside += w;
      } else if (coarse) {
        empty = texelFetch(solid_map, near, 0).r >= touch;  // else a solid is there
        cover += empty ? 0.0 : w;
      }
      float plane = own + dot(turn, vec2(x, y));
      if (other > max(own, plane) + range || (other <= 0.0 && !empty)) continue;
      float least = min(own, plane);
      sum += w * vec2(other < least - range ? least - behind : other, 1.0);
    }
  smoothed = own > 0.0 ? vec4(sum.x / sum.y, thick / inside, cover / (coarse ? 256.0 : inside), joined) : vec4(0.0);
}
