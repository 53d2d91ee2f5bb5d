// The light that comes from all around: the sky as seen, and what it does to surfaces.
const vec3 horizon_color = vec3(0.57, 0.632, 0.70);
const vec3 zenith_color = vec3(0.165, 0.265, 0.42);
const vec3 sun_color = 1.25 * vec3(1.0, 0.93, 0.82);

// At and below the horizon exactly horizon_color: the fog ends there too.
vec3 sky_color(float elevation) {
  float rise = 1.0 - exp(-3.2 * max(elevation, 0.0));
  return mix(horizon_color, zenith_color, rise);
}

const vec3 upper_light = 0.62 * vec3(0.76, 0.86, 1.0), lower_light = 0.62 * vec3(0.36, 0.345, 0.33);

// Light from the upper and the lower half space on a surface with normal n.
vec3 hemisphere(vec3 n) { return mix(lower_light, upper_light, 0.5 + 0.5 * n.y); }

// A weak light from the side away from the sun: folds in the shadow keep their form.
vec3 fill(vec3 n) {
  float wrapped = 0.5 + 0.5 * dot(n, vec3(0.70, 0.14, 0.70));
  return vec3(0.14, 0.16, 0.19) * (wrapped * wrapped);
}
