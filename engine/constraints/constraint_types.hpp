// The list of all constraint types. A sweep visits them in this order.
#pragma once

#include <cstddef>
#include <tuple>

#include "engine/constraints/acos_bending.hpp"
#include "engine/constraints/bending.hpp"
#include "engine/constraints/corotated_tet.hpp"
#include "engine/constraints/distance.hpp"
#include "engine/constraints/isometric_bending.hpp"
#include "engine/constraints/neo_hookean.hpp"
#include "engine/constraints/rod.hpp"
#include "engine/constraints/strain_tet.hpp"
#include "engine/constraints/stvk_tet.hpp"
#include "engine/constraints/tet_edges.hpp"
#include "engine/constraints/triangle.hpp"
#include "engine/constraints/unilateral.hpp"

namespace limber {

// Tethers are last because the constraints at the end of a sweep are satisfied best.
using ConstraintTypes =
    std::tuple<Distance, Rope, Strut, StvkTriangle, StrainTriangle, Bending, IsometricBending, AcosBending,
               TetEdges, NeoHookean, StvkTet, CorotatedTet, StrainTet, RodStretch, RodBend, Tether>;
inline constexpr std::size_t constraint_type_count = std::tuple_size_v<ConstraintTypes>;

/// A tuple of Of<Type> over all constraint types.
template <template <class> class Of, class Types = ConstraintTypes>
struct PerTypeOf;
template <template <class> class Of, class... Types>
struct PerTypeOf<Of, std::tuple<Types...>> {
  using Tuple = std::tuple<Of<Types>...>;
};
template <template <class> class Of>
using PerType = typename PerTypeOf<Of>::Tuple;

/// Whether a type's trait for tears is `trait`.
template <class Type>
consteval bool tears_as(TearTrait trait) {
  return Type::tearing == trait;
}

/// Calls visit(std::integral_constant<size_t, i>) for every type index.
template <class Visit>
void for_each_type(Visit&& visit) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { (visit(std::integral_constant<std::size_t, i>{}), ...); }
  (std::make_index_sequence<constraint_type_count>{});
}

}  // namespace limber
