#version 330 core
// A segment as a screen-space strip: its width plus one pixel for the soft edge.
#include "frame.glsl"
uniform mat4 clip_from_world;
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec3 line_color;
layout(location = 3) in float width_px;
flat out vec3 tint;
flat out float half_width;
noperspective out float across;  // px from the middle line

const float nearest = 1e-3;  // m; segments are cut here, because nearer points would be projected upside down

vec3 cut(vec3 from, vec3 other) {
  float d = dot(from - frame.eye.xyz, frame.forward.xyz), e = dot(other - frame.eye.xyz, frame.forward.xyz);
  return d < nearest && e > nearest ? mix(from, other, (nearest - d) / (e - d)) : from;
}

void main() {
  vec3 p = cut(a, b), q = cut(b, a);
  // Moves the line slightly towards the eye, so that lines on a surface are not half buried in it.
  vec4 start = clip_from_world * vec4(mix(p, frame.eye.xyz, 0.002), 1.0);
  vec4 end = clip_from_world * vec4(mix(q, frame.eye.xyz, 0.002), 1.0);
  vec2 way = (end.xy / end.w - start.xy / start.w) * frame.viewport.xy;
  float length_px = length(way);
  vec2 along = length_px > 1e-6 ? way / length_px : vec2(1.0, 0.0);
  bool behind = min(start.w, end.w) <= 0.0;

  half_width = behind ? 0.0 : 0.5 * max(width_px, 1.0);
  float reach = behind ? 0.0 : half_width + 0.5;
  across = (gl_VertexID & 1) == 0 ? -reach : reach;
  tint = line_color;
  vec4 corner = gl_VertexID < 2 ? start : end;
  corner.xy += vec2(-along.y, along.x) * (2.0 * across) * frame.viewport.zw * corner.w;
  gl_Position = corner;
}
