#version 330 core
// One direction of the narrow-range filter (N. Truong and C. Yuksel, "A Narrow-Range Filter for Screen-Space
// Fluid Rendering", 2018): what is farther in front than the range is another surface and left out, what is
// farther behind counts as just behind. Thickness is smoothed without regard to depth.
#include "frame.glsl"
uniform sampler2D depth_map, thickness_map;
uniform vec2 along;      // px
uniform float reach;     // m, of the filter
uniform vec2 from_half;  // which half of thickness_map has the thickness
out vec2 smoothed;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(depth_map, 0) - 1;
  float own = texelFetch(depth_map, at, 0).r;
  float wide = own > 0.0 ? reach / (max(own, 1e-6) * frame.eye.w) : 6.0;
  int taps = int(clamp(wide, 1.0, 20.0)), apart = int(clamp(wide / 20.0, 1.0, 4.0));  // px between taps
  float sum = 0.0, weights = 0.0, thick = 0.0, all = 0.0;
  for (int k = -taps; k <= taps; ++k) {
    ivec2 near = clamp(at + ivec2(along) * (k * apart), ivec2(0), last);
    float x = float(k) / (float(taps) + 0.5), w = (1.0 - x * x) * (1.0 - x * x);
    thick += w * dot(texelFetch(thickness_map, near, 0).rg, from_half);
    all += w;
    float other = texelFetch(depth_map, near, 0).r;
    if (other <= 0.0 || other < own - reach) continue;
    sum += w * min(other, own + 0.25 * reach);
    weights += w;
  }
  smoothed = vec2(own > 0.0 ? sum / weights : 0.0, thick / all);
}
