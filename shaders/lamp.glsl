// Light of the lamp that a smooth surface mirrors, relative to the sun's: a square of soft light around the
// sun with the bright sun in it.
float lamp_in(vec3 way) {
  vec3 side = normalize(cross(frame.sun.xyz, vec3(0.13, 0.21, 0.97))), over = cross(side, frame.sun.xyz);
  float ahead = dot(way, frame.sun.xyz);
  vec2 at = abs(vec2(dot(way, side), dot(way, over))) / max(ahead, 1e-3);
  float square = (1.0 - smoothstep(0.2, 0.45, max(at.x, at.y))) * step(0.0, ahead);
  return 3.5 * square + 10.0 * pow(max(ahead, 0.0), 700.0);
}
