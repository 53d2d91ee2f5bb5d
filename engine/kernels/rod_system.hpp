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
#include <cmath>
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
  T* origin;  ///< of turns that are led (RodLead) it is written, and what they moved before and by themselves
  T* moved;
  T* position;            ///< of it {w} alone is written, as in `moved`
  const T* inverse_mass;  ///< 1/kg or 1/(kg m^2), a number a row
  T* moved_before;
  T* predicted;      ///< `moved` as line (7) left it
  double inverse_h;  ///< 1/s
  bool first;        ///< first solve of the substep: d starts at zero
  bool met;          ///< something can push points
  bool pushed_only;  ///< rods that others have not pushed since the last solve stay as they are
  double* scratch;   ///< rod_scratch() numbers
};

/// Numbers that the factors of a block take, and where a rod is led to.
inline constexpr std::int64_t rod_block_numbers = 15 + 6 + 36 + 36 + 6 + 6 + 3 + 3 + 4;
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
  LIMBER_INLINE double* way(int i) const { return number(105 + i); }    ///< m, of a point in the substep
  LIMBER_INLINE double* spin(int i) const { return number(108 + i); }   ///< rad, of a turn by itself
  LIMBER_INLINE double* start(int i) const { return number(111 + i); }  ///< where a turn was
};

using OneTurn = Quaternion<Lanes<double, 1>>;
using OneVector = Vec3<Lanes<double, 1>>;

template <class L>
LIMBER_INLINE Quaternion<L> in_lanes(const OneTurn (&turns)[L::width]) {
  alignas(64) double n[4][L::width];
  for (int l = 0; l < L::width; ++l) {
    n[0][l] = turns[l].v.x.v, n[1][l] = turns[l].v.y.v, n[2][l] = turns[l].v.z.v;
    n[3][l] = turns[l].w.v;
  }
  return {{L::load(n[0]), L::load(n[1]), L::load(n[2])}, L::load(n[3])};
}

/// Lanes that are led (RodLead), and the orientations from which the turns that clamp their rods set out.
template <class L>
struct LedLanes {
  int step[L::width] = {}, last[L::width] = {};  ///< of a lane; steps count from 1
  OneTurn held_from[2][L::width] = {};

  LIMBER_INLINE bool is_led(int l) const { return step[l] > 0 && step[l] <= last[l]; }
  /// 1 for lanes that are led in the present step.
  LIMBER_INLINE L led() const {
    alignas(64) double out[L::width];
    for (int l = 0; l < L::width; ++l) out[l] = is_led(l) ? 1.0 : 0.0;
    return L::load(out);
  }
  LIMBER_INLINE bool any() const {
    bool out = false;
    for (int l = 0; l < L::width; ++l) out = out || is_led(l);
    return out;
  }
};

