#version 330 core
// Glass: a ray of sight is refracted where it enters a box or a ball, totally reflected or refracted where it
// leaves, and dimmed after Beer and Lambert on its way. The face mirrors the surroundings after Fresnel. A
// mesh is a thin shell, through which the picture shows unrefracted.
#include "fog.glsl"
#include "light.glsl"
#include "fluid_ray.glsl"
#include "lamp.glsl"
uniform int form;      // 0 shell, 1 box, 2 ball
uniform int refracts;  // 1: `backdrop` holds the picture behind; 0: the picture shows through by blending
in vec3 world;
in vec3 smooth_normal;
in vec3 own;
flat in vec3 albedo;
flat in mat3 axes;
flat in float thick;
out vec4 color;  // alpha: share of the picture behind that remains
const float index = 1.5;     // of refraction
const float straight = 0.04;  // share of the light that a face mirrors, seen straight on

float schlick(float cosine) {
  float rim = 1.0 - clamp(cosine, 0.0, 1.0), rim2 = rim * rim;
  return straight + (1.0 - straight) * rim2 * rim2 * rim;
}

// Transmittance of a path of so many thicknesses. Light that crosses a pane loses little; light that runs
// along it turns green, or takes the colour of tinted glass.
vec3 kept_along(float path) {
  vec3 missing = 1.0 - albedo / max(max(albedo.r, albedo.g), max(albedo.b, 1e-3));
  return exp(-path * (vec3(0.030, 0.010, 0.020) + 0.9 * missing * missing));
}

vec3 to_own(vec3 way) {
  return vec3(dot(way, axes[0]) / dot(axes[0], axes[0]), dot(way, axes[1]) / dot(axes[1], axes[1]),
              dot(way, axes[2]) / dot(axes[2], axes[2]));
}

// m along `way` from the place q to the next face, and the unit normal of that face, outwards.
vec4 next_face(vec3 q, vec3 way) {
  vec3 d = to_own(way);
  if (form == 2) {
    float along = -2.0 * dot(q, d) / max(dot(d, d), 1e-12);
    vec3 n = q + along * d;
    return vec4(normalize(axes * n), max(along, 0.0));
  }
  vec3 side = vec3(d.x < 0.0 ? -1.0 : 1.0, d.y < 0.0 ? -1.0 : 1.0, d.z < 0.0 ? -1.0 : 1.0);
  vec3 far = (side - q) / (side * max(abs(d), vec3(1e-6)));
  if (far.x <= far.y && far.x <= far.z) return vec4(side.x * normalize(axes[0]), max(far.x, 0.0));
  if (far.y <= far.z) return vec4(side.y * normalize(axes[1]), max(far.y, 0.0));
  return vec4(side.z * normalize(axes[2]), max(far.z, 0.0));
}

// Light along a ray that has left the glass. Rays that go on into the picture end on what it shows.
vec3 light_beyond(vec3 from, vec3 way, vec3 place) {
  float along = dot(way, frame.forward.xyz), depth = dot(from - frame.eye.xyz, frame.forward.xyz);
  if (along > 0.25) {
    vec3 there = place_of(from + way * (max(solid_depth(gl_FragCoord.xy) - depth, 0.0) / along));
    vec2 pixel = pixel_of(there, place);
    vec2 inside = step(abs(pixel - 0.5 * frame.viewport.xy), 0.5 * frame.viewport.xy - 1.0);
    if (inside.x * inside.y > 0.0 && solid_depth(pixel) > depth)
      return texture(backdrop, pixel / vec2(textureSize(backdrop, 0))).rgb;
  }
  return light_along(from, way, place, backdrop_light(way));
}

// Light that comes out of the face towards the eye from inside. alpha: share of the picture straight behind.
vec4 light_through(vec3 way, vec3 place) {
  vec3 q = own, from = world;
  float path = 0.0;
  for (int i = 0; i < 5; ++i) {
    vec4 face = next_face(q, way);
    from += way * face.w, q += to_own(way) * face.w, path += face.w / thick;
    vec3 out_of = refract(way, -face.xyz, index);
    if (dot(out_of, out_of) > 0.0) {
      vec3 kept = kept_along(path);
      if (refracts == 1) return vec4(kept * light_beyond(from, out_of, place), 0.0);
      float on = smoothstep(0.80, 0.95, dot(out_of, normalize(world - frame.eye.xyz)));
      return vec4((1.0 - on) * kept * mirrored_light(out_of), on * kept.g);
    }
    way = reflect(way, face.xyz);
  }
  return vec4(kept_along(path) * 0.6 * mirrored_light(way), 0.0);
}

void main() {
  vec3 n = smooth_normal * inversesqrt(max(dot(smooth_normal, smooth_normal), 1e-30));
  vec3 v = normalize(frame.eye.xyz - world);
  float facing = dot(n, v), distance = length(frame.eye.xyz - world);
  if (form == 0 && facing < 0.0) n = -n, facing = -facing;
  n = normalize(n + v * max(0.02 - facing, 0.0));
  float fresnel = schlick(dot(n, v));
  vec3 place = place_of(world), mirror = reflect(-v, n), mirrored = mirrored_light(mirror);
  int rounds = refracts * (form == 0 ? 0 : 1);
  for (int i = 0; i < rounds; ++i) mirrored = light_along(world, mirror, place, mirrored);
  float lit = sunlight(world, n) * step(0.0, dot(n, frame.sun.xyz));
  mirrored = fogged(mirrored, distance) + frame.sun_light.rgb * (0.45 * lit * lamp_in(mirror));  // a full lamp would veil what is behind
  if (form == 0) {
    float kept = kept_along(1.0 / max(dot(n, v), 0.15)).g;
    color = vec4(fresnel * mirrored, (1.0 - fresnel) * kept);
    return;
  }
  vec4 through = light_through(refract(-v, n, 1.0 / index), place);
  color = vec4(mix(fogged(through.rgb, distance), mirrored, fresnel), (1.0 - fresnel) * through.a);
}
