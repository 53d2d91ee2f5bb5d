// Assembles and factors the block tridiagonal system of rods, and takes its step (rod_system.hpp).
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/kernels/rod_lanes.hpp"

namespace limber { namespace detail {

/// Stores numbers in the lanes that take the step. The others keep the factors of their last step, as they
/// would alone: weigh_points() reads them.
template <class L>
class StoreInSteps {
 public:
  LIMBER_INLINE explicit StoreInSteps(const L& counts)
      : counts_(counts), all_(bits(L(0.0) < counts) == (1u << L::width) - 1) {}
  LIMBER_INLINE void operator()(const L& x, double* at) const {
    (all_ ? x : select(L(0.0) < counts_, x, L::load(at))).store(at);
  }

 private:
  L counts_;
  bool all_;
};

/// Decides whether segments of ropes pull in this step, by SlackGuess, and changes row 3 of g accordingly.
/// Returns 1 where they do. Segments that are far shorter than at rest pull if they are stretched.
template <class L>
LIMBER_INLINE L resolve_slack(const RodStrain<L>& strain, const L& noted, const RodNode<L>& p,
                              const RodNode<L>& p1, const Vec3<L> (&places)[3],
                              const Quaternion<L> (&turns)[3], const L (&rest)[2], Block<L, 3, 3>& g) {
  const L zero(0.0), one(1.0);
  const L both[2] = {rest[0], zero};
  const Block<L, 3, 3> bilateral = RodStretch::evaluate(places, turns, both);
  const auto guessed = L(-0.5 * far_strain) * rest[0] < select(zero < rest[1], bilateral.C[2], -rest[0]);
  const Vec3<L> before = places[1] - (p1.way - p.way);
  const L length =
      strain.slack == SlackGuess::as_at_start ? sqrt(dot(before, before)) : bilateral.C[2] + rest[0];
  const L pulled = strain.slack == SlackGuess::as_noted
                       ? noted
                       : select(L(1.0 + nearly_taut) * rest[0] < length, one, zero);
  const auto along = [&](const L& own, const L& other) { return select(guessed, pulled * other, own); };
  const L stretched = select(zero < g.C[2], one, one - rest[1]);
  g.C[2] = along(g.C[2], bilateral.C[2]);
  for (int j = 0; j < 3; ++j) {
    Vec3<L>& u = g.grad[2][j];
    const Vec3<L>& v = bilateral.grad[2][j];
    u = {along(u.x, v.x), along(u.y, v.y), along(u.z, v.z)};
  }
  return select(guessed, pulled, stretched);
}

/// Adds a segment: RodStretch between the point and turn of block `here` and the point of block `next`.
/// `off`: rows of `next`, columns of `here`.
template <class L, class T>
LIMBER_INLINE void add_stretch(const RodGroupView<T>& group, const RodSweep<T>& sweep,
                               const std::int32_t* slot, const RodNode<L>& p, const RodNode<L>& q,
                               const RodNode<L>& p1, RodBlock<L>& here, RodBlock<L>& next, L (&off)[6][6],
                               RodStrain<L>& strain, double* pulls) {
  const L rest[2] = {gather<L>(group.stretches.rest[0], slot), gather<L>(group.stretches.rest[1], slot)};
  const L soft[2] = {gather<L>(group.stretches.softness[0], slot),
                     gather<L>(group.stretches.softness[1], slot)};
  const L along = stiffness_of(soft[0]), across = stiffness_of(soft[1]);
  const L rate = damping_rate<RodStretch, L>(group.stretches, slot, sweep.inverse_h);
  const L zero(0.0), one(1.0);
  const Vec3<L> places[3] = {
      {zero, zero, zero}, (p1.from - p.from) + (p1.moved - p.moved), {zero, zero, zero}};
  const Quaternion<L> turns[3] = {{}, {}, q.now};
  L taut = one;  // whether the segment pulls in this step
  Block<L, 3, 3> g = RodStretch::evaluate(places, turns, rest);
  if (group.ropes) taut = resolve_slack(strain, L::load(pulls), p, p1, places, turns, rest, g);
  L before[3] = {zero, zero, zero};
  if (strain.damped) {  // C at the start of the substep; G (x - x^n) is not the change of C if the segment
                        // rotates far

    const Vec3<L> d = places[1] - (p1.way - p.way);
    Vec3<L> axis[3];
    axes_of(q.start, axis);
    for (int k = 0; k < 3; ++k) before[k] = dot(axis[k], d);
    before[2] = select(zero < before[2], before[2], (one - rest[1]) * before[2] + rest[1] * sqrt(dot(d, d)));
    before[2] = before[2] - rest[0];
    before[2] = select(before[2] < zero, (one - rest[1]) * before[2], before[2]);
  }
  // with g_k the gradient at p1, the one at p is -g_k, and the one of the turn g_k x d
  ThreeByThree<L> points{{zero, zero, zero, zero, zero, zero}};
  Vec3<L> force{zero, zero, zero};
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const L stiff = k == 2 ? along : across;
    const Vec3<L>& u = g.grad[k][1];
    points.add(stiff * (one + rate), u);
    force = force + (stiff * (g.C[k] + rate * (g.C[k] - before[k]))) * u;
  }
  const L first = p.free(), second = p1.free(), turn = q.free();
  const Vec3<L> d = places[1];
  Vec3<L> across_d[3];  // columns of sum s (g x d) g^T
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) across_d[j] = cross(points.column(j), d);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    const Vec3<L> row = cross(Vec3<L>{part(across_d[0], i), part(across_d[1], i), part(across_d[2], i)}, d);
    here.b[3 + i] = here.b[3 + i] - turn * part(cross(force, d), i);
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
      here.matrix.at(3 + i, j) = here.matrix.at(3 + i, j) - (turn * first) * part(across_d[j], i);
      off[i][3 + j] = off[i][3 + j] + (second * turn) * part(across_d[i], j);
      if (j <= i) here.matrix.at(3 + i, 3 + j) = here.matrix.at(3 + i, 3 + j) + turn * part(row, j);
    }
  }
  // K_geo: tension resists sideways displacement. The tension of the first solve counts too, because an end
  // may have been released since
  double* const kept = group.tension + (slot - group.stretch);
  if (group.ropes) StoreInSteps<L>(strain.counts)(taut, pulls);
  const L now = max(along * g.C[2], zero), pulled = L::load(kept),
          pull = sweep.first ? now : max(now, pulled);
  if (sweep.first) select(zero < strain.counts, now, pulled).store(kept);
  const L length = select(zero < rest[0], rest[0], one), tension = pull / length;
  const L square = (g.C[0] * g.C[0] + g.C[1] * g.C[1] + g.C[2] * g.C[2]) / (length * length);
  strain.worst = max(strain.worst, select(zero < rest[0], square, zero));
  Vec3<L> axes[3];
  axes_of(turns[2], axes);  // not the gradient, which a slack segment does not have
  points.add(-tension, axes[2]);
  points.a[0] = points.a[0] + tension, points.a[2] = points.a[2] + tension;
  points.a[5] = points.a[5] + tension;
  add_own(here, 0, first, points, force), add_own(next, 0, second, points, -force);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i)
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) off[i][j] = off[i][j] - (first * second) * points(i, j);
}

