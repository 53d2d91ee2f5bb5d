// Pairs of surface features that may touch: a vertex and a triangle, or two edges. The constraint of both
// kinds is
//
//   C = n . sum_i s_i x_i - h >= 0,   sum_i s_i = 0
//
// with n the direction from the second feature to the first, and s the weights of their nearest points, both
// computed at the start of the substep (Mueller et al. 2006, section 4.3, eq. 12 and 13; the thickness h
// keeps the first feature on the side where it was; test vectors point_triangle_*, edge_edge_distance):
//
//   vertex 0 - triangle 1 2 3   s = (1, -b1, -b2, -b3)
//   edge 0 1 - edge 2 3         s = (1-a, a, -(1-b), -b)
#pragma once

#include "engine/constraints/stencil_traits.hpp"
#include "engine/contact/cone.hpp"
#include "engine/geometry/queries/closest_features.hpp"

namespace limber {

enum class PairKind : int { vertex_triangle, edge_edge };
inline constexpr int pair_kinds = 2;

/// Arrays of all pairs of one kind, one number per slot, padded to lane_group. Padding slots name padding
/// particles and have a negative h, so that they neither push nor count as close.
template <class T>
struct SurfacePairView {
  const std::int32_t* vertices[4];
  T* normal[3];
  T* weight[4];
  const T* distance;  ///< h, m
  const T* friction;  ///< Coulomb mu
  // The arrays below exist for contacts only, not for pairs that are only watched.
  T* apart[3];   ///< m, from the second feature's nearest point to the first's, at the substep's start
  T* hold;       ///< m, distance along n that the contact keeps in this substep
  T* kept[3];    ///< kg m, multiplier on the first feature: along n normal, across n friction
  T* before;     ///< kg m, normal multiplier of the substep before
  T* anchor[2];  ///< two of the weights of the two points that static friction holds together
  T* drift[3];   ///< m, across n: part of the anchor's sliding that is reversed in this substep
};

/// Share of an overlap, and of the drift of an anchor, that is removed in a substep. Removing everything at
/// once would give velocity: rounding alone would throw up surfaces at rest.
inline constexpr double pair_overlap_share = 0.2, pair_creep_share = 0.1;
/// An overlap larger than this share of the distance is removed at once, because the guard needs a minimum
/// distance.
inline constexpr double most_pair_overlap = 0.3;
/// Share of a normal multiplier that is applied as warm start of the next substep.
inline constexpr double pair_kept_share = 0.6;
/// A correction of a point is at most this many times as long as the pair's overlap. Otherwise an impulse
/// near the fixed end of an edge would throw the free end, while the nearest points slide away from under the
/// impulse.
inline constexpr double pair_lever = 4;
/// Friction beyond this share of its cone counts as sliding.
inline constexpr double pair_sliding_share = 0.999;

template <class L>
LIMBER_INLINE Vec3<L> load_pair_rows(typename L::Real* const (&rows)[3], std::int32_t i) {
  return {L::load(rows[0] + i), L::load(rows[1] + i), L::load(rows[2] + i)};
}
template <class L>
LIMBER_INLINE void store_pair_rows(typename L::Real* const (&rows)[3], std::int32_t i, const Vec3<L>& v) {
  v.x.store(rows[0] + i), v.y.store(rows[1] + i), v.z.store(rows[2] + i);
}

template <class L>
LIMBER_INLINE Vec3<L> weighted_sum(const L (&s)[4], const Vec3<L> (&x)[4]) {
  // differences first: the points lie together, perhaps far from the origin
  return s[0] * (x[0] - x[3]) + (s[1] * (x[1] - x[3]) + s[2] * (x[2] - x[3]));
}

/// Starts a substep for the contacts in the slots i, i + 1, ... of the lanes: sets the distance to be kept
/// and the anchor of friction from the points x, the normal n and the weights s.
template <PairKind Kind, class L>
LIMBER_INLINE void start_contacts(const SurfacePairView<typename L::Real>& pairs, std::int32_t i,
                                  const Vec3<L> (&x)[4], const Vec3<L>& n, const L (&s)[4]) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  const Vec3<L> apart = weighted_sum(s, x);
  store_pair_rows(pairs.apart, i, apart);
  const L h = L::load(pairs.distance + i), overlap = max(h - dot(n, apart), zero);
  (h - min(L(T(1.0 - pair_overlap_share)) * overlap, L(T(most_pair_overlap)) * max(h, zero)))
      .store(pairs.hold + i);

