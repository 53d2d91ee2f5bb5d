#include "engine/simulation/changed_model.hpp"

#include <algorithm>

#include "engine/geometry/mesh/creases.hpp"
#include "engine/scene/build/body_builder.hpp"
#include "engine/state/soft_parts.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Computes the smoothing groups of a torn solid: normals are not smoothed across its edges, nor across the
/// edges of surfaces that tears opened.
void smooth(const Topology& topology, ObjectModel& object) {
  if (object.inside_from < 0) return;
  std::vector<glm::dvec3> rest;
  for (const Index particle : topology.external_to_internal)
    rest.emplace_back(topology.surface.rest[std::size_t(particle)]);
  object.smoothing = smoothing_groups(object.triangles, rest);
}

/// Lists the pieces of all rods that have broken, in the order of their segments.
void list_pieces(const Topology& topology, SceneModel& model) {
  for (std::size_t o = 0; o < model.objects.size(); ++o)
    if (topology.tears.objects[o].used > 0) model.objects[o].rod.pieces.clear();
  const auto id = [&](std::int32_t point) { return topology.internal_to_external[std::size_t(point)]; };
  for (const RodRun& run : topology.rods.runs) {
    if (topology.tears.objects[std::size_t(run.object)].used == 0) continue;
    RodPiece piece{Index(run.first), {}, run.closed};
    for (std::int32_t k = run.first; k < run.end(); ++k)
      piece.points.push_back(id(topology.rods.segments[std::size_t(k)].points[0]));
    if (!run.closed) piece.points.push_back(id(topology.rods.segments[std::size_t(run.end() - 1)].points[1]));
    model.objects[std::size_t(run.object)].rod.pieces.push_back(std::move(piece));
  }
  for (ObjectModel& object : model.objects)
    std::sort(object.rod.pieces.begin(), object.rod.pieces.end(),
              [](const RodPiece& a, const RodPiece& b) { return a.first_segment < b.first_segment; });
}

/// Turns `model`, the model of the untorn scene, into that of `world`: vertices, triangles and pieces after
/// tears.
void follow_tears(const World& world, SceneModel& model) {
  const Topology& topology = *world.topology;
  const Index untorn = model.vertex_count;
  model.vertex_count = Index(topology.external_to_internal.size());
  for (Index v = untorn; v < model.vertex_count; ++v) {
    const Index particle = topology.external_to_internal[std::size_t(v)];
    const std::int32_t origin = topology.tears.origin[std::size_t(particle)];
    model.split_from.push_back(topology.internal_to_external[std::size_t(origin)]);
  }
  std::vector<std::size_t> tets(model.objects.size(), 0);
  for (const auto& t : topology.tets) ++tets[std::size_t(world.particles.object[std::size_t(t[0])])];
  std::vector<char> altered;  // torn, or partly molten
  for (std::size_t o = 0; o < model.objects.size(); ++o)
    altered.push_back(topology.tears.objects[o].used > 0 || tets[o] < model.objects[o].tets.size());
  for (std::size_t o = 0; o < model.objects.size(); ++o)
    if (altered[o]) {
      ObjectModel& object = model.objects[o];
      if (!object.tets.empty() && tets[o] == object.tets.size())
        object.inside_from = Index(object.triangles.size());
      object.triangles.clear(), object.tets.clear(), object.smoothing.clear();
    }
  for (const auto& t : topology.triangles) {
    const std::size_t o = std::size_t(world.particles.object[std::size_t(t[0])]);
    if (!altered[o]) continue;
    const auto id = [&](std::size_t j) { return topology.internal_to_external[std::size_t(t[j])]; };
    model.objects[o].triangles.push_back({id(0), id(1), id(2)});
  }
  for (const auto& t : topology.tets) {
    const std::size_t o = std::size_t(world.particles.object[std::size_t(t[0])]);
    if (!altered[o]) continue;
    const auto id = [&](std::size_t j) { return topology.internal_to_external[std::size_t(t[j])]; };
    model.objects[o].tets.push_back({id(0), id(1), id(2), id(3)});
  }
  for (std::size_t o = 0; o < model.objects.size(); ++o) smooth(topology, model.objects[o]);
  list_pieces(topology, model);
}

/// Splits the skins of soft solids that have broken. A vertex follows clusters of one connected part only:
/// the part of its nearest particle. Triangles between two parts are removed.
void part_skins(const World& world, SceneModel& model) {
  const Topology& topology = *world.topology;
  const SoftMatter& soft = topology.matter.soft;
  const std::vector<std::int32_t> part = parts_of_clusters(soft);
  std::vector<std::int32_t> of_particle(std::size_t(world.particles.count), -1);
  for (std::size_t e = 0; e < soft.entry_particle.size(); ++e)
    if (soft.entry_rest[e].w > real(0))
      of_particle[std::size_t(soft.entry_particle[e])] = part[std::size_t(soft.entry_cluster[e])];
  for (ObjectModel& object : model.objects) {
    if (!object.clustered || !object.skin) continue;
    std::vector<std::int32_t> own;
    for (std::size_t v = 0; v < object.blends.size(); ++v) {
      const Index nearest = object.carried[v].vertices[0];
      own.push_back(of_particle[std::size_t(topology.external_to_internal[std::size_t(nearest)])]);
      ClusterBlend& blend = object.blends[v];
      double sum = 0.0;
      for (std::size_t k = 0; k < blend.cluster.size(); ++k)
        if (blend.weight[k] > 0.0 && part[std::size_t(blend.cluster[k])] == own.back())
          sum += blend.weight[k];
      for (std::size_t k = 0; k < blend.cluster.size() && sum > 0.0; ++k)
        blend.weight[k] = part[std::size_t(blend.cluster[k])] == own.back() ? blend.weight[k] / sum : 0.0;
    }
    auto skin = std::make_shared<TriMesh>(*object.skin);
    std::vector<std::uint8_t> smoothing;
    skin->triangles.clear();
    for (std::size_t t = 0; t < object.skin->triangles.size(); ++t) {
      const Triangle& corners = object.skin->triangles[t];
      const std::int32_t first = own[std::size_t(corners[0])];
      if (own[std::size_t(corners[1])] != first || own[std::size_t(corners[2])] != first) continue;
      skin->triangles.push_back(corners);
      for (std::size_t k = 0; k < 3 && !object.smoothing.empty(); ++k)
        smoothing.push_back(object.smoothing[3 * t + k]);
    }
    object.skin = std::move(skin), object.smoothing = std::move(smoothing);
  }
}

}  // namespace

std::shared_ptr<const SceneModel> changed_model(const SceneModel& built, const World& world) {
  auto model = std::make_shared<SceneModel>(built);
  if (world.topology->edition != 0 && !world.topology->tears.empty()) follow_tears(world, *model);
  if (!world.topology->matter.apart.empty()) part_skins(world, *model);
  show_added_bodies(world, *model);
  return model;
}

}}  // namespace limber::LIMBER_PRECISION