/// Adds a bend constraint (RodBend) between the turn a of block `here` and the turn b of block `next`.
template <class L, class T>
LIMBER_INLINE void add_bend(const RodGroupView<T>& group, const RodSweep<T>& sweep, const std::int32_t* slot,
                            const RodNode<L>& a, const RodNode<L>& b, RodBlock<L>& here, RodBlock<L>& next,
                            L (&off)[6][6], const RodStrain<L>& strain) {
  L rest[5];
  for (int r = 0; r < 5; ++r) rest[r] = gather<L>(group.bends.rest[r], slot);
  const L soft[2] = {gather<L>(group.bends.softness[0], slot), gather<L>(group.bends.softness[1], slot)};
  L alpha[3][3];
  RodBend::compliance_matrix(soft, rest, alpha);
  const L rate = damping_rate<RodBend, L>(group.bends, slot, sweep.inverse_h);
  const Vec3<L> nowhere[2] = {{L(0.0), L(0.0), L(0.0)}, {L(0.0), L(0.0), L(0.0)}};
  const Quaternion<L> turns[2] = {a.now, b.now};
  const Block<L, 2, 3> g = RodBend::evaluate(nowhere, turns, rest);
  Vec3<L> before{L(0.0), L(0.0), L(0.0)};
  if (strain.damped) {
    L unused;
    before = rotation_vector(conjugate(a.start) * b.start, unused);
  }
  const L zero(0.0);
  ThreeByThree<L> own{
      {zero, zero, zero, zero, zero, zero}};  // with g_k the gradient at b; the one at a is -g_k
  Vec3<L> force{zero, zero, zero};
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const L stiff = stiffness_of(alpha[k][k]);
    const Vec3<L>& u = g.grad[k][1];
    own.add(stiff * (L(1.0) + rate), u);
    force = force + (stiff * (g.C[k] + rate * (g.C[k] - (part(before, k) - rest[k])))) * u;
  }
  const L first = a.free(), second = b.free();
  add_own(here, 3, first, own, force), add_own(next, 3, second, own, -force);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i)
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) off[3 + i][3 + j] = off[3 + i][3 + j] - (first * second) * own(i, j);
}

