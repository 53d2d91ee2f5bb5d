// Patterns and weave of a cloth, in metres along the cloth's u and v.
uniform int pattern;  // 0 plain, 1 border, 2 stripes, 3 checker
uniform vec4 uv_map;  // low corner of the uv rectangle, metres per unit of u and v
uniform vec4 metres;  // size of the rectangle in metres; whole numbers of cells along it
uniform float thread; // m between threads; 0 without usable uv

// Share of the pixel inside [low, high], where the pixel covers `width` around x.
float within(float low, float high, float x, float width) {
  return clamp((x - low) / width + 0.5, 0.0, 1.0) * clamp((high - x) / width + 0.5, 0.0, 1.0);
}

// Box-filtered square wave of period 2, alternating between +1 and -1.
vec2 square_wave(vec2 x, vec2 width) {
  vec2 a = abs(fract(0.5 * x - 0.25 * width) * 2.0 - 1.0), b = abs(fract(0.5 * x + 0.25 * width) * 2.0 - 1.0);
  return (a - b) / width;
}

// Blend factor: 0 for the cloth's own colour, 1 for the accent.
float pattern_at(vec2 place, vec2 width) {
  if (pattern == 1) {
    vec2 inset = min(place, metres.xy - place);
    float narrow = min(metres.x, metres.y);
    bool nearer_u = inset.x < inset.y;
    return within(0.035 * narrow, 0.075 * narrow, nearer_u ? inset.x : inset.y, nearer_u ? width.x : width.y);
  }
  if (pattern < 2) return 0.0;
  vec2 cells = metres.zw / metres.xy;
  vec2 wave = square_wave(place * cells, max(width * cells, 1e-4));
  return 0.5 - 0.5 * (pattern == 2 ? wave.x : wave.x * wave.y);
}

// Brightness of a twill weave, about 1. Every thread passes over two and under one thread, shifted by one in
// each row, which makes diagonal ribs. Threads and ribs fade to 1 before they are as narrow as pixels.
float weave_at(vec2 place, vec2 width) {
  vec2 along = place / thread;
  float spread = max(width.x, width.y) / thread;
  float diagonal = (width.x + width.y) / thread;
  float threads_seen = 1.0 - smoothstep(0.12, 0.36, spread);
  float ribs_seen = 1.0 - smoothstep(0.5, 1.2, diagonal);
  vec2 f = fract(along) * 2.0 - 1.0;
  vec2 arch = 1.0 - f * f;
  float over = step(1.5, mod(floor(along.x) + floor(along.y), 3.0));
  float rise = mix(arch.x * (0.7 + 0.3 * arch.y), arch.y * (0.7 + 0.3 * arch.x), over);
  float rib = cos(2.0943951 * (along.x + along.y - 1.0));
  return 1.0 + threads_seen * 0.42 * (rise - 0.6) + ribs_seen * 0.06 * rib;
}
