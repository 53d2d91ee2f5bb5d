#include "app/render/fitted_view.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <utility>

namespace limber {
namespace {

constexpr float farthest_back = 2.5f;  // largest distance, in first distances
constexpr float spare = 0.25f;         // added beyond the reach shown, so as not to move every frame
constexpr float glide_share = 0.25f;   // share of the remaining way per call, backwards and sideways
constexpr float approach_share = 0.05f;
constexpr float much_closer = 0.75f;  // share of the distance; a smaller gain is not worth a motion
constexpr int calm_calls = 40, looked_at_every = 4;
constexpr std::size_t looked_at_always = 20'000;  // vertices: smaller scenes cost no noticeable time

bool contains(glm::vec3 low, glm::vec3 high, glm::vec3 a, glm::vec3 b) {
  return glm::all(glm::lessThanEqual(low, a)) && glm::all(glm::lessThanEqual(b, high));
}

bool is_box(glm::vec3 low, glm::vec3 high) {
  return glm::all(glm::lessThanEqual(low, high)) && std::isfinite(glm::distance(low, high));
}

}  // namespace

Camera FittedView::fitted(Camera camera, const Reach& reach) const {
  camera.frame(reach, origin_, area_);
  return camera;
}

/// Reach of the first picture: the subject with as many surroundings as leave it large. All surroundings if
/// the subject is not there yet.
Reach FittedView::opening(const Camera& camera, const RenderFrame& frame, const Reach& subject) const {
  const Reach around = reach_of_surroundings(frame, subject, camera, area_, origin_);
  if (subject.empty() || is_yet_to_come(frame)) return around;
  return between(subject, around, largest_share(subject, around, slopes(camera, area_), least_filled));
}

void FittedView::open(Camera& camera, const RenderFrame& frame) {
  const bool there = is_box(frame.subject_min, frame.subject_max);
  seen_min_ = there ? frame.subject_min : frame.focus_min;
  seen_max_ = there ? frame.subject_max : frame.focus_max;
  origin_ = 0.5f * (seen_min_ + seen_max_);
  recent_ = {}, calls_ = 0;
  shown_ = opening(camera, frame, reach_of_subject(frame, camera, area_, origin_));
  camera = fitted(camera, shown_);
  first_distance_ = wanted_distance_ = camera.distance;
  wanted_target_ = camera.target;
}

bool FittedView::shows(const Camera& camera, const Reach& reach) const {
  const glm::mat4 view = camera.view();
  const glm::vec3 right(view[0][0], view[1][0], view[2][0]), up(view[0][1], view[1][1], view[2][1]);
  const glm::vec3 way = camera.target - origin_;
  const glm::vec2 middle(glm::dot(way, right), glm::dot(way, up)),
      room = camera.distance * slopes(camera, area_);
  return glm::all(glm::lessThanEqual(reach.above - middle, room)) &&
         glm::all(glm::lessThanEqual(reach.below + middle, room));
}

/// Moves the camera back or sideways if its wanted place would cut off the present reach of the subject.
void FittedView::take_in(Camera camera, const RenderFrame& frame, const Reach& now) {
  camera.target = wanted_target_, camera.distance = wanted_distance_;
  if (now.empty() || shows(camera, now)) return;
  const float most = farthest_back * first_distance_;
  Reach wanted = between(shown_, united(shown_, now), 1.0f + spare);
  Camera next = fitted(camera, wanted);
  if (next.distance > most) {
    wanted = now;
    next = fitted(camera, now);
    if (next.distance > most) return;  // parts fly apart: keep showing the ones shown
    next.distance = std::max(next.distance, first_distance_);
    seen_min_ = frame.subject_min, seen_max_ = frame.subject_max;
  }
  shown_ = wanted;
  wanted_target_ = next.target, wanted_distance_ = next.distance;
}

/// Approaches a subject that has become smaller. `recent_` covers several calls, so swings and bounces do not
/// move the camera.
void FittedView::come_closer(const Camera& camera, const RenderFrame& frame) {
  const Reach subject = std::exchange(recent_, Reach());
  calls_ = 0;
  if (subject.empty() || is_yet_to_come(frame)) return;
  const Reach wanted = opening(camera, frame, subject);
  const Camera next = fitted(camera, wanted);
  if (next.distance > much_closer * wanted_distance_) return;
  shown_ = wanted;
  wanted_target_ = next.target, wanted_distance_ = next.distance;
}

/// Measures the subject in some frames, and whenever it has left the box of the last measurement. Visiting
/// every vertex in each frame would slow down a large scene.
void FittedView::look(const Camera& camera, const RenderFrame& frame) {
  ++calls_;
  const bool there = is_box(frame.subject_min, frame.subject_max);
  const bool left = there && !contains(seen_min_, seen_max_, frame.subject_min, frame.subject_max);
  if (left) {
    const glm::vec3 low = glm::min(seen_min_, frame.subject_min),
                    high = glm::max(seen_max_, frame.subject_max);
    seen_min_ = glm::mix(seen_min_, low, 1.0f + spare), seen_max_ = glm::mix(seen_max_, high, 1.0f + spare);
  }
  const bool small = frame.positions.size() < looked_at_always;
  if (!left && !small && calls_ % looked_at_every != 0) return;
  const Reach now = reach_of_subject(frame, camera, area_, origin_);
  recent_ = united(recent_, now);
  take_in(camera, frame, now);
  if (calls_ >= calm_calls) come_closer(camera, frame);
}

bool FittedView::glide(Camera& camera) {
  const float left =
      glm::distance(camera.target, wanted_target_) + std::abs(camera.distance - wanted_distance_);
  if (!(left > 1e-4f * wanted_distance_)) return false;
  const float share = wanted_distance_ > camera.distance ? glide_share : approach_share;
  // The distance shrinks only slowly, so that the subject reaches the middle before it could leave the
  // picture.
  camera.target = glm::mix(camera.target, wanted_target_, glide_share);
  camera.distance += share * (wanted_distance_ - camera.distance);
  return true;
}

/// Moves the target into the plane through the origin of the reaches, without changing the picture: the
/// distance then measures how much is visible.
void FittedView::target_in_plane(Camera& camera) const {
  if (camera.orthographic) return;
  const float nearer = -glm::dot(camera.target - origin_, camera.forward());
  camera.target += nearer * camera.forward();
  camera.distance += nearer;
}

/// Moves a target below the ground up to the ground, without changing the picture, so that the camera does
/// not orbit about an invisible point.
void FittedView::target_above_ground(Camera& camera, bool ground) const {
  const glm::vec3 back = -camera.forward();
  if (!ground || camera.orthographic || camera.target.y >= 0.0f || !(back.y > 0.0f)) return;
  const float nearer = std::min(-camera.target.y / back.y, 0.9f * camera.distance);
  camera.target += nearer * back;
  camera.distance -= nearer;
}

bool FittedView::follow(Camera& camera, const RenderFrame& frame, const OpenArea& area) {
  if (!std::isfinite(glm::distance(frame.focus_min, frame.focus_max))) return false;
  const bool other_area =
      area_.corner != area.corner || area_.size != area.size || area_.picture != area.picture;
  if (empty_ || other_area) {
    area_ = area;
    open(camera, frame);
    empty_ = false;
    target_above_ground(camera, frame.ground);
    return true;
  }
  Camera now = camera;
  target_in_plane(now);
  look(now, frame);
  if (!glide(now)) return false;
  target_above_ground(now, frame.ground);
  camera = now;
  return true;
}

}  // namespace limber
