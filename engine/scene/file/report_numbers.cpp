#include "engine/scene/file/report_numbers.hpp"

#include <array>
#include <string_view>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/report_table.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 15> of_the_run{
    "frames",       "dt",
    "substeps",     "substeps_chosen",
    "iterations",   "iterations_chosen",
    "threads",      "threads_at_work",
    "seed",         "particles",
    "triangles",    "tets",
    "bodies",       "contacts.mean",
    "contacts.max",
};

void add_each(const std::string& prefix, std::initializer_list<std::string_view> names,
              std::vector<std::string>& paths) {
  for (const std::string_view name : names) paths.push_back(prefix + "." + std::string(name));
}

}  // namespace

std::vector<std::string> report_numbers() {
  std::vector<std::string> paths(of_the_run.begin(), of_the_run.end());
  for (const ReportRow& row : report_table())
    for (auto& [path, value] : scalars_of(row, row.read(Measures(), FrameCounts())))
      paths.push_back(std::move(path));
  for_each_type([&](auto index) {
    const std::string name(std::tuple_element_t<index, ConstraintTypes>::name);
    add_each("residual." + name, {"mean", "max"}, paths);
    for (const char* const section : {"constraints", "phases"}) add_each(section, {name}, paths);
  });
  add_each("residual.volume", {"mean", "max"}, paths);
  for (const char* const section : {"constraints", "phases"}) add_each(section, {"volume", "joint"}, paths);
  add_each("wall_ms", {"min", "median", "p95", "max", "total"}, paths);
  add_each("stages_ms", {"predict", "contacts", "project", "guard", "velocities", "tear"}, paths);
  return paths;
}

std::vector<std::string> report_numbers(const SceneDesc& scene) {
  std::vector<std::string> paths = report_numbers();
  const auto add_places = [&](const std::string& name) {
    for (const std::string_view of : {"low", "high", "size", "mean"})
      add_each("places." + name + "." + std::string(of), {"x", "y", "z", "length"}, paths);
  };
  for (const ObjectDesc& object : scene.objects) {
    add_each("object_strain." + object.name, {"mean", "max"}, paths);
    add_each("volume_ratio", {object.name}, paths);
    add_places(object.name);
    if (!traits_of(object).rod) continue;
    for (const std::string_view of : {"end_force.", "end_torque."})
      add_each(std::string(of) + object.name, {"first", "last"}, paths);
  }
  for (const BodyDesc& body : scene.bodies) add_places(body.name);
  for (const TieDesc& tie : scene.ties) add_each("tie_force", {tie.name}, paths);
  return paths;
}

}  // namespace limber
