// Intersection of a ray with the sphere of point_place.glsl.
flat in vec4 sphere;
flat in vec4 towards;
in vec3 rim;
uniform float smooth_edge;  // 1: alpha becomes coverage; 0: one sample per pixel

// Share of the pixel inside the outline. Discards pixels outside.
float covered() {
  float q = length(rim), pixel = max(fwidth(q), 1e-6);
  if (q > 1.0 + 0.5 * pixel * smooth_edge) discard;
  return mix(1.0, clamp((1.0 - q) / pixel + 0.5, 0.0, 1.0), smooth_edge);
}

// Unit normal. Exact in the middle and on the outline, and for parallel rays.
vec3 normal_of_hit() {
  float h = sqrt(max(1.0 - dot(rim, rim), 0.0)), k = towards.w;
  return normalize(towards.xyz * mix(h, 1.0, k) + rim * sqrt(1.0 - k * k));
}
