#version 330 core
// Optical depth of a fluid along the view: where the ray leaves the mesh minus where it enters, both at most
// as far as the first solid. Contributions of all faces are summed. Beer's law does not depend on the order.
#include "frame.glsl"
#include "fluid_optics.glsl"
uniform sampler2D solid_map;
uniform vec2 to_depth;  // an inverse depth w has the depth buffer value to_depth.x + to_depth.y * w
uniform vec4 tint;      // linear RGB; opacity
in vec3 world;
layout(location = 0) out vec4 path;     // optical depth of each colour; m
layout(location = 1) out vec4 colored;  // m times the fluid's colour and opacity

void main() {
  vec3 from_eye = world - frame.eye.xyz;
  float along = dot(from_eye, frame.forward.xyz), reached = length(from_eye);
  float solid = (texelFetch(solid_map, ivec2(gl_FragCoord.xy), 0).r - to_depth.x) / to_depth.y;  // 1/m
  float share = min(1.0, 1.0 / max(solid * along, 1e-6));
  float length_of = (gl_FrontFacing ? -1.0 : 1.0) * reached * share;
  path = length_of * vec4(extinction(tint.rgb, tint.a), 1.0);
  colored = length_of * tint;
}
