#version 330 core
// The nearest ellipsoid of a fluid: the inverse of how far along the view it is.
#include "point_hit.glsl"
flat in vec4 along;
uniform vec2 to_depth;  // of an inverse depth in the depth buffer: to_depth.x + to_depth.y / m
layout(location = 0) out float depth;  // 1/m

void main() {
  covered();
  depth = 1.0 / max(along.x + dot(along.yzw, normal_of_hit()), 1e-6);
  gl_FragDepth = clamp(to_depth.x + to_depth.y * depth, 0.0, 1.0);
}
