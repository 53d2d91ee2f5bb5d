#include "engine/scene/objects/grains.hpp"

#include <glm/common.hpp>
#include <glm/gtc/constants.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr auto grains_table = joined(lattice_rows, density_rows);

}  // namespace

std::span<const Field> GrainsDesc::fields() { return grains_table; }

std::optional<long> GrainsDesc::vertex_count(const ObjectDesc& object) {
  return static_cast<long>(object.copies.x * object.copies.y * object.copies.z);
}

Expected<void> GrainsDesc::build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  const double r = scene.solver.contact->particle_radius;
  const double mass = object.density * 4.0 / 3.0 * glm::pi<double>() * r * r * r;
  const glm::dvec3 spacing = glm::max(object.spacing, glm::dvec3(2.0 * r));
  const glm::ivec3 n(object.copies);
  for (int y = 0; y < n.y; ++y)
    for (int z = 0; z < n.z; ++z)
      for (int x = 0; x < n.x; ++x) {
        out.positions.push_back(spacing * (glm::dvec3(x, y, z) - 0.5 * glm::dvec3(n.x - 1, 0, n.z - 1)));
        out.masses.push_back(mass);
      }
  return {};
}

}  // namespace limber
