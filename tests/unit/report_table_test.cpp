// The table of the numbers in reports.
#include "engine/core/report_table.hpp"
#include "engine/core/measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/scene/file/report_numbers.hpp"
#include "engine/scene/file/scene_schema.hpp"

namespace limber::report_table_test { namespace {

TEST(ReportTable, EveryNumberCanBeBoundedAndIsExplained) {
  const std::vector<std::string> bounded = report_numbers();
  const auto properties =
      nlohmann::json::parse(scene_schema())["properties"]["expect"]["properties"]["bounds"]["properties"];
  std::set<std::string_view> names;
  for (const ReportRow& row : report_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " stands there twice";
    EXPECT_TRUE(row.meaning.ends_with(".")) << row.name;
    for (const auto& [path, value] : scalars_of(row, row.read({}, {}))) {
      EXPECT_EQ(report_row(path), &row);
      EXPECT_TRUE(std::find(bounded.begin(), bounded.end(), path) != bounded.end()) << path;
      EXPECT_NE(properties.at(path).value("description", "").find(row.meaning), std::string::npos) << path;
    }
  }
  EXPECT_EQ(report_row("wall_ms.median"), nullptr);
}

/// A copied row that still reads the value of the row above it would give the same number.
TEST(ReportTable, NoTwoRowsReadTheSame) {
  Measures state;
  state.kinetic_energy = 2.0;
  state.potential_energy = 3.0;
  state.momentum = glm::dvec3(32.0, 33.0, 34.0);
  state.angular_momentum = glm::dvec3(35.0, 36.0, 37.0);
  state.strain = {6.0, 7.0};
  state.volume_error_max = 8.0;
  state.penetration_max = 9.0;
  state.spin_max = 29.0;
  state.grain_slope = 10.0;
  state.density_error = {27.0, 28.0};
  state.fluid_particles = 23;
  state.fluid_gap = 30.0;
  state.spray = 31;
  state.emitted = 24;
  state.drained = 25;
  state.lost = 26;
  state.mean_speed = 11.0;
  state.max_speed = 12.0;
  state.joint_error_max = 13.0;
  state.broken_joints = 14;
  state.swept_joints = 101;
  state.tie_gap_max = 38.0;
  state.broken_ties = 39;
  state.sleeping_bodies = 15;
  state.tears = 16;
  state.nonfinite = 17;
  state.elastic_energy = 21.0;
  state.inverted_tets = 22;
  state.plastic_strain_max = 40.0;
  state.skin_depth = 102.0;
  state.heat = 41.0;
  state.heat_supplied = 42.0;
  state.temperature = {43.0, 44.0};
  state.molten_share = 45.0;
  state.chunks = 46;
  state.phase_changes = 47;
  state.heat_substeps = 48;
  state.heat_reached = 49.0;
  state.tie_force_max = 50.0;
  state.rod_segments = 51;
  state.rod_tension_max = 52.0;
  state.rod_bend_energy = 53.0;
  state.rod_twist_energy = 54.0;
  state.end_force_max = 55.0;
  state.end_torque_max = 56.0;
  state.rod_link = 57.0;
  state.rod_twist = 58.0;
  state.rod_writhe = 59.0;
  state.air_force = {60.0, 61.0, 62.0};
  state.drag = 63.0;
  state.lift = 64.0;
  const FrameCounts frames{
      .intersections = 18, .last_intersection = 19.0, .in_zones = 20.0, .nonfinite_frames = 100};
  std::set<double> values;
  for (const ReportRow& row : report_table())
    for (const auto& [path, value] : scalars_of(row, row.read(state, frames)))
      EXPECT_TRUE(values.insert(value).second) << path << " = " << value;
  EXPECT_TRUE(values.contains(36.0)) << "angular_momentum.y";
  EXPECT_TRUE(values.contains(117.0)) << "non-finite particles and frames together";
  EXPECT_TRUE(values.contains(0.0)) << "nothing is at rest that was not finite";
}

/// Nobody measures a density where there is no fluid: such numbers are not 0, they are none.
TEST(ReportTable, NumbersAboutNothingAreNone) {
  std::set<std::string_view> none;
  for (const ReportRow& row : report_table())
    if (!row.measured({}, {})) none.insert(row.name);
  EXPECT_EQ(none, (std::set<std::string_view>{"strain",
                                              "volume_error_max",
                                              "intersections",
                                              "last_intersection",
                                              "skin_depth",
                                              "joint_error_max",
                                              "tie_gap_max",
                                              "tie_force_max",
                                              "rod_tension_max",
                                              "rod_bend_energy",
                                              "rod_twist_energy",
                                              "end_force_max",
                                              "end_torque_max",
                                              "rod_link",
                                              "rod_twist",
                                              "rod_writhe",
                                              "spin_max",
                                              "grain_slope",
                                              "density_error",
                                              "fluid_gap",
                                              "heat",
                                              "heat_supplied",
                                              "temperature",
                                              "molten_share",
                                              "chunks",
                                              "phase_changes",
                                              "heat_substeps",
                                              "heat_reached",
                                              "air_force",
                                              "drag",
                                              "lift"}));
  Measures all;
  all.measured = {true, true, true, true, true, true, true, true, true, true, true, true, true, true};
  for (const ReportRow& row : report_table())
    EXPECT_TRUE(row.measured(all, {.intersections = 0})) << row.name;
}

}}  // namespace limber::report_table_test
