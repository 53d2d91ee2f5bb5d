#version 330 core
#include "fog.glsl"
#include "light.glsl"
#include "cloth.glsl"
#include "heat.glsl"
uniform int matter;  // 0 cloth, 1 rubber, 2 jelly
uniform vec3 front_color, back_color, accent;
in vec3 world;
in vec3 smooth_normal;
in vec2 uv;
in float heat;
out vec4 color;

#ifdef WIREFRAME
#include "edges.glsl"
#endif

vec3 cloth_color(float front) {
  vec2 place = (uv - uv_map.xy) * uv_map.zw;
  vec2 width = max(abs(dFdx(place)) + abs(dFdy(place)), 1e-6);
  vec3 base = mix(mix(back_color, front_color, front), accent, pattern_at(place, width) * mix(0.7, 1.0, front));
  float woven = 1.0;
  int rounds = thread > 0.0 ? 1 : 0;
  for (int i = 0; i < rounds; ++i) woven = weave_at(place, width);
  return base * woven;
}

// Surroundings reflected by a smooth coat.
vec3 glossed(vec3 position, vec3 n, vec3 v, vec3 sky) {
  float rim = 1.0 - clamp(dot(n, v), 0.0, 1.0), rim2 = rim * rim;
  float seen = min(sky.g / max(open_light(n).g, 1e-3), 2.0);
  return (0.035 + 0.4 * rim2 * rim2 * rim) * seen * mirrored_light(reflect(-v, n));
}

// Sunlight in translucent matter: a point below the surface is lit if the sun reaches it. Each drawing has
// another depth, exponentially distributed after Beer and Lambert, so thin parts glow according to their
// thickness.
vec3 passed_through(vec3 position, float facing, vec3 albedo) {
  float reached = sunlight(position + frame.sun.xyz * frame.sun_light.w, frame.sun.xyz);
  float around = 0.5 + 0.5 * clamp(-facing + 0.35, -1.0, 1.0);
  return frame.sun_light.rgb * albedo * sqrt(albedo) * (0.55 * around * reached);
}

void main() {
  float front = gl_FrontFacing ? 1.0 : 0.0;
  float side = gl_FrontFacing ? 1.0 : -1.0;
  vec3 n = smooth_normal * (side * inversesqrt(max(dot(smooth_normal, smooth_normal), 1e-12)));
  if (heat_scale.z > 0.5) {
    color = heat_color(heat, 0.5 + 0.5 * dot(n, frame.sun.xyz));
#ifdef WIREFRAME
    color.rgb *= 1.0 - 0.75 * edge_cover();
#endif
    return;
  }
  vec3 to_eye = frame.eye.xyz - world;
  float distance = max(length(to_eye), 1e-6);
  vec3 v = to_eye / distance;
  vec3 albedo = cloth_color(front);

  // Sunlight on this side, or through the cloth from the other side.
  float facing = dot(n, frame.sun.xyz);
  vec3 lit = sunlight_of(world, facing < 0.0 ? -n : n);
  vec3 direct = max(facing, 0.0) * lit;
  vec3 through = max(-facing, 0.0) * lit;

  // The interior sees less of the sky.
  float open = frame.sky[0].w > 0.0 ? 1.0 : mix(0.72, 1.0, front);
  vec3 sky = ambient(world, n, albedo) * open;
  vec3 light = sky + frame.sun_light.rgb * direct;
  vec3 result = albedo * light + albedo * albedo * frame.sun_light.rgb * (0.22 * through);

  vec3 h = normalize(v + frame.sun.xyz);
  float nh = max(dot(n, h), 0.0), rim = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  float nh4 = nh * nh * nh * nh, nh12 = nh4 * nh4 * nh4;
  float fuzz = rim * rim * rim;
  if (matter == 0) {
    result += frame.sun_light.rgb * (direct * 0.075 * nh12);
    result += mix(albedo, vec3(0.7), 0.22) * sky * (0.42 * fuzz * rim);
  } else {
    // A smooth coat over a rougher one: a small bright spot in a wide dim one, together a few percent of the light.
    float nh36 = nh12 * nh12 * nh12, spot = 0.1 * nh36 + 0.55 * nh36 * nh36 * nh36 * nh36;
    result = albedo * light + glossed(world, n, v, sky) + frame.sun_light.rgb * (direct * spot);
    if (matter == 2) result += passed_through(world, facing, albedo);
  }
#ifdef WIREFRAME
  result = mix(result, 0.12 * result, 0.9 * edge_cover());
#endif
  color = vec4(fogged(result, distance), 1.0);
}
