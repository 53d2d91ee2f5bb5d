#version 330 core
// A pane of glass: nearly invisible seen straight on, reflecting at grazing angles.
#include "fog.glsl"
in vec3 world;
in vec3 smooth_normal;
flat in vec3 albedo;
out vec4 color;

void main() {
  vec3 n = smooth_normal * inversesqrt(max(dot(smooth_normal, smooth_normal), 1e-30));
  vec3 to_eye = frame.eye.xyz - world;
  float distance = max(length(to_eye), 1e-6);
  vec3 v = to_eye / distance;
  if (dot(n, v) < 0.0) n = -n;
  float flatness = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  float fresnel = 0.015 + 0.26 * flatness * flatness * flatness * flatness;
  vec3 light = mirrored_light(reflect(-v, n)) + 0.3 * albedo;
  color = vec4(fogged(light, distance), fresnel);
}
