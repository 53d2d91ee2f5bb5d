#version 330 core
// Draws the surface of a fluid over the picture: the sky reflected after Fresnel, the background refracted
// and absorbed (Beer and Lambert), and the light that the fluid itself scatters.
#include "fog.glsl"
#include "light.glsl"
#include "fluid_optics.glsl"
uniform sampler2D surface_map, tint_map, opaque_map;  // tint_map and opaque_map have half the size
uniform sampler2D backdrop, solid_map;
uniform vec2 to_depth;  // an inverse depth w has the depth buffer value to_depth.x + to_depth.y * w
uniform float radius;   // m, of a particle
const float least_radii = 5.0;  // particle radii; fluid thinner than this is hardly visible, while a film is
in vec3 direction;
out vec4 color;

// Derivative along an axis, 1/m per pixel: the central one where the surface continues on both sides, else
// the smaller one-sided one.
float slope(ivec2 at, ivec2 axis, float own) {
  float after = texelFetch(surface_map, at + axis, 0).r, before = texelFetch(surface_map, at - axis, 0).r;
  float a = after > 0.0 ? after - own : 1e9, b = before > 0.0 ? own - before : 1e9;
  float gap = 0.5 * radius * own * own, least = abs(a) <= abs(b) ? a : b;
  return max(abs(a), abs(b)) < gap ? 0.5 * (a + b) : abs(least) < 1e8 ? least : 0.0;
}

// Unit normal, towards the eye. The inverse depth of a plane is linear in the picture, and its slope gives
// the normal.
vec3 normal_at(ivec2 at, float own) {
  vec2 view = vec2(dot(direction, frame.right.xyz), dot(direction, frame.up.xyz));
  vec2 turn = vec2(slope(at, ivec2(1, 0), own), slope(at, ivec2(0, 1), own)) * frame.viewport.xy * 0.5 /
              vec2(frame.right.w, frame.up.w);
  return -normalize(turn.x * frame.right.xyz + turn.y * frame.up.xyz + (own - dot(turn, view)) * frame.forward.xyz);
}

// Colour and opacity of the fluid along the view.
vec4 tint_at(ivec2 at) {
  vec2 map = vec2(at) / (2.0 * vec2(textureSize(tint_map, 0)));
  vec2 opaque = texture(opaque_map, map).rg;
  return opaque.g > 0.0 ? vec4(texture(tint_map, map).rgb, opaque.r) / opaque.g : vec4(0.5, 0.5, 0.5, 0.0);
}

// The background refracted by a surface with this normal; unrefracted where the refracted ray would show a
// body in front.
vec3 seen_through(vec3 n, float inverse, float thick) {
  vec2 across = vec2(dot(n, frame.right.xyz), dot(n, frame.up.xyz));
  vec2 bent = gl_FragCoord.xy - across * (0.35 * min(thick, 12.0 * radius) * inverse / frame.eye.w);
  ivec2 there = clamp(ivec2(bent), ivec2(0), textureSize(backdrop, 0) - 1);
  bool before = texelFetch(solid_map, there, 0).r < to_depth.x + to_depth.y * inverse;
  return texture(backdrop, (before ? gl_FragCoord.xy : bent) / vec2(textureSize(backdrop, 0))).rgb;
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 here = texelFetch(surface_map, at, 0);
  // the outline is smooth within a pixel or two, so single balls that stick out of it are cut
  float outline = smoothstep(0.62, 0.78, here.b);
  if (here.r <= 0.0 || outline <= 0.0) discard;
  vec3 world = frame.eye.xyz + direction / here.r;
  vec3 n = normal_at(at, here.r);
  vec3 to_eye = frame.eye.xyz - world;
  float distance = max(length(to_eye), 1e-6);
  vec3 v = to_eye / distance;

  vec4 tint = tint_at(at);
  vec3 base = tint.rgb;
  float thick = max(here.g, least_radii * radius);
  vec3 through = exp(-thick * extinction(base, tint.a));
  float rim = 1.0 - clamp(dot(n, v), 0.0, 1.0), rim2 = rim * rim;
  // a rim thinner than a particle does not mirror, because it would flicker in the sun
  float whole = smoothstep(0.3 * radius, 1.6 * radius, here.g);
  float broad = smoothstep(radius, 4.0 * radius, here.g) * smoothstep(0.75, 0.97, here.b);
  broad = mix(whole, broad, smoothstep(0.0, 0.5, here.a));  // lone drops may
  float fresnel = (0.02 + 0.45 * rim2 * rim2 * rim) * whole;
  float direct = max(dot(n, frame.sun.xyz), 0.0) * sunlight(world + 0.7 * radius * n, n);  // from outside the shadow map's balls
  vec3 seen = mirrored_light(reflect(-v, n));
  float gloss = max(dot(n, normalize(v + frame.sun.xyz)), 0.0);
  float gloss8 = gloss * gloss * gloss * gloss * gloss * gloss * gloss * gloss;
  float gloss32 = gloss8 * gloss8 * gloss8 * gloss8, gloss96 = gloss32 * gloss32 * gloss32;

  // light from the depth of thick, clear fluid has been absorbed over a longer path
  float deep = (1.0 - tint.a) * (1.0 - exp(-0.5 * absorption * thick));
  vec3 own = base * mix(vec3(1.0), base, 0.45 * deep) * mix(0.6, 1.0, tint.a) * (ambient(world + 0.7 * radius * n, n, base) + mix(0.6, 1.0, tint.a) * frame.sun_light.rgb * direct);
  vec3 mirror = fresnel * seen + frame.sun_light.rgb * (0.42 * broad * gloss96 * step(0.001, direct));
  vec3 scattered = (1.0 - through) * fogged(own, distance);
  vec3 inside = scattered + through * seen_through(n, here.r, thick);
  color = vec4((1.0 - fresnel) * inside + fogged(mirror, distance), outline);
  gl_FragDepth = clamp(to_depth.x + to_depth.y * here.r, 0.0, 1.0);
}
