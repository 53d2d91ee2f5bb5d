#include "engine/scene/objects/cloud.hpp"

#include "engine/core/tunable.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr auto cloud_table = joined(lattice_rows, mass_rows);

}  // namespace

std::span<const Field> CloudDesc::fields() { return cloud_table; }

std::optional<long> CloudDesc::vertex_count(const ObjectDesc& object) {
  return static_cast<long>(object.copies.x * object.copies.y * object.copies.z);
}

Expected<void> CloudDesc::build(const SceneDesc&, const ObjectDesc& object, ObjectGeometry& out) {
  const glm::ivec3 n(object.copies);
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y)
      for (int x = 0; x < n.x; ++x) {
        out.positions.push_back(object.spacing *
                                (glm::dvec3(x, y, z) - 0.5 * glm::dvec3(n.x - 1, 0, n.z - 1)));
        out.masses.push_back(object.particle_mass);
      }
  return {};
}

}  // namespace limber
