// The constraint of each tetrahedron.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Per tetrahedron of Topology::tets the type and slot of its constraint; slot -1: it has none.
void find_tet_slots(const Topology& topology, std::vector<std::int32_t>& type,
                    std::vector<std::int32_t>& slot);

}}  // namespace limber::LIMBER_PRECISION
