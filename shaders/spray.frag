#version 330 core
// A drop of spray or a bubble of foam: froth that scatters the light around it, with the sky upside down in
// it and the sun mirrored in its upper side. Fades towards its rim, so that neighbours melt into foam.
#include "fog.glsl"
#include "light.glsl"
#include "point_hit.glsl"
flat in float whole;
out vec4 color;

void main() {
  covered();
  float inner = max(1.0 - dot(rim, rim), 0.0);
  vec3 n = normal_of_hit(), up = vec3(0.0, 1.0, 0.0);
  vec3 sun = frame.sun_light.rgb * sunlight(sphere.xyz, frame.sun.xyz);
  vec3 froth = 0.8 * (ambient(sphere.xyz, normalize(n + up)) + (0.35 + 0.4 * max(dot(n, frame.sun.xyz), 0.0)) * sun);
  vec3 lens = backdrop_light(normalize(-n - 0.4 * towards.xyz));
  float glint = pow(max(dot(n, normalize(towards.xyz + frame.sun.xyz)), 0.0), 40.0);
  vec3 light = mix(froth, lens, 0.3) + 0.8 * glint * sun;
  float alpha = clamp(whole * inner + 0.5 * glint, 0.0, 1.0);
  color = vec4(fogged(light, distance(sphere.xyz, frame.eye.xyz)), alpha);
}
