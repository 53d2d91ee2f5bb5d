// Decides whether a window whose OpenGL runs on the processor draws fluids as a surface.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "app/shell/picture_pace.hpp"

namespace limber {

/// Follows the cost of pictures with fluids as a surface and as balls, separately for coarse and full
/// pictures. A surface is drawn while its last pictures took less than a limit, which depends on who waits
/// for the picture. Its cost while balls are drawn is its last known cost times the change of that of balls;
/// the surface returns when this is well below the limit. A cost that is not known yet is found out by two
/// pictures, the first of which may wait for shaders to compile.
class FluidPace {
 public:
  static constexpr double in_motion = 0.12;     ///< s, longest picture with a surface while something moves
  static constexpr double at_rest = 1.5;        ///< s, while nothing moves and nobody waits
  static constexpr double return_share = 0.65;  ///< share of the limit below which the surface returns

  /// Whether the picture that `drawing` names shows a surface. `resting`: nothing moves; `over_panels`: the
  /// mouse is over panels, which wait for the picture.
  bool wants_surface(PicturePace::Drawing drawing, bool resting, bool over_panels) {
    if (drawing == PicturePace::Drawing::none) return surface_;
    const Costs& costs = costs_[index_of(drawing)];
    const double limit = over_panels ? PicturePace::patience : resting ? at_rest : in_motion;
    if (costs.surface == 0.0 || costs.shows_surface)
      surface_ = costs.successive < 2 || costs.surface <= limit;
    else
      surface_ = costs.surface * costs.balls <= return_share * limit * costs.balls_then;
    return surface_;
  }

  /// Must be called with the time, s, of the picture for which wants_surface() was asked last. The shorter
  /// one of two pictures in succession counts: one alone may have been held up.
  void drawn(PicturePace::Drawing drawing, double seconds) {
    if (drawing == PicturePace::Drawing::none) return;
    Costs& costs = costs_[index_of(drawing)];
    costs.successive = costs.shows_surface == surface_ ? costs.successive + 1 : 1;
    const double cost = costs.successive > 1 ? std::min(seconds, costs.last) : seconds;
    costs.last = seconds;
    costs.shows_surface = surface_;
    (surface_ ? costs.surface : costs.balls) = cost;
    if (!surface_ && costs.successive <= 2) costs.balls_then = cost;
  }

  /// Forgets all costs: another scene or another size of the window.
  void renew() { *this = FluidPace(); }

  bool shows_surface() const { return surface_; }  ///< the last picture did

 private:
  struct Costs {
    double surface = 0.0, balls = 0.0;  ///< s; 0: not known
    double balls_then = 0.0;            ///< s, when balls replaced the surface
    double last = 0.0;                  ///< s, of the last picture
    int successive = 0;                 ///< pictures since surface and balls changed places
    bool shows_surface = true;
  };
  static std::size_t index_of(PicturePace::Drawing drawing) {
    return drawing == PicturePace::Drawing::full ? 1 : 0;
  }
  std::array<Costs, 2> costs_;
  bool surface_ = false;
};

}  // namespace limber
