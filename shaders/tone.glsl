// Conversion from light to display colours, equal for the whole picture, and its inverse.
#include "frame.glsl"

// Fit of the ACES film curve by K. Narkowicz (2016).
vec3 film(vec3 x) { return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0); }

// The sRGB transfer curve from square roots only (fit by I. Taylor, within 0.001): pow() is several times
// more expensive on a software renderer.
vec3 srgb(vec3 x) {
  vec3 s = sqrt(x), q = sqrt(s), e = sqrt(q);
  return clamp(0.662002687 * s + 0.684122060 * q - 0.323583601 * e - 0.0225411470 * x, 0.0, 1.0);
}

// Ordered noise of one 8-bit step (J. Jimenez' interleaved gradient noise), so that smooth gradients show no
// bands.
float dither() { return fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715)))) - 0.5; }

// Value of the film curve for the stage's white; 1 if the stage sets no white.
float white_level() { return frame.above.w > 0.0 ? film(vec3(frame.far.w * frame.above.w)).x : 1.0; }

vec4 to_screen(vec3 light) {
  vec3 shown = min(film(frame.far.w * light) / white_level(), 1.0);
  return vec4(srgb(shown) + dither() / 255.0, 1.0);
}

// Inverse of to_screen(): the light displayed as `shown`, 0 to 1, the positive root of film(x) = y.
vec3 from_screen(vec3 shown) {
  vec3 linear = mix(shown / 12.92, pow((shown + 0.055) / 1.055, vec3(2.4)), step(0.04045, shown));
  vec3 y = min(linear * white_level(), 0.999), a = 2.51 - 2.43 * y, b = 0.03 - 0.59 * y;
  return (sqrt(b * b + 0.56 * a * y) - b) / (2.0 * a * frame.far.w);
}
