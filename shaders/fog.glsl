#include "frame.glsl"
#include "sky.glsl"

// No fog within the scene's region; farther out, increasing fog, which reaches exactly the backdrop's colour
// at the edge of the ground.
vec3 fogged(vec3 color, float distance) {
  if (frame.dome_low.w > 0.5) return color;
  float depth = max(distance - frame.air.x, 0.0) * frame.air.y;
  float clearness = exp(-depth * depth * 0.55) * (1.0 - smoothstep(2.4, 3.8, depth));
  return mix(frame.far.rgb, color, clearness);
}
