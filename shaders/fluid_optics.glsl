// How light gets through fluids (Beer and Lambert).
uniform float absorption;  // 1/m, of a clear fluid that is black

// 1/m, of each colour. A fluid of opacity 1 lets nothing through that is thicker than a few hundredths of the depth
// of a clear one.
vec3 extinction(vec3 base, float opacity) { return absorption * (1.05 - base) * (1.0 + 60.0 * opacity * opacity); }
