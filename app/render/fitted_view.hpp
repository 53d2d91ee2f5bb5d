// Fits the view to the moving parts of a scene.
#pragma once

#include "app/render/subject.hpp"

namespace limber {

/// Opens a scene so that the whole subject is in the area and fills most of its width or height; surroundings
/// are included as far as this allows. While everything stays visible, the camera does not move. If something
/// leaves the picture, the camera moves back smoothly, up to a few times its first distance; if the whole
/// subject moves away, the camera follows. If everything stays in a much smaller part of the picture for a
/// while, the camera moves closer. The direction of view never changes.
class FittedView {
 public:
  /// Share of the area's width or height that the subject fills at the start.
  static constexpr float least_filled = 0.66f;

  void start() { empty_ = true; }  ///< the next frame is the first of another scene

  /// Moves the camera if necessary. Returns whether it moved.
  bool follow(Camera& camera, const RenderFrame& frame, const OpenArea& area);

 private:
  void open(Camera& camera, const RenderFrame& frame);
  Reach opening(const Camera& camera, const RenderFrame& frame, const Reach& subject) const;
  void look(const Camera& camera, const RenderFrame& frame);
  void take_in(Camera camera, const RenderFrame& frame, const Reach& now);
  void come_closer(const Camera& camera, const RenderFrame& frame);
  bool glide(Camera& camera);
  void target_in_plane(Camera& camera) const;
  void target_above_ground(Camera& camera, bool ground) const;
  bool shows(const Camera& camera, const Reach& reach) const;
  Camera fitted(Camera camera, const Reach& reach) const;

  bool empty_ = true;
  OpenArea area_;
  glm::vec3 origin_{0.0f};                     ///< m, of all reaches
  Reach recent_;                               ///< reach of the subject in the last calls
  int calls_ = 0;                              ///< calls that `recent_` covers
  Reach shown_;                                ///< reach that the camera shows
  glm::vec3 seen_min_{0.0f}, seen_max_{0.0f};  ///< m, box of the subject when it was last measured
  float first_distance_ = 1.0f;                ///< m
  glm::vec3 wanted_target_{0.0f};              ///< m, end of the present glide
  float wanted_distance_ = 1.0f;               ///< m, end of the present glide
};

}  // namespace limber
