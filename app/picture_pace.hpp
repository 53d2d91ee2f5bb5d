// When the scene's picture is drawn anew, and how finely: never for nothing, and never so that panels have to
// wait.
#pragma once

namespace limber {

/// Knows what pictures cost. Where the graphics processor draws them that is next to nothing; where the
/// processor does it (llvmpipe), one may take seconds, in which no menu opens. So while the mouse is over the
/// panels a slow picture is drawn coarsely, or, where even that is slow, not at all: the last one stays.
class PicturePace {
 public:
  enum class Drawing { none, coarse, full };

  /// s, what a picture may take while somebody waits for a menu.
  static constexpr double patience = 0.06;

  /// Pixels of a full picture along one side of a pixel of a coarse one: as few as patience allows.
  int coarseness() const { return full_ <= 2.5 * patience ? 2 : 3; }

  /// Chooses the picture to draw now. `changed`: the scene, the camera or the view is another than in the
  /// last picture.
  Drawing next(bool changed, bool over_panels) {
    stale_ = stale_ || changed;
    if (!over_panels || full_ <= patience) return stale_ || was_coarse_ ? Drawing::full : Drawing::none;
    if (!stale_) return Drawing::none;
    return full_ * share_ <= patience ? Drawing::coarse : Drawing::none;
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
