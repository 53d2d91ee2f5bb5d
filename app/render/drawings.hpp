// Samples of a saved picture: it is the mean of several drawings, each with its own shift, sun and sky.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace limber {

/// Number of sky directions in one drawing. Four drawings with one direction each would cost four times as
/// much.
inline constexpr int skies = 4;

/// One of the drawings whose mean is a picture.
struct Drawing {
  glm::vec2 pixel{0.0f};               ///< px, shift of the picture
  glm::vec2 sun{0.0f};                 ///< point of the unit disc: direction to the sun
  std::array<glm::vec3, skies> sky{};  ///< unit, in the upper half space; 0: no sky samples
  bool samples_sky() const { return sky[0].y > 0.0f; }
  glm::vec2 lens{0.0f};  ///< point of the unit disc: place on the aperture
  float depth = 0.7f;    ///< depth of light in clear matter, in mean free paths
  bool many = false;     ///< shadows need no filter, because there are many drawings
};

/// With fewer drawings the sky is not sampled, because its directions would show as separate shadows.
inline constexpr int least_sky_samples = 8;
inline constexpr int least_unfiltered = 32;

/// Drawing number `k` of `count`. Deterministic. A single drawing is unshifted.
///
/// Pixel shifts follow the R2 sequence (M. Roberts, "The Unreasonable Effectiveness of Quasirandom
/// Sequences", 2018), warped to a tent about as wide as a pixel. Points of the sun follow a sunflower (H.
/// Vogel, 1979) in an order uncorrelated with the sky. Directions of the sky are uniform in height and turn
/// by the golden angle.
Drawing drawing_of(int k, int count);

/// The direction `towards` (unit) shifted over a disc of the given radius (radians) to its point `on_disc`.
glm::vec3 on_disc_about(const glm::vec3& towards, float radius, const glm::vec2& on_disc);

}  // namespace limber
