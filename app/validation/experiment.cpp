#include "app/validation/experiment.hpp"

#include <stdexcept>

#include "app/commands/scene_source.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {

SceneDesc points_scene(const std::vector<glm::dvec3>& positions, const std::vector<double>& masses,
                       std::vector<SpringDesc> springs) {
  ObjectDesc object;
  object.name = "object";
  object.type = ObjectType::points;
  for (std::size_t i = 0; i < positions.size(); ++i) object.points->list.push_back({positions[i], masses[i]});
  object.points->springs = std::move(springs);

  SceneDesc scene;
  scene.name = "validation";
  scene.solver.method->order = Order::sequential;
  scene.solver.step->substeps = 1;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->max_speed = 1000.0;
  scene.objects.push_back(std::move(object));
  return scene;
}

SceneDesc still_scene(double gravity) {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.method->kind = SolverMethod::newton;
  scene.solver.step->substeps = 1;
  scene.solver.step->iterations = 3;
  scene.solver.motion->damping = 0.999;
  scene.solver.motion->gravity = {0.0, -gravity, 0.0};
  return scene;
}

std::string shipped_meshes() {
  const Expected<std::string> data = data_folder();
  if (!data) throw std::logic_error("validation meshes: " + data.error().text());
  return *data + "/assets";
}

ObjectDesc& object_of(SceneDesc& scene) { return scene.objects.front(); }

std::unique_ptr<Simulation> start(SceneDesc scene) {
  RunOptions options;
  options.precision = Precision::f64;
  options.threads = 1;
  Expected<std::unique_ptr<Simulation>> simulation = make_simulation(std::move(scene), options);
  if (!simulation) throw std::logic_error("validation scene: " + simulation.error().text());
  return std::move(*simulation);
}

std::vector<glm::dvec3> positions_of(const Simulation& simulation) {
  std::vector<glm::dvec3> positions(std::size_t(simulation.model()->vertex_count));
  simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
  return positions;
}

std::vector<glm::dvec3> velocities_of(const Simulation& simulation) {
  std::vector<glm::dvec3> velocities(std::size_t(simulation.model()->vertex_count));
  simulation.read(reading::Velocities{velocities});
  return velocities;
}

void run_frames(Simulation& simulation, int frames) {
  for (int i = 0; i < frames; ++i) simulation.step();
}

void set_value(Simulation& simulation, const std::string& path, Value value) {
  const Expected<void> result = simulation.submit(SetValue{path, std::move(value)});
  if (!result) throw std::logic_error("validation setting: " + result.error().text());
}

std::span<const ValidationGroup> validation_groups() {
  static constexpr ValidationGroup groups[] = {{"spring", spring_cases},       {"chain", chain_cases},
                                               {"motion", motion_cases},       {"contact", contact_cases},
                                               {"joint", joint_cases},         {"heap", heap_cases},
                                               {"solid", solid_cases},         {"material", material_cases},
                                               {"plastic", plastic_cases},     {"rod", rod_cases},
                                               {"rod load", rod_load_cases},   {"rope", rope_cases},
                                               {"method", method_cases},       {"body", body_cases},
                                               {"fluid", fluid_cases},         {"flow", flow_cases},
                                               {"viscosity", viscosity_cases}, {"drop", drop_cases},
                                               {"heat", heat_cases},           {"air", air_cases}};
  return groups;
}

}  // namespace limber