/// Factors a diagonal block as U D U^T, U lower triangular with ones on its diagonal, and stores D^-1 U^-1 b
/// as `rhs`.
template <class L>
LIMBER_INLINE void factor_block(RodBlock<L>& block, L (&lower)[6][6], L (&inverse)[6],
                                const RodFactors<L>& out, const StoreInSteps<L>& store) {
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    L pivot = block.matrix.at(i, i), right = block.b[i], scaled[6];
#pragma GCC unroll 6
    for (int j = 0; j < i; ++j) {
      L sum = block.matrix.at(i, j);
#pragma GCC unroll 6
      for (int k = 0; k < j; ++k) sum = sum - scaled[k] * lower[j][k];
      scaled[j] = sum, lower[i][j] = sum * inverse[j];
      pivot = pivot - sum * lower[i][j], right = right - lower[i][j] * block.b[j];
      store(lower[i][j], out.lower(i, j));
    }
    block.b[i] = right, inverse[i] = L(1.0) / pivot;
    store(inverse[i], out.inverse(i));
    store(inverse[i] * right, out.rhs(i));
  }
}

/// rows <- rows U^-T, for the rows [from, to), which are zero before the column `start`.
template <int from, int to, int start, class L>
LIMBER_INLINE void solve_rows(L (&rows)[6][6], const L (&lower)[6][6]) {
#pragma GCC unroll 6
  for (int i = from; i < to; ++i)
#pragma GCC unroll 6
    for (int j = start + 1; j < 6; ++j) {
      L sum = rows[i][j];
#pragma GCC unroll 6
      for (int k = start; k < j; ++k) sum = sum - rows[i][k] * lower[j][k];
      rows[i][j] = sum;
    }
}

/// Subtracts the contribution of an eliminated block from the block with the rows `rows`: matrix -= rows D^-1
/// rows^T, and b accordingly, for the rows [from, to), which are zero before the column `start`.
template <int from, int to, int start, class L>
LIMBER_INLINE void eliminate(const L (&rows)[6][6], const L (&inverse)[6], const L (&b)[6],
                             RodBlock<L>& block) {
#pragma GCC unroll 6
  for (int i = from; i < to; ++i) {
    L scaled[6], right = block.b[i];
#pragma GCC unroll 6
    for (int k = start; k < 6; ++k) scaled[k] = rows[i][k] * inverse[k], right = right - scaled[k] * b[k];
    block.b[i] = right;
#pragma GCC unroll 6
    for (int j = 0; j <= i; ++j) {
      L sum = block.matrix.at(i, j);
#pragma GCC unroll 6
      for (int k = start; k < 6; ++k) sum = sum - scaled[k] * rows[j][k];
      block.matrix.at(i, j) = sum;
    }
  }
}

