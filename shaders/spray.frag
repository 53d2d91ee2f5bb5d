#version 330 core
// A diffuse particle over the surface of its fluid: white, and thinner towards its rim.
#include "tone.glsl"
#include "fog.glsl"
#include "shadow.glsl"
#include "point_hit.glsl"
flat in float whole;
out vec4 color;

void main() {
  covered();
  float thick = 1.0 - dot(rim, rim);
  vec3 light = 0.9 * (hemisphere(vec3(0.0, 1.0, 0.0)) + 0.7 * sun_color * sunlight(sphere.xyz, frame.sun.xyz));
  color = vec4(to_screen(fogged(light, distance(sphere.xyz, frame.eye.xyz))).rgb, whole * thick);
}
