// Contact of two particles of the same radius r, over lanes.
//
// Let x be the positions at the start of the substep, p = x + u, n the unit vector from b to a and g the gap
// (distance between the surfaces, s in ParticleGap), both at x. Then
//
//   C = n . (u_a - u_b) + g >= 0
//
// is solved with a multiplier that grains keep over substeps and frames, so that a sweep only corrects it
// (unilateral C, test vector distance_inequality_active; incremental as in the soft step of E. Catto 2023).
// Friction reverses u_a - u_b across n, within mu times that multiplier (Macklin et al. 2014, eq. 24; test
// vectors friction_positional_*). The friction multiplier is kept too, so that grains on a slope do not
// creep.
//
// Grains rotate. Let w be the inverse mass of a grain, 5 w / (2 r^2) its inverse inertia, and q its rotation
// vector in the substep times r. The surfaces slide by u_a - u_b - (q_a + q_b) x n, and an impulse f across n
// changes this by 7/2 (w_a + w_b) f. Rolling, q_a - q_b, is resisted by at most a share of r (the lever arm)
// times the normal impulse.
//
// Restitution returns the share e of the approach speed that a pair had before the substep's contacts.
//
// An overlap, g < 0, counts as g = 0. It is removed over several substeps, at a bounded speed, by moving x
// and p alike, so that the removal gives no velocity.
//
// For a particle of a cluster phi < 0 is the signed distance in the field of the cluster's mesh, and grad phi
// the outward direction (Macklin et al. 2014, section 5.3; test vector rigid_sdf_contact). If both particles
// have a field, the less deep one determines n.
#pragma once

#include "engine/constraints/stencil_traits.hpp"
#include "engine/contact/cone.hpp"

