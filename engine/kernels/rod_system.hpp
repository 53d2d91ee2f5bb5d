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

#include <algorithm>
#include <utility>

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
  T* left;          ///< m, `moved` of the points as the last solve left it, three a block and lane
  double* pushed;   ///< kg m, what others have pushed the points by since, three a block and lane
  T* weight;        ///< 1/kg, the inverse mass that others meet at a point; 0: not known yet
  double* tension;  ///< N, pull in the segment of a block and lane as the substep began
  // of ties, which know how a point answers in every direction
  const std::int32_t* ties;  ///< per lane: tied points of the rod
  double* answer;            ///< 1/kg, six numbers a block and lane: the lower triangle of H^-1_ii / h^2
  double* tied;              ///< kg m, impulses of ties since the last solve, three a block and lane ...
  double* way;               ///< m, ... and what points were moved by for them meanwhile
  StencilView<RodStretch, T> stretches;
  StencilView<RodBend, T> bends;
};

/// Arrays and numbers that all rods of a sweep share; rows of four numbers.
template <class T>
struct RodSweep {
  const T* origin;
  T* moved;
  T* position;            ///< of it {w} alone is written, as in `moved`
  const T* inverse_mass;  ///< 1/kg or 1/(kg m^2), a number a row
  const T* moved_before;
  const T* predicted;  ///< `moved` as line (7) left it
  double inverse_h;    ///< 1/s
  bool first;          ///< first solve of the substep: d starts at zero
  bool met;            ///< something can push points
  bool pushed_only;    ///< rods that others have not pushed since the last solve stay as they are
  double* scratch;     ///< rod_scratch() numbers
};

/// Numbers that the factors of a block take.
inline constexpr std::int64_t rod_block_numbers = 15 + 6 + 36 + 36 + 6 + 6;
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
    moved = three(static_cast<const T*>(sweep.moved));
    const L lent = gather<L>(static_cast<const T*>(sweep.moved), index, 4, 3);
    w = select(L(0.0) < lent, gather<L>(sweep.inverse_mass, index, 1, 0), L(0.0));
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
  // under tension, what is pulled aside is pulled back; also where it was before something let go of the end
  double* const kept = group.tension + (slot - group.stretch);
  const L now = max(along * g.C[2], zero), pull = sweep.first ? now : max(now, L::load(kept));
  if (sweep.first) now.store(kept);
  const L tension = pull / select(zero < rest[0], rest[0], one);
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
  LIMBER_INLINE double* answer(int i) const { return number(99 + i); }  ///< right-hand side of the pushes
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

/// From the last block to the first: act(k, x) with the six numbers that solve the system of the factors for
/// the right-hand side `rhs`, which forward elimination has led to.
template <class L, class T, class Act>
LIMBER_INLINE void substitute_back(const RodGroupView<T>& group, const RodSweep<T>& sweep,
                                   double* (RodFactors<L>::*rhs)(int) const, const Act& act) {
  const std::int32_t last = group.blocks - 1;
  L x[6], after[6]{}, at_last[6]{};
  for (std::int32_t k = last; k >= 0; --k) {
    const RodFactors<L> in = factors_of<L>(sweep, k);
    for (int i = 0; i < 6; ++i) x[i] = L::load((in.*rhs)(i));
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
    }
    act(k, x);
  }
}

/// Moves points and turns by `counts` times dx, and notes it.
template <class L, class T>
LIMBER_INLINE void take_step(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                             const L& counts) {
  substitute_back<L>(group, sweep, &RodFactors<L>::rhs, [&](std::int32_t k, const L(&x)[6]) {
    for (int i = 0; i < 6; ++i) {
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
  });
}

/// Forward elimination of the pushes, as of another right-hand side, with the factors that there are.
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

template <class L>
using Six = L[6][6];

/// out += A^T X B.
template <class L>
LIMBER_INLINE void add_product(const Six<L>& a, const Six<L>& x, const Six<L>& b, Six<L>& out) {
  Six<L> half;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      half[i][j] = L(0.0);
      for (int m = 0; m < 6; ++m) half[i][j] = half[i][j] + x[i][m] * b[m][j];
    }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int m = 0; m < 6; ++m) out[i][j] = out[i][j] + a[m][i] * half[m][j];
}

