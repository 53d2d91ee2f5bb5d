#version 330 core
// The section of tetrahedra in the clipping plane.
uniform mat4 clip_from_world;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 polygon_color;
layout(location = 2) in vec3 polygon_edge;
layout(location = 3) in float vertex_heat;
invariant gl_Position;
out vec3 world;
flat out vec3 albedo;
noperspective out vec3 corner;
out float heat;

void main() {
  world = position;
  albedo = polygon_color;
  corner = polygon_edge;
  heat = vertex_heat;
  gl_Position = clip_from_world * vec4(position, 1.0);
}
