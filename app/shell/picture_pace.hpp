// When the scene's picture is drawn anew, and how finely: never for nothing, and never so that panels have to
// wait.
#pragma once

namespace limber {

/// Knows what pictures cost. Where the graphics processor draws them that is next to nothing; where the
/// processor does it (llvmpipe), one may take seconds, in which no menu opens. So while the mouse is over the
/// panels a slow picture is drawn coarsely, or, where even that is slow, only while nobody does anything, for a
/// fifth of the time at most. A picture of another scene or of another layout is never put off.
class PicturePace {
 public:
  enum class Drawing { none, coarse, full };

  /// s, what a picture may take while somebody waits for a menu.
  static constexpr double patience = 0.06;

  /// Pixels of a full picture along one side of a pixel of a coarse one: as few as patience allows.
  int coarseness() const { return full_ <= 2.5 * patience ? 2 : 3; }

  /// s without an event, after which nobody seems to wait for a menu.
  static constexpr double idle = 0.3;

  struct Moment {
    bool changed = false;      ///< the simulation, the camera or the view is another than in the last picture
    bool renewed = false;      ///< the scene or the layout of the window is
    bool over_panels = false;  ///< the mouse is
    double quiet = 0.0;        ///< s since the last event
    double since = 0.0;        ///< s since the last picture
  };

  /// Chooses the picture to draw now.
  Drawing next(const Moment& now) {
    stale_ = stale_ || now.changed || now.renewed;
    if (!now.over_panels || full_ <= patience) return stale_ || was_coarse_ ? Drawing::full : Drawing::none;
    const double coarse = full_ * share_;
    const bool nobody = now.quiet > idle;
    if (!stale_) return was_coarse_ && nobody && now.since > 4.0 * full_ ? Drawing::full : Drawing::none;
    if (now.renewed || coarse <= patience) return Drawing::coarse;
    return nobody && now.since > 4.0 * coarse ? Drawing::coarse : Drawing::none;
  }

  /// The picture took `seconds`, until it was in the window.
  void drawn(Drawing drawing, double seconds) {
    if (drawing == Drawing::none) return;
    stale_ = false;
    was_coarse_ = drawing == Drawing::coarse;
    if (was_coarse_)
      share_ = seconds / full_;
    else
      full_ = seconds;
  }

  /// Something else was drawn over the picture.
  void spoil() { stale_ = true; }

  /// Whether the picture in the window is not yet the one of now.
  bool behind() const { return stale_ || was_coarse_; }

 private:
  bool stale_ = true, was_coarse_ = false;
  double full_ = 0.0;         ///< s, of the last full picture
  double share_ = 1.0 / 9.0;  ///< of it, that a coarse one took; at first by its pixels
};

}  // namespace limber