/// Elimination and substitution for all rows. `full`: otherwise the turn's rows are zero in the columns of the point, because only
/// the stretch constraint connects points.
template <class L>
LIMBER_INLINE void eliminate_rows(bool full, L (&rows)[6][6], const L (&lower)[6][6], const L (&inverse)[6],
                                  const L (&b)[6], RodBlock<L>& block) {
  solve_rows<0, 3, 0>(rows, lower);
  eliminate<0, 3, 0>(rows, inverse, b, block);
  if (full) {
    solve_rows<3, 6, 0>(rows, lower);
    eliminate<3, 6, 0>(rows, inverse, b, block);
  } else {
    solve_rows<3, 6, 3>(rows, lower);
    eliminate<3, 6, 3>(rows, inverse, b, block);
  }
}

template <class L>
LIMBER_INLINE void clear_rows(L (&rows)[6][6]) {
  for (auto& row : rows)
    for (L& x : row) x = L(0.0);
}

/// Adds M/h^2 and -M d/h^2 for three rows from `at` on. A node that cannot move gets 1 and 0, so that its
/// step is 0.
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

/// The factors, and d, of block k.
template <class L, class T>
LIMBER_INLINE RodFactors<L> factors_of(const RodSweep<T>& sweep, std::int32_t k) {
  return {sweep.scratch + std::int64_t(k) * rod_block_numbers * L::width};
}
template <class T>
LIMBER_INLINE double* done_of(const RodGroupView<T>& group, int lane, std::int32_t k) {
  return group.done + std::int64_t(6 * rod_group) * k + lane;
}

/// Adds the bend constraints between block k and the turns that clamp its rod, in lanes whose first or last
/// turn is in block k.
template <class L, class T>
LIMBER_INLINE void add_clamps(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                              std::int32_t k, const RodNode<L>& q, RodBlock<L>& here,
                              const RodStrain<L>& strain, const OneTurn (&held_from)[2][L::width]) {
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
    held.load_turn(sweep, turn);
    held.load_start(L(0.0), factors_of<L>(sweep, k));
    const Quaternion<L> own = held.start, other = in_lanes<L>(held_from[end]);
    const auto led = L(0.0) < strain.led;
    held.start = {
        {select(led, other.v.x, own.v.x), select(led, other.v.y, own.v.y), select(led, other.v.z, own.v.z)},
        select(led, other.w, own.w)};
    RodBlock<L> fixed;
    L none[6][6];
    fixed.clear();
    clear_rows(none);
    end == 0 ? add_bend(group, sweep, bend, held, q, fixed, here, none, strain)
             : add_bend(group, sweep, bend, q, held, here, fixed, none, strain);
  }
}

/// Back substitution: calls act(k, x) from the last block to the first, with x the six unknowns of block k.
/// `rhs`: right-hand side after forward elimination.
template <class L, class T, class Act>
LIMBER_INLINE void substitute_back(const RodGroupView<T>& group, const RodSweep<T>& sweep,
                                   double* (RodFactors<L>::*rhs)(int) const, const Act& act) {
  const std::int32_t last = group.blocks - 1;
  L x[6], after[6]{}, at_last[6]{};
  for (std::int32_t k = last; k >= 0; --k) {
    const RodFactors<L> in = factors_of<L>(sweep, k);
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) x[i] = L::load((in.*rhs)(i));
    if (k < last) {
      L sum[6];
#pragma GCC unroll 6
      for (int j = 0; j < 6; ++j) {
        sum[j] = L::load(in.below(0, j)) * after[0];
#pragma GCC unroll 6
        for (int i = 1; i < 6; ++i) sum[j] = sum[j] + L::load(in.below(i, j)) * after[i];
      }
      if (group.ring && k + 1 < last)
        for (int j = 0; j < 6; ++j)
          for (int i = 0; i < 6; ++i) sum[j] = sum[j] + L::load(in.ring(i, j)) * at_last[i];
#pragma GCC unroll 6
      for (int j = 0; j < 6; ++j) x[j] = x[j] - L::load(in.inverse(j)) * sum[j];
    }
#pragma GCC unroll 6
    for (int i = 5; i >= 0; --i)
#pragma GCC unroll 6
      for (int j = i + 1; j < 6; ++j) x[i] = x[i] - L::load(in.lower(j, i)) * x[j];
    for (int i = 0; i < 6; ++i) {
      after[i] = x[i];
      if (k == last) at_last[i] = x[i];
    }
    act(k, x);
  }
}

