// A leaf of the tree: a few neighbouring triangles with their edges and vertices, stored for SIMD lanes.
// Computes boxes and orientations of the features of a leaf, and finds the features of two leaves that can
// come near each other.
#pragma once

#include <type_traits>

#include "engine/simd/points.hpp"

namespace limber {

inline constexpr int leaf_lanes = 8;

/// Boxes of leaf_lanes features at the start of the search, in m. Unused lanes repeat the last feature.
template <class T>
struct alignas(32) FeatureBoxes {
  T low[3][leaf_lanes], high[3][leaf_lanes];
};

/// Particles of the features of a leaf: its triangles, and the vertices and edges that these triangles own.
/// Unused lanes repeat the last feature.
template <class T>
struct LeafFeatures {
  alignas(32) std::int32_t corners[3][leaf_lanes];
  T rest[3][leaf_lanes];  ///< 1/m^2: 1 / l^2 for the edge from corner j to j + 1 of rest length l
  std::int32_t triangles, members, vertices, edges;
  bool inside;                                ///< none of its triangles is at a gap of the mesh
  const std::int32_t* member;                 ///< `members` particles: all corners, each once
  const std::int32_t* vertex;                 ///< `vertices` particles: vertices that the leaf owns
  /// Particles at the ends of its edges, in blocks of leaf_lanes edges.
  const std::int32_t (*ends)[2][leaf_lanes];
};

/// Orientation of all triangles of a leaf along their predicted paths.
template <class T>
struct LeafShape {
  T normal[3];    ///< mean of the unit normals, unit length
  T spread;       ///< largest deviation of a normal from `normal` on the path, as a chord of the unit sphere
  T turn;  ///< sine of the largest angle by which a normal can rotate within the safe bounds; 1: any angle
  T least, most;  ///< ratios of edge lengths to rest lengths
  /// Per triangle: a unit normal on its path, and an upper bound of the sine of the angle by which the normal
  /// may differ from it, anywhere on the path and within the safe bounds.
  alignas(32) T tilt[leaf_lanes][4];
};

/// Arrays by particle: `places` and `reaches` as for filter_pairs(). `margin`: m, largest safe bound in the
/// leaf, without thickness.
template <class T>
struct LeafRows {
  const T *places, *reaches;
  T margin;
};

/// One side of a test of two leaves: the features of a leaf, and the boxes of its triangles and edges.
template <class T>
struct LeafSide {
  const LeafFeatures<T>* features;
  const FeatureBoxes<T>* triangles;
  const FeatureBoxes<T>* edges;  ///< in blocks of leaf_lanes
};

/// For each feature of leaf a a mask of the near features of leaf b, and for each vertex of b a mask of the
/// near triangles of a. Bit k is feature k of the other leaf.
struct NearFeatures {
  static constexpr int most = 3 * leaf_lanes;
  /// Masks of the features that are near any other; the masks below are valid only for these.
  std::uint32_t vertices[2], edges;
  std::uint32_t triangles_at[2][most];  ///< per vertex of a (0) and of b (1)
  std::uint32_t edges_at[most];         ///< per edge of a
};

namespace detail {
/// Lanes of L, at most as many as a leaf has.
template <class L>
using LeafLanes = std::conditional_t<(L::width > leaf_lanes), Lanes<typename L::Real, leaf_lanes>, L>;

/// Reduces leaf_lanes numbers with `two`, pairwise: each step combines two halves.
template <class T, class F>
LIMBER_INLINE T taken_together(const T (&x)[leaf_lanes], F&& two) {
  T y[leaf_lanes / 2];
  for (int l = 0; l < leaf_lanes / 2; ++l) y[l] = two(x[l], x[l + leaf_lanes / 2]);
  static_assert(leaf_lanes == 8);
  return two(two(y[0], y[2]), two(y[1], y[3]));
}
template <class T>
LIMBER_INLINE T least_of(const T (&x)[leaf_lanes]) {
  return taken_together(x, [](T a, T b) { return b < a ? b : a; });
}
template <class T>
LIMBER_INLINE T most_of(const T (&x)[leaf_lanes]) {
  return taken_together(x, [](T a, T b) { return a < b ? b : a; });
}
template <class T>
LIMBER_INLINE T sum_of(const T (&x)[leaf_lanes]) {
  return taken_together(x, [](T a, T b) { return a + b; });
}
template <class L>
LIMBER_INLINE void store(const Vec3<L>& v, typename L::Real (&rows)[3][leaf_lanes], int l) {
  v.x.store(rows[0] + l), v.y.store(rows[1] + l), v.z.store(rows[2] + l);
}
template <class L>
LIMBER_INLINE Vec3<L> min(const Vec3<L>& a, const Vec3<L>& b) {
  return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
}
template <class L>
LIMBER_INLINE Vec3<L> max(const Vec3<L>& a, const Vec3<L>& b) {
  return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
}

/// Normals, angles of rotation and edge ratios of the triangles of a leaf, by lane.
template <class T>
struct alignas(32) TriangleLanes {
  T normal[3][3][leaf_lanes];  ///< at the start, in the middle and at the end of the path
  T turn[leaf_lanes], least[leaf_lanes], most[leaf_lanes];  ///< least and most: squares
};

inline constexpr std::int32_t lane_numbers[leaf_lanes] = {0, 1, 2, 3, 4, 5, 6, 7};

/// Computes lanes l, l + 1, ... of `out` and `tilt`. If corners move on straight paths, a triangle's normal
/// (times twice its area) moves along a parabola. Its Bezier points are the normal at the start, the mean of
/// the two cross products of an edge at the start with the other edge at the end, and the normal at the end.
/// Every normal on the path is a convex combination of these three.
template <class L>
LIMBER_INLINE void shape_triangles(const LeafFeatures<typename L::Real>& leaf,
                                   const LeafRows<typename L::Real>& rows, int l,
                                   TriangleLanes<typename L::Real>& out,
                                   typename L::Real (&tilt)[leaf_lanes][4]) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), half(T(0.5));
  Vec3<L> from[3], to[3];
  L waits = zero;
  for (int j = 0; j < 3; ++j) {
    from[j] = load_points(rows.places, leaf.corners[j] + l, L()).p;
    const Point<L> reach = load_points(rows.reaches, leaf.corners[j] + l, L());
    to[j] = from[j] + reach.p;
    waits = max(waits, reach.w);
  }
  const Vec3<L> u = from[1] - from[0], v = from[2] - from[0], u1 = to[1] - to[0], v1 = to[2] - to[0];
  const Vec3<L> n[3] = {cross(u, v), half * (cross(u, v1) + cross(u1, v)), cross(u1, v1)};
  Vec3<L> unit[3];
  L twice_area[3], thinnest = zero;
  for (int k = 0; k < 3; ++k) {
    const L length = sqrt(dot(n[k], n[k]));
    twice_area[k] = select(zero < length, length, one);
    unit[k] = L(one / twice_area[k]) * n[k];
    store(unit[k], out.normal[k], l);
    if (k == 1) thinnest = length;
  }
  for (int k = 0; k < 3; k += 2) thinnest = min(thinnest, dot(n[k], n[1]) / twice_area[1]);
  L longest = zero, least, most;  // squares
  for (int j = 0; j < 3; ++j) {
    const int k = (j + 1) % 3;
    const Vec3<L> before = from[k] - from[j], after = to[k] - to[j];
    const L was = dot(before, before), is = dot(after, after), rest = L::load(leaf.rest[j] + l);
    const L shorter = min(was, is) * rest, longer = max(was, is) * rest;
    least = j == 0 ? shorter : min(least, shorter), most = j == 0 ? longer : max(most, longer);
    longest = max(longest, max(was, is));
  }
  least.store(out.least + l), most.store(out.most + l);
  const L way = (waits + L(rows.margin + rows.margin)) * sqrt(longest);
  const L turn = select(way < thinnest, way / thinnest, one);
  turn.store(out.turn + l);
  const Vec3<L> sum = unit[0] + unit[2];
  const L length = sqrt(dot(sum, sum));
  const Vec3<L> mean = L(one / select(zero < length, length, one)) * sum;
  L farthest = zero;
  for (const Vec3<L>& u : unit) farthest = max(farthest, dot(u - mean, u - mean));
  store_points(&tilt[0][0], lane_numbers + l, Point<L>{mean, turn + sqrt(farthest)});
}
}  // namespace detail