  const Vec3<L> kept = load_pair_rows<L>(pairs.kept, i);
  const L normal = dot(n, kept);
  const Vec3<L> across = kept - normal * n;
  const L most = L(T(pair_sliding_share)) * L::load(pairs.friction + i) * normal;
  const auto sticks = sqrt(dot(across, across)) < most;
  constexpr int second = Kind == PairKind::vertex_triangle ? 2 : 3;
  const L a = select(sticks, L::load(pairs.anchor[0] + i), s[1]),
          b = select(sticks, L::load(pairs.anchor[1] + i), s[second]);
  a.store(pairs.anchor[0] + i), b.store(pairs.anchor[1] + i);
  L held[4];
  if constexpr (Kind == PairKind::vertex_triangle)
    held[0] = one, held[1] = a, held[2] = b, held[3] = zero - (one + a + b);
  else
    held[0] = one - a, held[1] = a, held[2] = zero - (one + b), held[3] = b;
  const Vec3<L> off = weighted_sum(held, x), drift = off - dot(n, off) * n;
  const L back = select(sticks, L(T(pair_creep_share)), zero);
  store_pair_rows(pairs.drift, i, back * drift);
}

/// Sets n and s of the slots [begin, end) from the positions of the points. For contacts start_contacts()
/// follows. Features at zero distance get n = 0, which disables their constraint.
template <PairKind Kind, class L, bool Contacts = false>
void aim_pairs(const SurfacePairView<typename L::Real>& pairs, std::int32_t begin, std::int32_t end,
               const typename L::Real* points) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  for (std::int32_t i = begin; i < end; i += L::width) {
    Vec3<L> x[4];
    for (int j = 0; j < 4; ++j) x[j] = load_points(points, pairs.vertices[j] + i, L()).p;
    L s[4];
    typename L::Mask inside = zero < zero;  // the nearest points are interior points of both features
    Vec3<L> along[2] = {x[1] - x[0], x[3] - x[2]};
    if constexpr (Kind == PairKind::vertex_triangle) {
      const Vec3<L> triangle[3] = {x[1], x[2], x[3]};
      const TriangleWeights<L> closest = closest_on_triangle(x[0], triangle);
      inside = closest.inside, along[0] = x[2] - x[1], along[1] = x[3] - x[1];
      s[0] = one, s[1] = -closest.b[0], s[2] = -closest.b[1], s[3] = -closest.b[2];
    } else {
      const EdgeParameters<L> closest = closest_on_edges(x[0], x[1], x[2], x[3]);
      inside = closest.inside;
      s[0] = one - closest.s, s[1] = closest.s, s[2] = closest.t - one, s[3] = -closest.t;
    }
    Vec3<L> d = weighted_sum(s, x);
    // At slivers, and between edges nearly in line, rounding falsifies the direction between the nearest
    // points, so that no slab would separate the features. The cross product of their directions is more
    // precise.
    const Vec3<L> face = cross(along[0], along[1]);
    const L off = dot(face, d), side = select(off < zero, -one, select(zero < off, one, zero));
    const L flat = L(T(1e-7)) * dot(along[0], along[0]) * dot(along[1], along[1]);
    const auto across = flat < select(inside, dot(face, face), zero);
    d = {select(across, side * face.x, d.x), select(across, side * face.y, d.y),
         select(across, side * face.z, d.z)};
    const L length = sqrt(dot(d, d));
    const Vec3<L> n = (one / select(zero < length, length, one)) * d;
    n.x.store(pairs.normal[0] + i), n.y.store(pairs.normal[1] + i), n.z.store(pairs.normal[2] + i);
    for (int j = 0; j < 4; ++j) s[j].store(pairs.weight[j] + i);
    if constexpr (Contacts) start_contacts<Kind>(pairs, i, x, n, s);
  }
}

