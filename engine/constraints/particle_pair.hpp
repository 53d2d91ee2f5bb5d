// Contact of two particles of the same radius r, over lanes.
//
// With x the places at the start of the substep, p = x + u, n the unit vector from b to a and s the distance
// between the surfaces, both at x,
//
//   C = n . (u_a - u_b) + s >= 0
//
// is solved for a multiplier that is kept over substeps and frames, so that each sweep only corrects it
// (unilateral C, vector distance_inequality_active; the multiplier's way of the soft step, E. Catto 2023).
// Friction takes the rest of u_a - u_b across n away within mu times that multiplier (Macklin 2014, eq. 24;
// vectors friction_positional_*): being kept too, it holds a slope without creep.
//
// An overlap, s < 0, counts as touching. It goes away over some substeps, not faster than a limit, by moving
// x and p alike, so that it leaves no speed behind.
//
// A particle of a solid brings the distance phi < 0 and the outward gradient of its mesh's field (Macklin
// 2014, section 5.3; vector rigid_sdf_contact): the shallower one says where outside is.
#pragma once

#include "engine/constraints/stencil.hpp"

namespace limber {

/// Arrays of all pairs, a row per slot, padded to lane_group with slots of padding particles.
template <class T>
struct ParticlePairView {
  const std::int32_t *a, *b;
  const T* friction;  ///< Coulomb mu
  T* kept[3];         ///< kg m, multiplier: along n what pushes, across it what rubs; on a
  T* before;          ///< kg m, how long it was a substep earlier
};

/// What a sweep knows besides.
template <class T>
struct ParticleSweep {
  T* points;         ///< p and inverse mass
  T* previous;       ///< x
  const T* outward;  ///< per particle: gradient in the world, phi; 0: a grain
  T radius;          ///< m
  T share;           ///< of an overlap that goes away in a substep
  T most;            ///< m, of it, in a substep
};

/// Which way and how far apart, at rest.
template <class L>
struct ParticleGap {
  Vec3<L> n;  ///< from b to a
  L s;        ///< m, negative: they overlap
};

/// Of two balls; two in one place are pushed apart along y.
template <class L>
LIMBER_INLINE ParticleGap<L> ball_gap(const Vec3<L>& between, L radius) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  const L length = sqrt(dot(between, between));
  const auto apart = zero < length;
  const L inverse = one / select(apart, length, one);
  const Vec3<L> n = {inverse * between.x, select(apart, inverse * between.y, one), inverse * between.z};
  return {n, length - (radius + radius)};
}

/// Of two particles that overlap, at least one of a solid: `a`, `b` are their rows of ParticleSweep::outward.
/// Near the surface of the shallower one the balls' own direction holds, mirrored where the other one is
/// behind; deeper down, its gradient and depth.
template <class L>
LIMBER_INLINE ParticleGap<L> field_gap(const Vec3<L>& between, const Point<L>& a, const Point<L>& b,
                                       L radius) {
  using T = typename L::Real;
  const L zero(T(0)), two(T(2));
  const ParticleGap<L> ball = ball_gap(between, radius);
  const auto has_a = a.w < zero, has_b = b.w < zero;
  const L far(T(1e30));
  const L depth_a = select(has_a, -a.w, far), depth_b = select(has_b, -b.w, far);
  // the surface of a is at x_a - phi_a grad_a: b leaves along grad_a, which is against n
  const auto of_a = depth_a < depth_b;
  const L depth = select(of_a, depth_a, depth_b);
  const Vec3<L> out = {select(of_a, -a.p.x, b.p.x), select(of_a, -a.p.y, b.p.y), select(of_a, -a.p.z, b.p.z)};
  const L along = dot(ball.n, out), behind = min(along, zero);
  const Vec3<L> mirrored = ball.n - (two * behind) * out;
  const auto deep = L(T(1.25)) * radius < depth;
  const auto touch = ball.s < zero;
  const auto pick = [&](L own, L inner) { return select(touch, select(deep, inner, own), own); };
  return {{pick(mirrored.x, out.x), pick(mirrored.y, out.y), pick(mirrored.z, out.z)}, pick(ball.s, -depth)};
}