/// Moves points and turns by `counts` times dx, and adds this to d.
template <class L, class T>
LIMBER_INLINE void take_step(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                             const L& counts) {
  substitute_back<L>(group, sweep, &RodFactors<L>::rhs, [&](std::int32_t k, const L(&x)[6]) {
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) {
      double* const done = done_of(group, lane, k) + i * rod_group;
      (L::load(done) + counts * x[i]).store(done);
    }
    for (int half = 0; half < 2; ++half) {
      const std::int32_t* const index = (half == 0 ? group.point : group.turn) + rod_group * k + lane;
      const Vec3<L> step{counts * x[3 * half], counts * x[3 * half + 1], counts * x[3 * half + 2]};
      const Point<L> before = gather_row<L>(static_cast<const T*>(sweep.moved), index);
      const auto moves = L(0.0) < before.w;
      const Vec3<L> after = before.p + step;
      alignas(64) T rows[4 * L::width];
      as_numbers(Point<L>{{select(moves, after.x, before.p.x), select(moves, after.y, before.p.y),
                           select(moves, after.z, before.p.z)},
                          before.w},
                 rows);
      for (int l = 0; l < L::width; ++l)
        if (index[l] >= 0)
          for (int i = 0; i < 4; ++i) sweep.moved[4 * std::int64_t(index[l]) + i] = rows[4 * l + i];
    }
  });
}

/// Forward elimination of the impulses `pushed` as a second right-hand side, with the existing factors.
template <class L, class T>
LIMBER_INLINE void eliminate_pushes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  const std::int32_t last = group.blocks - 1;
  const L per_h2(sweep.inverse_h * sweep.inverse_h), zero(0.0);
  L onward[6], anchor[6];
  for (int i = 0; i < 6; ++i) onward[i] = anchor[i] = zero;
  for (std::int32_t k = 0; k <= last; ++k) {
    const RodFactors<L> in = factors_of<L>(sweep, k);
    L b[6], scaled[6];
    for (int i = 0; i < 6; ++i) {
      b[i] = onward[i];
      if (i < 3) b[i] = b[i] + per_h2 * L::load(group.pushed + (3 * std::int64_t(k) + i) * rod_group + lane);
      if (k == last) b[i] = b[i] + anchor[i];
      for (int j = 0; j < i; ++j) b[i] = b[i] - L::load(in.lower(i, j)) * b[j];
      scaled[i] = L::load(in.inverse(i)) * b[i];
      scaled[i].store(in.answer(i));
    }
    for (int i = 0; i < 6 && k < last; ++i) {
      onward[i] = zero;
      for (int m = 0; m < 6; ++m) onward[i] = onward[i] - L::load(in.below(i, m)) * scaled[m];
      if (group.ring && k + 1 < last)
        for (int m = 0; m < 6; ++m) anchor[i] = anchor[i] - L::load(in.ring(i, m)) * scaled[m];
    }
  }
}

