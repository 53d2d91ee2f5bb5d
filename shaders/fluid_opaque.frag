#version 330 core
// The surface of an opaque fluid: paint, wax, lava.
#include "fog.glsl"
#include "light.glsl"
uniform vec4 tint;  // linear RGB; opacity
in vec3 world;
in vec3 smooth_normal;
out vec4 color;

void main() {
  vec3 n = smooth_normal * inversesqrt(max(dot(smooth_normal, smooth_normal), 1e-12));
  vec3 from_eye = world - frame.eye.xyz;
  float distance = length(from_eye), facing = dot(n, frame.sun.xyz);
  vec3 v = -from_eye / max(distance, 1e-6), mirror = reflect(-v, n), sky = ambient(world, n, tint.rgb);
  float direct = max(facing, 0.0) * sunlight(world, n);
  // each drawing has another depth at which the light of the sun is looked for, see surface.frag
  float reached = sunlight(world + frame.sun.xyz * (0.5 * frame.sun_light.w), frame.sun.xyz);
  vec3 glow = tint.rgb * sqrt(tint.rgb) * (0.3 * (0.5 + 0.5 * clamp(0.35 - facing, -1.0, 1.0)) * reached);
  float rim = 1.0 - clamp(dot(n, v), 0.0, 1.0), rim2 = rim * rim;
  float open = min(sky.g / max(open_light(n).g, 1e-3), 1.5), gloss = max(dot(mirror, frame.sun.xyz), 0.0);
  vec3 light = tint.rgb * (sky + frame.sun_light.rgb * direct) + frame.sun_light.rgb * glow;
  light += (0.04 + 0.5 * rim2 * rim2 * rim) * open * mirrored_light(mirror);
  light += frame.sun_light.rgb * (direct * 0.6 * pow(gloss, 60.0));
  color = vec4(fogged(light, distance), 1.0);
}