namespace limber {

/// Arrays of all pairs, one number per pair, padded to a multiple of lane_group with pairs of padding
/// particles.
template <class T>
struct ParticlePairView {
  const std::int32_t *a, *b;
  const T* friction;  ///< Coulomb mu
  const T* rolling;   ///< resistance against rolling, as a share of r
  const T* bounce;    ///< e
  T* approach;        ///< m/s, along n, negative: towards each other
  T* kept[3];         ///< kg m, multiplier on a: its part along n is normal, its part across n friction
  T* before;          ///< kg m, length of `kept` a substep earlier
  T* rolled[3];       ///< kg m, multiplier of the rolling resistance, divided by r
};

/// Arrays by particle, and parameters of a sweep.
template <class T>
struct ParticleSweep {
  T* points;         ///< m, p, and inverse mass in 1/kg
  T* previous;       ///< m, x
  const T* outward;  ///< per particle: grad phi in the world, and phi in m; 0: a grain
  T* rolls;          ///< m, per particle: q
  T* velocity;       ///< m/s
  T radius;          ///< m
  T share;           ///< share of an overlap that is removed in a substep
  T most;            ///< m, largest overlap that is removed in a substep
  T slow;            ///< m/s; pairs that approach more slowly do not bounce
};

/// Mobility of a ball's surface, in units of its inverse mass: 1 for the centre plus 5/2 for the spin.
inline constexpr double surface_mobility = 3.5, spin_mobility = 2.5;

/// Direction and gap between two particles at the substep's start.
template <class L>
struct ParticleGap {
  Vec3<L> n;  ///< from b to a
  L s;        ///< m, negative: they overlap
};

/// The gap between two balls. If both are at one place, n is the y direction.
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

/// The gap between two particles that overlap, at least one of them in a cluster. `a`, `b`: their rows of
/// ParticleSweep::outward. If the less deep particle is at most 1.25 r deep in its own mesh, n is the
/// direction between the centres, mirrored at its surface if it points inwards. Deeper, n and the gap are the
/// gradient and minus the depth of the less deep particle.
template <class L>
LIMBER_INLINE ParticleGap<L> field_gap(const Vec3<L>& between, const Point<L>& a, const Point<L>& b,
                                       L radius) {
  using T = typename L::Real;
  const L zero(T(0)), two(T(2));
  const ParticleGap<L> ball = ball_gap(between, radius);
  const auto has_a = a.w < zero, has_b = b.w < zero;
  const L far(T(1e30));
  const L depth_a = select(has_a, -a.w, far), depth_b = select(has_b, -b.w, far);
  // The surface of a is at x_a - phi_a grad_a; b leaves along grad_a, which is the direction -n.
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

template <class L>
LIMBER_INLINE Vec3<L> load_rows(typename L::Real* const (&rows)[3], std::int32_t i) {
  return {L::load(rows[0] + i), L::load(rows[1] + i), L::load(rows[2] + i)};
}
template <class L>
LIMBER_INLINE void store_rows(typename L::Real* const (&rows)[3], std::int32_t i, const Vec3<L>& v) {
  v.x.store(rows[0] + i), v.y.store(rows[1] + i), v.z.store(rows[2] + i);
}

/// Subtracts 5/2 a and 5/2 b (m) from the rotations q of the two particles of each pair.
template <class L>
LIMBER_INLINE void spin_particles(const ParticlePairView<typename L::Real>& pairs, std::int32_t i,
                                  const ParticleSweep<typename L::Real>& sweep, const Vec3<L>& a,
                                  const Vec3<L>& b) {
  using T = typename L::Real;
  const L spin{T(spin_mobility)};
  Point<L> ra = load_points(sweep.rolls, pairs.a + i, L()), rb = load_points(sweep.rolls, pairs.b + i, L());
  ra.p = ra.p - spin * a;
  rb.p = rb.p - spin * b;
  store_points(sweep.rolls, pairs.a + i, ra);
  store_points(sweep.rolls, pairs.b + i, rb);
}

/// Warm start of grains: moves the particles of the slots [begin, end) by their kept multipliers, each
/// shortened to its length one substep earlier if that was smaller: a load lasts longer than a substep, but
/// an impact that is applied again would be a bounce. No two slots share a particle, here and below.
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
    const Point<L> xa = load_points(sweep.previous, pairs.a + i, L()),
                   xb = load_points(sweep.previous, pairs.b + i, L());
    const Vec3<L> rolled = share * load_rows<L>(pairs.rolled, i);
    store_rows(pairs.rolled, i, rolled);
    const Vec3<L> torque = cross(ball_gap(xa.p - xb.p, L(sweep.radius)).n, lasting);
    spin_particles(pairs, i, sweep, a.w * (torque + rolled), b.w * (torque - rolled));
    a.p = a.p + a.w * lasting;
    b.p = b.p - b.w * lasting;
    store_points(sweep.points, pairs.a + i, a);
    store_points(sweep.points, pairs.b + i, b);
  }
}

/// Cold start of pairs with a cluster that is not rigid: their multipliers begin at zero in every substep.
/// Shape matching distributes a warm start over the whole cluster before the first sweep, and then a sweep
/// can take back only the share of the two particles of the pair. Stiff solids would leave a collision with
/// twice the energy that they brought.
template <class L>
void forget_particles(const ParticlePairView<typename L::Real>& pairs, std::int32_t begin, std::int32_t end,
                      const ParticleSweep<typename L::Real>&) {
  const L zero{typename L::Real(0)};
  for (std::int32_t i = begin; i < end; i += L::width) {
    store_rows(pairs.kept, i, Vec3<L>{zero, zero, zero});
    zero.store(pairs.before + i);
  }
}