/// A point or turn of each lane: where it is counted from, how far it has moved, in the substep and since its
/// prediction, and whether it can move.
template <class L>
struct RodNode {
  Vec3<L> from, moved, way;
  L w, from_w;
  Quaternion<L> start;  ///< of a turn, as the substep began; where there is damping

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
  /// The rotation vector back to the start as Cayley's map has it, 2 tan(|r|/2); of lanes that are led, which
  /// turn farther, from the factors.
  LIMBER_INLINE void load_start(const L& led, const RodFactors<L>& in) {
    const Vec3<L> back = moved - way;
    const L z = dot(back, back);
    const L series = L(1.0) + z * (L(1.0 / 12) + z * (L(1.0 / 120) + z * L(17.0 / 20160)));
    const Quaternion<L> own = turned(Quaternion<L>{from, from_w}, series * back);
    const auto other = L(0.0) < led;
    start = {{select(other, L::load(in.start(0)), own.v.x), select(other, L::load(in.start(1)), own.v.y),
              select(other, L::load(in.start(2)), own.v.z)},
             select(other, L::load(in.start(3)), own.w)};
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

/// Lanes that take part in a step, those of them that are led, and the largest square of C/l of their
/// segments.
template <class L>
struct RodStrain {
  L counts, led, worst;
  bool damped;
};

/// A segment from point and turn of `here` to the point of `next`; `off`: rows of `next`, columns of `here`.
template <class L, class T>
LIMBER_INLINE void add_stretch(const RodGroupView<T>& group, const RodSweep<T>& sweep,
                               const std::int32_t* slot, const RodNode<L>& p, const RodNode<L>& q,
                               const RodNode<L>& p1, RodBlock<L>& here, RodBlock<L>& next, L (&off)[6][6],
                               RodStrain<L>& strain) {
  const L rest[2] = {gather<L>(group.stretches.rest[0], slot, 1, 0),
                     gather<L>(group.stretches.rest[1], slot, 1, 0)};
  const L soft[2] = {gather<L>(group.stretches.softness[0], slot, 1, 0),
                     gather<L>(group.stretches.softness[1], slot, 1, 0)};
  const L along = stiffness_of(soft[0]), across = stiffness_of(soft[1]);
  const L rate = damping_rate<RodStretch, L>(group.stretches, slot, sweep.inverse_h);
  const L zero(0.0), one(1.0);
  const Vec3<L> places[3] = {
      {zero, zero, zero}, (p1.from - p.from) + (p1.moved - p.moved), {zero, zero, zero}};
  const Quaternion<L> turns[3] = {{}, {}, q.turn()};
  const Block<L, 3, 3> g = RodStretch::evaluate(places, turns, rest);
  L before[3] = {zero, zero, zero};
  if (strain.damped) {  // not G (x - x^n): of what turns far that is no change of C

    const Vec3<L> d = places[1] - (p1.way - p.way);
    Vec3<L> axis[3];
    axes_of(q.start, axis);
    for (int k = 0; k < 3; ++k) before[k] = dot(axis[k], d);
    before[2] = select(zero < before[2], before[2], (one - rest[1]) * before[2] + rest[1] * sqrt(dot(d, d)));
    before[2] = before[2] - rest[0];
    before[2] = select(before[2] < zero, (one - rest[1]) * before[2], before[2]);
  }
  for (int k = 0; k < 3; ++k) {
    const L stiff = k == 2 ? along : across, s = stiff * (one + rate);
    const L force = stiff * (g.C[k] + rate * (g.C[k] - before[k]));
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
  const L now = max(along * g.C[2], zero), pulled = L::load(kept),
          pull = sweep.first ? now : max(now, pulled);
  if (sweep.first) select(zero < strain.counts, now, pulled).store(kept);
  const L length = select(zero < rest[0], rest[0], one), tension = pull / length;
  const L square = (g.C[0] * g.C[0] + g.C[1] * g.C[1] + g.C[2] * g.C[2]) / (length * length);
  strain.worst = max(strain.worst, select(zero < rest[0], square, zero));
  Vec3<L> axes[3];
  axes_of(turns[2], axes);
  const Vec3<L> axis = axes[2];  // of what is slack there is no gradient
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
                            L (&off)[6][6], const RodStrain<L>& strain) {
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
  Vec3<L> before{L(0.0), L(0.0), L(0.0)};
  if (strain.damped) {
    L unused;
    before = rotation_vector(conjugate(a.start) * b.start, unused);
  }
  for (int k = 0; k < 3; ++k) {
    const L stiff = stiffness_of(alpha[k][k]), s = stiff * (L(1.0) + rate);
    const L force = stiff * (g.C[k] + rate * (g.C[k] - (part(before, k) - rest[k])));
    const Vec3<L> u = a.free() * g.grad[k][0], v = b.free() * g.grad[k][1];
    add_own(here, 3, s, u, force), add_own(next, 3, s, v, force);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) off[3 + i][3 + j] = off[3 + i][3 + j] + s * part(v, i) * part(u, j);
  }
}

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
    held.load(sweep, turn);
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

/// Factors the system of the rods in the lanes from `lane` on; `counts`: 1, or 0 for lanes that take no step.
/// Returns the largest square of C/l.
template <class L, class T>
LIMBER_INLINE L eliminate_rod_lanes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                                    const L& counts, const LedLanes<L>& lead) {
  const bool damped = group.stretches.damping || group.bends.damping;
  RodStrain<L> strain{counts, lead.led(), L(0.0), damped};
  const std::int32_t count = group.blocks, last = count - 1;
  const double per_h2 = sweep.inverse_h * sweep.inverse_h;
  const auto index = [&](const std::int32_t* list, std::int32_t k) { return list + rod_group * k + lane; };
  RodBlock<L> here, next, anchor;
  RodNode<L> p{}, q{}, p1{}, q1{};
  L off[6][6], ring[6][6], lower[6][6], inverse[6];
  here.clear(), anchor.clear();
  clear_rows(ring);
  const auto load_turn = [&](RodNode<L>& node, std::int32_t k) {
    node.load(sweep, index(group.turn, k));
    if (damped) node.load_start(strain.led, factors_of<L>(sweep, k));
  };
  p.load(sweep, index(group.point, 0)), load_turn(q, 0);
  if (group.ring) {  // from the last block to the first
    RodNode<L> end_p{}, end_q{};
    end_p.load(sweep, index(group.point, last)), load_turn(end_q, last);
    L back[6][6];
    clear_rows(back);
    add_stretch(group, sweep, index(group.stretch, last), end_p, end_q, p, anchor, here, back, strain);
    add_bend(group, sweep, index(group.bend, last), end_q, q, anchor, here, back, strain);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) ring[i][j] = back[j][i];
  }
  for (std::int32_t k = 0; k < count; ++k) {
    next.clear();
    clear_rows(off);
    if (k < last) {
      p1.load(sweep, index(group.point, k + 1)), load_turn(q1, k + 1);
      add_stretch(group, sweep, index(group.stretch, k), p, q, p1, here, next, off, strain);
      add_bend(group, sweep, index(group.bend, k), q, q1, here, next, off, strain);
    } else if (group.ring) {
      for (int i = 0; i < 21; ++i) here.matrix.a[i] = here.matrix.a[i] + anchor.matrix.a[i];
      for (int i = 0; i < 6; ++i) here.b[i] = here.b[i] + anchor.b[i];
    }
    add_clamps(group, sweep, lane, k, q, here, strain, lead.held_from);
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
  return strain.worst;
}

/// rad. One Newton step leaves an error of the second order in how far a rod turns in a substep, which grows
/// where that is far: a free metre of rubber at two turns a second in a substep of 1/60 s flew apart within
/// 20 of them. A rod gets a step more for each of these, up to most_more_steps.
inline constexpr double far_turn = 0.05;
inline constexpr int most_more_steps = 3;

/// A Newton step knows what segments do that turn and stretch little. One that begins far from where it
/// leads, because an end was moved by half a segment or more, throws points and turns about, farther each
/// time. From this share of a segment on a rod is led there instead: it sets out from the start of the
/// substep, and what is driven, and where all would go by themselves, goes the way of the substep in parts,
/// each followed by a step.
inline constexpr double far_strain = 0.1;
inline constexpr double strain_a_part = 0.1;
inline constexpr int most_parts = 64;       ///< farther apart nothing is expected but errors; still finite
inline constexpr int steps_at_end = 8;      ///< at most, once all is where it is driven to
inline constexpr double most_step = 0.5;    ///< rad, of a turn in such a step
inline constexpr double least_step = 1e-4;  ///< rad, where nothing turns farther it has arrived

/// exp(r) of a rotation vector, by its series: exact up to a turn.
LIMBER_INLINE OneTurn turn_by(const OneVector& r) {
  using L = Lanes<double, 1>;
  const double z = 0.25 * dot(r, r).v;
  double sine = 1.0, cosine = 1.0;
  for (int k = 24; k >= 2; k -= 2) {
    sine = 1.0 - z * sine / double(k * (k + 1));
    cosine = 1.0 - z * cosine / double(k * (k - 1));
  }
  return {L(0.5 * sine) * r, L(cosine)};
}

template <class T>
LIMBER_INLINE OneVector three_of(const T* row) {
  return {double(row[0]), double(row[1]), double(row[2])};
}
template <class T>
LIMBER_INLINE void put_three(T* row, const OneVector& x) {
  row[0] = T(x.x.v), row[1] = T(x.y.v), row[2] = T(x.z.v);
}

/// The turns of a rod that is led, row by row: where each set out from, and how far it has come.
template <class T>
struct LedTurn {
  T *origin, *moved, *before, *predicted;

