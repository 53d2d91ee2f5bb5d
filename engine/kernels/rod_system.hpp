// A direct solve along rods: one Newton step of implicit Euler for all points and turns of a rod at once,
// over lanes of rods, in double whatever the particles are in.
//
// With y the points and turns that everything else (line (7), contacts, ties) has led to, and d what this
// solve has moved them by since the substep began, the step dx solves
//
//   (M/h^2 + (1 + tau/h) G^T K G + K_geo) dx = -(M d/h^2 + G^T K (C + tau/h G (x - x^n)))
//
// G = grad C and K = A^-1 of RodStretch and RodBend, so that any number of steps leads to the minimum of F,
// with forces that are real (implicit in both directions along the rod, whatever its stiffness, its length or
// the masses at its end). K_geo = T/l (1 - t t^T) on the ends of a segment under the tension T > 0: without
// it what hangs heavy on light points swings up sideways.
//
// Points and turns alternate, p0 q0 p1 q1 ..., so that the matrix is block tridiagonal with blocks (p_k, q_k)
// of six numbers; a ring has one more column, its last block's.
#pragma once

#include "engine/constraints/rod.hpp"

namespace limber {

/// Rods are solved in groups of so many, each in a lane of its own.
inline constexpr int rod_group = 4;

/// A group of rods with equally many blocks; rods that have fewer are filled up with blocks that nothing
/// joins. Arrays by rod_group * block + lane.
template <class T>
struct RodGroupView {
  std::int32_t blocks;        ///< of the longest rod
  std::int32_t rods;          ///< lanes that have one
  bool ring;                  ///< their last segments lead to their first points
  const std::int32_t* point;  ///< rows of particles; -1: nothing
  const std::int32_t* turn;
  const std::int32_t* stretch;    ///< slots of RodStretch, of the segment that begins here; -1: none
  const std::int32_t* bend;       ///< slots of RodBend, from this turn to the next; -1: none
  const std::int32_t* held_turn;  ///< per lane, first end then last end: the turn that clamps it; -1: free
  const std::int32_t* held_bend;  ///< slots of RodBend from the one to the other
  const std::int32_t* last;       ///< per lane: block of the last turn
  double* done;                   ///< d, six numbers a block and lane: m and rad
  StencilView<RodStretch, T> stretches;
  StencilView<RodBend, T> bends;
};

/// Arrays and numbers that all rods of a sweep share; rows of four numbers.
template <class T>
struct RodSweep {
  const T* origin;
  T* moved;
  const T* moved_before;
  double inverse_h;  ///< 1/s
  bool first;        ///< first iteration of the substep: d starts at zero
  double* scratch;   ///< rod_scratch() numbers
};

/// Numbers that the factors of a block take.
inline constexpr std::int64_t rod_block_numbers = 15 + 6 + 36 + 36 + 6;
constexpr std::int64_t rod_scratch(std::int64_t blocks) { return blocks * rod_block_numbers * rod_group; }

namespace detail {

/// A symmetric block of six: its lower triangle by rows.
template <class L>
struct SixBySix {
  L a[21];
  LIMBER_INLINE L& at(int i, int j) { return a[i * (i + 1) / 2 + j]; }
};

template <class L>
struct RodBlock {
  SixBySix<L> matrix;
  L b[6];