/// Computes the orientation of the leaf's triangles, and bounds how far they can rotate on their paths.
template <class L0>
void shape_leaf(const LeafFeatures<typename L0::Real>& leaf, const LeafRows<typename L0::Real>& rows,
                LeafShape<typename L0::Real>& out) {
  using L = detail::LeafLanes<L0>;
  using T = typename L::Real;
  detail::TriangleLanes<T> lanes;
  for (int l = 0; l < leaf_lanes; l += L::width) detail::shape_triangles<L>(leaf, rows, l, lanes, out.tilt);
  out.turn = detail::most_of(lanes.turn);
  out.least = sqrt(Lanes<T, 1>(detail::least_of(lanes.least))).v;
  out.most = sqrt(Lanes<T, 1>(detail::most_of(lanes.most))).v;
  T sum[3], square = T(0);
  for (int k = 0; k < 3; ++k) {
    sum[k] = detail::sum_of(lanes.normal[0][k]) + detail::sum_of(lanes.normal[2][k]);
    square += sum[k] * sum[k];
  }
  const T shorten = T(0) < square ? T(1) / sqrt(Lanes<T, 1>(square)).v : T(0);
  for (int k = 0; k < 3; ++k) out.normal[k] = shorten * sum[k];
  const Vec3<L> mean = {L(out.normal[0]), L(out.normal[1]), L(out.normal[2])};
  alignas(32) T chord[leaf_lanes];
  for (int l = 0; l < leaf_lanes; l += L::width) {
    L farthest(T(0));
    for (const auto& normal : lanes.normal) {
      const Vec3<L> off =
          Vec3<L>{L::load(normal[0] + l), L::load(normal[1] + l), L::load(normal[2] + l)} - mean;
      farthest = max(farthest, dot(off, off));
    }
    sqrt(farthest).store(chord + l);
  }
  out.spread = detail::most_of(chord);
}

