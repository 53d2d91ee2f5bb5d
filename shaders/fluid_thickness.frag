#version 330 core
// How much of a ball the view crosses, m, and of what colour and opacity it is; the balls of a fluid are added up.
#include "point_hit.glsl"
flat in vec4 tint;
layout(location = 0) out vec4 colored;  // m times linear RGB; m
layout(location = 1) out float opaque;  // m times opacity

void main() {
  covered();
  float thickness = 2.0 * sphere.w * sqrt(max(1.0 - dot(rim, rim), 0.0)) * OVERLAP;
  colored = thickness * vec4(tint.rgb, 1.0);
  opaque = thickness * tint.a;
}
