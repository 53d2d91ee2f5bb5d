#version 330 core
// The nearest ball of a fluid: the inverse of how far along the view it is, and its colour.
#include "frame.glsl"
#include "point_hit.glsl"
uniform mat4 clip_from_world;
flat in vec3 albedo;
layout(location = 0) out float depth;  // 1/m
layout(location = 1) out vec4 tint;

void main() {
  covered();
  vec3 world = sphere.xyz + sphere.w * normal_of_hit();
  depth = 1.0 / max(dot(world - frame.eye.xyz, frame.forward.xyz), 1e-6);
  tint = vec4(albedo, 1.0);
  vec4 clip = clip_from_world * vec4(world, 1.0);
  gl_FragDepth = clamp(0.5 * clip.z / clip.w + 0.5, 0.0, 1.0);
}
