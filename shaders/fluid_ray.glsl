// Rays through the picture behind a fluid: what they hit of the solids, the ground or the sky. Things outside
// the picture, and the sides of solids that face away, cannot be hit.
uniform sampler2D backdrop, solid_map;
uniform vec2 to_depth;  // an inverse depth w has the depth buffer value to_depth.x + to_depth.y * w

// Place in the picture, -1 to 1, and depth along the view, m.
vec3 place_of(vec3 position) {
  vec3 from_eye = position - frame.eye.xyz;
  float along = dot(from_eye, frame.forward.xyz), inverse = 1.0 / max(along, 1e-6);
  return vec3(vec2(dot(from_eye, frame.right.xyz), dot(from_eye, frame.up.xyz)) * inverse /
                      vec2(frame.right.w, frame.up.w) + frame.middle.xy, along);
}

vec2 pixel_of(vec3 place, vec3 own) { return gl_FragCoord.xy + (place.xy - own.xy) * 0.5 * frame.viewport.xy; }

// Depth, m, of the nearest solid in a pixel.
float solid_depth(vec2 pixel) {
  float inverse = (texelFetch(solid_map, ivec2(pixel), 0).r - to_depth.x) / to_depth.y;
  return 1.0 / max(inverse, 1e-5);
}

// Different for each pixel and drawing, 0 to 1.
float ray_noise() {
  vec2 at = gl_FragCoord.xy + 977.0 * frame.middle.xy * frame.viewport.xy;
  return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))));
}

const int ray_steps = 10;
// Depth behind an edge, relative to that from the eye, up to which a ray hits what ends there. A refracted ray
// that passes behind an edge must not show it; a mirrored one at a grazing angle may.
float behind_edge = 0.01;

// Light of what a ray of this length hits; w = 1 if it hits anything. `from` is in the pixel `own`.
vec4 hit_by(vec3 from, vec3 way, float reach, vec3 own) {
  float before = 0.0;
  for (int i = 0; i < ray_steps; ++i) {
    float share = (float(i) + 0.35 + 0.65 * ray_noise()) / float(ray_steps), s = reach * share * share;
    if (i == ray_steps - 1) s = reach;
    vec3 place = place_of(from + way * s);
    if (place.z < 1e-3 || max(abs(place.x), abs(place.y)) > 0.998) break;
    float solid = solid_depth(pixel_of(place, own)), gap = place.z - solid;
    if (gap > -0.004 * place.z && gap < (s - before) + 0.02 * place.z) {
      float low = before, high = s;
      for (int k = 0; k < 6; ++k) {
        float middle = 0.5 * (low + high);
        vec3 there = place_of(from + way * middle);
        if (there.z < solid_depth(pixel_of(there, own))) low = middle; else high = middle;
      }
      vec3 there = place_of(from + way * high);
      vec2 pixel = pixel_of(there, own);
      if (there.z - solid_depth(pixel) < behind_edge * there.z + 2.0 * (high - low))
        return vec4(texture(backdrop, pixel / vec2(textureSize(backdrop, 0))).rgb, 1.0);
    }
    before = s;
  }
  return vec4(0.0);
}

// Light along a ray in air: what it hits in the picture, else ground or sky. `sky`: light of the sky there.
vec3 light_along(vec3 from, vec3 way, vec3 own, vec3 sky) {
  bool lands = frame.middle.z > 0.5 && way.y < -1e-3;
  float reach = lands ? max(from.y, 0.0) / -way.y : 0.6 * length(from - frame.eye.xyz);
  float away = length(from - frame.eye.xyz);
  vec4 hit = hit_by(from, way, min(reach, 40.0 * away), own);
  vec3 ground = frame.ground.rgb * (open_light(vec3(0.0, 1.0, 0.0)) + frame.sun_light.rgb * frame.sun.y);
  vec3 open = lands ? fogged(ground, reach + away) : sky;
  return mix(open, hit.rgb, hit.a);
}
