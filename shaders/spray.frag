#version 330 core
// A diffuse particle over the surface of its fluid: white, fading towards its rim.
#include "fog.glsl"
#include "light.glsl"
#include "point_hit.glsl"
flat in float whole;
out vec4 color;

void main() {
  covered();
  float thick = 1.0 - dot(rim, rim);
  vec3 light = 0.9 * (ambient(sphere.xyz, vec3(0.0, 1.0, 0.0)) + 0.7 * frame.sun_light.rgb * sunlight(sphere.xyz, frame.sun.xyz));
  color = vec4(fogged(light, distance(sphere.xyz, frame.eye.xyz)), whole * thick);
}
