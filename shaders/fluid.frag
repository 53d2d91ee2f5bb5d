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
const float least_radii = 1.5;  // thinner fluid is hardly seen, and a film is
in vec3 direction;
layout(location = 0, index = 0) out vec4 added;
layout(location = 0, index = 1) out vec4 left;

// 1/m per pixel along an axis: of both differences where the surface goes on to both sides, else the smaller one.
float slope(ivec2 at, ivec2 axis, float own) {
  float after = texelFetch(surface_map, at + axis, 0).r, before = texelFetch(surface_map, at - axis, 0).r;
  float a = after > 0.0 ? after - own : 1e9, b = before > 0.0 ? own - before : 1e9;
  float gap = 0.5 * radius * own * own, least = abs(a) <= abs(b) ? a : b;
  return max(abs(a), abs(b)) < gap ? 0.5 * (a + b) : abs(least) < 1e8 ? least : 0.0;
}

// Unit, towards the eye. Over a plane the inverse depth is linear: its slope is the plane's.
vec3 normal_at(ivec2 at, float own) {
  vec2 view = vec2(dot(direction, frame.right.xyz), dot(direction, frame.up.xyz));
  vec2 turn = vec2(slope(at, ivec2(1, 0), own), slope(at, ivec2(0, 1), own)) * frame.viewport.xy * 0.5 /
              vec2(frame.right.w, frame.up.w);
  return -normalize(turn.x * frame.right.xyz + turn.y * frame.up.xyz + (own - dot(turn, view)) * frame.forward.xyz);
}

vec3 tint_around(ivec2 at) {
  vec4 sum = vec4(0.0);
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y) sum += texelFetch(tint_map, at + 3 * ivec2(x, y), 0);
  return sum.a > 0.0 ? sum.rgb / sum.a : vec3(0.5);
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec3 here = texelFetch(surface_map, at, 0).rgb;
  // single balls that stick out of the outline are cut; it is smooth within a pixel or two
  float outline = smoothstep(0.6, 0.76, here.b);
  if (here.r <= 0.0 || outline <= 0.0) discard;
  vec3 world = frame.eye.xyz + direction / here.r;
  vec3 n = normal_at(at, here.r);
  vec3 to_eye = frame.eye.xyz - world;
  float distance = max(length(to_eye), 1e-6);
  vec3 v = to_eye / distance;

  vec3 base = tint_around(at);
  float thick = max(here.g, least_radii * radius);
  vec3 through = exp(-absorption * thick * (1.05 - base));
  float rim = 1.0 - clamp(dot(n, v), 0.0, 1.0), rim2 = rim * rim;
  // a rim thinner than a particle is no surface that could mirror: it would flicker in the sun
  float whole = smoothstep(0.3 * radius, 1.6 * radius, here.g), broad = smoothstep(radius, 4.0 * radius, here.g) * smoothstep(0.75, 0.97, here.b);
  float fresnel = (0.02 + 0.7 * rim2 * rim2 * rim) * whole;
  float direct = max(dot(n, frame.sun.xyz), 0.0) * sunlight(world, n);
  vec3 mirrored = reflect(-v, n);
  vec3 seen = mix(vec3(0.24, 0.25, 0.26), sky_color(mirrored.y), smoothstep(-0.15, 0.25, mirrored.y));
  float gloss = max(dot(n, normalize(v + frame.sun.xyz)), 0.0);
  float gloss8 = gloss * gloss * gloss * gloss * gloss * gloss * gloss * gloss;
  float gloss64 = gloss8 * gloss8 * gloss8 * gloss8 * gloss8 * gloss8 * gloss8 * gloss8;

  // The picture is on the screen's scale already, where light does not add up: what is scattered and what is
  // seen through are mixed there.
  vec3 own = base * (hemisphere(n) + 0.6 * sun_color * direct);
  vec3 mirror = fresnel * seen + sun_color * (0.3 * broad * gloss64 * step(0.001, direct));
  vec3 scattered = (1.0 - fresnel) * (1.0 - through) * to_screen(fogged(own, distance)).rgb;
  added = vec4(outline * (scattered + to_screen(fogged(mirror, distance)).rgb), 1.0);
  left = vec4(mix(vec3(1.0), (1.0 - fresnel) * through, outline), 1.0);
  vec4 clip = clip_from_world * vec4(world, 1.0);
  gl_FragDepth = clamp(0.5 * clip.z / clip.w + 0.5, 0.0, 1.0);
}
