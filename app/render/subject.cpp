#include "app/render/subject.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

namespace limber {
namespace {

constexpr float longest_fall = 2.0f;       // in sizes of the subject; longer falls leave out the ground
constexpr float fall_shown = 0.7f;         // in sizes of the subject, the part of a longer fall that is shown
constexpr float far_behind = 4.0f;         // in distances within which seven tenths of all things are
constexpr double most_left_behind = 0.05;  // share of all things
constexpr std::size_t fewest = 4;          // number of things from which one can be an outlier

/// Calls `at` with the position of every present vertex.
template <class At>
void for_each_vertex(const RenderFrame& frame, At at) {
  auto absent = frame.absent.begin();
  for (std::size_t v = 0; v < frame.positions.size(); ++v)
    if (absent != frame.absent.end() && std::size_t(*absent) == v)
      ++absent;
    else
      at(frame.positions[v]);
}

/// Calls `at` with the position of every moving solid.
template <class At>
void for_each_solid(const RenderFrame& frame, At at) {
  for (const PrimitiveDraw& solid : frame.solids)
    if (solid.moves()) at(glm::vec3(solid.transform[3]));
}

/// A ball that contains all things of a kind except outliers. Particles and bodies are judged separately,
/// because one ball beside hundreds of particles would otherwise be an outlier.
struct Crowd {
  glm::vec3 middle{0.0f};
  float radius = std::numeric_limits<float>::max();
  bool holds(glm::vec3 point) const { return glm::distance(point, middle) <= radius; }
};

template <class ForEach>
Crowd crowd_of(const ForEach& for_each) {
  Crowd crowd;
  std::vector<float> numbers;
  const auto nth = [&](double share) {
    const auto at = numbers.begin() + std::ptrdiff_t(share * double(numbers.size() - 1));
    std::nth_element(numbers.begin(), at, numbers.end());
    return *at;
  };
  for (int axis = 0; axis < 3; ++axis) {
    numbers.clear();
    for_each([&](const glm::vec3& at) { numbers.push_back(at[axis]); });
    if (numbers.size() < fewest) return crowd;
    crowd.middle[axis] = nth(0.5);
  }
  numbers.clear();
  for_each([&](const glm::vec3& at) { numbers.push_back(glm::distance(at, crowd.middle)); });
  const float radius = far_behind * nth(0.7);
  const auto beyond = std::count_if(numbers.begin(), numbers.end(), [&](float far) { return far > radius; });
  if (double(beyond) <= most_left_behind * double(numbers.size())) crowd.radius = radius;
  return crowd;
}

void add_solid(const PrimitiveDraw& solid, ReachMeter& meter) {
  const glm::vec3 centre(solid.transform[3]), y(solid.transform[1]);
  switch (solid.shape) {
    case PrimitiveDraw::Shape::sphere:
      return meter.add_ball(centre, glm::length(glm::vec3(solid.transform[0])));
    case PrimitiveDraw::Shape::capsule:
      meter.add_ball(centre + solid.half_length * y, solid.radius);
      return meter.add_ball(centre - solid.half_length * y, solid.radius);
    case PrimitiveDraw::Shape::cylinder:
      return meter.add_cylinder(solid.transform);
    case PrimitiveDraw::Shape::mesh:
      if (!solid.geometry) return;
      for (const glm::vec3& point : solid.geometry->positions)
        meter.add(glm::vec3(solid.transform * glm::vec4(point, 1.0f)));
      return;
    case PrimitiveDraw::Shape::box:
      return meter.add_cube(solid.transform);
  }
}

}  // namespace

bool is_yet_to_come(const RenderFrame& frame) { return 2 * frame.absent.size() > frame.positions.size(); }

Reach reach_of_subject(const RenderFrame& frame, const Camera& camera, const OpenArea& area,
                       glm::vec3 origin) {
  ReachMeter meter(camera, area, origin);
  const bool surfaces =
      frame.surfaces && !frame.surfaces->indices.empty();  // no part of a surface counts as an outlier
  Crowd particles, bodies;
  if (frame.frame > 0 && !surfaces) {
    particles = crowd_of([&](const auto& at) { for_each_vertex(frame, at); });
    bodies = crowd_of([&](const auto& at) { for_each_solid(frame, at); });
  }
  auto absent = frame.absent.begin();
  for (std::size_t v = 0; v < frame.positions.size(); ++v)
    if (absent != frame.absent.end() && std::size_t(*absent) == v)
      ++absent;
    else if (particles.holds(frame.positions[v]))
      meter.add(frame.positions[v]);
  const PointCloud& points = frame.points;
  const std::size_t all = std::min(points.size(), points.between_first);
  for (std::size_t i = 0; i < all; ++i) {
    const glm::vec4& ball = points.spheres[i];
    if (ball.w > 0.0f && !points.is_spray(i) && particles.holds(glm::vec3(ball)))
      meter.add_ball(glm::vec3(ball), ball.w);
  }
  for (const PrimitiveDraw& solid : frame.solids)
    if (solid.deforms || (solid.moves() && bodies.holds(glm::vec3(solid.transform[3]))))
      add_solid(solid, meter);
  return meter.reach();
}

Reach reach_of_surroundings(const RenderFrame& frame, const Reach& subject, const Camera& camera,
                            const OpenArea& area, glm::vec3 origin) {
  ReachMeter meter(camera, area, origin);
  meter.add_box(frame.focus_min, frame.focus_max);
  glm::vec3 low = frame.subject_min, high = frame.subject_max;
  if (frame.ground && frame.falls && low.y > 0.0f && low.y < longest_fall * glm::distance(low, high)) {
    low.y = std::max(0.0f, low.y - fall_shown * glm::distance(low, high));
    meter.add_box(low, high);
  }
  return united(subject, meter.reach());
}

}  // namespace limber