  LIMBER_INLINE LedTurn(const RodSweep<T>& sweep, std::int64_t row)
      : origin(sweep.origin + 4 * row),
        moved(sweep.moved + 4 * row),
        before(sweep.moved_before + 4 * row),
        predicted(sweep.predicted + 4 * row) {}
  LIMBER_INLINE bool driven() const { return !(moved[3] > T(0)); }
  LIMBER_INLINE OneTurn here() const {
    return turned(OneTurn{three_of(origin), double(origin[3])}, three_of(moved));
  }
  LIMBER_INLINE OneTurn start() const {
    return turn_by(three_of(before)) * OneTurn{three_of(origin), double(origin[3])};
  }
  /// rad, the turn by itself in the substep.
  LIMBER_INLINE OneVector spin() const { return three_of(predicted) - three_of(before); }
  /// Puts it at q, counted from there: corrections are short again. Returns how far it is from its start.
  LIMBER_INLINE OneVector put(const OneTurn& q, const OneTurn& from, const OneVector& by_itself) const {
    Lanes<double, 1> k;
    const double unit = 1.0 / std::sqrt((dot(q.v, q.v) + q.w * q.w).v);
    const OneVector way = rotation_vector(q * conjugate(from), k);
    put_three(origin, Lanes<double, 1>(unit) * q.v), origin[3] = T(unit * q.w.v);
    put_three(moved, OneVector{0.0, 0.0, 0.0});
    put_three(before, -way);
    if (!driven()) put_three(predicted, by_itself - way);
    return way;
  }
};

/// Rods of the lanes from `lane` on that are led.
template <class L, class T>
class RodLead : public LedLanes<L> {
  using LedLanes<L>::step;
  using LedLanes<L>::last;
  using LedLanes<L>::held_from;
  using LedLanes<L>::is_led;

