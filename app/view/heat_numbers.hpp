// Tells which parts of a scene have values in a heat map.
#pragma once

#include <algorithm>

#include "engine/scene/build/scene_model.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

inline bool has_fluids(const SceneModel& model) {
  return std::any_of(model.objects.begin(), model.objects.end(),
                     [](const ObjectModel& object) { return object.fluid; });
}

/// True if the map has values for the vertices of the object. Speed exists for all vertices. All other maps
/// come from constraints, which grains, clouds and solids of particles do not have. Stress and volume exist
/// only for tetrahedra, tension and moments only for rods.
inline bool has_vertex_numbers(const HeatMapInfo& info, const SceneModel& model, const ObjectModel& object) {
  if (info.field >= 0) return object.fields >> info.field & 1u;
  if (info.of_fluids) return object.fluid;
  if (info.of_heat) return model.heated;
  if (info.of_clusters) return object.has_clusters;
  if (info.map == HeatMap::plastic && object.has_clusters) return true;
  if (info.of_tets) return !object.tets.empty();
  if (info.of_rods) return object.rod.segments > 0;
  return info.of_vertices && (info.map == HeatMap::velocity || !object.triangles.empty() ||
                              !object.springs.empty() || object.rod.segments > 0);
}

inline bool has_vertex_numbers(const HeatMapInfo& info, const SceneModel& model) {
  return std::any_of(model.objects.begin(), model.objects.end(),
                     [&](const ObjectModel& object) { return has_vertex_numbers(info, model, object); });
}

/// Whether the map has numbers for rigid bodies.
inline bool has_body_numbers(const HeatMapInfo& info, const SceneModel& model) {
  return info.of_bodies && !model.bodies.empty() && (!info.of_heat || model.warm_bodies);
}

/// Whether the map has numbers for anything in the scene.
inline bool has_numbers(const HeatMapInfo& info, const SceneModel& model) {
  return has_vertex_numbers(info, model) || has_body_numbers(info, model);
}

inline HeatMapsThere heat_maps_there(const SceneModel& model) {
  HeatMapsThere there{};
  for (const HeatMapInfo& info : heat_maps)
    there[std::size_t(info.map)] = info.map != HeatMap::none && has_numbers(info, model);
  return there;
}

}  // namespace limber
