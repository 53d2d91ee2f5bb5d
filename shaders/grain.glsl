// Wood, stone and metal as solid textures in the coordinates of the solid. `q` is in sizes of the solid, so a
// pebble and a boulder have equally many speckles.
float lattice(vec3 p) { return fract(sin(dot(p, vec3(12.9898, 78.233, 37.719))) * 43758.5453); }

// Smooth noise from 0 to 1 with features about 1 wide.
float noise(vec3 p) {
  vec3 low = floor(p), t = p - low;
  t = t * t * (3.0 - 2.0 * t);
  vec2 step = vec2(0.0, 1.0);
  vec4 near = vec4(lattice(low), lattice(low + step.yxx), lattice(low + step.xyx), lattice(low + step.yyx));
  vec4 far = vec4(lattice(low + step.xxy), lattice(low + step.yxy), lattice(low + step.xyy), lattice(low + step.yyy));
  vec4 layer = mix(near, far, t.z);
  vec2 row = mix(layer.xy, layer.zw, t.y);
  return mix(row.x, row.y, t.x);
}

// Fades details finer than a pixel to their mean.
float seen_detail(float width, float across) { return 1.0 - smoothstep(0.3, 1.0, across / width); }

// Year rings about an axis beside the middle, along the longest side, and fibres along it.
vec3 wood(vec3 base, vec3 q, vec3 size, float across) {
  bool tall = size.y >= max(size.x, size.z), deep = !tall && size.z > size.x;
  vec3 along = tall ? q.yzx : (deep ? q.zxy : q);  // x: along the grain
  vec2 middle = along.yz - vec2(0.9, 0.35);
  float wave = noise(vec3(1.1 * along.x, 3.0 * along.yz));
  float ring = fract(6.0 * length(middle) + 0.55 * wave);
  float late = smoothstep(0.25, 0.85, ring) * (1.0 - smoothstep(0.88, 1.0, ring));
  float fibre = noise(vec3(5.0 * along.x, 55.0 * along.yz)) - 0.5;
  late = mix(0.4, late, seen_detail(1.0 / 6.0, across));
  return base * (1.12 - 0.48 * late + 0.16 * fibre * seen_detail(1.0 / 55.0, across));
}

// Mottled at three sizes, with dark and light speckles. The coordinates are rotated, because on sides along
// its axes the lattice of the noise would be visible.
vec3 stone(vec3 base, vec3 q, float across) {
  q = mat3(0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6) * q;
  float coarse = noise(3.0 * q), middle = noise(9.0 * q + 17.0);
  float fine = 0.6 * noise(30.0 * q) + 0.4 * noise(67.0 * q + 3.0), light = 0.6 * noise(37.0 * q + 5.0) + 0.4 * noise(79.0 * q);
  float detail = seen_detail(1.0 / 37.0, across);
  vec3 color = base * (0.74 + 0.34 * coarse + 0.2 * middle);
  color *= 1.0 - 0.5 * detail * smoothstep(0.66, 0.74, fine);
  return color * (1.0 + 0.35 * detail * smoothstep(0.66, 0.74, light));
}