/// x <- U^-T x, U with ones on its diagonal and `in` below it.
template <class L>
LIMBER_INLINE void solve_transposed(const RodFactors<L>& in, Six<L>& x) {
  for (int i = 5; i >= 0; --i)
    for (int m = i + 1; m < 6; ++m) {
      const L u = L::load(in.lower(m, i));
      for (int j = 0; j < 6; ++j) x[i][j] = x[i][j] - u * x[m][j];
    }
}

/// The blocks S_k of the inverse on its diagonal, from the last one to the first: act(k, S_k). With B and R
/// what elimination left of a block's rows in the next and in the last one,
///
///   S_kk = U^-T (D^-1 + D^-1 [B R]^T S' [B R] D^-1) U^-1,   S_kn = -U^-T D^-1 [B R]^T S'_n
///
/// where S' are those of the next and the last block (Takahashi 1973).
template <class L, class T, class Act>
LIMBER_INLINE void invert_diagonal(const RodGroupView<T>& group, const RodSweep<T>& sweep, const Act& act) {
  const std::int32_t last = group.blocks - 1;
  Six<L> next{}, to_last{}, at_last{};
  for (std::int32_t k = last; k >= 0; --k) {
    const RodFactors<L> in = factors_of<L>(sweep, k);
    const bool rings = group.ring && k + 1 < last;
    Six<L> own, across, below, ring;
    clear_rows(own), clear_rows(across);
    L inverse[6];
    for (int i = 0; i < 6; ++i) inverse[i] = L::load(in.inverse(i));
    for (int i = 0; i < 6 && k < last; ++i)
      for (int j = 0; j < 6; ++j) {
        below[i][j] = L::load(in.below(i, j)) * inverse[j];
        if (rings) ring[i][j] = L::load(in.ring(i, j)) * inverse[j];
      }
    if (k < last) {
      add_product(below, next, below, own);
      if (rings) {
        Six<L> mixed;
        clear_rows(mixed);
        add_product(below, to_last, ring, mixed);
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) own[i][j] = own[i][j] + mixed[i][j] + mixed[j][i];
        add_product(ring, at_last, ring, own);
      }
      if (group.ring)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j)
            for (int m = 0; m < 6; ++m) {
              across[i][j] = across[i][j] - below[m][i] * to_last[m][j];
              if (rings) across[i][j] = across[i][j] - ring[m][i] * at_last[m][j];
            }
    }
    for (int i = 0; i < 6; ++i) own[i][i] = own[i][i] + inverse[i];
    solve_transposed(in, own);  // the rows, and as it is symmetric once more the columns
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < i; ++j) std::swap(own[i][j], own[j][i]);
    solve_transposed(in, own);
    solve_transposed(in, across);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        next[i][j] = own[i][j];
        to_last[i][j] = k == last ? own[i][j] : across[i][j];
        if (k == last) at_last[i][j] = own[i][j];
      }
    act(k, own);
  }
}

/// A point counts as pushed with this share of the largest push along its rod; what has not been pushed is
/// half as heavy the next time.
inline constexpr double least_push = 0.02, push_room = 1.25;

/// Square of the largest push along a rod, kg m.
template <class L, class T>
LIMBER_INLINE L largest_push(const RodGroupView<T>& group, int lane) {
  L largest(0.0);
  for (std::int32_t k = 0; k < group.blocks; ++k) {
    L square(0.0);
    for (int i = 0; i < 3; ++i) {
      const L push = L::load(group.pushed + (3 * std::int64_t(k) + i) * rod_group + lane);
      square = square + push * push;
    }
    largest = max(largest, square);
  }
  return largest;
}

