#version 330 core
// A square of fixed screen size around a point.
#include "frame.glsl"
uniform mat4 clip_from_world;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 dot_color;
layout(location = 2) in float diameter_px;
layout(location = 3) in float dot_alpha;
flat out vec3 tint;
flat out float radius;
flat out float alpha;
noperspective out vec2 offset;  // px from the centre

void main() {
  radius = 0.5 * max(diameter_px, 1.0);
  float reach = radius + 1.0;
  // Moves the dot towards the eye by its radius, so that a dot on a surface is not half buried in it.
  vec3 to_eye = frame.eye.xyz - position;
  vec3 raised = position + to_eye * min(radius * frame.eye.w, 0.5);
  vec4 center = clip_from_world * vec4(raised, 1.0);
  offset = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * reach;
  tint = dot_color;
  alpha = dot_alpha;
  center.xy += offset * 2.0 * frame.viewport.zw * center.w;
  gl_Position = center;
}
