// Colours constraints so that no two of one colour share a vertex: a colour is a phase that runs in parallel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

struct Coloring {
  std::vector<std::int32_t> color;  ///< per constraint
  int count = 0;                    ///< colours used
};

/// First fit: each constraint, in the given order, gets the smallest free colour. `vertices` holds `arity`
/// indices per constraint. Deterministic. Not balanced, on purpose: if each constraint got the free colour
/// with the fewest constraints, neighbours would go through the colours in turn, a sweep would run over the
/// mesh in one direction, and a hanging 100x100 cloth with 10 substeps x 1 iteration would gain energy for
/// ever instead of coming to rest (and need more colours).
Coloring greedy_coloring(std::span<const Index> vertices, int arity, Index vertex_count);

/// Dependency levels: level = 1 + the largest level of an earlier constraint that shares a vertex, 0 if there
/// is none. Visiting level after level gives exactly the result of visiting the constraints one by one in the
/// given order.
Coloring sequential_levels(std::span<const Index> vertices, int arity, Index vertex_count);

}  // namespace limber