  LIMBER_INLINE void clear() {
    for (L& x : matrix.a) x = L(0.0);
    for (L& x : b) x = L(0.0);
  }
};

template <class L>
LIMBER_INLINE L part(const Vec3<L>& v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/// matrix += s u u^T, b -= r u for the three numbers from `at` on.
template <class L>
LIMBER_INLINE void add_own(RodBlock<L>& block, int at, const L& s, const Vec3<L>& u, const L& r) {
  for (int i = 0; i < 3; ++i) {
    const L su = s * part(u, i);
    block.b[at + i] = block.b[at + i] - r * part(u, i);
    for (int j = 0; j <= i; ++j)
      block.matrix.at(at + i, at + j) = block.matrix.at(at + i, at + j) + su * part(u, j);
  }
}

/// Numbers of the rows (or slots) index[0 .. width), `stride` apart, in double; 0 where the index is
/// negative.
template <class L, class T>
LIMBER_INLINE L gather(const T* from, const std::int32_t* index, int stride, int offset) {
  alignas(64) double out[L::width];
  for (int l = 0; l < L::width; ++l)
    out[l] = index[l] < 0 ? 0.0 : double(from[std::int64_t(stride) * index[l] + offset]);
  return L::load(out);
}

/// A point or turn of each lane: where it is counted from, how far it has moved, in the substep and since its
/// prediction, and whether it can move.
template <class L>
struct RodNode {
  Vec3<L> from, moved, way;
  L w, from_w;

  template <class T>
  LIMBER_INLINE void load(const RodSweep<T>& sweep, const std::int32_t* index) {
    const auto three = [&](const T* rows) {
      return Vec3<L>{gather<L>(rows, index, 4, 0), gather<L>(rows, index, 4, 1),
                     gather<L>(rows, index, 4, 2)};
    };
    from = three(sweep.origin), from_w = gather<L>(sweep.origin, index, 4, 3);
    moved = three(static_cast<const T*>(sweep.moved)),
    w = gather<L>(static_cast<const T*>(sweep.moved), index, 4, 3);
    way = moved - three(sweep.moved_before);
  }
  LIMBER_INLINE Quaternion<L> turn() const { return turned(Quaternion<L>{from, from_w}, moved); }
  /// 1 where it can move, 0 else.
  LIMBER_INLINE L free() const { return select(L(0.0) < w, L(1.0), L(0.0)); }
};

/// Stiffness of a row and its damped one: 1/alpha and (1 + tau/h)/alpha; 0 where there is no slot.
template <class L>
LIMBER_INLINE L stiffness_of(const L& alpha) {
  return select(L(0.0) < alpha, L(1.0) / select(L(0.0) < alpha, alpha, L(1.0)), L(0.0));
}

template <class Type, class L, class T>
LIMBER_INLINE L damping_rate(const StencilView<Type, T>& view, const std::int32_t* slot, double inverse_h) {
  if (!view.damping) return L(0.0);
  return L(inverse_h) * gather<L>(view.damping, slot, 1, 0);
}

/// A segment from point and turn of `here` to the point of `next`; `off`: rows of `next`, columns of `here`.
template <class L, class T>
LIMBER_INLINE void add_stretch(const RodGroupView<T>& group, const RodSweep<T>& sweep,
                               const std::int32_t* slot, const RodNode<L>& p, const RodNode<L>& q,
                               const RodNode<L>& p1, RodBlock<L>& here, RodBlock<L>& next, L (&off)[6][6]) {
  const L rest[1] = {gather<L>(group.stretches.rest[0], slot, 1, 0)};
  const L soft[2] = {gather<L>(group.stretches.softness[0], slot, 1, 0),
                     gather<L>(group.stretches.softness[1], slot, 1, 0)};
  const L along = stiffness_of(soft[0]), across = stiffness_of(soft[1]);
  const L rate = damping_rate<RodStretch, L>(group.stretches, slot, sweep.inverse_h);
  const L zero(0.0), one(1.0);
  const Vec3<L> places[3] = {
      {zero, zero, zero}, (p1.from - p.from) + (p1.moved - p.moved), {zero, zero, zero}};
  const Quaternion<L> turns[3] = {{}, {}, q.turn()};
  const Block<L, 3, 3> g = RodStretch::evaluate(places, turns, rest);
  for (int k = 0; k < 3; ++k) {
    const L stiff = k == 2 ? along : across, s = stiff * (one + rate);
    const L way = dot(g.grad[k][0], p.way) + dot(g.grad[k][1], p1.way) + dot(g.grad[k][2], q.way);
    const L force = stiff * (g.C[k] + rate * way);
    const Vec3<L> u = p.free() * g.grad[k][0], v = p1.free() * g.grad[k][1], t = q.free() * g.grad[k][2];
    add_own(here, 0, s, u, force), add_own(here, 3, s, t, force), add_own(next, 0, s, v, force);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        here.matrix.at(3 + i, j) = here.matrix.at(3 + i, j) + s * part(t, i) * part(u, j);
        off[i][j] = off[i][j] + s * part(v, i) * part(u, j);
        off[i][3 + j] = off[i][3 + j] + s * part(v, i) * part(t, j);
      }
  }
  // under tension, what is pulled aside is pulled back
  const L pull = along * g.C[2];
  const L tension = select(zero < pull, pull, zero) / select(zero < rest[0], rest[0], one);
  const Vec3<L> axis = g.grad[2][1];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const L stiff = tension * ((i == j ? one : zero) - part(axis, i) * part(axis, j));
      if (j <= i) {
        here.matrix.at(i, j) = here.matrix.at(i, j) + p.free() * stiff;
        next.matrix.at(i, j) = next.matrix.at(i, j) + p1.free() * stiff;
      }
      off[i][j] = off[i][j] - p.free() * p1.free() * stiff;
    }
}

/// A joint from the turn a, of the block `here`, to b, of `next`.
template <class L, class T>
LIMBER_INLINE void add_bend(const RodGroupView<T>& group, const RodSweep<T>& sweep, const std::int32_t* slot,
                            const RodNode<L>& a, const RodNode<L>& b, RodBlock<L>& here, RodBlock<L>& next,
                            L (&off)[6][6]) {
  L rest[5];
  for (int r = 0; r < 5; ++r) rest[r] = gather<L>(group.bends.rest[r], slot, 1, 0);
  const L soft[2] = {gather<L>(group.bends.softness[0], slot, 1, 0),
                     gather<L>(group.bends.softness[1], slot, 1, 0)};
  L alpha[3][3];
  RodBend::compliance_matrix(soft, rest, alpha);
  const L rate = damping_rate<RodBend, L>(group.bends, slot, sweep.inverse_h);
  const Vec3<L> nowhere[2] = {{L(0.0), L(0.0), L(0.0)}, {L(0.0), L(0.0), L(0.0)}};
  const Quaternion<L> turns[2] = {a.turn(), b.turn()};
  const Block<L, 2, 3> g = RodBend::evaluate(nowhere, turns, rest);
  for (int k = 0; k < 3; ++k) {
    const L stiff = stiffness_of(alpha[k][k]), s = stiff * (L(1.0) + rate);
    const L force = stiff * (g.C[k] + rate * (dot(g.grad[k][0], a.way) + dot(g.grad[k][1], b.way)));
    const Vec3<L> u = a.free() * g.grad[k][0], v = b.free() * g.grad[k][1];
    add_own(here, 3, s, u, force), add_own(next, 3, s, v, force);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) off[3 + i][3 + j] = off[3 + i][3 + j] + s * part(v, i) * part(u, j);
  }
}

