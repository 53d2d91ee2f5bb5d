// Source of all kernel tables; each kernels_*.cpp includes it and chooses a Lanes type.
#pragma once

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/stencil.hpp"
#include "engine/constraints/volume.hpp"
#include "engine/kernels/joint_stages.hpp"
#include "engine/kernels/kernels.hpp"

namespace limber {

template <class L>
void accelerate(typename L::Real* velocity, std::int64_t begin, std::int64_t end,
                const typename L::Real dv[4], typename L::Real keep) {
  alignas(64) typename L::Real repeated[16];
  for (int i = 0; i < 16; ++i) repeated[i] = dv[i % 4];
  for (std::int64_t i = begin; i < end; i += L::width)
    (L(keep) * L::load(velocity + i) + L::load(repeated + i % 4)).store(velocity + i);
}

template <class L>
bool update_velocities(const typename L::Real* moved, const typename L::Real* predicted,
                       typename L::Real* velocity, std::int64_t begin, std::int64_t end, typename L::Real h,
                       typename L::Real limit) {
  const typename L::Real inverse_h = typename L::Real(1) / h;
  bool within = true;
  for (std::int64_t i = begin; i < end; i += L::width) {
    const L now = L::load(velocity + i) + L(inverse_h) * (L::load(moved + i) - L::load(predicted + i));
    now.store(velocity + i);
    within &= all(abs(now) < L(limit));  // false for NaN
  }
  return within;
}

/// The table of one Lanes type. Constant-initialised: no code of the standard library is emitted here.
template <class L>
struct KernelInstance {
  using T = typename L::Real;

  template <class... Types>
  static constexpr KernelTable<T> make(std::tuple<Types...>*) {
    constexpr auto vt = PairKind::vertex_triangle, ee = PairKind::edge_edge;
    return {{&project<Types, L>...},
            {&correct<Types, L>...},
            {&local_step<Types, L>...},
            {{&aim_pairs<vt, L>, &aim_pairs<ee, L>},
             {&aim_pairs<vt, L, true>, &aim_pairs<ee, L, true>},
             {&filter_pairs<vt, L>, &filter_pairs<ee, L>},
             {&measure_rest<vt, L>, &measure_rest<ee, L>},
             &warm_pairs<L>,
             &push_pairs<L>,
             {&find_close_pairs<vt, L>, &find_close_pairs<ee, L>}},
            {&shape_leaf<L>, &box_features<L>, &find_near<L>},
            {&weigh_contacts<L>,
             {&warm_contacts<false, L>, &warm_contacts<true, L>},
             {&push_contacts<false, L>, &push_contacts<true, L>},
             {&settle_contacts<false, L>, &settle_contacts<true, L>},
             &measure_contacts<L>},
            {&start_flights<false, L>, &add_gravity<L>, &start_flights<true, L>, &move_bodies<L>,
             &finish_bodies<L>},
            {{&warm_particles<L>, &forget_particles<L>},
             {&push_particles<false, L>, &push_particles<true, L>},
             &aim_bounces<L>,
             &bounce_particles<L>},
            {&sum_columns<L>, &fit_rotations<L>, &place_columns<L>, &match_columns<L>},
            {&press_fluid<L>, &move_fluid<L>, &weigh_viscosity<L>, &calm_fluid<L>, &smooth_fluid<L>,
             &measure_curl<L>, &confine_vorticity<L>, &measure_slope<L>, &pull_together<L>, &find_close<L>},
            {&sum_momentum<L>, &add_rigid_motion<L>},
            &solve_rods<L, T>,
            &measure_rods<L, T>,
            {&solve_trees<TreeStage::warm, L, T>, &solve_trees<TreeStage::push, L, T>,
             &solve_trees<TreeStage::settle, L, T>},
            {{&warm_net<false, L>, &warm_net<true, L>},
             {&push_net<false, L>, &push_net<true, L>},
             {&weigh_net<false, L>, &weigh_net<true, L>},
             {&settle_net<false, L>, &settle_net<true, L>},
             {net_row_kernels<JointType::ball, L>(), net_row_kernels<JointType::hinge, L>(),
              net_row_kernels<JointType::slider, L>(), net_row_kernels<JointType::fixed, L>(),
              net_row_kernels<JointType::distance, L>(), net_row_kernels<JointType::universal, L>()}},
            {&blow_plates<false, L>, &blow_plates<true, L>},
            &accelerate<L>,
            &update_velocities<L>,
            &area_vectors<L>,
            &predict_turns<L>};
  }
  static constexpr KernelTable<T> table = make(static_cast<ConstraintTypes*>(nullptr));
};

}  // namespace limber
