#version 330 core
// A sprite of spray or foam: some bubbles of different sizes in thin froth. Froth scatters the light around it;
// a bubble shows the sky upside down and mirrors the sun in its upper side. The sprite fades towards its rim, so that
// neighbours melt into foam.
#include "fog.glsl"
#include "light.glsl"
#include "point_hit.glsl"
flat in float whole;
flat in vec2 froth_place;
out vec4 color;

const float across = 2.3;  // bubbles along the radius of a sprite

float scattered(vec2 cell, float seed) { return fract(sin(dot(cell, vec2(12.9898, 78.233)) + seed) * 43758.5453); }

void main() {
  covered();
  float inner = max(1.0 - dot(rim, rim), 0.0);
  vec2 at = vec2(dot(rim, frame.right.xyz), dot(rim, frame.up.xyz)) * across + froth_place, cell = floor(at);
  float size = mix(0.2, 0.5, scattered(cell, 0.0));
  vec2 middle = cell + 0.5 + (0.5 - size) * (2.0 * vec2(scattered(cell, 1.7), scattered(cell, 4.1)) - 1.0);
  vec2 off = (at - middle) / size;
  float pixel = max(fwidth(rim.x) + fwidth(rim.y), 1e-6) * across / size, far = length(off);
  float bubble = clamp((1.0 - far) / pixel + 0.5, 0.0, 1.0) * (1.0 - smoothstep(0.7, 1.6, pixel));
  vec3 up = vec3(0.0, 1.0, 0.0);
  vec3 n = normalize(off.x * frame.right.xyz + off.y * frame.up.xyz + towards.xyz * sqrt(max(1.0 - far * far, 0.05)));
  n = normalize(mix(normal_of_hit(), n, bubble));
  vec3 sun = frame.sun_light.rgb * sunlight(sphere.xyz, frame.sun.xyz);
  vec3 froth = 0.85 * (ambient(sphere.xyz, normalize(0.5 * n + up), vec3(0.85)) + (0.5 + 0.3 * max(dot(n, frame.sun.xyz), 0.0)) * sun);
  vec3 lens = backdrop_light(normalize(-n - 0.4 * towards.xyz));
  float glint = pow(max(dot(n, normalize(towards.xyz + frame.sun.xyz)), 0.0), 30.0) * bubble;
  vec3 light = mix(froth, lens, 0.25 * bubble) + 0.5 * glint * sun;
  float shell = mix(0.75, 1.1, smoothstep(0.5, 1.0, far));  // more of a bubble is seen at its rim
  float alpha = clamp(whole * inner * mix(1.0, 1.7 * shell, bubble) + 0.4 * glint * inner, 0.0, 1.0);
  color = vec4(fogged(light, distance(sphere.xyz, frame.eye.xyz)), alpha);
}
