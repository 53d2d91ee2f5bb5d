// Data of the direct solve of rods over lanes (rod_system.hpp): groups, blocks, factors and nodes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "engine/constraints/rod.hpp"
#include "engine/constraints/stencil_view.hpp"

namespace limber {

/// Number of rods in a group; each rod has a lane of its own.
inline constexpr int rod_group = 8;

/// A group of rods with the same number of blocks. Shorter rods are padded with blocks without constraints.
/// Arrays are indexed by rod_group * block + lane; `d` is defined in rod_system.hpp.
template <class T>
struct RodGroupView {
  std::int32_t blocks;          ///< blocks of the longest rod
  std::int32_t rods;            ///< number of lanes that have a rod
  bool ring;                    ///< closed rods: their last segments lead to their first points
  bool ropes;                   ///< some rod only pulls
  const std::int32_t* point;    ///< row of the point in the particle arrays; -1: none
  const std::int32_t* turn;     ///< row of the turn; -1: none
  const std::int32_t* stretch;  ///< slot of RodStretch of the segment that begins here; -1: none
  const std::int32_t* bend;     ///< slot of RodBend between this turn and the next; -1: none
  /// Per end (first, last) and lane: row of the turn that clamps the rod; -1: free
  const std::int32_t* held_turn;
  const std::int32_t* held_bend;  ///< slot of RodBend between that turn and the rod
  const std::int32_t* last;       ///< per lane: block of the rod's last turn
  double* done;                   ///< d, six numbers per block and lane: m and rad
  T* left;                        ///< m, `moved` of the points after the last solve, three per block and lane
  double* pushed;  ///< kg m, impulses of contacts and ties on the points since then, three per block and lane
  T* weight;  ///< 1/kg, effective inverse mass of a point for contacts (weigh_points()); 0: not known yet
  double* tension;  ///< N, tension of the segment in the first solve of the substep
  // for ties, which use the response of a point in every direction
  const std::int32_t* ties;  ///< per lane: number of tied points of the rod
  /// 1/kg, response of a point: lower triangle of H^-1_ii / h^2, six numbers per block and lane
  double* answer;
  double* tied;  ///< kg m, impulses of ties since the last solve, three per block and lane
  double* way;   ///< m, displacements of the points by these impulses, three per block and lane
  StencilView<RodStretch, T> stretches;
  StencilView<RodBend, T> bends;
};

/// Arrays (rows of four numbers) and parameters that all rods of a sweep share.
template <class T>
struct RodSweep {
  T* origin;  ///< of turns that are led (RodLead), `origin`, `moved_before` and `predicted` are written too
  T* moved;
  T* position;            ///< only {w} is written, with the value in `moved`
  const T* inverse_mass;  ///< 1/kg or 1/(kg m^2), one number per row
  T* moved_before;
  T* predicted;      ///< `moved` after line (7)
  double inverse_h;  ///< 1/s
  bool first;        ///< first solve of the substep: d starts at zero
  bool met;          ///< contacts or ties can act on points
  bool pushed_only;  ///< solve only rods on which contacts or ties have acted since the last solve
  double* scratch;   ///< rod_scratch() numbers
};

/// Numbers of scratch memory per block and lane (RodFactors).
inline constexpr std::int64_t rod_block_numbers = 15 + 6 + 36 + 36 + 6 + 6 + 3 + 3 + 4 + 1;
constexpr std::int64_t rod_scratch(std::int64_t blocks) { return blocks * rod_block_numbers * rod_group; }

namespace detail {

/// A symmetric 6 x 6 matrix: its lower triangle, row by row.
template <class L>
struct SixBySix {
  L a[21];
  LIMBER_INLINE L& at(int i, int j) { return a[i * (i + 1) / 2 + j]; }
};

/// A diagonal block of the system with its right-hand side: three rows of a point, three of a turn.
template <class L>
struct RodBlock {
  SixBySix<L> matrix;
  L b[6];

