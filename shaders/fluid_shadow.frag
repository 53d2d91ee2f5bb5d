#version 330 core
// Sunlight absorbed by one ball of a fluid, and position and path length. Contributions of balls are summed.
#include "point_hit.glsl"
#include "fluid_optics.glsl"
flat in vec4 tint;
layout(location = 0) out vec4 taken;  // optical depth of each colour
layout(location = 1) out vec2 place;  // m; m times depth from the sun

void main() {
  covered();
  float thickness = 2.0 * sphere.w * sqrt(max(1.0 - dot(rim, rim), 0.0)) * OVERLAP;
  taken = vec4(thickness * extinction(tint.rgb, tint.a), 0.0);
  place = thickness * vec2(1.0, gl_FragCoord.z);
}
