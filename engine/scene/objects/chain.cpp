#include "engine/scene/objects/chain.hpp"

#include <glm/geometric.hpp>

#include "engine/core/tunable.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr std::array link_rows{
    integer<&ObjectDesc::chain, &ChainDesc::links>(
        {"links", "Links", "", 1, 10000,
         "Number of springs. The chain has one particle more, and its first particle is fixed.",
         Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::chain, &ChainDesc::link_length>({"link_length", "Link length", "m", 1e-3, 10,
                                                         "Rest length of every spring.", Effect::rebuild,
                                                         Scale::logarithmic}),
    vector<&ObjectDesc::chain, &ChainDesc::direction>(
        {"direction", "Direction", "", -1, 1,
         "Direction of the chain from its fixed particle; the length of the vector does not matter.",
         Effect::rebuild}),
};
constexpr auto chain_table = joined(link_rows, mass_rows);

}  // namespace

std::span<const Field> ChainDesc::fields() { return chain_table; }

std::optional<long> ChainDesc::vertex_count(const ObjectDesc& object) {
  return long{object.chain->links} + 1;
}

Expected<void> ChainDesc::check(const ObjectDesc& object) {
  if (glm::length(object.chain->direction) < 1e-6) return Error{"'direction' must not be zero", "", 0, ""};
  return {};
}

Expected<void> ChainDesc::build(const SceneDesc&, const ObjectDesc& object, ObjectGeometry& out) {
  const ChainDesc& chain = *object.chain;
  const glm::dvec3 step = chain.link_length * glm::normalize(chain.direction);
  for (int i = 0; i <= chain.links; ++i) {
    out.positions.push_back(double(i) * step);
    out.masses.push_back(i == 0 ? 0.0 : object.particle_mass);
    if (i > 0) out.springs.push_back({{Index(i - 1), Index(i)}, chain.link_length});
  }
  return {};
}

}  // namespace limber
