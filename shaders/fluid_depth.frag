#version 330 core
// Inverse of the distance along the view to the nearest ellipsoid of a fluid.
#include "point_hit.glsl"
flat in vec4 along;
uniform vec2 to_depth;  // an inverse depth w has the depth buffer value to_depth.x + to_depth.y * w
flat in float joined;
layout(location = 0) out vec2 depth;  // 1/m; 0 for a lone particle, 1 within a fluid

void main() {
  covered();
  depth = vec2(1.0 / max(along.x + dot(along.yzw, normal_of_hit()), 1e-6), joined);
  gl_FragDepth = clamp(to_depth.x + to_depth.y * depth.x, 0.0, 1.0);
}