/// Applies an impulse (kg m) to the first feature, and its opposite to the second, for the slots i, i + 1,
/// ... of the lanes. Moves `points`, and `moved`, the displacements of this substep, whose numbers are small
/// enough to hold the change without rounding.
template <class L>
LIMBER_INLINE void move_pairs(const SurfacePairView<typename L::Real>& pairs, std::int32_t i, const L (&s)[4],
                              Point<L> (&x)[4], const Vec3<L>& impulse, typename L::Real* points,
                              typename L::Real* moved) {
  for (int j = 0; j < 4; ++j) {
    const Vec3<L> step = (x[j].w * s[j]) * impulse;
    Point<L> own = load_points(moved, pairs.vertices[j] + i, L());
    own.p = own.p + step, x[j].p = x[j].p + step;
    store_points(moved, pairs.vertices[j] + i, own);
    store_points(points, pairs.vertices[j] + i, x[j]);
  }
}

/// Warm start: moves the points of the contacts [begin, end) by a share of their kept normal multipliers. The
/// multiplier is first limited to its value one substep earlier: a load lasts longer than that, but an impact
/// that is applied again would be a bounce. The whole multiplier would make cloth oscillate, because its
/// constraints begin every substep without a multiplier. Friction has no warm start, because it would grow to
/// the edge of its cone; it starts from its anchor. No two slots share a point, here and below.
template <class L>
void warm_pairs(const SurfacePairView<typename L::Real>& pairs, std::int32_t begin, std::int32_t end,
                typename L::Real* points, typename L::Real* moved) {
  using T = typename L::Real;
  const L zero(T(0));
  for (std::int32_t i = begin; i < end; i += L::width) {
    const Vec3<L> n = load_pair_rows<L>(pairs.normal, i);
    const L pushed = max(dot(n, load_pair_rows<L>(pairs.kept, i)), zero), before = L::load(pairs.before + i);
    pushed.store(pairs.before + i);
    const Vec3<L> kept = (L(T(pair_kept_share)) * min(pushed, before)) * n;
    store_pair_rows(pairs.kept, i, kept);
    if (bits(zero < dot(kept, kept)) == 0) continue;
    Point<L> x[4];
    L s[4];
    for (int j = 0; j < 4; ++j)
      x[j] = load_points(points, pairs.vertices[j] + i, L()), s[j] = L::load(pairs.weight[j] + i);
    move_pairs(pairs, i, s, x, kept, points, moved);
  }
}

/// Projects the contacts [begin, end) once with the law of contact/law.hpp. The normal multiplier keeps their
/// distance; the friction multiplier reverses the sliding of this substep, within its cone (Macklin et al.
/// 2014, eq. 24). Generalised inverse masses on both sides conserve momentum.
template <class L>
void push_pairs(const SurfacePairView<typename L::Real>& pairs, std::int32_t begin, std::int32_t end,
                typename L::Real* points, typename L::Real* moved) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  for (std::int32_t i = begin; i < end; i += L::width) {
    Point<L> x[4];
    for (int j = 0; j < 4; ++j) x[j] = load_points(points, pairs.vertices[j] + i, L());
    L s[4];
    for (int j = 0; j < 4; ++j) s[j] = L::load(pairs.weight[j] + i);
    const Vec3<L> n = load_pair_rows<L>(pairs.normal, i), kept = load_pair_rows<L>(pairs.kept, i);
    const Vec3<L> places[4] = {x[0].p, x[1].p, x[2].p, x[3].p}, apart = weighted_sum(s, places);
    const L C = dot(n, apart) - L::load(pairs.hold + i);
    if (bits(C < zero) == 0 && bits(zero < dot(kept, kept)) == 0) continue;

    L sum = x[0].w * (s[0] * s[0]), lever = x[0].w * abs(s[0]);
    for (int j = 1; j < 4; ++j) sum = sum + x[j].w * (s[j] * s[j]), lever = max(lever, x[j].w * abs(s[j]));
    sum = max(sum, L(T(1.0 / pair_lever)) * lever);
    const auto movable = zero < sum;
    const L mass = select(movable, one / select(movable, sum, one), zero);
    const L push = select(movable, max(dot(n, kept) - C * mass, zero), zero);
    const Vec3<L> slid = (apart - load_pair_rows<L>(pairs.apart, i)) + load_pair_rows<L>(pairs.drift, i);
    const Vec3<L> wanted = kept - mass * slid, across = wanted - dot(n, wanted) * n;
    const Vec3<L> now = push * n + within_cone(across, L::load(pairs.friction + i) * push);
    store_pair_rows(pairs.kept, i, now);
    move_pairs(pairs, i, s, x, now - kept, points, moved);
  }
}

