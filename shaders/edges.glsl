// The sides of triangles drawn as lines.
noperspective in vec3 corner;  // each component falls to 0 at the side opposite to its corner

// Coverage of a pixel by the triangle's edges, one and a half pixels wide. In triangles about as small as
// that, edges become thinner and fade, so that dense meshes do not turn dark.
float edge_cover() {
  vec3 step = fwidth(corner);
  vec3 px = corner / max(step, 1e-6);
  float size = 1.0 / max(max(step.x, max(step.y, step.z)), 1e-6);  // px, shortest height
  float half_width = clamp(0.14 * size, 0.25, 0.8);
  float line = 1.0 - smoothstep(half_width - 0.4, half_width + 0.6, min(px.x, min(px.y, px.z)));
  return line * smoothstep(0.4, 4.0, size);
}