/// Stores the rows of a ring's last block in an eliminated one, and passes them on to the next: the fill -R D
/// B^T of the elimination, with R those rows, D the inverse diagonal and B the next block's rows.
template <class L>
LIMBER_INLINE void pass_on_ring(const L (&inverse)[6], const L (&off)[6][6], L (&ring)[6][6],
                                const RodFactors<L>& out, const StoreInSteps<L>& store) {
  L fill[6][6];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      store(ring[i][j], out.ring(i, j));
      fill[i][j] = L(0.0);
      for (int m = 0; m < 6; ++m) fill[i][j] = fill[i][j] - ring[i][m] * inverse[m] * off[j][m];
    }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) ring[i][j] = fill[i][j];
}

/// Assembles and factors the system of the rods in the lanes from `lane` on. `counts`: 1, or 0 for lanes that
/// take no step. Returns per lane the largest (|C|/l)^2 of its segments.
template <class L, class T>
LIMBER_INLINE L eliminate_rod_lanes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                                    const L& counts, const LedLanes<L>& lead,
                                    SlackGuess slack = SlackGuess::as_now) {
  const bool damped = group.stretches.damping || group.bends.damping;
  RodStrain<L> strain{counts, lead.led(), L(0.0), damped, slack};
  const StoreInSteps<L> store(counts);
  const std::int32_t count = group.blocks, last = count - 1;
  const double per_h2 = sweep.inverse_h * sweep.inverse_h;
  const auto index = [&](const std::int32_t* list, std::int32_t k) { return list + rod_group * k + lane; };
  RodBlock<L> here, next, anchor;
  RodNode<L> p{}, q{}, p1{}, q1{};
  L off[6][6], ring[6][6], lower[6][6], inverse[6];
  here.clear(), anchor.clear();
  clear_rows(ring);
  const auto load_turn = [&](RodNode<L>& node, std::int32_t k) {
    node.load_turn(sweep, index(group.turn, k));
    if (damped) node.load_start(strain.led, factors_of<L>(sweep, k));
  };
  p.load(sweep, index(group.point, 0)), load_turn(q, 0);
  if (group.ring) {  // segment from the last block to the first
    RodNode<L> end_p{}, end_q{};
    end_p.load(sweep, index(group.point, last)), load_turn(end_q, last);
    L back[6][6];
    clear_rows(back);
    add_stretch(group, sweep, index(group.stretch, last), end_p, end_q, p, anchor, here, back, strain,
                factors_of<L>(sweep, last).taut());
    add_bend(group, sweep, index(group.bend, last), end_q, q, anchor, here, back, strain);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) ring[i][j] = back[j][i];
  }
  for (std::int32_t k = 0; k < count; ++k) {
    next.clear();
    clear_rows(off);
    if (k < last) {
      p1.load(sweep, index(group.point, k + 1)), load_turn(q1, k + 1);
      add_stretch(group, sweep, index(group.stretch, k), p, q, p1, here, next, off, strain,
                  factors_of<L>(sweep, k).taut());
      add_bend(group, sweep, index(group.bend, k), q, q1, here, next, off, strain);
    } else if (group.ring) {
      for (int i = 0; i < 21; ++i) here.matrix.a[i] = here.matrix.a[i] + anchor.matrix.a[i];
      for (int i = 0; i < 6; ++i) here.b[i] = here.b[i] + anchor.b[i];
    }
    add_clamps(group, sweep, lane, k, q, here, strain, lead.held_from);
    add_mass(here, 0, p.w, done_of(group, lane, k), per_h2);
    add_mass(here, 3, q.w, done_of(group, lane, k), per_h2);

    const RodFactors<L> out = factors_of<L>(sweep, k);
    factor_block(here, lower, inverse, out, store);
    if (k == last) break;
    if (group.ring && k + 1 == last)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) off[i][j] = off[i][j] + ring[i][j];
    eliminate_rows(group.ring, off, lower, inverse, here.b, next);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) store(off[i][j], out.below(i, j));
    if (group.ring && k + 1 < last) {
      eliminate_rows(true, ring, lower, inverse, here.b, anchor);
      pass_on_ring(inverse, off, ring, out, store);
    }
    here = next;
    p = p1, q = q1;
  }
  return strain.worst;
}

}}  // namespace limber::detail
