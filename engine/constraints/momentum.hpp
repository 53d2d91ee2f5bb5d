// Momenta that a set of particles lost in a substep, and the rigid motion that restores them, over lanes.
//
// Let x be the positions at the start of the substep, p those at its end, u the predicted velocities (after
// forces) and v the new ones. A substep in which only constraints act must keep sum m v, and sum m p x v
// about the centre of mass. From an origin o near the particles, with d = u - v and e = p - x - h v,
//
//   sum m x x u - sum m p x v = sum m ((x - o) x d - e x v)   about o;   e = 0 if v = (p - x) / h
//
// All terms are small if little momentum is lost, so the sums are precise in float.
#pragma once

#include "engine/constraints/stencil_traits.hpp"

namespace limber {

/// Arrays of rows of four numbers, one per particle. A particle is at origin + moved (state/particles.hpp).
template <class T>
struct MomentumView {
  /// m; `moved` and `moved_before` are p and x minus the origin, with {w} in 1/kg
  const T *origin, *moved, *moved_before;
  const T *before, *velocity;  ///< u and v, m/s
  T center[3];                 ///< o, m
  T h;                         ///< s
};

/// The sums: m, m (p - o), m e, m v, m d, the lost angular momentum about o, and m (p - o)(p - o)^T in the
/// order xx yy zz xy xz yz.
enum MomentumSum : int {
  momentum_mass = 0,
  momentum_place = 1,
  momentum_slip = 4,
  momentum_after = 7,
  momentum_lost = 10,
  momentum_turn = 13,
  momentum_spread = 16,
  momentum_sums = 22
};

/// Rigid motion that is added to velocities: shift + turn x (p - center).
template <class T>
struct RigidMotionRow {
  T shift[3], turn[3], center[3];  ///< m/s, rad/s, m
};

/// Sum of lane_group numbers, by adding halves: the same order, and so the same bits, for every width.
template <class T>
LIMBER_INLINE T sum_of_lanes(T* lanes) {
  for (int half = lane_group / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}

/// Writes the sums of the particles [begin, end), all movable, to `out` (momentum_sums numbers). Reads up to
/// the next multiples of lane_group on both sides, with weight zero.
template <class L>
void sum_momentum(const MomentumView<typename L::Real>& view, std::int32_t begin, std::int32_t end,
                  typename L::Real* out) {
  using T = typename L::Real;
  alignas(64) T sums[momentum_sums * lane_group];
  alignas(64) std::int32_t index[L::width];
  alignas(64) T number[L::width];
  for (int l = 0; l < L::width; ++l) index[l] = l, number[l] = T(l);
  const L zero(T(0)), one(T(1)), h(view.h), lane = L::load(number);
  const Vec3<L> center = {L(view.center[0]), L(view.center[1]), L(view.center[2])};
  for (int first = 0; first < lane_group; first += L::width) {
    L sum[momentum_sums];
    for (L& s : sum) s = zero;
    const auto add = [&](int row, const Vec3<L>& v) {
      sum[row] = sum[row] + v.x, sum[row + 1] = sum[row + 1] + v.y, sum[row + 2] = sum[row + 2] + v.z;
    };
    for (std::int32_t i = begin / lane_group * lane_group + first; i < end; i += lane_group) {
      const std::int64_t at = 4 * std::int64_t(i);
      const Vec3<L> from = load_points(view.origin + at, index, L()).p - center;
      const Point<L> p = load_points(view.moved + at, index, L());
      const Vec3<L> x = load_points(view.moved_before + at, index, L()).p;
      const Vec3<L> u = load_points(view.before + at, index, L()).p;
      const Vec3<L> v = load_points(view.velocity + at, index, L()).p;
      const auto early = lane < L(T(begin - i));
      const auto within = lane < L(T(end - i));
      const L m = select(within, select(early, zero, one / p.w), zero);
      const Vec3<L> r = from + p.p, d = u - v, e = (p.p - x) - h * v, mr = m * r;
      sum[momentum_mass] = sum[momentum_mass] + m;
      add(momentum_place, mr);
      add(momentum_slip, m * e);
      add(momentum_after, m * v);
      add(momentum_lost, m * d);
      add(momentum_turn, m * (cross(from + x, d) - cross(e, v)));
      add(momentum_spread, {mr.x * r.x, mr.y * r.y, mr.z * r.z});
      add(momentum_spread + 3, {mr.x * r.y, mr.x * r.z, mr.y * r.z});
    }
    for (int row = 0; row < momentum_sums; ++row) sum[row].store(sums + row * lane_group + first);
  }
  for (int row = 0; row < momentum_sums; ++row) out[row] = sum_of_lanes(sums + row * lane_group);
}

/// Adds a rigid motion to the velocities of the particles [begin, end), a multiple of the width.
template <class L>
LIMBER_INLINE void add_motion_of_rows(const RigidMotionRow<typename L::Real>& motion, std::int32_t begin,
                                      std::int32_t end, const typename L::Real* origin,
                                      const typename L::Real* moved, typename L::Real* velocity) {
  std::int32_t index[L::width];
  for (int l = 0; l < L::width; ++l) index[l] = l;
  const auto all = [](const typename L::Real(&v)[3]) { return Vec3<L>{L(v[0]), L(v[1]), L(v[2])}; };
  const Vec3<L> shift = all(motion.shift), turn = all(motion.turn), center = all(motion.center);
  for (std::int32_t i = begin; i < end; i += L::width) {
    const std::int64_t at = 4 * std::int64_t(i);
    Point<L> v = load_points(velocity + at, index, L());
    const Vec3<L> from = load_points(origin + at, index, L()).p - center;
    v.p = v.p + (shift + cross(turn, from + load_points(moved + at, index, L()).p));
    store_points(velocity + at, index, v);
  }
}

/// Adds a rigid motion to the velocities of any run of particles. Nothing around the run is written.
template <class L>
void add_rigid_motion(const RigidMotionRow<typename L::Real>& motion, std::int32_t begin, std::int32_t end,
                      const typename L::Real* origin, const typename L::Real* moved,
                      typename L::Real* velocity) {
  using One = Lanes<typename L::Real, 1>;
  const std::int32_t wide = begin + (end - begin) / L::width * L::width;
  add_motion_of_rows<L>(motion, begin, wide, origin, moved, velocity);
  add_motion_of_rows<One>(motion, wide, end, origin, moved, velocity);
}

/// Pointers to these kernels for one instruction set.
template <class T>
struct MomentumKernels {
  void (*sum)(const MomentumView<T>& view, std::int32_t begin, std::int32_t end, T* out);
  void (*add)(const RigidMotionRow<T>& motion, std::int32_t begin, std::int32_t end, const T* origin,
              const T* moved, T* velocity);
};

}  // namespace limber
