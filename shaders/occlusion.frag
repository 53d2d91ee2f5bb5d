#version 330 core
// Share of the sky hidden from a point of the ground. A horizontal patch dA at height h and horizontal
// distance r covers h^2 / (pi (r^2 + h^2)^2) dA of the cosine-weighted hemisphere. The depth map, seen from
// below, contains the lowest geometry above each texel.
uniform sampler2D occlusion_map;  // here: depth, 0 at the ground, 1 at `height`
uniform float height;             // m
uniform vec2 cell;                // m, sides of one texel
out float hidden;

void main() {
  const int reach = 7, stride = 2;
  ivec2 here = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(occlusion_map, 0) - 1;
  vec2 side = cell * float(stride);
  // Closer than half a stride, the sum would miss the peak of the kernel.
  float nearest = 0.6 * max(side.x, side.y);
  float sum = 0.0;
  for (int y = -reach; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) {
      ivec2 at = here + ivec2(x, y) * stride;
      float depth = texelFetch(occlusion_map, clamp(at, ivec2(0), last), 0).r;
      vec2 away = vec2(x, y) * side;
      float h = max(depth * height, nearest);
      float slant = dot(away, away) + h * h;
      sum += depth < 1.0 ? h * h / (slant * slant) : 0.0;
    }
  }
  hidden = clamp(sum * side.x * side.y / 3.14159265, 0.0, 1.0);
}
