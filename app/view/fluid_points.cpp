#include "app/view/fluid_points.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

namespace limber {
namespace {

/// Diffuse particles are drawn so much smaller than those of their fluid.
constexpr float spray_size = 0.3f;

/// Between a particle of a jet and the next one behind it, of one that falls faster and faster.
constexpr int most_between = 8;

}  // namespace

void FluidPoints::add(const ObjectModel& object) {
  fluids_.push_back(particles_of(object));
  jet_speeds_.push_back(object.jet_speed);
}

void FluidPoints::write(const Simulation& simulation, bool surface, RenderFrame& frame) {
  frame.fluids = !fluids_.empty();
  if (!frame.fluids) return;
  frame.points.spray_first = frame.points.size();
  simulation.read_spray(spray_);
  for (const glm::vec3& x : spray_)
    frame.points.add(x, spray_size * fluids_.front().radius, packed_light(glm::vec3(0.9f)));
  frame.points.spray_count = spray_.size();
  surface = surface && frame.heat.empty();
  if (surface) frame.points.fluid_first = frame.points.size();
  frame.points.fluid_radius = fluids_.front().radius;
  add_points(fluids_, frame);
  hide_absent(simulation, frame.points);
  if (surface) fill_jets(simulation, frame.points);
}

void FluidPoints::hide_absent(const Simulation& simulation, PointCloud& points) {
  simulation.read_absent(absent_);
  for (const PointRange& range : points.ranges) {
    auto next = std::lower_bound(absent_.begin(), absent_.end(), range.first_vertex);
    for (; next != absent_.end() && *next < range.first_vertex + range.count; ++next)
      points.spheres[std::size_t(range.first + *next - range.first_vertex)].w = 0.0f;
  }
}

/// A mouth lets out layers of particles, two radii apart. Where the jet falls faster than it left they come
/// apart and would show as separate discs: one is as far behind the other as the jet goes in the time between
/// two layers.
void FluidPoints::fill_jets(const Simulation& simulation, PointCloud& points) {
  points.between_first = points.size();
  if (std::all_of(jet_speeds_.begin(), jet_speeds_.end(), [](float speed) { return speed == 0.0f; })) return;
  velocities_.resize(std::size_t(simulation.model()->vertex_count));
  simulation.read_velocities(velocities_);
  std::size_t point = points.fluid_first;
  for (std::size_t f = 0; f < fluids_.size(); point += fluids_[f++].colors.size()) {
    const float radius = fluids_[f].radius, mouth = jet_speeds_[f];
    if (mouth == 0.0f) continue;
    for (std::size_t i = 0; i < fluids_[f].colors.size(); ++i) {
      const glm::vec4 sphere = points.spheres[point + i];
      const glm::vec3 v(velocities_[std::size_t(fluids_[f].first_vertex) + i]);
      const float faster = glm::length(v) / mouth;
      if (!(faster > 1.1f) || sphere.w == 0.0f) continue;
      const int between = std::min(int(faster * 1.25f), most_between);
      for (int k = 1; k <= between; ++k)
        points.add(glm::vec3(sphere) - (float(k) * 2.0f * radius / (float(between + 1) * mouth)) * v, radius,
                   fluids_[f].colors[i]);
    }
  }
}

}  // namespace limber
