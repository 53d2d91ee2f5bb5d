#version 330 core
#include "tone.glsl"
#include "fog.glsl"
#include "shadow.glsl"
in vec3 world;
in vec3 smooth_normal;
flat in vec3 albedo;
flat in float octants;
in vec3 own;
out vec4 color;

// 1 in every other octant of the solid's own frame, so that its turning shows; edges are two pixels wide.
float octant() {
  vec3 side = clamp(own / max(fwidth(own), 1e-6), -1.0, 1.0);
  return 0.5 - 0.5 * side.x * side.y * side.z;
}

void main() {
  vec3 n = smooth_normal * inversesqrt(max(dot(smooth_normal, smooth_normal), 1e-30));
  vec3 to_eye = frame.eye.xyz - world;
  float distance = max(length(to_eye), 1e-6);
  vec3 v = to_eye / distance;
  float facing = max(dot(n, frame.sun.xyz), 0.0);
  float direct = facing * sunlight(world, n);

  vec3 h = normalize(v + frame.sun.xyz);
  float nh = max(dot(n, h), 0.0), rim = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  float nh4 = nh * nh * nh * nh, nh16 = nh4 * nh4 * nh4 * nh4, rim2 = rim * rim;
  float fresnel = 0.04 + 0.5 * rim2 * rim2 * rim;
  vec3 mirrored = reflect(-v, n);
  vec3 seen = mix(vec3(0.24, 0.25, 0.26), sky_color(mirrored.y), smoothstep(-0.15, 0.25, mirrored.y));

  vec3 base = albedo * (1.0 - 0.75 * octants * octant());
  vec3 result = base * (hemisphere(n) + fill(n) + sun_color * direct);
  result += sun_color * (direct * 0.22 * nh16 * nh16) + fresnel * seen;
  color = to_screen(fogged(result, distance));
}
