#version 330 core
// Path length of the view through one ball, m, with the ball's colour and opacity. Contributions of a fluid's
// balls are summed; for colour and opacity, deeper balls have less weight.
#include "frame.glsl"
#include "point_hit.glsl"
#include "fluid_optics.glsl"
uniform sampler2D depth_map;  // 1/m, of twice the size
flat in vec4 tint;
layout(location = 0) out vec4 colored;  // weighted m times linear RGB; m
layout(location = 1) out vec2 opaque;   // weighted m times opacity; weighted m

void main() {
  covered();
  float thickness = 2.0 * sphere.w * sqrt(max(1.0 - dot(rim, rim), 0.0)) * OVERLAP;
  float front = texelFetch(depth_map, 2 * ivec2(gl_FragCoord.xy), 0).r;
  float deep = dot(sphere.xyz - frame.eye.xyz, frame.forward.xyz) - 1.0 / max(front, 1e-6) - sphere.w;
  float weighted = thickness * exp(-2.0 * absorption * max(deep, 0.0));
  colored = vec4(weighted * tint.rgb, thickness);
  opaque = weighted * vec2(tint.a, 1.0);
}
