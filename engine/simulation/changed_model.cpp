#include "engine/simulation/changed_model.hpp"

#include "engine/scene/body_builder.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// Gives `model`, that of the untorn scene, the triangles of `world` as tears have left them.
void follow_tears(const World& world, SceneModel& model) {
  const Topology& topology = *world.topology;
  const Index untorn = model.vertex_count;
  model.vertex_count = Index(topology.external_to_internal.size());
  for (Index v = untorn; v < model.vertex_count; ++v) {
    const Index particle = topology.external_to_internal[std::size_t(v)];
    const std::int32_t origin = topology.tears.origin[std::size_t(particle)];
    model.split_from.push_back(topology.internal_to_external[std::size_t(origin)]);
  }
  for (std::size_t o = 0; o < model.objects.size(); ++o)
    if (topology.tears.objects[o].used > 0) model.objects[o].triangles.clear();
  for (const auto& t : topology.triangles) {
    const std::size_t o = std::size_t(world.particles.object[std::size_t(t[0])]);
    if (topology.tears.objects[o].used == 0) continue;
    const auto id = [&](std::size_t j) { return topology.internal_to_external[std::size_t(t[j])]; };
    model.objects[o].triangles.push_back({id(0), id(1), id(2)});
  }
}

}  // namespace

std::shared_ptr<const SceneModel> changed_model(const SceneModel& built, const World& world) {
  auto model = std::make_shared<SceneModel>(built);
  if (world.topology->edition != 0) follow_tears(world, *model);
  show_added_bodies(world, *model);
  return model;
}

}  // namespace limber::inline LIMBER_PRECISION
