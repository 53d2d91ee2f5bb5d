#version 330 core
// A clear fluid: the surroundings mirrored after Fresnel, the scene seen along a ray that is refracted where
// it enters the mesh and where it leaves it, dimmed after Beer and Lambert, and the light that the fluid
// scatters.
#include "fog.glsl"
#include "light.glsl"
#include "fluid_ray.glsl"
uniform sampler2D face_map, tint_map, path_map, exit_map;
uniform float radius;  // m, of a particle
in vec3 direction;
out vec4 color;
const float index = 1.33;  // of refraction
const float least_scattered = 0.16;  // share of the light lost in clear fluid that comes back out

float schlick(float cosine) {
  float rim = 1.0 - clamp(cosine, 0.0, 1.0), rim2 = rim * rim;
  return 0.02 + 0.98 * rim2 * rim2 * rim;
}

// Light of the lamp that a smooth surface mirrors, relative to the sun's: a square of soft light around the
// sun with the bright sun in it.
float lamp_in(vec3 way) {
  vec3 side = normalize(cross(frame.sun.xyz, vec3(0.13, 0.21, 0.97))), over = cross(side, frame.sun.xyz);
  float ahead = dot(way, frame.sun.xyz);
  vec2 at = abs(vec2(dot(way, side), dot(way, over))) / max(ahead, 1e-3);
  float square = (1.0 - smoothstep(0.28, 0.36, max(at.x, at.y))) * step(0.0, ahead);
  return 5.0 * square + 10.0 * pow(max(ahead, 0.0), 700.0);
}

// Light behind the surface, for a ray that enters it with the direction `way`.
vec3 seen_through(vec3 world, vec3 way, vec3 own) {
  vec4 leaves = texelFetch(exit_map, ivec2(gl_FragCoord.xy), 0);
  // a fluid that lies on a solid does not leave a film of air
  float gap = (solid_depth(gl_FragCoord.xy) - 1.0 / max(leaves.w, 1e-6)) * abs(dot(leaves.xyz, direction));
  bool open = leaves.w > 0.0 && gap > 1.5 * radius;
  float inside = open ? length(direction) * max(1.0 / leaves.w - own.z, 0.0)
                      : length(direction) * max(solid_depth(gl_FragCoord.xy) - own.z, 0.0);
  vec4 hit = hit_by(world, way, open ? inside : 1.6 * inside, own);
  if (hit.a > 0.5) return hit.rgb;
  if (!open) return texelFetch(backdrop, ivec2(gl_FragCoord.xy), 0).rgb;
  vec3 n = leaves.xyz, out_of = refract(way, -n, index);
  if (dot(way, n) < 0.0) n = way, out_of = way;
  vec3 end = world + way * inside;
  if (dot(out_of, out_of) < 0.5) {  // totally reflected
    out_of = reflect(way, n);
    return mirrored_light(out_of);
  }
  return light_along(end, out_of, own, backdrop_light(out_of));
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 here = texelFetch(face_map, at, 0);
  if (here.w <= 0.0) discard;
  vec3 world = frame.eye.xyz + direction / here.w, v = -normalize(direction), n = here.xyz;
  float facing = dot(n, v);
  n = normalize(n + v * max(0.03 - facing, 0.0));  // a smooth normal may point away at the outline
  vec3 own = place_of(world);
  vec4 path = max(texelFetch(path_map, at, 0), 0.0);
  vec4 tint = clamp(texelFetch(tint_map, at, 0) / max(path.a, 1e-6), 0.0, 1.0);
  vec3 through = exp(-path.rgb);
  float fresnel = schlick(dot(n, v)), distance = length(world - frame.eye.xyz);

  vec3 bent = refract(-v, n, 1.0 / index), seen = seen_through(world, bent, own);
  vec3 mirror = reflect(-v, n);
  float lit = sunlight(world, n), direct = max(dot(n, frame.sun.xyz), 0.0) * lit;
  vec3 mirrored = light_along(world, mirror, own, mirrored_light(mirror));
  mirrored += frame.sun_light.rgb * (lit * lamp_in(mirror));

  // light enters a cloudy fluid on all sides
  float cloudy = smoothstep(0.0, 0.3, tint.a);
  vec3 wrapped = frame.sun_light.rgb * mix(direct, lit * (0.35 + 0.65 * direct), 0.6);
  vec3 deep = mix(tint.rgb, tint.rgb * sqrt(tint.rgb), cloudy * (1.0 - exp(-0.4 * path.b)));
  vec3 scattered = deep * mix(least_scattered, 1.0, cloudy) * (ambient(world, n) + wrapped);
  vec3 inside = through * seen + (1.0 - through) * fogged(scattered, distance);
  color = vec4(mix(inside, mirrored, fresnel), 1.0);
  gl_FragDepth = clamp(to_depth.x + to_depth.y * here.w, 0.0, 1.0);
}