/// Computes the boxes of the leaf's triangles and, in blocks of leaf_lanes, of its edges.
template <class L0>
void box_features(const LeafFeatures<typename L0::Real>& leaf, const typename L0::Real* places,
                  FeatureBoxes<typename L0::Real>* boxes) {
  using L = detail::LeafLanes<L0>;
  using T = typename L::Real;
  for (int l = 0; l < leaf_lanes; l += L::width) {
    Vec3<L> x[3];
    for (int j = 0; j < 3; ++j) x[j] = load_points(places, leaf.corners[j] + l, L()).p;
    detail::store(detail::min(detail::min(x[0], x[1]), x[2]), boxes->low, l);
    detail::store(detail::max(detail::max(x[0], x[1]), x[2]), boxes->high, l);
  }
  for (std::int32_t e = 0; e < leaf.edges; e += leaf_lanes) {
    FeatureBoxes<T>& block = boxes[1 + e / leaf_lanes];
    for (int l = 0; l < leaf_lanes; l += L::width) {
      const Vec3<L> a = load_points(places, leaf.ends[e / leaf_lanes][0] + l, L()).p;
      const Vec3<L> b = load_points(places, leaf.ends[e / leaf_lanes][1] + l, L()).p;
      detail::store(detail::min(a, b), block.low, l), detail::store(detail::max(a, b), block.high, l);
    }
  }
}

namespace detail {
/// Mask of the lanes of `block` that overlap the box [low, high].
template <class L>
LIMBER_INLINE std::uint32_t overlapping(const FeatureBoxes<typename L::Real>& block,
                                        const typename L::Real (&low)[3], const typename L::Real (&high)[3]) {
  using T = typename L::Real;
  const L zero(T(0));
  std::uint32_t apart = 0;
  for (int l = 0; l < leaf_lanes; l += L::width) {
    L gap = L::load(block.low[0] + l) - L(high[0]);
    gap = max(gap, L(low[0]) - L::load(block.high[0] + l));
    for (int k = 1; k < 3; ++k) {
      gap = max(gap, L::load(block.low[k] + l) - L(high[k]));
      gap = max(gap, L(low[k]) - L::load(block.high[k] + l));
    }
    apart |= std::uint32_t(bits(zero < gap)) << l;
  }
  return ~apart & ((1u << leaf_lanes) - 1u);
}
}  // namespace detail

