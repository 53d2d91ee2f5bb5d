#version 330 core
// How much of a ball the view crosses, m; the balls of a fluid are added up.
#include "point_hit.glsl"
flat in vec3 albedo;
out float thickness;

void main() {
  covered();
  thickness = 2.0 * sphere.w * sqrt(max(1.0 - dot(rim, rim), 0.0)) * OVERLAP;
}
