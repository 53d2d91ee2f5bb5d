// Decides when the scene's picture is drawn, and at which resolution, so that slow pictures do not delay
// panels.
#pragma once

namespace limber {

/// Measures the cost of pictures. On a graphics processor it is negligible; drawn by the processor
/// (llvmpipe), one picture may take seconds, in which no menu opens. A slow picture is drawn coarsely while
/// the scene or the camera moves, and in full once nothing has moved for `rest`. While the mouse is over the
/// panels, it is drawn coarsely too. If even a coarse one is slow, it is drawn only while there is no input,
/// at most a fifth of the time. A picture of another scene or layout is never delayed.
class PicturePace {
 public:
  enum class Drawing { none, coarse, full };

  /// Longest picture, s, while the user may wait for a menu.
  static constexpr double patience = 0.06;

  /// Side of a coarse pixel in pixels of a full picture: the smallest number that `patience` allows, after
  /// the last full picture and the coarse ones since.
  int coarseness() const { return coarseness_; }

  /// Longest picture of a motion, s; slower ones get coarser, much faster ones finer.
  static constexpr double motion = 0.1;

  /// s without an event after which the user is assumed not to wait for a menu.
  static constexpr double idle = 0.3;

  /// s without motion after which a picture is drawn in full.
  static constexpr double rest = 0.25;

  struct Moment {
    bool changed = false;      ///< simulation, camera or view differ from the last picture
    bool renewed = false;      ///< the scene or the layout of the window differs
    bool over_panels = false;  ///< the mouse is over a panel
    double quiet = 0.0;        ///< s since the last event
    double since = 0.0;        ///< s since the last picture
    double still = 1e9;        ///< s since the last change before this moment, or since its picture was drawn
  };

  /// Chooses the picture to draw now.
  Drawing next(const Moment& now) {
    stale_ = stale_ || now.changed || now.renewed;
    const bool slow = full_ > patience;
    if (slow && !now.over_panels && now.still < rest && !now.renewed)
      return stale_ ? Drawing::coarse : Drawing::none;
    if (!slow || !now.over_panels) return stale_ || was_coarse_ ? Drawing::full : Drawing::none;
    const double coarse = full_ * share_;
    const bool nobody = now.quiet > idle;
    if (!stale_) return was_coarse_ && nobody && now.since > 4.0 * full_ ? Drawing::full : Drawing::none;
    if (now.renewed || coarse <= patience) return Drawing::coarse;
    return nobody && now.since > 4.0 * coarse ? Drawing::coarse : Drawing::none;
  }

  /// Must be called with the time, s, from the start of drawing until the picture was in the window.
  void drawn(Drawing drawing, double seconds) {
    if (drawing == Drawing::none) return;
    stale_ = false;
    was_coarse_ = drawing == Drawing::coarse;
    if (was_coarse_) {
      share_ = seconds / full_;
      if (coarseness_ == 2 && seconds > motion)
        coarseness_ = 3;
      else if (coarseness_ == 3 && seconds < motion / 4.0)
        coarseness_ = 2;
    } else {
      full_ = seconds;
      coarseness_ = full_ <= 2.5 * patience ? 2 : 3;
    }
  }

  /// Must be called after something else was drawn over the picture.
  void spoil() { stale_ = true; }

  /// Whether the picture in the window is older or coarser than the present one.
  bool behind() const { return stale_ || was_coarse_; }

 private:
  bool stale_ = true, was_coarse_ = false;
  int coarseness_ = 2;
  double full_ = 0.0;         ///< s, of the last full picture
  double share_ = 1.0 / 9.0;  ///< duration of a coarse picture / that of a full one; first estimated by
                              ///< pixels
};

}  // namespace limber