/// Projects the pairs of the slots [begin, end) once.
template <bool Clusters, class L>
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
    Point<L> ra, rb;
    if constexpr (!Clusters)
      ra = load_points(sweep.rolls, pairs.a + i, L()), rb = load_points(sweep.rolls, pairs.b + i, L());
    if constexpr (Clusters)
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
    Vec3<L> wanted;  // friction multiplier; its part across n, within the cone, is applied
    if constexpr (Clusters)
      wanted = kept - mass * moved;
    else
      wanted = kept - (mass / L(T(surface_mobility))) * (moved - cross(ra.p + rb.p, gap.n));
    const Vec3<L> flat = wanted - dot(gap.n, wanted) * gap.n;
    const Vec3<L> now = push * gap.n + within_cone(flat, L::load(pairs.friction + i) * push);
    const Vec3<L> change = now - kept;
    if constexpr (!Clusters) {
      const L spin{T(spin_mobility)};
      const Vec3<L> torque = cross(gap.n, change);
      ra.p = ra.p - (spin * a.w) * torque;
      rb.p = rb.p - (spin * b.w) * torque;
      const Vec3<L> rolled = load_rows<L>(pairs.rolled, i);
      const Vec3<L> hold = rolled + (mass / spin) * (ra.p - rb.p);
      const Vec3<L> held = within_cone(hold, L::load(pairs.rolling + i) * push);
      const Vec3<L> more = spin * (held - rolled);
      ra.p = ra.p - a.w * more;
      rb.p = rb.p + b.w * more;
      store_rows(pairs.rolled, i, held);
      store_points(sweep.rolls, pairs.a + i, ra);
      store_points(sweep.rolls, pairs.b + i, rb);
    }
    // The removal of an overlap moves x as well as p, so that it gives no velocity.
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

/// Computes the approach speeds of the grains of the slots [begin, end), from velocities before contacts.
template <class L>
void aim_bounces(const ParticlePairView<typename L::Real>& pairs, std::int32_t begin, std::int32_t end,
                 const ParticleSweep<typename L::Real>& sweep) {
  for (std::int32_t i = begin; i < end; i += L::width) {
    const Point<L> a = load_points(sweep.previous, pairs.a + i, L()),
                   b = load_points(sweep.previous, pairs.b + i, L()),
                   va = load_points(sweep.velocity, pairs.a + i, L()),
                   vb = load_points(sweep.velocity, pairs.b + i, L());
    dot(ball_gap(a.p - b.p, L(sweep.radius)).n, va.p - vb.p).store(pairs.approach + i);
  }
}

/// Restitution, as line (16) of Mueller et al. 2006 for colliders: pairs in the slots [begin, end) that
/// pushed separate with at least e times their approach speed.
template <class L>
void bounce_particles(const ParticlePairView<typename L::Real>& pairs, std::int32_t begin, std::int32_t end,
                      const ParticleSweep<typename L::Real>& sweep) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), slow(sweep.slow);
  for (std::int32_t i = begin; i < end; i += L::width) {
    const L came = -L::load(pairs.approach + i), e = L::load(pairs.bounce + i);
    const Point<L> a = load_points(sweep.points, pairs.a + i, L()),
                   b = load_points(sweep.points, pairs.b + i, L());
    const Vec3<L> n = ball_gap(a.p - b.p, L(sweep.radius)).n;
    const Vec3<L> kept = {L::load(pairs.kept[0] + i), L::load(pairs.kept[1] + i), L::load(pairs.kept[2] + i)};
    const L w = a.w + b.w;
    const L live = select(zero < w, select(zero < dot(kept, n), select(slow < came, one, zero), zero), zero);
    if (bits(zero < live * e) == 0) continue;
    Point<L> va = load_points(sweep.velocity, pairs.a + i, L()),
             vb = load_points(sweep.velocity, pairs.b + i, L());
    const L missing = live * max(e * came - dot(n, va.p - vb.p), zero);
    const L impulse = missing / select(zero < w, w, one);
    va.p = va.p + (impulse * a.w) * n;
    vb.p = vb.p - (impulse * b.w) * n;
    store_points(sweep.velocity, pairs.a + i, va);
    store_points(sweep.velocity, pairs.b + i, vb);
  }
}

/// Pointers to these kernels for one instruction set. Index 0: grains only; index 1: pairs with particles of
/// clusters.
template <class T>
struct ParticlePairKernels {
  using Kernel = void (*)(const ParticlePairView<T>&, std::int32_t begin, std::int32_t end,
                          const ParticleSweep<T>&);
  Kernel start[2], push[2];
  Kernel aim_bounces, bounce;
};

}  // namespace limber
