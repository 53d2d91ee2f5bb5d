// A rod: an elastic wire, cable, rope or hair that bends and twists (constraints/rod.hpp).
#pragma once

#include <array>

#include "engine/scene/objects/object_type.hpp"

namespace limber {

enum class RodForm : int { line, helix, ring, path, hair, lines };
enum class RodRest : int { built, straight };
enum class RodEnd : int { free, pinned, clamped };
/// Real rods with typical numbers (rod.cpp); custom sets none.
enum class RodPreset : int {
  custom,
  steel_wire,
  nylon_line,
  hemp_rope,
  rubber_band,
  copper_cable,
  hair,
  raw_spaghetti,
  cooked_spaghetti
};

struct RodDesc {
  RodPreset preset = RodPreset::custom;
  RodForm form = RodForm::line;
  double length = 1.0;  ///< m, along the wire
  int segments = 40;
  double radius = 0.005;                    ///< m, half the height of the cross section
  double flatness = 1.0;                    ///< width / height of the cross section
  double hollow = 0.0;                      ///< inner size / outer size of the cross section
  double coil_radius = 0.05, pitch = 0.02;  ///< m, of a helix; the pitch is its rise per revolution
  int hairs = 100;                          ///< number of hairs
  double head_radius = 0.1;                 ///< m, radius of the ball that hairs grow on
  double cover = 100.0;                     ///< deg, angle from the top of the ball up to which hairs grow
  bool only_pulls = false;                  ///< a rope: resists only stretch, not bending, twist or
                                            ///< compression
  RodRest rest = RodRest::built;
  double twist = 0.0;  ///< deg, over the whole rod, applied before its ends are fixed
  RodEnd first_end = RodEnd::clamped, last_end = RodEnd::free;
  double last_spin = 0.0;  ///< deg/s, of a clamped last end about the axis of the rod
  double end_mass = 0.0;   ///< kg, at the last point

  static constexpr std::array<std::string_view, 1> lists{"points"};
  static std::span<const Field> fields();
  static bool uses(const ObjectDesc& object, const Field& field);
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<std::vector<Index>> named(const ObjectDesc& object, std::string_view word);
  static Expected<void> check(const ObjectDesc& object);
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