 public:
  LIMBER_INLINE RodLead(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane)
      : group_(group), sweep_(sweep), lane_(lane) {
    for (int& parts : parts_) parts = 0;
  }

  /// From now on leads the lanes with far = 1, whose segments are strained by up to sqrt(worst); `back`: from
  /// the start of the substep.
  LIMBER_INLINE void begin(const L& far, const L& worst, bool back) {
    alignas(64) double lanes[L::width], strains[L::width];
    far.store(lanes), worst.store(strains);
    for (int l = 0; l < L::width; ++l) {
      if (!(lanes[l] > 0.0)) continue;
      const double wanted = std::sqrt(strains[l]) / strain_a_part + 1.0;
      parts_[l] = !back ? 0 : wanted < double(most_parts) ? int(wanted) : most_parts;
      step[l] = 1, last[l] = parts_[l] + steps_at_end;
      note_starts(l);
    }
  }

  /// Takes what is driven, and the places where all would go by themselves, a part farther.
  LIMBER_INLINE void go() {
    for (int l = 0; l < L::width; ++l) {
      if (!is_led(l)) continue;
      const bool moves = step[l] <= parts_[l];
      share_[l] = moves ? double(step[l]) / parts_[l] : 1.0;
      for (std::int32_t k = 0; k < group_.blocks; ++k) {
        if (moves) go_with_point(k, l);
        const std::int32_t row = group_.turn[rod_group * k + lane_ + l];
        if (row < 0) continue;
        const LedTurn<T> turn(sweep_, row);
        const OneTurn from = start_of(k, l);
        if (turn.driven() && moves)
          turn.put(turn_by(share(l) * spin_of(k, l)) * from, from, spin_of(k, l));
        else
          note_turn(k, l, way_to(turn.here(), from));
      }
      for (int end = 0; end < 2 && moves; ++end)
        if (const std::int32_t row = held(end, l); row >= 0)
          LedTurn<T>(sweep_, row)
              .put(turn_by(share(l) * held_way_[end][l]) * held_from[end][l], held_from[end][l],
                   held_way_[end][l]);
    }
  }