/// A block's factors, as they lie in the scratch of its lanes.
template <class L>
struct RodFactors {
  double* at;  ///< of the block

  LIMBER_INLINE double* number(int k) const { return at + std::int64_t(k) * L::width; }
  LIMBER_INLINE double* lower(int i, int j) const { return number(i * (i - 1) / 2 + j); }  ///< j < i
  LIMBER_INLINE double* inverse(int i) const { return number(15 + i); }
  LIMBER_INLINE double* below(int i, int j) const { return number(21 + 6 * i + j); }
  LIMBER_INLINE double* ring(int i, int j) const { return number(57 + 6 * i + j); }
  LIMBER_INLINE double* rhs(int i) const { return number(93 + i); }
};

/// A = U D U^T of a block, U lower triangular with ones; y = D^-1 U^-1 b.
template <class L>
LIMBER_INLINE void factor_block(RodBlock<L>& block, L (&lower)[6][6], L (&inverse)[6],
                                const RodFactors<L>& out) {
  L scaled[6][6];
  for (int i = 0; i < 6; ++i) {
    L pivot = block.matrix.at(i, i);
    for (int j = 0; j < i; ++j) {
      scaled[i][j] = block.matrix.at(i, j);
      for (int k = 0; k < j; ++k) scaled[i][j] = scaled[i][j] - scaled[i][k] * lower[j][k];
      lower[i][j] = scaled[i][j] * inverse[j];
      pivot = pivot - scaled[i][j] * lower[i][j];
      block.b[i] = block.b[i] - lower[i][j] * block.b[j];
      lower[i][j].store(out.lower(i, j));
    }
    inverse[i] = L(1.0) / pivot;
    inverse[i].store(out.inverse(i));
  }
  for (int i = 0; i < 6; ++i) (inverse[i] * block.b[i]).store(out.rhs(i));
}

