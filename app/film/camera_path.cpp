#include "app/film/camera_path.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {

CameraPath::Numbers CameraPath::slope(const CameraKey& from, const CameraKey& to) {
  const double span = to.time - from.time;
  return {(to.position - from.position) / span, (to.target - from.target) / span,
          (to.fov_degrees - from.fov_degrees) / span};
}

CameraPath::CameraPath(std::vector<CameraKey> keys) : keys_(std::move(keys)) {
  assert(!keys_.empty());
  const std::size_t count = keys_.size();
  velocities_.resize(count);
  if (count < 2) return;
  std::vector<Numbers> slopes;
  for (std::size_t k = 0; k + 1 < count; ++k) slopes.push_back(slope(keys_[k], keys_[k + 1]));
  const auto blend = [](const Numbers& a, double of_a, const Numbers& b, double of_b) {
    return Numbers{of_a * a.position + of_b * b.position, of_a * a.target + of_b * b.target,
                   of_a * a.fov + of_b * b.fov};
  };
  const auto still = [](const Numbers& s) {
    return s.position == glm::dvec3(0.0) && s.target == glm::dvec3(0.0) && s.fov == 0.0;
  };
  for (std::size_t k = 1; k + 1 < count; ++k) {
    const double before = keys_[k].time - keys_[k - 1].time, after = keys_[k + 1].time - keys_[k].time;
    if (!still(slopes[k - 1]) && !still(slopes[k]))
      velocities_[k] = blend(slopes[k - 1], after / (before + after), slopes[k], before / (before + after));
  }
  for (std::size_t k = 0; k < count; ++k)
    if (keys_[k].ease) velocities_[k] = {};
  // The first segment is a parabola with the velocity of the second key at its end; likewise the last
  // segment.
  const auto end = [&](std::size_t key, std::size_t neighbour, const Numbers& s) {
    if (!keys_[key].ease) velocities_[key] = blend(s, 2.0, velocities_[neighbour], -1.0);
    if (still(s) || count == 2) velocities_[key] = keys_[key].ease ? Numbers{} : s;
  };
  end(0, 1, slopes.front());
  end(count - 1, count - 2, slopes.back());
  if (count == 2)  // a parabola, because one end eases
    for (std::size_t k = 0; k < 2; ++k)
      if (keys_[1 - k].ease && !keys_[k].ease) velocities_[k] = blend(slopes[0], 2.0, {}, 0.0);
}

CameraStand CameraPath::at(double time) const {
  if (time <= keys_.front().time) return keys_.front();
  if (time >= keys_.back().time) return keys_.back();
  const auto next = std::ranges::upper_bound(keys_, time, {}, &CameraKey::time);
  const std::size_t k = std::size_t(next - keys_.begin()) - 1;
  const double span = keys_[k + 1].time - keys_[k].time, t = (time - keys_[k].time) / span;
  const double from = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t), to = 1.0 - from;
  const double leaving = span * t * (1.0 - t) * (1.0 - t), arriving = -span * t * t * (1.0 - t);
  const auto mixed = [&](auto a, auto b, auto velocity_a, auto velocity_b) {
    return from * a + to * b + leaving * velocity_a + arriving * velocity_b;
  };
  const CameraKey &a = keys_[k], &b = keys_[k + 1];
  const Numbers &u = velocities_[k], &v = velocities_[k + 1];
  return {mixed(a.position, b.position, u.position, v.position),
          mixed(a.target, b.target, u.target, v.target), mixed(a.fov_degrees, b.fov_degrees, u.fov, v.fov)};
}

CameraStand turned(CameraStand stand, double radians) {
  const glm::dvec3 arm = stand.position - stand.target;
  const double c = std::cos(radians), s = std::sin(radians);
  stand.position = stand.target + glm::dvec3(c * arm.x + s * arm.z, arm.y, c * arm.z - s * arm.x);
  return stand;
}

}  // namespace limber