/// Width along n of the slab that separates the two features: smallest n.x of the first minus largest of the
/// second. If it is positive at two instants, and points move on straight lines between them, the features do
/// not meet in between: a maximum of linear functions of time is convex, a minimum concave.
template <PairKind Kind, class L>
LIMBER_INLINE L slab_width(const Vec3<L>& n, const Vec3<L> (&x)[4]) {
  const Vec3<L> a = x[0] - x[3], b = x[1] - x[3], c = x[2] - x[3];
  using T = typename L::Real;
  const L zero(T(0));
  if constexpr (Kind == PairKind::vertex_triangle)
    return dot(n, a) - max(max(dot(n, b), dot(n, c)), zero);
  else
    return min(dot(n, a), dot(n, b)) - max(dot(n, c), zero);
}

/// Writes to `out` (at least end - begin numbers) the slots of [begin, end) whose slab at `points` is
/// narrower than `least` times h. Returns how many they are.
template <PairKind Kind, class L>
std::int32_t find_close_pairs(const SurfacePairView<typename L::Real>& pairs, std::int32_t begin,
                              std::int32_t end, const typename L::Real* points, typename L::Real least,
                              std::int32_t* out) {
  std::int32_t found = 0;
  for (std::int32_t i = begin; i < end; i += L::width) {
    Vec3<L> x[4];
    for (int j = 0; j < 4; ++j) x[j] = load_points(points, pairs.vertices[j] + i, L()).p;
    const Vec3<L> n = {L::load(pairs.normal[0] + i), L::load(pairs.normal[1] + i),
                       L::load(pairs.normal[2] + i)};
    // The comparison is written so that a NaN counts as close.
    const auto apart = L(least) * L::load(pairs.distance + i) < slab_width<Kind>(n, x);
    unsigned close = ~bits(apart) & ((1u << L::width) - 1u);
    for (; close != 0; close &= close - 1) out[found++] = i + std::int32_t(__builtin_ctz(close));
  }
  return found;
}

/// Vector between the nearest points of two features, from the second to the first. `inside`: mask of lanes
/// whose nearest points are interior points of both.
template <PairKind Kind, class L>
LIMBER_INLINE Vec3<L> way_between(const Vec3<L> (&x)[4], unsigned& inside) {
  if constexpr (Kind == PairKind::vertex_triangle) {
    const Vec3<L> triangle[3] = {x[1], x[2], x[3]};
    const TriangleWeights<L> w = closest_on_triangle(x[0], triangle);
    inside = bits(w.inside);
    return (x[0] - x[3]) - w.b[0] * (x[1] - x[3]) - w.b[1] * (x[2] - x[3]);
  } else {
    const EdgeParameters<L> e = closest_on_edges(x[0], x[1], x[2], x[3]);
    inside = bits(e.inside);
    return (x[0] - x[2]) + e.s * (x[1] - x[0]) - e.t * (x[3] - x[2]);
  }
}

/// Candidate pairs of a search, at most `capacity`; arrays as in SurfacePairView.
template <class T>
struct MetPairs {
  static constexpr std::int32_t capacity = 256;
  alignas(64) std::int32_t vertices[4][capacity];
  /// m, by how much the pair can come nearer than its radii; negative: it cannot meet.
  alignas(64) T over[capacity];
  alignas(64) T apart[capacity];    ///< m, sum of the half thicknesses of its features
  alignas(64) T at_rest[capacity];  ///< m, distance of the features in the rest shape
  std::uint8_t inside[capacity];    ///< the nearest points are interior points of both features
  std::int32_t count = 0;
};

