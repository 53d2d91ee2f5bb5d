// Volume of a closed surface (Mueller et al. 2006, section 4.4, eq. 14, 15, both with the factor 1/6).
#pragma once

#include <cstdint>

#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/stencil_view.hpp"

namespace limber {

///   C(p) = (1/6) sum_t (p_t1 x p_t2) . p_t3 - k_p V0,   grad_i C = (1/6) sum over t around i of (p_j x p_k)
///
/// The edges opposite to a vertex of a closed surface form loops, so sum p_j x p_k = sum a_t with a_t = (p_t2
/// - p_t1) x (p_t3 - p_t1): the gradient is a sixth of the sum of the area vectors of the triangles around
/// the vertex and does not depend on the origin. C is cubic, hence 3 V = sum_i p_i . grad_i, and one sum over
/// the corners gives both C and its gradient.
///
/// Writes a_t = {x, y, z, 0} of the triangles [begin, end), multiples of lane_group, to rows of `out`.
/// `points` and `origin` as in a Sweep (stencil.hpp).
template <class L>
void area_vectors(const typename L::Real* origin, const typename L::Real* points,
                  const std::int32_t* const corners[3], std::int32_t begin, std::int32_t end,
                  typename L::Real* out) {
  std::int32_t row[16];
  const std::int32_t* const vertices[3] = {corners[0], corners[1], corners[2]};
  for (std::int32_t t = begin; t < end; t += L::width) {
    const StencilPoints<L, 3> at = load_stencil<3>(origin, points, vertices, t, L());
    for (int lane = 0; lane < L::width; ++lane) row[lane] = t + lane;
    store_points(out, row, Point<L>{cross(at.p[1], at.p[2]), L(typename L::Real(0))});
  }
}

}  // namespace limber
