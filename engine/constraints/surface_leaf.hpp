// The features of a few neighbouring triangles, a leaf, side by side in lanes: how they lie, and which of two
// leaves can come near each other.
#pragma once

#include <type_traits>

#include "engine/simd/points.hpp"

namespace limber {

inline constexpr int leaf_lanes = 8;

/// Boxes of so many features where they are at the start, in m. Lanes beyond their number repeat the last.
template <class T>
struct alignas(32) FeatureBoxes {
  T low[3][leaf_lanes], high[3][leaf_lanes];
};

/// Which particles the features of a leaf are: its triangles, and the vertices and edges that they own. Lanes
/// beyond their number repeat the last.
template <class T>
struct LeafFeatures {
  alignas(32) std::int32_t corners[3][leaf_lanes];
  T rest[3][leaf_lanes];  ///< m, per triangle, from corner j to j + 1
  std::int32_t triangles, vertices, edges;
  const std::int32_t* vertex;                 ///< `vertices` particles
  const std::int32_t (*ends)[2][leaf_lanes];  ///< of edges, leaf_lanes at a time
};

/// How the triangles of a leaf lie and move, taken together.
template <class T>
struct LeafState {
  T low[3], high[3];              ///< m, at the start
  T reach_low[3], reach_high[3];  ///< m, how far the corners go
  T swept_low[3], swept_high[3];  ///< m, of all tubes
  T radius;                       ///< m, of the widest tube, with what may wait at its end
  T normal[3];                    ///< mean of the unit normals, unit length
  T spread;                       ///< most that one of them differs from it, as a chord of the unit sphere
  T turn;                         ///< sine of the angle none can turn by; 1: by any
  T least, most;                  ///< edges now by edges at rest
};

/// Rows by particle: `places` and `reaches` as for filter_pairs; `margins` in m, the tubes without thickness.
template <class T>
struct LeafRows {
  const T *places, *reaches, *margins;
};

/// The two sides of a question: the features of a leaf, the boxes of its triangles and edges.
template <class T>
struct LeafSide {
  const LeafFeatures<T>* features;
  const FeatureBoxes<T>* triangles;
  const FeatureBoxes<T>* edges;  ///< leaf_lanes at a time
};

/// Features of leaf b near each of leaf a, and the other way round: bit k is the k-th of the other leaf.
struct NearFeatures {
  static constexpr int most = 3 * leaf_lanes;
  std::uint32_t triangles_at[2][most];  ///< per vertex of a, of b
  std::uint32_t edges_at[most];         ///< per edge of a
};

namespace detail {
/// No wider than a leaf.
template <class L>
using LeafLanes = std::conditional_t<(L::width > leaf_lanes), Lanes<typename L::Real, leaf_lanes>, L>;

template <class T>
LIMBER_INLINE T least_of(const T (&x)[leaf_lanes]) {
  T least = x[0];
  for (int l = 1; l < leaf_lanes; ++l) least = x[l] < least ? x[l] : least;
  return least;
}
template <class T>
LIMBER_INLINE T most_of(const T (&x)[leaf_lanes]) {
  T most = x[0];
  for (int l = 1; l < leaf_lanes; ++l) most = x[l] > most ? x[l] : most;
  return most;
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

/// Of the triangles of a leaf, by lane.
template <class T>
struct alignas(32) TriangleLanes {
  T reach_low[3][leaf_lanes], reach_high[3][leaf_lanes], swept_low[3][leaf_lanes], swept_high[3][leaf_lanes];
  T radius[leaf_lanes], normal[3][leaf_lanes], turn[leaf_lanes], least[leaf_lanes], most[leaf_lanes];
};

template <class L>
LIMBER_INLINE void place_triangles(const LeafFeatures<typename L::Real>& leaf,
                                   const LeafRows<typename L::Real>& rows, int l,
                                   FeatureBoxes<typename L::Real>& boxes,
                                   TriangleLanes<typename L::Real>& out) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  Point<L> x[3], reach[3];
  L margin = zero, radius = zero;
  Vec3<L> swept_low, swept_high;
  for (int j = 0; j < 3; ++j) {
    x[j] = load_points(rows.places, leaf.corners[j] + l, L());
    reach[j] = load_points(rows.reaches, leaf.corners[j] + l, L());
    alignas(32) T margins[leaf_lanes];
    for (int k = 0; k < L::width; ++k) margins[k] = rows.margins[leaf.corners[j][l + k]];
    margin = max(margin, L::load(margins));
    radius = max(radius, x[j].w + reach[j].w);
    const Vec3<L> to = x[j].p + reach[j].p, tube = {x[j].w, x[j].w, x[j].w};
    const Vec3<L> low = min(x[j].p, to) - tube, high = max(x[j].p, to) + tube;
    swept_low = j == 0 ? low : min(swept_low, low), swept_high = j == 0 ? high : max(swept_high, high);
  }
  store(min(min(x[0].p, x[1].p), x[2].p), boxes.low, l);
  store(max(max(x[0].p, x[1].p), x[2].p), boxes.high, l);
  store(min(min(reach[0].p, reach[1].p), reach[2].p), out.reach_low, l);
  store(max(max(reach[0].p, reach[1].p), reach[2].p), out.reach_high, l);
  store(swept_low, out.swept_low, l), store(swept_high, out.swept_high, l);
  radius.store(out.radius + l);
  const Vec3<L> n = cross(x[1].p - x[0].p, x[2].p - x[0].p);
  const L twice_area = sqrt(dot(n, n)), flat = select(zero < twice_area, twice_area, one);
  store(L(one / flat) * n, out.normal, l);
  L parts = zero, longest = zero, least, most;
  for (int j = 0; j < 3; ++j) {
    const int k = (j + 1) % 3;
    const Vec3<L> edge = x[k].p - x[j].p, apart = reach[k].p - reach[j].p;
    const L length = sqrt(dot(edge, edge)), stretch = length / L::load(leaf.rest[j] + l);
    least = j == 0 ? stretch : min(least, stretch), most = j == 0 ? stretch : max(most, stretch);
    longest = max(longest, length);
    parts = max(parts, sqrt(dot(apart, apart)) + reach[j].w);
  }
  least.store(out.least + l), most.store(out.most + l);
  const L way = (parts + margin + margin) * longest;
  select(way < twice_area, way / flat, one).store(out.turn + l);
}

/// Of what is told apart by lane, the lanes of all triangles.
template <class T>
LIMBER_INLINE void take_together(const FeatureBoxes<T>& boxes, const TriangleLanes<T>& in,
                                 std::int32_t triangles, LeafState<T>& out) {
  T sum[3] = {T(0), T(0), T(0)};
  for (int k = 0; k < 3; ++k) {
    out.low[k] = least_of(boxes.low[k]), out.high[k] = most_of(boxes.high[k]);
    out.reach_low[k] = least_of(in.reach_low[k]), out.reach_high[k] = most_of(in.reach_high[k]);
    out.swept_low[k] = least_of(in.swept_low[k]), out.swept_high[k] = most_of(in.swept_high[k]);
    for (std::int32_t l = 0; l < triangles; ++l) sum[k] += in.normal[k][l];
  }
  out.radius = most_of(in.radius), out.turn = most_of(in.turn);
  out.least = least_of(in.least), out.most = most_of(in.most);
  const T square = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
  const T shorten = T(0) < square ? T(1) / sqrt(Lanes<T, 1>(square)).v : T(0);
  for (int k = 0; k < 3; ++k) out.normal[k] = shorten * sum[k];
}
}  // namespace detail

/// The boxes of the leaf's triangles and, leaf_lanes at a time, of its edges; and how the triangles lie.
template <class L0>
void place_leaf(const LeafFeatures<typename L0::Real>& leaf, const LeafRows<typename L0::Real>& rows,
                FeatureBoxes<typename L0::Real>* boxes, LeafState<typename L0::Real>& out) {
  using L = detail::LeafLanes<L0>;
  using T = typename L::Real;
  detail::TriangleLanes<T> lanes;
  for (int l = 0; l < leaf_lanes; l += L::width) detail::place_triangles<L>(leaf, rows, l, boxes[0], lanes);
  detail::take_together(boxes[0], lanes, leaf.triangles, out);
  alignas(32) T chord[leaf_lanes];
  for (int l = 0; l < leaf_lanes; l += L::width) {
    const Vec3<L> n = {L::load(lanes.normal[0] + l), L::load(lanes.normal[1] + l),
                       L::load(lanes.normal[2] + l)};
    const Vec3<L> off = n - Vec3<L>{L(out.normal[0]), L(out.normal[1]), L(out.normal[2])};
    sqrt(dot(off, off)).store(chord + l);
  }
  out.spread = detail::most_of(chord);
  for (std::int32_t e = 0; e < leaf.edges; e += leaf_lanes) {
    FeatureBoxes<T>& block = boxes[1 + e / leaf_lanes];
    for (int l = 0; l < leaf_lanes; l += L::width) {
      const Vec3<L> a = load_points(rows.places, leaf.ends[e / leaf_lanes][0] + l, L()).p;
      const Vec3<L> b = load_points(rows.places, leaf.ends[e / leaf_lanes][1] + l, L()).p;
      detail::store(detail::min(a, b), block.low, l), detail::store(detail::max(a, b), block.high, l);
    }
  }
}

namespace detail {
/// The lanes of `block` that overlap the box [low, high].
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

/// Which features of b, moved by anything in the box [low, high] (m), overlap which of a; of a leaf with
/// itself, each two once. Boxes only: what is found is to be looked at.
template <class L0>
void find_near(const LeafSide<typename L0::Real>& a, const LeafSide<typename L0::Real>& b,
               const typename L0::Real* low, const typename L0::Real* high, const typename L0::Real* places,
               NearFeatures& out) {
  using L = detail::LeafLanes<L0>;
  using T = typename L::Real;
  const bool same = a.features == b.features;
  T from[3], to[3];
  const std::uint32_t b_triangles = (1u << b.features->triangles) - 1u;
  const std::uint32_t a_triangles = (1u << a.features->triangles) - 1u;
  for (std::int32_t v = 0; v < a.features->vertices; ++v) {
    const T* x = places + 4 * std::int64_t(a.features->vertex[v]);
    for (int k = 0; k < 3; ++k) from[k] = x[k] - high[k], to[k] = x[k] - low[k];
    out.triangles_at[0][v] = detail::overlapping<L>(*b.triangles, from, to) & b_triangles;
  }
  for (std::int32_t v = 0; v < b.features->vertices && !same; ++v) {
    const T* x = places + 4 * std::int64_t(b.features->vertex[v]);
    for (int k = 0; k < 3; ++k) from[k] = x[k] + low[k], to[k] = x[k] + high[k];
    out.triangles_at[1][v] = detail::overlapping<L>(*a.triangles, from, to) & a_triangles;
  }
  const std::uint32_t b_edges = (1u << b.features->edges) - 1u;
  for (std::int32_t e = 0; e < a.features->edges; ++e) {
    const FeatureBoxes<T>& own = a.edges[e / leaf_lanes];
    const int lane = e % leaf_lanes;
    for (int k = 0; k < 3; ++k) from[k] = own.low[k][lane] - high[k], to[k] = own.high[k][lane] - low[k];
    std::uint32_t found = 0;
    for (std::int32_t block = 0; block * leaf_lanes < b.features->edges; ++block)
      found |= detail::overlapping<L>(b.edges[block], from, to) << (block * leaf_lanes);
    out.edges_at[e] = found & (same ? b_edges & ~((2u << e) - 1u) : b_edges);
  }
}

/// These kernels of one instruction set.
template <class T>
struct SurfaceLeafKernels {
  void (*place)(const LeafFeatures<T>&, const LeafRows<T>&, FeatureBoxes<T>*, LeafState<T>&);
  void (*find_near)(const LeafSide<T>& a, const LeafSide<T>& b, const T* low, const T* high, const T* places,
                    NearFeatures&);
};

}  // namespace limber
