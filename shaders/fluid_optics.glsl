// Absorption of light in fluids (Beer and Lambert).
uniform float absorption;  // 1/m, of a clear fluid that is black

// Absorption of each colour, 1/m. A fluid of opacity 1 is opaque beyond a few hundredths of the depth that is
// visible in a clear fluid.
vec3 extinction(vec3 base, float opacity) {
  vec3 lost = 1.05 - base;
  return absorption * lost * mix(sqrt(lost), vec3(1.0), opacity) * (0.62 + 60.0 * opacity * opacity);
}