  /// The step of the system that was factored, no turn by more than most_step.
  LIMBER_INLINE void take() {
    L widest(0.0);
    substitute_back<L>(group_, sweep_, &RodFactors<L>::rhs, [&](std::int32_t k, const L(&x)[6]) {
      widest = max(widest, x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
      for (int i = 0; i < 6; ++i) x[i].store(factors_of<L>(sweep_, k).rhs(i));
    });
    alignas(64) double squares[L::width];
    widest.store(squares);
    for (int l = 0; l < L::width; ++l) {
      if (!is_led(l)) continue;
      const double taken = most_step * most_step < squares[l] ? most_step / std::sqrt(squares[l]) : 1.0;
      for (std::int32_t k = 0; k < group_.blocks; ++k) take(k, l, taken);
      if (step[l] > parts_[l] && squares[l] < least_step * least_step) last[l] = step[l];
      ++step[l];
    }
  }

 private:
  using One = Lanes<double, 1>;

  LIMBER_INLINE One share(int l) const { return One(share_[l]); }
  LIMBER_INLINE std::int32_t held(int end, int l) const {
    return group_.held_turn[end * rod_group + lane_ + l];
  }
  LIMBER_INLINE double& number(std::int32_t k, double* (RodFactors<L>::*which)(int) const, int i,
                               int l) const {
    return (factors_of<L>(sweep_, k).*which)(i)[l];
  }
  LIMBER_INLINE OneTurn start_of(std::int32_t k, int l) const {
    double n[4];
    for (int i = 0; i < 4; ++i) n[i] = number(k, &RodFactors<L>::start, i, l);
    return OneTurn{{n[0], n[1], n[2]}, n[3]};
  }
  LIMBER_INLINE OneVector spin_of(std::int32_t k, int l) const {
    return OneVector{number(k, &RodFactors<L>::spin, 0, l), number(k, &RodFactors<L>::spin, 1, l),
                     number(k, &RodFactors<L>::spin, 2, l)};
  }
  static LIMBER_INLINE OneVector way_to(const OneTurn& q, const OneTurn& from) {
    One unused;
    return rotation_vector(q * conjugate(from), unused);
  }
  /// d of a turn: how far it is from where it would be by itself.
  LIMBER_INLINE void note_turn(std::int32_t k, int l, const OneVector& way) const {
    const OneVector d = way - share(l) * spin_of(k, l);
    double* const done = done_of(group_, lane_ + l, k);
    done[3 * rod_group] = d.x.v, done[4 * rod_group] = d.y.v, done[5 * rod_group] = d.z.v;
  }

  LIMBER_INLINE void note_starts(int l) {
    const bool back = parts_[l] > 0;
    for (std::int32_t k = 0; k < group_.blocks; ++k) {
      const std::int32_t point = group_.point[rod_group * k + lane_ + l],
                         row = group_.turn[rod_group * k + lane_ + l];
      for (int i = 0; i < 3 && point >= 0 && back; ++i) {
        T& moved = sweep_.moved[4 * std::int64_t(point) + i];
        const T before = sweep_.moved_before[4 * std::int64_t(point) + i];
        number(k, &RodFactors<L>::way, i, l) = double(moved) - double(before);
        moved = before;
      }
      if (row < 0) continue;
      const LedTurn<T> turn(sweep_, row);
      const OneTurn from = turn.start();
      const OneVector spin = turn.spin();
      const double numbers[7] = {spin.x.v, spin.y.v, spin.z.v, from.v.x.v, from.v.y.v, from.v.z.v, from.w.v};
      for (int i = 0; i < 3; ++i) number(k, &RodFactors<L>::spin, i, l) = numbers[i];
      for (int i = 0; i < 4; ++i) number(k, &RodFactors<L>::start, i, l) = numbers[3 + i];
      if (back) turn.put(from, from, spin);
    }
    for (int end = 0; end < 2; ++end)
      if (const std::int32_t row = held(end, l); row >= 0) {
        const LedTurn<T> turn(sweep_, row);
        held_from[end][l] = turn.start(), held_way_[end][l] = way_to(turn.here(), turn.start());
      }
  }

  LIMBER_INLINE void go_with_point(std::int32_t k, int l) const {
    const std::int32_t point = group_.point[rod_group * k + lane_ + l];
    if (point < 0) return;
    T* const row = sweep_.moved + 4 * std::int64_t(point);
    for (int i = 0; i < 3; ++i) {
      const double way = number(k, &RodFactors<L>::way, i, l);
      if (row[3] > T(0))
        done_of(group_, lane_ + l, k)[i * rod_group] -= way / parts_[l];
      else
        row[i] = T(double(sweep_.moved_before[4 * std::int64_t(point) + i]) + share_[l] * way);
    }
  }

  LIMBER_INLINE void take(std::int32_t k, int l, double taken) const {
    double dx[6];
    for (int i = 0; i < 6; ++i) dx[i] = taken * number(k, &RodFactors<L>::rhs, i, l);
    double* const done = done_of(group_, lane_ + l, k);
    const std::int32_t point = group_.point[rod_group * k + lane_ + l],
                       row = group_.turn[rod_group * k + lane_ + l];
    if (point >= 0 && sweep_.moved[4 * std::int64_t(point) + 3] > T(0))
      for (int i = 0; i < 3; ++i) {
        T& moved = sweep_.moved[4 * std::int64_t(point) + i];
        moved = T(double(moved) + dx[i]);
        done[i * rod_group] += dx[i];
      }
    if (row < 0) return;
    const LedTurn<T> turn(sweep_, row);
    if (turn.driven()) return;
    const OneTurn now = turned(turn.here(), OneVector{dx[3], dx[4], dx[5]});
    note_turn(k, l, turn.put(now, start_of(k, l), spin_of(k, l)));
  }

  const RodGroupView<T>& group_;
  const RodSweep<T>& sweep_;
  int lane_;
  int parts_[L::width];
  double share_[L::width];  ///< of the substep's way
  OneVector held_way_[2][L::width];
};

/// Takes displacements dx of points by contacts and ties since the last solve as impulses J = dx/w, with w
/// the inverse mass that the contact or tie met. Puts the points back and lets d start from J, so that a step
/// begins with the rod's forces unchanged: a push that stretches a stiff wire as if its points were free
/// would begin far from any equilibrium.
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
  RodLead<L, T> lead(group, sweep, lane);
  for (int more = 1;; ++more) {
    lead.go();
    const L worst = eliminate_rod_lanes<L>(group, sweep, lane, counts + lead.led(), lead);
    const L far = select(L(far_strain * far_strain) < worst, counts, L(0.0));
    if (bits(L(0.0) < counts) != 0) take_step<L>(group, sweep, lane, counts - far);
    if (lead.any()) lead.take();
    if (bits(L(0.0) < far) != 0) lead.begin(far, worst, sweep.first && more == 1);
    const bool enough = more > most_more_steps;
    counts = select(L(0.0) < far, L(0.0), counts);
    counts = select(L(more * more * far_turn * far_turn) < farthest, enough ? L(0.0) : counts, L(0.0));
    if (bits(L(0.0) < counts) == 0 && !lead.any()) break;
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
    detail::eliminate_rod_lanes<Lane>(group, sweep, lane, Lane(1.0), {});
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