  LIMBER_INLINE void clear() {
    for (L& x : matrix.a) x = L(0.0);
    for (L& x : b) x = L(0.0);
  }
};

/// Component i of v.
template <class L>
LIMBER_INLINE L part(const Vec3<L>& v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/// A symmetric 3 x 3 matrix: its lower triangle, row by row.
template <class L>
struct ThreeByThree {
  L a[6];
  LIMBER_INLINE const L& operator()(int i, int j) const {
    return i < j ? a[j * (j + 1) / 2 + i] : a[i * (i + 1) / 2 + j];
  }
  /// += s u u^T.
  LIMBER_INLINE void add(const L& s, const Vec3<L>& u) {
    const Vec3<L> v = s * u;
    a[0] = a[0] + v.x * u.x, a[1] = a[1] + v.y * u.x, a[2] = a[2] + v.y * u.y;
    a[3] = a[3] + v.z * u.x, a[4] = a[4] + v.z * u.y, a[5] = a[5] + v.z * u.z;
  }
  LIMBER_INLINE Vec3<L> column(int j) const { return {(*this)(0, j), (*this)(1, j), (*this)(2, j)}; }
};

/// matrix += s m, b += s f, in the three rows from `at` on.
template <class L>
LIMBER_INLINE void add_own(RodBlock<L>& block, int at, const L& s, const ThreeByThree<L>& m,
                           const Vec3<L>& f) {
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    block.b[at + i] = block.b[at + i] + s * part(f, i);
#pragma GCC unroll 3
    for (int j = 0; j <= i; ++j)
      block.matrix.at(at + i, at + j) = block.matrix.at(at + i, at + j) + s * m(i, j);
  }
}

/// from[index[l]] of each lane l as a double; 0 if the index is negative.
template <class T, int N>
LIMBER_INLINE Lanes<double, N> picked(const T* from, const std::int32_t* index, Lanes<double, N>) {
  alignas(64) double out[N];
  for (int l = 0; l < N; ++l) out[l] = index[l] < 0 ? 0.0 : double(from[index[l]]);
  return Lanes<double, N>::load(out);
}
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
LIMBER_INLINE Lanes<double, 8> picked(const float* from, const std::int32_t* index, Lanes<double, 8>) {
  const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index));
  const __mmask8 some = __mmask8(~_mm256_movepi32_mask(at));
  return _mm512_cvtps_pd(_mm256_mmask_i32gather_ps(_mm256_setzero_ps(), some, at, from, 4));
}
#elif defined(__AVX2__)
LIMBER_INLINE Lanes<double, 4> picked(const float* from, const std::int32_t* index, Lanes<double, 4>) {
  const __m128i at = _mm_loadu_si128(reinterpret_cast<const __m128i*>(index));
  const __m128 some = _mm_castsi128_ps(_mm_xor_si128(at, _mm_set1_epi32(-1)));
  return _mm256_cvtps_pd(_mm_mask_i32gather_ps(_mm_setzero_ps(), from, at, some, 4));
}
#endif
template <class L, class T>
LIMBER_INLINE L gather(const T* from, const std::int32_t* index) {
  return picked(from, index, L());
}

/// A row of four numbers per lane; 0 if the index is negative.
template <class L, class T>
LIMBER_INLINE Point<L> gather_row(const T* rows, const std::int32_t* index) {
  alignas(64) std::int32_t at[L::width];
  alignas(64) double some[L::width];
  std::int32_t own = -1;  // lanes without an index read this row, because other threads may write any other
  bool whole = true;
  for (int l = 0; l < L::width; ++l) {
    if (index[l] >= 0) own = index[l];
    whole = whole && index[l] >= 0;
  }
  const L zero(0.0);
  if (own < 0) return {{zero, zero, zero}, zero};
  for (int l = 0; l < L::width; ++l)
    at[l] = index[l] < 0 ? own : index[l], some[l] = index[l] < 0 ? 0.0 : 1.0;
  Point<L> out = in_doubles(rows, at, L());
  if (whole) return out;
  const auto has = zero < L::load(some);
  return {{select(has, out.p.x, zero), select(has, out.p.y, zero), select(has, out.p.z, zero)},
          select(has, out.w, zero)};
}

/// Factors and right-hand sides of one block in the scratch memory of its lanes.
template <class L>
struct RodFactors {
  double* at;  ///< start of the block

