#version 330 core
// A round dot with a dark rim, visible on any colour.
flat in vec3 tint;
flat in float radius;
flat in float alpha;
noperspective in vec2 offset;
out vec4 color;

void main() {
  float r = length(offset);
  float rim = clamp(1.5, 0.0, 0.4 * radius);
  float inner = clamp(radius - rim + 0.5 - r, 0.0, 1.0);
  color = vec4(mix(0.04 * tint, tint, inner), alpha * clamp(radius + 0.5 - r, 0.0, 1.0));
}
