// Heat maps: quantities per vertex or body that are shown as colours. Independent of the precision; heat.cpp
// computes the values.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "engine/verify/heat_map_id.hpp"

namespace limber {

/// Quantities shown in colours over surfaces and bodies.
enum class HeatMap : int {
  none,
  strain,
  residual,
  phase,
  velocity,
  force,
  awake,
  stress,
  volume,
  density,
  pressure,
  tension,
  bending,
  twist,
  temperature,
  plastic,
  yield,
  cluster,
  stiffness_field,
  density_field,
  thickness_field,
  damping_field
};

struct HeatMapInfo {
  HeatMap map;
  std::string_view name;        ///< name on the command line
  std::string_view label;       ///< name in the user interface
  std::string_view unit;        ///< unit of the values; "" if dimensionless
  bool of_vertices, of_bodies;  ///< elements that have values
  bool of_tets = false;         ///< only vertices of tetrahedra have values
  bool of_fluids = false;       ///< only vertices of fluids have values
  bool of_rods = false;         ///< only vertices of rods have values
  bool of_heat = false;         ///< only scenes with heat have values
  bool of_clusters = false;     ///< only vertices of clusters have values
  int field = -1;               ///< MaterialField: only objects that have this field have values
};
/// The map of a field of materials; the maps are in the order of MaterialField.
constexpr HeatMapInfo field_map(HeatMap map, std::string_view name, std::string_view label) {
  HeatMapInfo info{map, name, label, "", false, false};
  info.field = int(map) - int(HeatMap::stiffness_field);
  return info;
}
inline constexpr std::array heat_maps{
    HeatMapInfo{HeatMap::none, "none", "None", "", false, false},
    HeatMapInfo{HeatMap::strain, "strain", "Strain |len/rest - 1|", "", true, false},
    HeatMapInfo{HeatMap::residual, "residual", "Residual: way still to go", "m", true, false},
    HeatMapInfo{HeatMap::phase, "phase", "Phase of the sweep", "", true, false},
    HeatMapInfo{HeatMap::velocity, "velocity", "Speed", "m/s", true, true},
    HeatMapInfo{HeatMap::force, "force", "Contact force", "N", false, true},
    HeatMapInfo{HeatMap::awake, "awake", "Awake, 0: asleep", "", false, true},
    HeatMapInfo{HeatMap::stress, "stress", "Von Mises stress", "Pa", false, false, true},
    HeatMapInfo{HeatMap::volume, "volume", "Volume change |V/V0 - 1|", "", false, false, true},
    HeatMapInfo{HeatMap::density, "density", "Density error", "", false, false, false, true},
    HeatMapInfo{HeatMap::pressure, "pressure", "Pressure", "Pa", false, false, false, true},
    HeatMapInfo{HeatMap::tension, "tension", "Tension, or thrust", "N", false, false, false, false, true},
    HeatMapInfo{HeatMap::bending, "bending", "Bending moment", "N m", false, false, false, false, true},
    HeatMapInfo{HeatMap::twist, "twist", "Torque", "N m", false, false, false, false, true},
    HeatMapInfo{HeatMap::temperature, "temperature", "Temperature", "deg C", true, true, false, false, false,
                true},
    HeatMapInfo{HeatMap::plastic, "plastic", "Plastic strain", "", true, false},
    HeatMapInfo{HeatMap::yield, "yield", "Stress over yield", "", false, false, true},
    HeatMapInfo{HeatMap::cluster, "cluster", "Cluster, a colour each", "", false, false, false, false, false,
                false, true},
    field_map(HeatMap::stiffness_field, "stiffness_field", "Field: stiffness"),
    field_map(HeatMap::density_field, "density_field", "Field: density"),
    field_map(HeatMap::thickness_field, "thickness_field", "Field: thickness"),
    field_map(HeatMap::damping_field, "damping_field", "Field: damping"),
};
constexpr const HeatMapInfo& info_of(HeatMap map) { return heat_maps[std::size_t(map)]; }
/// Flags by HeatMap: the scene has elements with such values.
using HeatMapsThere = std::array<bool, heat_maps.size()>;
/// The heat map after `map` that has values, or none. Maps of fluids come before all others if the scene has
/// fluids.
constexpr HeatMap next_heat_map(HeatMap map, const HeatMapsThere& there) {
  bool passed = map == HeatMap::none;
  for (const bool of_fluids : {true, false})
    for (const HeatMapInfo& info : heat_maps) {
      if (info.map == HeatMap::none || info.of_fluids != of_fluids) continue;
      if (passed && there[std::size_t(info.map)]) return info.map;
      passed = passed || info.map == map;
    }
  return HeatMap::none;
}
constexpr std::optional<HeatMap> heat_map_named(std::string_view name) {
  for (const HeatMapInfo& info : heat_maps)
    if (info.name == name) return info.map;
  return std::nullopt;
}

}  // namespace limber