  LIMBER_INLINE double* number(int k) const { return at + std::int64_t(k) * L::width; }
  LIMBER_INLINE double* lower(int i, int j) const { return number(i * (i - 1) / 2 + j); }  ///< j < i
  LIMBER_INLINE double* inverse(int i) const { return number(15 + i); }
  /// Rows of the next block in the columns of this one
  LIMBER_INLINE double* below(int i, int j) const { return number(21 + 6 * i + j); }
  /// Rows of the last block in the columns of this one
  LIMBER_INLINE double* ring(int i, int j) const { return number(57 + 6 * i + j); }
  LIMBER_INLINE double* rhs(int i) const { return number(93 + i); }
  /// Right-hand side of the impulses (eliminate_pushes())
  LIMBER_INLINE double* answer(int i) const { return number(99 + i); }
  /// m, displacement of the point in the substep
  LIMBER_INLINE double* way(int i) const { return number(105 + i); }
  /// rad, predicted rotation of the turn
  LIMBER_INLINE double* spin(int i) const { return number(108 + i); }
  /// Orientation of the turn at the start of the substep
  LIMBER_INLINE double* start(int i) const { return number(111 + i); }
  /// 1 if the segment pulls in the step, 0 if it is slack (SlackGuess)
  LIMBER_INLINE double* taut() const { return number(115); }
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

/// Steps of the lanes that are led (RodLead), and the orientations at the start of the substep of the turns
/// that clamp their rods.
template <class L>
struct LedLanes {
  int step[L::width] = {}, last[L::width] = {};  ///< present and last step of a lane, from 1 on; 0: not led
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

/// A point or turn per lane: its origin (`from`, `from_w`), its displacement from there (`moved`) and since
/// the start of the substep (`way`), and its inverse mass or moment of inertia (`w`, 0: fixed).
template <class L>
struct RodNode {
  Vec3<L> from, moved, way;
  L w, from_w;
  Quaternion<L> now;    ///< orientation of a turn
  Quaternion<L> start;  ///< of a turn at the start of the substep; loaded only with damping

  template <class T>
  LIMBER_INLINE void load(const RodSweep<T>& sweep, const std::int32_t* index) {
    const Point<L> first = gather_row<L>(sweep.origin, index), here = gather_row<L>(sweep.moved, index);
    from = first.p, from_w = first.w, moved = here.p;
    w = select(L(0.0) < here.w, gather<L>(sweep.inverse_mass, index), L(0.0));
    way = moved - gather_row<L>(sweep.moved_before, index).p;
  }
  template <class T>
  LIMBER_INLINE void load_turn(const RodSweep<T>& sweep, const std::int32_t* index) {
    load(sweep, index);
    now = turned(Quaternion<L>{from, from_w}, moved);
  }
  /// Computes `start` by rotating the origin by `moved` - `way`, stretched to 2 tan(|r|/2) for Cayley's map.
  /// Lanes that are led rotate farther, and have their start in the factors.
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
  /// 1 if the node can move, otherwise 0.
  LIMBER_INLINE L free() const { return select(L(0.0) < w, L(1.0), L(0.0)); }
};

/// Stiffness 1/alpha of a row; 0 if there is no slot.
template <class L>
LIMBER_INLINE L stiffness_of(const L& alpha) {
  return select(L(0.0) < alpha, L(1.0) / select(L(0.0) < alpha, alpha, L(1.0)), L(0.0));
}

/// tau/h of a slot, by which damping raises its stiffness; 0 without damping.
template <class Type, class L, class T>
LIMBER_INLINE L damping_rate(const StencilView<Type, T>& view, const std::int32_t* slot, double inverse_h) {
  if (!view.damping) return L(0.0);
  return L(inverse_h) * gather<L>(view.damping, slot);
}

/// Newton steps are right for small rotations and strains only. If an end was moved by half a segment or
/// more, a step throws points and turns about, farther each time. A rod with a segment strained by this share
/// of its length is led instead: it goes back to the start of the substep, its driven nodes and the predicted
/// positions of all others move along their paths in parts, and a Newton step follows each part.
inline constexpr double far_strain = 0.1;

/// Segments of a rope that pull in a Newton step. The signs of their C do not tell at the predicted
/// positions, because each point has fallen by h^2 g and the strain of a stiff rope that bears only itself is
/// smaller than the rounding of its points: a step with a slack segment lets all below it fall, and the set
/// of pulling segments that follows is wrong again. A rope that hangs pulls everywhere, so one step from the
/// set of the substep's start is right.
enum class SlackGuess {
  as_at_start,  ///< those that pulled when the substep began
  as_now,       ///< those that are stretched
  as_noted      ///< those noted after the last step of this solve, see note_slack()
};
/// Largest number of steps in which a rope finds its segments that pull. Where a slack rope becomes taut, the
/// pull goes along it by a few segments a step.
inline constexpr int most_slack_steps = 64;
/// Strain from which on a segment counts as pulling in a guess: ropes are built at their rest lengths up to
/// rounding.
inline constexpr double nearly_taut = -1e-5;

/// Per lane: 1 if it takes part in the step (`counts`), 1 if it is led (`led`), and the largest (|C|/l)^2 of
/// its segments (`worst`). `damped`: slots may be damped.
template <class L>
struct RodStrain {
  L counts, led, worst;
  bool damped;
  SlackGuess slack;
};

}  // namespace detail
}  // namespace limber