/// Fills `over` and `inside` of the pairs [0, count), with count a multiple of lane_group. Arrays by
/// particle:
///   places  {x, y, z, r}        position, and the radius within which other features are near
///   reaches {x, y, z, spare}    displacement until the next search, and a part of it that may be delayed
/// Two particles come nearer by |reach_a - reach_b|, plus the smaller `spare` of the two if one is delayed.
template <PairKind Kind, class L>
void filter_pairs(MetPairs<typename L::Real>& met, const typename L::Real* places,
                  const typename L::Real* reaches) {
  using T = typename L::Real;
  const L zero(T(0));
  constexpr int split = Kind == PairKind::vertex_triangle ? 1 : 2;
  for (std::int32_t i = 0; i < met.count; i += L::width) {
    Point<L> x[4], reach[4];
    for (int j = 0; j < 4; ++j) {
      x[j] = load_points(places, met.vertices[j] + i, L());
      reach[j] = load_points(reaches, met.vertices[j] + i, L());
    }
    const Vec3<L> at[4] = {x[0].p, x[1].p, x[2].p, x[3].p};
    unsigned inside;
    const Vec3<L> d = way_between<Kind>(at, inside);
    L radius[2] = {x[0].w, x[split].w}, spare[2] = {reach[0].w, reach[split].w}, nearer = zero;
    for (int j = 0; j < 4; ++j) {
      const int side = j < split ? 0 : 1;
      radius[side] = max(radius[side], x[j].w);
      spare[side] = max(spare[side], reach[j].w);
      for (int k = split; side == 0 && k < 4; ++k) {
        const Vec3<L> difference = reach[j].p - reach[k].p;
        nearer = max(nearer, dot(difference, difference));
      }
    }
    const L within = radius[0] + radius[1] + sqrt(nearer) + min(spare[0], spare[1]);
    (within - sqrt(dot(d, d))).store(met.over + i);
    for (int l = 0; l < L::width; ++l) met.inside[i + l] = std::uint8_t(inside >> l & 1u);
  }
}

/// Fills `apart` and `at_rest` of the pairs [0, count), with count a multiple of lane_group. `rest`: per
/// particle {x, y, z, half the thickness} in the rest shape. A feature is as thin as its thinnest corner.
template <PairKind Kind, class L>
void measure_rest(MetPairs<typename L::Real>& met, const typename L::Real* rest) {
  constexpr int split = Kind == PairKind::vertex_triangle ? 1 : 2;
  for (std::int32_t i = 0; i < met.count; i += L::width) {
    Vec3<L> x[4];
    L half[4];
    for (int j = 0; j < 4; ++j) {
      const Point<L> corner = load_points(rest, met.vertices[j] + i, L());
      x[j] = corner.p, half[j] = corner.w;
    }
    for (int j : {1, 2, 3})
      if (j != split) half[j < split ? 0 : split] = min(half[j < split ? 0 : split], half[j]);
    unsigned inside;
    const Vec3<L> d = way_between<Kind>(x, inside);
    (half[0] + half[split]).store(met.apart + i);
    sqrt(dot(d, d)).store(met.at_rest + i);
  }
}

/// Pointers to these kernels for one instruction set, by PairKind.
template <class T>
struct SurfacePairKernels {
  using Aim = void (*)(const SurfacePairView<T>&, std::int32_t begin, std::int32_t end, const T* points);
  using Project = void (*)(const SurfacePairView<T>&, std::int32_t begin, std::int32_t end, T* points,
                           T* moved);
  Aim aim[pair_kinds], aim_contacts[pair_kinds];
  void (*filter[pair_kinds])(MetPairs<T>& met, const T* places, const T* reaches);
  void (*measure_rest[pair_kinds])(MetPairs<T>& met, const T* rest);
  Project warm, push;
  std::int32_t (*find_close[pair_kinds])(const SurfacePairView<T>&, std::int32_t begin, std::int32_t end,
                                         const T* points, T least, std::int32_t* out);
};

}  // namespace limber
