#include "app/lab/distance.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/scene/build/scene_model.hpp"

namespace limber {

/// True if the original vertices are equal. Vertices made by tears come last and have no counterpart.
bool same_vertices(const SceneModel& a, const SceneModel& b) {
  return a.vertex_count - Index(a.split_from.size()) == b.vertex_count - Index(b.split_from.size());
}

Distance DistanceMeter::between(const Simulation& a, const Simulation& b) {
  Distance distance;
  double squares = 0.0;
  const auto add = [&](double length) {
    squares += length * length;
    distance.max = std::max(distance.max, length);
    ++distance.compared;
  };
  const SceneModel &of_a = *a.model(), &of_b = *b.model();
  if (same_vertices(of_a, of_b)) {
    a_.resize(std::size_t(of_a.vertex_count));
    b_.resize(std::size_t(of_b.vertex_count));
    a.read(reading::Positions{std::span(a_)});
    b.read(reading::Positions{std::span(b_)});
    const std::size_t whole = std::size_t(of_a.vertex_count) - of_a.split_from.size();
    for (std::size_t i = 0; i < whole; ++i) add(glm::distance(a_[i], b_[i]));
  }
  bodies_a_.resize(a.body_count());
  bodies_b_.resize(b.body_count());
  a.read(reading::Bodies{bodies_a_});
  b.read(reading::Bodies{bodies_b_});
  for (std::size_t i = 0; i < std::min(bodies_a_.size(), bodies_b_.size()); ++i)
    add(double(glm::distance(bodies_a_[i].position, bodies_b_[i].position)));
  if (distance.compared > 0) distance.rms = std::sqrt(squares / double(distance.compared));
  return distance;
}

}  // namespace limber
