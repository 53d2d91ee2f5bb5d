// Corner of the current vertex in a triangle around the unit circle perpendicular to z.
vec3 outline_corner(vec3 z) {
  // Two directions perpendicular to z (T. Duff et al., "Building an Orthonormal Basis, Revisited", 2017).
  float s = z.z >= 0.0 ? 1.0 : -1.0, a = -1.0 / (s + z.z), b = z.x * z.y * a;
  vec3 x = vec3(1.0 + s * z.x * z.x * a, s * b, -s * z.x), y = vec3(b, s + z.y * z.y * a, -z.y);
  int corner = gl_VertexID % 3;
  vec2 at = corner == 0 ? vec2(-1.7320508, -1.0) : corner == 1 ? vec2(1.7320508, -1.0) : vec2(0.0, 2.0);
  return x * at.x + y * at.y;
}
