// A triangle around each sphere, in the plane of its outline. The outlines of non-overlapping spheres hide
// each other as the spheres would; so do an outline and a surface that does not cross the sphere.
#include "outline.glsl"
uniform samplerBuffer sphere_buffer;  // m: centre, radius
uniform mat4 clip_from_world;
uniform vec4 seen_from;    // m, the eye; w = 0: the direction towards it, for parallel rays
uniform float pixel_slope;  // m per pixel at one metre; for parallel rays, everywhere
flat out vec4 sphere;
flat out vec4 towards;  // unit, centre to eye; w: radii from the centre to the outline's plane
out vec3 rim;           // position in that plane; length 1 on the outline

vec4 point_place_of(int point, float grown) {
  sphere = texelFetch(sphere_buffer, point);
  towards = vec4(0.0, 0.0, 1.0, 0.0);
  rim = vec3(0.0);
  sphere.w *= grown;
#ifdef SWELL
  sphere.w *= SWELL;
#endif
  if (sphere.w <= 0.0) return vec4(0.0, 0.0, 0.0, 1.0);  // not in the scene: a triangle without area
  vec3 way = seen_from.xyz - sphere.xyz * seen_from.w;
  float distance = max(length(way), 1e-12);
  float pixel = pixel_slope * mix(1.0, distance, seen_from.w);
  sphere.w = max(sphere.w, 0.6 * pixel);  // at least as large as a pixel
  float k = min(seen_from.w * sphere.w / distance, 0.99);
  towards = vec4(way / distance, k);
  float radius = sphere.w * sqrt(1.0 - k * k);
  rim = outline_corner(towards.xyz) * (1.0 + pixel / radius);
  return clip_from_world * vec4(sphere.xyz + towards.xyz * (k * sphere.w) + rim * radius, 1.0);
}

vec4 point_place(int point) { return point_place_of(point, 1.0); }
