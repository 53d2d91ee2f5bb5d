// Shading of solids and particles. `towards`: normal of the surface on which the shadow falls.
#include "fog.glsl"
#include "light.glsl"

// Share of the sky that a point sees, at most 2 in one drawing. A smooth surface deep in a heap mirrors the heap, which
// is as dark as the light that falls on the surface itself.
float open_share(vec3 sky, vec3 n) { return min(sky.g / max(open_light(n).g, 1e-3), 2.0); }

// Polished metal mirrors its surroundings in its own colour, and the sun as a wide spot.
vec4 lit_metal(vec3 world, vec3 n, vec3 towards, vec3 base) {
  vec3 to_eye = frame.eye.xyz - world;
  float distance = max(length(to_eye), 1e-6);
  vec3 v = to_eye / distance;
  float facing = max(dot(n, frame.sun.xyz), 0.0), rim = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  vec3 direct = facing * sunlight_of(world, towards);
  float nh = max(dot(n, normalize(v + frame.sun.xyz)), 0.0);
  float nh4 = nh * nh * nh * nh, nh16 = nh4 * nh4 * nh4 * nh4;
  vec3 tint = mix(base, vec3(1.0), rim * rim * rim * rim * rim);
  vec3 way = reflect(-v, n);
  // A band of brighter sky, like a soft box in a studio: without anything to mirror, metal looks like paint.
  float band = smoothstep(0.2, 0.38, way.y) * (1.0 - smoothstep(0.62, 0.8, way.y));
  vec3 sky = ambient(world, n, base);
  vec3 result = tint * ((0.45 + 0.9 * band) * mix(0.3, 1.0, open_share(sky, n)) * mirrored_light(way) + 0.25 * sky);
  result += tint * frame.sun_light.rgb * direct * (0.18 + 0.9 * nh16 + 2.0 * nh16 * nh16 * nh16);
  return vec4(fogged(result, distance), 1.0);
}

vec4 lit_solid(vec3 world, vec3 n, vec3 towards, vec3 base) {
  vec3 to_eye = frame.eye.xyz - world;
  float distance = max(length(to_eye), 1e-6);
  vec3 v = to_eye / distance;
  float facing = max(dot(n, frame.sun.xyz), 0.0);
  vec3 direct = facing * sunlight_of(world, towards);

  vec3 h = normalize(v + frame.sun.xyz);
  float nh = max(dot(n, h), 0.0), rim = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  float nh4 = nh * nh * nh * nh, nh16 = nh4 * nh4 * nh4 * nh4, rim2 = rim * rim;
  float fresnel = 0.04 + 0.5 * rim2 * rim2 * rim;
  vec3 sky = ambient(world, n, base), seen = open_share(sky, n) * mirrored_light(reflect(-v, n));

  vec3 result = base * (sky + frame.sun_light.rgb * direct);
  result += frame.sun_light.rgb * (direct * 0.22 * nh16 * nh16) + fresnel * seen;
  return vec4(fogged(result, distance), 1.0);
}