/// Measures the inverse mass w that others meet at a point: r.J/J.J, with r = H^-1 J/h^2 what the impulses J
/// of all have moved the rod by, and no less than the push of one alone would meet in any direction, H^-1_ii
/// / h^2. A stiff wire that is pushed at one point takes along what is beside it, one that is pushed
/// everywhere is as light as its points; contacts that count with that, and not with the mass of the point
/// alone, converge in a few iterations. Ties know H^-1_ii / h^2 itself, times what r is against the answer to
/// each push alone. `anew`: at the beginning of a frame, without pushes; as if ties pulled at all points
/// alike.
template <class L, class T>
LIMBER_INLINE void weigh_points(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane, bool anew) {
  const L largest = anew ? L(0.0) : largest_push<L>(group, lane);
  const auto push_at = [&](std::int32_t k, int i) {
    return L::load(group.pushed + (3 * std::int64_t(k) + i) * rod_group + lane);
  };
  const auto square_at = [&](std::int32_t k) {
    return push_at(k, 0) * push_at(k, 0) + push_at(k, 1) * push_at(k, 1) + push_at(k, 2) * push_at(k, 2);
  };
  if (!anew && bits(L(0.0) < largest) == 0) return;
  if (!anew) {
    eliminate_pushes<L>(group, sweep, lane);
    substitute_back<L>(group, sweep, &RodFactors<L>::answer, [&](std::int32_t k, const L(&x)[6]) {
      L along(0.0);
      for (int i = 0; i < 3; ++i) along = along + push_at(k, i) * x[i];
      const auto pushed = L(least_push * least_push) * largest < square_at(k);
      select(pushed, max(along, L(0.0)), L(0.0)).store(factors_of<L>(sweep, k).answer(0));
    });
  }
  const L per_h2(sweep.inverse_h * sweep.inverse_h);
  invert_diagonal<L>(group, sweep, [&](std::int32_t k, const Six<L>& inverse) {
    L square(0.0), alone(0.0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        square = square + inverse[i][j] * inverse[i][j];
        if (!anew) alone = alone + push_at(k, i) * inverse[i][j] * push_at(k, j);
      }
    alignas(64) double least[L::width], met[L::width]{}, own[L::width]{}, single[L::width]{};
    (per_h2 * sqrt(square)).store(least);
    if (!anew) {
      L::load(factors_of<L>(sweep, k).answer(0)).store(met);
      square_at(k).store(own), (per_h2 * alone).store(single);
    }
    alignas(64) double answer[6][L::width];
    for (int i = 0, n = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j, ++n) (per_h2 * inverse[i][j]).store(answer[n]);
    for (int l = 0; l < L::width; ++l) {
      const std::int32_t row = group.point[rod_group * k + lane + l];
      if (row < 0 || !(sweep.moved[4 * std::int64_t(row) + 3] > T(0))) continue;
      const double free = double(sweep.inverse_mass[row]);
      T& weight = group.weight[rod_group * k + lane + l];
      const double before = weight > T(0) ? double(weight) : free;
      const bool pushed = met[l] > 0.0;
      const double now = std::max(pushed ? push_room * met[l] / own[l] : 2.0 * before, least[l]);
      weight = T(now < free ? now : free);
      sweep.moved[4 * std::int64_t(row) + 3] = sweep.position[4 * std::int64_t(row) + 3] = weight;
      const double together = anew     ? double(group.ties[lane + l])
                              : pushed ? std::max(push_room * met[l] / single[l], 1.0)
                                       : 1.0;
      for (int n = 0; n < 6; ++n)
        group.answer[(6 * std::int64_t(k) + n) * rod_group + lane + l] = together * answer[n][l];
    }
  });
}

/// Factors the system of the rods in the lanes from `lane` on.
template <class L, class T>
LIMBER_INLINE void eliminate_rod_lanes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  const std::int32_t count = group.blocks, last = count - 1;
  const double per_h2 = sweep.inverse_h * sweep.inverse_h;
  const auto index = [&](const std::int32_t* list, std::int32_t k) { return list + rod_group * k + lane; };
  RodBlock<L> here, next, anchor;
  RodNode<L> p, q, p1{}, q1{};
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
}

/// One Newton step of the rods in the lanes from `lane` on; `counts`: 1, or 0 for lanes that take none.
template <class L, class T>
LIMBER_INLINE void step_rod_lanes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                                  const L& counts) {
  eliminate_rod_lanes<L>(group, sweep, lane);
  take_step(group, sweep, lane, counts);
}

