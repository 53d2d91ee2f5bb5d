// Cloth: the triangles of a mesh or of a generated grid. Edges resist stretching, hinges resist bending.
#pragma once

#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct ClothDesc {
  double weld = 0.02;   ///< least ratio of height to longest side of a triangle, see remove_slivers(); 0
                        ///< keeps all
  int columns = 50;     ///< grid vertices along u
  int rows = 50;        ///< grid vertices along v
  double width = 2.0;   ///< m
  double height = 2.0;  ///< m
  bool upright = true;  ///< grid in the xy plane (hanging) or in the xz plane (lying)

  static std::span<const Field> fields();
  static bool uses(const ObjectDesc& object, const Field& field);
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<std::vector<Index>> named(const ObjectDesc& object, std::string_view word);
  static Expected<void> check(const ObjectDesc& object);
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
