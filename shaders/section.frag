#version 330 core
#include "fog.glsl"
#include "light.glsl"
#include "heat.glsl"
#include "edges.glsl"
uniform vec3 section_normal;  // unit
in vec3 world;
flat in vec3 albedo;
in float heat;
out vec4 color;

// The interior is matt; a little sunlight enters it.
void main() {
  float cover = edge_cover();
  if (heat_scale.z > 0.5) {
    color = heat_color(heat, 1.0);
    color.rgb *= 1.0 - 0.45 * cover;
    return;
  }
  vec3 n = section_normal;
  float facing = dot(n, frame.sun.xyz);
  vec3 direct = max(facing, 0.0) * sunlight_of(world, n);
  vec3 light = 1.15 * ambient(world, n, albedo) + frame.sun_light.rgb * (direct + 0.12);
  vec3 result = albedo * light;
  result *= 1.0 - 0.55 * cover;
  color = vec4(fogged(result, length(frame.eye.xyz - world)), 1.0);
}
