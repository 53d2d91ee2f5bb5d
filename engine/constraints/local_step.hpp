// The local step of Projective Dynamics over lanes (Bouaziz et al. 2014).
#pragma once

#include "engine/constraints/energy.hpp"
#include "engine/constraints/stencil_view.hpp"

namespace limber {

/// Results of a local step, a number per slot.
template <class Type, class T>
struct LocalStep {
  const T* weight;                      ///< w of each constraint
  T* pull[3 * written_points<Type>()];  ///< x, y, z of grad_j E, corner after corner
};

/// Local step of the slots [begin, end), multiples of lane_group: for constraints with the energy
///   E = w/2 min_z sum_r |q_r - z_r|^2,  q_r = sum_j a_rj x_j
/// finds the nearest z and writes grad_j E = w sum_r a_rj (q_r - z_r). `points` and `origin` as in a Sweep.
/// Does nothing for types without a projection.
template <class Type, class L>
void local_step(const StencilView<Type, typename L::Real>& batch, std::int32_t begin, std::int32_t end,
                const typename L::Real* origin, const typename L::Real* points,
                const LocalStep<Type, typename L::Real>& out) {
  if constexpr (has_projection<Type>()) {
    constexpr int n = Type::arity, rows = Type::projected_rows;
    for (std::int32_t s = begin; s < end; s += L::width) {
      const StencilPoints<L, n> at = load_stencil<n>(origin, points, batch.vertices, s, L());
      const Vec3<L>(&p)[n] = at.p;
      L rest[Type::rest_count], a[rows][n];
      for (int r = 0; r < Type::rest_count; ++r) rest[r] = L::load(batch.rest[r] + s);
      Type::difference(rest, a);
      Vec3<L> q[rows], z[rows];
      // the coefficients of a row add up to 0, so differences to p_0 suffice
      for (int r = 0; r < rows; ++r) {
        q[r] = a[r][1] * (p[1] - p[0]);
        for (int j = 2; j < n; ++j) q[r] = q[r] + a[r][j] * (p[j] - p[0]);
        z[r] = q[r];
      }
      Type::nearest(z, rest);
      const L weight = L::load(out.weight + s);
      for (int j = 0; j < written_points<Type>(); ++j) {
        Vec3<L> pull = a[0][j] * (q[0] - z[0]);
        for (int r = 1; r < rows; ++r) pull = pull + a[r][j] * (q[r] - z[r]);
        (weight * pull.x).store(out.pull[3 * j] + s);
        (weight * pull.y).store(out.pull[3 * j + 1] + s);
        (weight * pull.z).store(out.pull[3 * j + 2] + s);
      }
    }
  }
}

}  // namespace limber
