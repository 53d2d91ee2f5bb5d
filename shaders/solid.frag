#version 330 core
#include "grain.glsl"
#include "solid_light.glsl"
in vec3 world;
in vec3 smooth_normal;
flat in vec3 albedo;
flat in float octants;
flat in int look;
flat in vec4 size;
flat in vec3 axis_x;
flat in vec3 axis_y;
flat in vec3 axis_z;
flat in float edge;
in vec3 own;
out vec4 color;

// 1 in every other octant of the solid's own frame, to make rotation visible. Edges are two pixels wide.
float octant() {
  vec3 side = clamp(own / max(fwidth(own), 1e-6), -1.0, 1.0);
  return 0.5 - 0.5 * side.x * side.y * side.z;
}

// The colours of copies differ, and so do their places in the grain texture.
vec3 filled(vec3 base) {
  vec3 q = own * size.xyz / max(size.w, 1e-6);
  float across = length(fwidth(q));
  q += 40.0 * fract(37.0 * albedo);
  return look == 1 ? wood(base, q, size.xyz, across) : stone(base, q, across);
}

// Normal of a box with rounded edges. No real box has sharp ones: each of its edges catches some light. The
// normal turns from a face's own to the middle between two faces over the radius of the edge.
vec3 rounded(vec3 face) {
  vec3 near = clamp(1.0 - size.xyz * (1.0 - abs(own)) / max(edge, 1e-9), 0.0, 1.0) * sign(own);
  vec3 n = near.x * axis_x + near.y * axis_y + near.z * axis_z;
  return mix(face, n * inversesqrt(max(dot(n, n), 1e-12)), step(1e-9, edge));
}

void main() {
  vec3 n = smooth_normal * inversesqrt(max(dot(smooth_normal, smooth_normal), 1e-30));
  vec3 base = albedo * (1.0 - 0.75 * octants * octant());
  vec3 round = rounded(n), lit_by = dot(n, frame.sun.xyz) > 0.0 ? n : round;
  if (look == 3) {
    color = lit_metal(world, round, lit_by, base);
    return;
  }
  if (look != 0) base = filled(base);
  color = lit_solid(world, round, lit_by, base);
}
