// Tets: an elastic solid of tetrahedra, generated, read from TetGen files or filled into a closed mesh.
#pragma once

#include <glm/vec3.hpp>

#include "engine/scene/objects/object_type.hpp"

namespace limber {

/// Solids that are generated without a mesh. bar: boxes of tetrahedra, `cells` along each axis. block: a bar
/// with nearly cubic boxes, `resolution` along the longest side. ball: layers around the centre.
enum class TetShape : int { bar, block, ball };
/// Ways to fill a mesh. cut: tetrahedra end at its surface. embedded: whole tetrahedra of a lattice carry the
/// mesh.
enum class TetFill : int { cut, embedded };
/// Presets with typical material numbers; custom sets none.
enum class TetPreset : int { custom, jelly, flesh, foam, rubber };

struct TetsDesc {
  TetPreset preset = TetPreset::custom;
  TetShape shape = TetShape::block;
  glm::dvec3 dimensions{1.0, 0.2, 0.2};  ///< m, of a bar or block
  glm::dvec3 cells{10.0, 2.0, 2.0};      ///< whole numbers, cells of a bar along x, y, z
  int resolution = 8;                    ///< cells along the longest side of a block, layers of a ball
  double radius = 0.5;                   ///< m, of a ball
  double cell = 0.0;                     ///< m, cell of the lattice that fills a mesh; 0: a twelfth of its
                                         ///< longest side
  TetFill fill = TetFill::cut;

  static std::span<const Field> fields();
  static bool uses(const ObjectDesc& object, const Field& field);
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<std::vector<Index>> named(const ObjectDesc& object, std::string_view word);
  static Expected<void> check(const ObjectDesc& object);
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
