// Fits the view to what moves.
#pragma once

#include "app/render/subject.hpp"

namespace limber {

/// Opens a scene with its subject whole in the area, filling most of its width or height, and as much around
/// it as there is room for. While everything stays in the picture the camera stands still. When something
/// leaves it the camera glides back, up to a few times its first distance, or, where the subject as a whole
/// moves off, goes along. Once everything has kept for a while to a much smaller part of the picture it
/// glides closer. Keeps the direction of view.
class FittedView {
 public:
  /// Share of the area's width or height that the subject fills at the start.
  static constexpr float least_filled = 0.66f;

  void start() { empty_ = true; }  ///< the next frame is the first one of another scene

  /// Moves the camera where that is needed. Returns whether it has moved it.
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
  glm::vec3 origin_{0.0f};                     ///< m, of the reaches
  Reach recent_;                               ///< of the subject in the last calls
  int calls_ = 0;                              ///< that `recent_` is of
  Reach shown_;                                ///< what the camera is to show
  glm::vec3 seen_min_{0.0f}, seen_max_{0.0f};  ///< m, the box of what was last looked at
  float first_distance_ = 1.0f;                ///< m
  glm::vec3 wanted_target_{0.0f};              ///< m, where the camera glides to
  float wanted_distance_ = 1.0f;               ///< m
};

}  // namespace limber
