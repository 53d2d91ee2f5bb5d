#version 330 core
// A triangle around each ellipsoid centre + axes u, |u| <= 1. In the coordinates u the ellipsoid is a unit
// sphere, seen from the transformed eye.
#include "frame.glsl"
#include "outline.glsl"
uniform samplerBuffer shape_buffer;  // m: centre; how much it is part of a fluid; three axes
uniform mat4 clip_from_world;
flat out vec4 towards;
flat out vec4 along;  // m along the view: of the centre, and its gradient with respect to u
flat out float joined;
out vec3 rim;

void main() {
  int shape = gl_VertexID / 3;
  vec4 place = texelFetch(shape_buffer, 4 * shape);
  vec3 a = texelFetch(shape_buffer, 4 * shape + 1).xyz, b = texelFetch(shape_buffer, 4 * shape + 2).xyz,
       c = texelFetch(shape_buffer, 4 * shape + 3).xyz, center = place.xyz, to_eye = frame.eye.xyz - center;
  joined = place.w;
  // keeps every ellipsoid at least as large as a pixel
  float least = sqrt(min(min(dot(a, a), dot(b, b)), dot(c, c)));
  float grown = max(1.0, 0.6 * frame.eye.w * length(to_eye) / least);
  a *= grown, b *= grown, c *= grown;
  vec3 way = vec3(dot(a, to_eye) / dot(a, a), dot(b, to_eye) / dot(b, b), dot(c, to_eye) / dot(c, c));
  float distance = max(length(way), 1e-6);
  towards = vec4(way / distance, min(1.0 / distance, 0.99));
  along = vec4(-dot(frame.forward.xyz, to_eye), dot(frame.forward.xyz, a), dot(frame.forward.xyz, b),
               dot(frame.forward.xyz, c));
  rim = outline_corner(towards.xyz);
  vec3 u = towards.xyz * towards.w + rim * sqrt(1.0 - towards.w * towards.w);
  gl_Position = clip_from_world * vec4(center + a * u.x + b * u.y + c * u.z, 1.0);
}
