#include "app/view/fluid_points.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/scene/build/scene_model.hpp"

namespace limber {
namespace {

/// Radius of lone drops and of bubbles in foam, relative to the particles of their fluid: bubbles overlap and
/// so become one white sheet.
constexpr float drop_size = 0.24f, bubble_size = 0.5f;
constexpr float foam_crowd = 5.0f;  ///< SpraySlots::crowd_of() in foam

/// Largest number of points inserted between two successive particles of a jet that accelerates.
constexpr int most_between = 8;

/// Largest distance of two successive particles relative to the expected one: cohesion draws layers together
/// in pairs.
constexpr float longest_way = 2.0f;

}  // namespace

void FluidPoints::add(const ObjectModel& object) {
  fluids_.push_back(particles_of(object));
  jets_.push_back({object.jet_speed, std::size_t(object.jet_layer)});
}

void FluidPoints::write(const Simulation& simulation, bool surface, RenderFrame& frame) {
  frame.fluids = !fluids_.empty();
  if (!frame.fluids) return;
  frame.points.spray_first = frame.points.size();
  simulation.read(reading::Spray{spray_});
  add_spray(frame.points);
  surface = surface && frame.heat.empty();
  if (surface) frame.points.fluid_first = frame.points.size();
  frame.points.fluid_radius = fluids_.front().radius;
  add_points(fluids_, frame);
  hide_absent(frame.absent, frame.points);
  if (surface) fill_jets(simulation, frame.points);
}

/// Adds each drop at its slot, so that it keeps its look. Free slots have the radius 0.
void FluidPoints::add_spray(PointCloud& points) {
  const float radius = fluids_.front().radius;
  spray_slots_.update(spray_, 2.0f * radius);
  for (std::size_t slot = 0; slot < spray_slots_.slot_count(); ++slot)
    points.add(glm::vec3(0.0f), 0.0f, packed_light(glm::vec3(0.9f)));
  for (std::size_t i = 0; i < spray_.size(); ++i) {
    const float foam = std::min(spray_slots_.crowd_of(i) / foam_crowd, 1.0f);
    points.spheres[points.spray_first + spray_slots_.slot_of(i)] =
        glm::vec4(spray_[i], radius * glm::mix(drop_size, bubble_size, foam));
  }
  points.spray_count = spray_slots_.slot_count();
}

void FluidPoints::hide_absent(std::span<const Index> absent, PointCloud& points) const {
  for (const PointRange& range : points.ranges) {
    auto next = std::lower_bound(absent.begin(), absent.end(), range.first_vertex);
    for (; next != absent.end() && *next < range.first_vertex + range.count; ++next)
      points.spheres[std::size_t(range.first + *next - range.first_vertex)].w = 0.0f;
  }
}

/// Fills the gaps of jets. A nozzle emits layers of particles two radii apart. As the jet accelerates in its
/// fall, the layers separate and would appear as discs. Points are inserted between each particle and the one
/// emitted from the same place a layer later, unless their distance is much larger than the jet covers in
/// that time.
void FluidPoints::fill_jets(const Simulation& simulation, PointCloud& points) {
  points.between_first = points.size();
  if (std::all_of(jets_.begin(), jets_.end(), [](const Jet& jet) { return jet.speed == 0.0f; })) return;
  velocities_.resize(std::size_t(simulation.model()->vertex_count));
  simulation.read(reading::Velocities{velocities_});
  std::size_t point = points.fluid_first;
  for (std::size_t f = 0; f < fluids_.size(); point += fluids_[f++].colors.size())
    if (jets_[f].speed > 0.0f) fill_jet(fluids_[f], jets_[f], point, points);
}

void FluidPoints::fill_jet(const DrawnParticles& fluid, const Jet& jet, std::size_t point,
                           PointCloud& points) const {
  const std::size_t first = std::size_t(fluid.first_vertex);
  for (std::size_t i = 0; i + jet.layer < fluid.colors.size(); ++i) {
    const glm::vec4 ahead = points.spheres[point + i], behind = points.spheres[point + i + jet.layer];
    if (ahead.w == 0.0f || behind.w == 0.0f) continue;
    const double speed =
        std::max(glm::length(velocities_[first + i]), glm::length(velocities_[first + i + jet.layer]));
    const float way = glm::distance(glm::vec3(ahead), glm::vec3(behind)) / (2.0f * fluid.radius);
    if (!(way > 1.1f) || way > longest_way * float(speed) / jet.speed) continue;
    const int between = std::min(int(way * 1.25f), most_between);
    for (int k = 1; k <= between; ++k)
      points.add(glm::mix(glm::vec3(ahead), glm::vec3(behind), float(k) / float(between + 1)), fluid.radius,
                 fluid.colors[i]);
  }
}

}  // namespace limber
