#include "engine/scene/report_numbers.hpp"

#include <array>
#include <string_view>

#include "engine/constraints/constraint_types.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 30> single{
    "frames",
    "dt",
    "substeps",
    "iterations",
    "threads",
    "seed",
    "particles",
    "triangles",
    "tets",
    "bodies",
    "kinetic_energy",
    "potential_energy",
    "volume_error_max",
    "intersections",
    "tears",
    "last_intersection",
    "in_zones",
    "joint_error_max",
    "broken_joints",
    "sleeping_bodies",
    "penetration_max",
    "grain_slope",
    "mean_speed",
    "max_speed",
    "nonfinite",
    "at_rest",
    "contacts.mean",
    "contacts.max",
    "strain.mean",
    "strain.max",
};

void add_each(const std::string& prefix, std::initializer_list<std::string_view> names,
              std::vector<std::string>& paths) {
  for (const std::string_view name : names) paths.push_back(prefix + "." + std::string(name));
}

}  // namespace

std::vector<std::string> report_numbers() {
  std::vector<std::string> paths(single.begin(), single.end());
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

std::vector<std::string> report_numbers(std::span<const ObjectDesc> objects) {
  std::vector<std::string> paths = report_numbers();
  for (const ObjectDesc& object : objects) {
    add_each("object_strain." + object.name, {"mean", "max"}, paths);
    add_each("volume_ratio", {object.name}, paths);
  }
  return paths;
}

}  // namespace limber
