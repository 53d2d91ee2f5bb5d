// A picture to keep is the mean of several drawings: where each has its pixels, its sun and its sky.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace limber {

/// Directions of the sky in one drawing. As many drawings of one direction each would cost four times as
/// much.
inline constexpr int skies = 4;

/// One of the drawings whose mean is a picture.
struct Drawing {
  glm::vec2 pixel{0.0f};               ///< px by which the picture is shifted
  glm::vec2 sun{0.0f};                 ///< a point of the unit disc
  std::array<glm::vec3, skies> sky{};  ///< unit, in the upper half space; 0: the sky is not sampled
  bool samples_sky() const { return sky[0].y > 0.0f; }
  glm::vec2 lens{0.0f};  ///< a point of the unit disc
  float depth = 0.7f;    ///< that light goes into clear matter, in its mean free paths
  bool many = false;     ///< their mean needs no filter for shadows
};

/// Fewer drawings do not sample the sky: its directions would show as so many shadows.
inline constexpr int least_sky_samples = 8;
inline constexpr int least_unfiltered = 32;

/// Number `k` of `count`. The same for the same numbers; one alone is undisturbed.
///
/// Pixels follow the R2 sequence (M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences",
/// 2018), warped to a tent about as wide as a pixel; suns follow a sunflower (H. Vogel, 1979) in an order
/// that has nothing to do with that of the sky; skies are even in height and turn by the golden angle.
Drawing drawing_of(int k, int count);

/// `towards` (unit) moved over a disc of this radius (radians), to the point `on_disc` of it.
glm::vec3 on_disc_about(const glm::vec3& towards, float radius, const glm::vec2& on_disc);

}  // namespace limber