/// rows <- rows U^-T.
template <class L>
LIMBER_INLINE void solve_rows(L (&rows)[6][6], const L (&lower)[6][6]) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < j; ++k) rows[i][j] = rows[i][j] - rows[i][k] * lower[j][k];
}

/// The block that `rows` belong to, less what the eliminated one takes from it.
template <class L>
LIMBER_INLINE void eliminate(const L (&rows)[6][6], const L (&inverse)[6], const L (&b)[6],
                             RodBlock<L>& block) {
  for (int i = 0; i < 6; ++i) {
    L scaled[6];
    for (int k = 0; k < 6; ++k) scaled[k] = rows[i][k] * inverse[k];
    for (int k = 0; k < 6; ++k) block.b[i] = block.b[i] - scaled[k] * b[k];
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < 6; ++k) block.matrix.at(i, j) = block.matrix.at(i, j) - scaled[k] * rows[j][k];
  }
}

template <class L>
LIMBER_INLINE void clear_rows(L (&rows)[6][6]) {
  for (auto& row : rows)
    for (L& x : row) x = L(0.0);
}

/// Mass over h^2 and -M d/h^2 of what can move; 1 where nothing can, whose step is then 0.
template <class L>
LIMBER_INLINE void add_mass(RodBlock<L>& block, int at, const L& w, const double* done, double per_h2) {
  const auto moves = L(0.0) < w;
  const L mass = L(per_h2) / select(moves, w, L(1.0));
  for (int i = 0; i < 3; ++i) {
    block.matrix.at(at + i, at + i) = block.matrix.at(at + i, at + i) + select(moves, mass, L(1.0));
    const L d = L::load(done + std::int64_t(at + i) * rod_group);
    block.b[at + i] = select(moves, block.b[at + i] - mass * d, L(0.0));
  }
}

/// The factors of block k, and what its rows were moved by.
template <class L, class T>
LIMBER_INLINE RodFactors<L> factors_of(const RodSweep<T>& sweep, std::int32_t k) {
  return {sweep.scratch + std::int64_t(k) * rod_block_numbers * L::width};
}
template <class T>
LIMBER_INLINE double* done_of(const RodGroupView<T>& group, int lane, std::int32_t k) {
  return group.done + std::int64_t(6 * rod_group) * k + lane;
}

/// The joints of block k with the turns that clamp its rod, of lanes whose first or last turn it has.
template <class L, class T>
LIMBER_INLINE void add_clamps(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                              std::int32_t k, const RodNode<L>& q, RodBlock<L>& here) {
  for (int end = 0; end < 2; ++end) {
    alignas(64) std::int32_t turn[L::width], bend[L::width];
    bool any = false;
    for (int l = 0; l < L::width; ++l) {
      const int at = end * rod_group + lane + l;
      const bool mine = group.held_turn[at] >= 0 && k == (end == 0 ? 0 : group.last[lane + l]);
      turn[l] = mine ? group.held_turn[at] : -1, bend[l] = mine ? group.held_bend[at] : -1;
      any = any || mine;
    }
    if (!any) continue;
    RodNode<L> held;
    held.load(sweep, turn);
    RodBlock<L> fixed;
    L none[6][6];
    fixed.clear();
    clear_rows(none);
    end == 0 ? add_bend(group, sweep, bend, held, q, fixed, here, none)
             : add_bend(group, sweep, bend, q, held, here, fixed, none);
  }
}