namespace detail {
/// Writes for each vertex of `own` the mask of the triangles of `other` near it, for any shift of the vertex
/// within the box [low, high]. Returns the mask of vertices that have such triangles.
template <class L>
LIMBER_INLINE std::uint32_t near_triangles(const LeafFeatures<typename L::Real>& own,
                                           const LeafSide<typename L::Real>& other,
                                           const typename L::Real* low, const typename L::Real* high,
                                           const typename L::Real* places,
                                           std::uint32_t (&out)[NearFeatures::most]) {
  const std::uint32_t all = (1u << other.features->triangles) - 1u;
  std::uint32_t rows = 0;
  for (std::int32_t v = 0; v < own.vertices; ++v) {
    const typename L::Real* x = places + 4 * std::int64_t(own.vertex[v]);
    typename L::Real from[3], to[3];
    for (int k = 0; k < 3; ++k) from[k] = x[k] + low[k], to[k] = x[k] + high[k];
    out[v] = overlapping<L>(*other.triangles, from, to) & all;
    rows |= std::uint32_t(out[v] != 0) << v;
  }
  return rows;
}
}  // namespace detail

/// Finds the features of b that overlap features of a for any shift of b within the box [low, high], m. If a
/// and b are the same leaf, each pair is found once. Tests boxes only: the pairs found must still be tested
/// exactly.
template <class L0>
void find_near(const LeafSide<typename L0::Real>& a, const LeafSide<typename L0::Real>& b,
               const typename L0::Real* low, const typename L0::Real* high, const typename L0::Real* places,
               NearFeatures& out) {
  using L = detail::LeafLanes<L0>;
  using T = typename L::Real;
  const bool same = a.features == b.features;
  const T back_low[3] = {-high[0], -high[1], -high[2]}, back_high[3] = {-low[0], -low[1], -low[2]};
  out.vertices[0] =
      detail::near_triangles<L>(*a.features, b, back_low, back_high, places, out.triangles_at[0]);
  out.vertices[1] =
      same ? 0u : detail::near_triangles<L>(*b.features, a, low, high, places, out.triangles_at[1]);
  T from[3], to[3];
  for (int k = 0; k < 3; ++k)  // all of b
    from[k] = detail::least_of(b.triangles->low[k]) + low[k],
    to[k] = detail::most_of(b.triangles->high[k]) + high[k];
  std::uint32_t candidates = 0;
  for (std::int32_t block = 0; block * leaf_lanes < a.features->edges; ++block)
    candidates |= detail::overlapping<L>(a.edges[block], from, to) << (block * leaf_lanes);
  candidates &= (1u << a.features->edges) - 1u;
  const std::uint32_t b_edges = (1u << b.features->edges) - 1u;
  out.edges = 0;
  for (; candidates != 0; candidates &= candidates - 1) {
    const int e = __builtin_ctz(candidates), lane = e % leaf_lanes;
    const FeatureBoxes<T>& own = a.edges[e / leaf_lanes];
    for (int k = 0; k < 3; ++k) from[k] = own.low[k][lane] - high[k], to[k] = own.high[k][lane] - low[k];
    std::uint32_t found = 0;
    for (std::int32_t block = 0; block * leaf_lanes < b.features->edges; ++block)
      found |= detail::overlapping<L>(b.edges[block], from, to) << (block * leaf_lanes);
    out.edges_at[e] = found & (same ? b_edges & ~((2u << e) - 1u) : b_edges);
    out.edges |= std::uint32_t(out.edges_at[e] != 0) << e;
  }
}

/// Pointers to these kernels for one instruction set.
template <class T>
struct SurfaceLeafKernels {
  void (*shape)(const LeafFeatures<T>&, const LeafRows<T>&, LeafShape<T>&);
  void (*boxes)(const LeafFeatures<T>&, const T* places, FeatureBoxes<T>*);
  void (*find_near)(const LeafSide<T>& a, const LeafSide<T>& b, const T* low, const T* high, const T* places,
                    NearFeatures&);
};

}  // namespace limber