/// rad. One Newton step leaves an error of the second order in how far a rod turns in a substep, which grows
/// where that is far: a free metre of rubber at two turns a second in a substep of 1/60 s flew apart within
/// 20 of them. A rod gets a step more for each of these, up to most_more_steps.
inline constexpr double far_turn = 0.05;
inline constexpr int most_more_steps = 3;

/// What others (contacts, ties) have moved points by since the last solve is an impulse J = dx/w, with w what
/// they met there: the points go back and d starts from it, so that a step begins where the rod's forces are
/// what they were. A push that stretches a stiff wire as if its points were free would begin far from any
/// equilibrium.
template <class L, class T>
LIMBER_INLINE void take_pushes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  for (std::int32_t k = 0; k < group.blocks; ++k)
    for (int l = lane; l < lane + L::width; ++l) {
      const std::int32_t row = group.point[rod_group * k + l];
      if (row < 0) continue;
      T* const moved = sweep.moved + 4 * std::int64_t(row);
      T* const left = group.left + (3 * std::int64_t(k)) * rod_group + l;
      double* const done = group.done + (6 * std::int64_t(k)) * rod_group + l;
      double* const pushed = group.pushed + (3 * std::int64_t(k)) * rod_group + l;
      for (int i = 0; i < 3; ++i) {
        pushed[i * rod_group] = 0.0;
        if (sweep.first) left[i * rod_group] = sweep.predicted[4 * std::int64_t(row) + i];
        if (!(moved[3] > T(0))) continue;
        const std::int64_t at = (3 * std::int64_t(k) + i) * rod_group + l;
        const double way = double(moved[i]) - double(left[i * rod_group]) - group.way[at];
        pushed[i * rod_group] = way / double(moved[3]) + group.tied[at];
        group.tied[at] = group.way[at] = 0.0;
        done[i * rod_group] -= double(sweep.inverse_mass[row]) * pushed[i * rod_group];
        moved[i] = left[i * rod_group];
      }
    }
}

/// Notes where the points are left.
template <class L, class T>
LIMBER_INLINE void leave_points(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  for (std::int32_t k = 0; k < group.blocks; ++k)
    for (int l = lane; l < lane + L::width; ++l)
      if (const std::int32_t row = group.point[rod_group * k + l]; row >= 0)
        for (int i = 0; i < 3; ++i)
          group.left[(3 * std::int64_t(k) + i) * rod_group + l] = sweep.moved[4 * std::int64_t(row) + i];
}

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
  if (sweep.met) take_pushes<L>(group, sweep, lane);
  L counts(1.0);
  if (sweep.pushed_only) {
    counts = select(L(0.0) < largest_push<L>(group, lane), L(1.0), L(0.0));
    if (bits(L(0.0) < counts) == 0) return;
  }
  for (int more = 1; more <= 1 + most_more_steps; ++more) {
    step_rod_lanes(group, sweep, lane, counts);
    counts = select(L(more * more * far_turn * far_turn) < farthest, counts, L(0.0));
    if (bits(L(0.0) < counts) == 0) break;
  }
  if (!sweep.met) return;
  leave_points<L>(group, sweep, lane);
  weigh_points<L>(group, sweep, lane, false);
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

/// Measures how the points of tied rods answer, at the beginning of a frame.
template <class L, class T>
void measure_rods(const RodGroupView<T>& group, const RodSweep<T>& sweep) {
  using Doubles = typename DoublesOf<L>::Lanes;
  const auto measure = [&]<class Lane>(Lane, int lane) {
    bool any = false;
    for (int l = lane; l < lane + Lane::width; ++l) any = any || group.ties[l] > 0;
    if (!any) return;
    for (std::int64_t n = 0; n < 6 * std::int64_t(group.blocks); ++n)
      Lane(0.0).store(group.done + n * rod_group + lane);
    detail::eliminate_rod_lanes<Lane>(group, sweep, lane);
    detail::weigh_points<Lane>(group, sweep, lane, true);
  };
  if (group.rods == 1) return measure(Lanes<double, 1>(0.0), 0);
  for (int lane = 0; lane < group.rods; lane += Doubles::width) measure(Doubles(0.0), lane);
}

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