/// From the last block to the first: dx, times `counts`, to points, turns and what they were moved by.
template <class L, class T>
LIMBER_INLINE void substitute_back(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                                   const L& counts) {
  const std::int32_t last = group.blocks - 1;
  L x[6], after[6], at_last[6];
  for (std::int32_t k = last; k >= 0; --k) {
    const RodFactors<L> in = factors_of<L>(sweep, k);
    for (int i = 0; i < 6; ++i) x[i] = L::load(in.rhs(i));
    for (int j = 0; j < 6 && k < last; ++j) {
      L sum(0.0);
      for (int i = 0; i < 6; ++i) sum = sum + L::load(in.below(i, j)) * after[i];
      if (group.ring && k + 1 < last)
        for (int i = 0; i < 6; ++i) sum = sum + L::load(in.ring(i, j)) * at_last[i];
      x[j] = x[j] - L::load(in.inverse(j)) * sum;
    }
    for (int i = 5; i >= 0; --i)
      for (int j = i + 1; j < 6; ++j) x[i] = x[i] - L::load(in.lower(j, i)) * x[j];
    for (int i = 0; i < 6; ++i) {
      after[i] = x[i];
      if (k == last) at_last[i] = x[i];
      alignas(64) double step[L::width];
      const L taken = counts * x[i];
      (L::load(done_of(group, lane, k) + i * rod_group) + taken)
          .store(done_of(group, lane, k) + i * rod_group);
      taken.store(step);
      for (int l = 0; l < L::width; ++l) {
        const std::int32_t row = (i < 3 ? group.point : group.turn)[rod_group * k + lane + l];
        if (row < 0) continue;
        T* const moved = sweep.moved + 4 * std::int64_t(row);
        if (moved[3] > T(0)) moved[i % 3] = T(double(moved[i % 3]) + step[l]);
      }
    }
  }
}

/// One Newton step of the rods in the lanes from `lane` on; `counts`: 1, or 0 for lanes that take none.
template <class L, class T>
LIMBER_INLINE void step_rod_lanes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                                  const L& counts) {
  const std::int32_t count = group.blocks, last = count - 1;
  const double per_h2 = sweep.inverse_h * sweep.inverse_h;
  const auto index = [&](const std::int32_t* list, std::int32_t k) { return list + rod_group * k + lane; };
  RodBlock<L> here, next, anchor;
  RodNode<L> p, q, p1, q1;
  L off[6][6], ring[6][6], lower[6][6], inverse[6];
  here.clear(), anchor.clear();
  clear_rows(ring);
  p.load(sweep, index(group.point, 0)), q.load(sweep, index(group.turn, 0));
  if (group.ring) {  // from the last block to the first
    RodNode<L> end_p, end_q;
    end_p.load(sweep, index(group.point, last)), end_q.load(sweep, index(group.turn, last));
    L back[6][6];
    clear_rows(back);
    add_stretch(group, sweep, index(group.stretch, last), end_p, end_q, p, anchor, here, back);
    add_bend(group, sweep, index(group.bend, last), end_q, q, anchor, here, back);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) ring[i][j] = back[j][i];
  }
  for (std::int32_t k = 0; k < count; ++k) {
    next.clear();
    clear_rows(off);
    if (k < last) {
      p1.load(sweep, index(group.point, k + 1)), q1.load(sweep, index(group.turn, k + 1));
      add_stretch(group, sweep, index(group.stretch, k), p, q, p1, here, next, off);
      add_bend(group, sweep, index(group.bend, k), q, q1, here, next, off);
    } else if (group.ring) {
      for (int i = 0; i < 21; ++i) here.matrix.a[i] = here.matrix.a[i] + anchor.matrix.a[i];
      for (int i = 0; i < 6; ++i) here.b[i] = here.b[i] + anchor.b[i];
    }
    add_clamps(group, sweep, lane, k, q, here);
    add_mass(here, 0, p.w, done_of(group, lane, k), per_h2);
    add_mass(here, 3, q.w, done_of(group, lane, k), per_h2);

    const RodFactors<L> out = factors_of<L>(sweep, k);
    factor_block(here, lower, inverse, out);
    if (k == last) break;
    if (group.ring && k + 1 == last)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) off[i][j] = off[i][j] + ring[i][j];
    solve_rows(off, lower);
    eliminate(off, inverse, here.b, next);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) off[i][j].store(out.below(i, j));
    if (group.ring && k + 1 < last) {
      solve_rows(ring, lower);
      eliminate(ring, inverse, here.b, anchor);
      L fill[6][6];
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          ring[i][j].store(out.ring(i, j));
          fill[i][j] = L(0.0);
          for (int m = 0; m < 6; ++m) fill[i][j] = fill[i][j] - ring[i][m] * inverse[m] * off[j][m];
        }
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) ring[i][j] = fill[i][j];
    }
    here = next;
    p = p1, q = q1;
  }

  substitute_back(group, sweep, lane, counts);
}

