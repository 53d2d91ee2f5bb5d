#version 330 core
// The surface of a fluid over what is already in the picture: reflection after Fresnel, and behind it what
// absorption over the thickness leaves (Beer and Lambert), each colour by itself.
#include "tone.glsl"
#include "fog.glsl"
#include "shadow.glsl"
uniform sampler2D surface_map, tint_map;
uniform mat4 clip_from_world;
uniform float absorption;  // 1/m
uniform float radius;      // m, of a particle
in vec3 direction;
layout(location = 0, index = 0) out vec4 added;
layout(location = 0, index = 1) out vec4 left;

vec3 place(ivec2 at, vec2 shift) {
  vec2 edge = 2.0 * shift * frame.viewport.zw;
  vec3 way = direction + edge.x * frame.right.w * frame.right.xyz + edge.y * frame.up.w * frame.up.xyz;
  return frame.eye.xyz + texelFetch(surface_map, at + ivec2(shift), 0).r * way;
}

// Of the two differences along an axis the one within the surface.
vec3 slope(ivec2 at, vec3 middle, vec2 axis) {
  float z = texelFetch(surface_map, at, 0).r;
  float after = texelFetch(surface_map, at + ivec2(axis), 0).r, before = texelFetch(surface_map, at - ivec2(axis), 0).r;
  float a = after > 0.0 ? abs(after - z) : 1e9, b = before > 0.0 ? abs(before - z) : 1e9;
  return a <= b ? place(at, axis) - middle : middle - place(at, -axis);
}

vec3 tint_around(ivec2 at) {
  vec4 sum = vec4(0.0);
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y) sum += texelFetch(tint_map, at + 3 * ivec2(x, y), 0);
  return sum.a > 0.0 ? sum.rgb / sum.a : vec3(0.5);
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec2 here = texelFetch(surface_map, at, 0).rg;
  if (here.r <= 0.0) discard;
  vec3 world = frame.eye.xyz + here.r * direction;
  vec3 n = normalize(cross(slope(at, world, vec2(1.0, 0.0)), slope(at, world, vec2(0.0, 1.0))));
  vec3 to_eye = frame.eye.xyz - world;
  float distance = max(length(to_eye), 1e-6);
  vec3 v = to_eye / distance;
  if (dot(n, v) < 0.0) n = -n;

  vec3 base = tint_around(at);
  vec3 through = exp(-absorption * max(here.g, 0.0) * (1.05 - base));
  float rim = 1.0 - clamp(dot(n, v), 0.0, 1.0), rim2 = rim * rim;
  // a rim thinner than a particle is no surface that could mirror: it would flicker in the sun
  float whole = smoothstep(0.3 * radius, 1.6 * radius, here.g);
  float fresnel = (0.02 + 0.98 * rim2 * rim2 * rim) * whole;
  float direct = max(dot(n, frame.sun.xyz), 0.0) * sunlight(world, n);
  vec3 mirrored = reflect(-v, n);
  vec3 seen = mix(vec3(0.24, 0.25, 0.26), sky_color(mirrored.y), smoothstep(-0.15, 0.25, mirrored.y));
  float gloss = max(dot(n, normalize(v + frame.sun.xyz)), 0.0);
  float gloss8 = gloss * gloss * gloss * gloss * gloss * gloss * gloss * gloss;
  float gloss64 = gloss8 * gloss8 * gloss8 * gloss8 * gloss8 * gloss8 * gloss8 * gloss8;

  // The picture is on the screen's scale already, where light does not add up: what is scattered and what is
  // seen through are mixed there.
  vec3 own = base * (hemisphere(n) + 0.6 * sun_color * direct);
  vec3 mirror = fresnel * seen + sun_color * (0.5 * whole * gloss64 * step(0.001, direct));
  vec3 scattered = (1.0 - fresnel) * (1.0 - through) * to_screen(fogged(own, distance)).rgb;
  added = vec4(scattered + to_screen(fogged(mirror, distance)).rgb, 1.0);
  left = vec4((1.0 - fresnel) * through, 1.0);
  vec4 clip = clip_from_world * vec4(world, 1.0);
  gl_FragDepth = clamp(0.5 * clip.z / clip.w + 0.5, 0.0, 1.0);
}
