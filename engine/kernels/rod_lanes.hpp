// Rods in lanes: groups, blocks, factors and nodes of the direct solve (rod_system.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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

}  // namespace detail
}  // namespace limber