/// rad. One Newton step leaves an error of the second order in how far a rod turns in a substep, which grows
/// where that is far: a free metre of rubber at two turns a second in a substep of 1/60 s flew apart within
/// 20 of them. A rod gets a step more for each of these, up to most_more_steps.
inline constexpr double far_turn = 0.05;
inline constexpr int most_more_steps = 3;

template <class L, class T>
LIMBER_INLINE void solve_rod_lanes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  L farthest(0.0);
  for (std::int32_t k = 0; k < group.blocks; ++k) {
    const std::int32_t* const turn = group.turn + rod_group * k + lane;
    L square(0.0);
    for (int i = 0; i < 3; ++i) {
      const L way = gather<L>(sweep.moved_before, turn, 4, i);
      square = square + way * way;
    }
    farthest = max(farthest, square);
    if (sweep.first)
      for (int i = 0; i < 6; ++i) L(0.0).store(group.done + std::int64_t(rod_group) * (6 * k + i) + lane);
  }
  L counts(1.0);
  for (int more = 1; more <= 1 + most_more_steps; ++more) {
    step_rod_lanes(group, sweep, lane, counts);
    const auto far = L(more * more * far_turn * far_turn) < farthest;
    if (bits(far) == 0) return;
    counts = select(far, L(1.0), L(0.0));
  }
}

}  // namespace detail

/// Lanes of doubles of the instruction set that has the lanes `L` of floats.
template <class L>
struct DoublesOf {
  using Lanes = limber::Lanes<double, 1>;
};
#if defined(__SSE2__)
template <>
struct DoublesOf<limber::Lanes<float, 4>> {
  using Lanes = limber::Lanes<double, 2>;
};
#endif
#if defined(__AVX2__)
template <>
struct DoublesOf<limber::Lanes<float, 8>> {
  using Lanes = limber::Lanes<double, 4>;
};
template <>
struct DoublesOf<limber::Lanes<float, 16>> {
  using Lanes = limber::Lanes<double, 4>;
};
#endif

/// One Newton step for a group of rods, more where they turn far in a substep. `L`: lanes of the instruction
/// set; they tell the instances apart, of which two have the same lanes of doubles.
template <class L, class T>
void solve_rods(const RodGroupView<T>& group, const RodSweep<T>& sweep) {
  using Doubles = typename DoublesOf<L>::Lanes;
  if (group.rods == 1) return detail::solve_rod_lanes<Lanes<double, 1>, T>(group, sweep, 0);
  for (int lane = 0; lane < group.rods; lane += Doubles::width)
    detail::solve_rod_lanes<Doubles, T>(group, sweep, lane);
}

}  // namespace limber
