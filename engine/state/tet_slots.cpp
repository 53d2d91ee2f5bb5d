#include "engine/state/tet_slots.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "engine/constraints/constraint_types.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void find_tet_slots(const Topology& topology, std::vector<std::int32_t>& types,
                    std::vector<std::int32_t>& slots) {
  struct At {
    std::array<std::int32_t, 4> corners;
    std::int32_t type, slot;
  };
  std::vector<At> all;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (std::is_base_of_v<TetStencil, Type> || std::is_same_v<Type, TetEdges>) {
      const auto& batch = std::get<type>(*topology.constraints);
      for (std::size_t s = 0; s < batch.id.size(); ++s) {
        if (batch.id[s] < 0) continue;
        At at{{}, std::int32_t(type), std::int32_t(s)};
        for (std::size_t j = 0; j < 4; ++j) at.corners[j] = batch.vertices[j][s];
        std::sort(at.corners.begin(), at.corners.end());
        all.push_back(at);
      }
    }
  });
  std::sort(all.begin(), all.end(), [](const At& a, const At& b) { return a.corners < b.corners; });
  types.assign(topology.tets.size(), -1), slots.assign(topology.tets.size(), -1);
  for (std::size_t t = 0; t < topology.tets.size(); ++t) {
    auto wanted = topology.tets[t];
    std::sort(wanted.begin(), wanted.end());
    const auto at = std::lower_bound(all.begin(), all.end(), wanted,
                                     [](const At& a, const auto& corners) { return a.corners < corners; });
    if (at == all.end() || at->corners != wanted) continue;
    types[t] = at->type, slots[t] = at->slot;
  }
}

}}  // namespace limber::LIMBER_PRECISION