/// Moves the particles of the slots [begin, end) by what is kept of their contacts, but by no more than has
/// lasted for two substeps: a load lasts, a blow does not, and given once more it would be a bounce. No two
/// slots share a particle, here and below.
template <class L>
void warm_particles(const ParticlePairView<typename L::Real>& pairs, std::int32_t begin, std::int32_t end,
                    const ParticleSweep<typename L::Real>& sweep) {
  using T = typename L::Real;
  const L zero(T(0));
  for (std::int32_t i = begin; i < end; i += L::width) {
    const Vec3<L> kept = {L::load(pairs.kept[0] + i), L::load(pairs.kept[1] + i), L::load(pairs.kept[2] + i)};
    const L length = sqrt(dot(kept, kept)), before = L::load(pairs.before + i);
    length.store(pairs.before + i);
    if (bits(zero < length) == 0) continue;
    const L share = select(before < length, before / select(zero < length, length, L(T(1))), L(T(1)));
    const Vec3<L> lasting = share * kept;
    lasting.x.store(pairs.kept[0] + i), lasting.y.store(pairs.kept[1] + i),
        lasting.z.store(pairs.kept[2] + i);
    Point<L> a = load_points(sweep.points, pairs.a + i, L()), b = load_points(sweep.points, pairs.b + i, L());
    a.p = a.p + a.w * lasting;
    b.p = b.p - b.w * lasting;
    store_points(sweep.points, pairs.a + i, a);
    store_points(sweep.points, pairs.b + i, b);
  }
}

/// One sweep over the slots [begin, end).
template <bool Solids, class L>
void push_particles(const ParticlePairView<typename L::Real>& pairs, std::int32_t begin, std::int32_t end,
                    const ParticleSweep<typename L::Real>& sweep) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), radius(sweep.radius);
  for (std::int32_t i = begin; i < end; i += L::width) {
    Point<L> a = load_points(sweep.points, pairs.a + i, L()), b = load_points(sweep.points, pairs.b + i, L());
    Point<L> xa = load_points(sweep.previous, pairs.a + i, L()),
             xb = load_points(sweep.previous, pairs.b + i, L());
    const Vec3<L> moved = (a.p - xa.p) - (b.p - xb.p);
    ParticleGap<L> gap;
    if constexpr (Solids)
      gap = field_gap(xa.p - xb.p, load_points(sweep.outward, pairs.a + i, L()),
                      load_points(sweep.outward, pairs.b + i, L()), radius);
    else
      gap = ball_gap(xa.p - xb.p, radius);
    const Vec3<L> kept = {L::load(pairs.kept[0] + i), L::load(pairs.kept[1] + i), L::load(pairs.kept[2] + i)};
    const L C = dot(gap.n, moved) + max(gap.s, zero);
    if (bits(C < zero) == 0 && bits(gap.s < zero) == 0 && bits(zero < dot(kept, kept)) == 0) continue;

    const L w = a.w + b.w;
    const auto movable = zero < w;
    const L mass = select(movable, one / select(movable, w, one), zero);
    const L push = select(movable, max(dot(gap.n, kept) - C * mass, zero), zero);
    const Vec3<L> wanted = kept - mass * moved;  // of friction: its part across n, within the cone
    const Vec3<L> flat = wanted - dot(gap.n, wanted) * gap.n;
    const L length = sqrt(dot(flat, flat)), limit = L::load(pairs.friction + i) * push;
    const L scale = select(limit < length, limit / select(zero < length, length, one), one);
    const Vec3<L> now = push * gap.n + scale * flat;
    const Vec3<L> change = now - kept;
    // what takes an overlap away moves x as well, so that it is no speed
    const Vec3<L> apart = (mass * min(L(-sweep.share) * min(gap.s, zero), L(sweep.most))) * gap.n;
    xa.p = xa.p + a.w * apart;
    xb.p = xb.p - b.w * apart;
    a.p = a.p + a.w * (change + apart);
    b.p = b.p - b.w * (change + apart);
    store_points(sweep.previous, pairs.a + i, xa);
    store_points(sweep.previous, pairs.b + i, xb);
    store_points(sweep.points, pairs.a + i, a);
    store_points(sweep.points, pairs.b + i, b);
    now.x.store(pairs.kept[0] + i), now.y.store(pairs.kept[1] + i), now.z.store(pairs.kept[2] + i);
  }
}

/// These kernels of one instruction set; [1]: with solids.
template <class T>
struct ParticlePairKernels {
  void (*warm)(const ParticlePairView<T>&, std::int32_t begin, std::int32_t end, const ParticleSweep<T>&);
  void (*push[2])(const ParticlePairView<T>&, std::int32_t begin, std::int32_t end, const ParticleSweep<T>&);
};

}  // namespace limber
