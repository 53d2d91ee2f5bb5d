// Kernels that write the law of contact in their own form, against the scalar law on random rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/contact/cloth/supported_pair.hpp"
#include "engine/contact/cloth/surface_pair.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/law.hpp"
#include "engine/contact/particles/particle_pair.hpp"
#include "engine/contact/side.hpp"
#include "engine/parallel/random.hpp"
#include "engine/parts/bodies/impact_law.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace contact_rows_test { namespace {

using L1 = Lanes<real, 1>;
constexpr int trials = 2000;
constexpr double rounding = sizeof(real) == 8 ? 1e-12 : 3e-5;

struct Draw {
  std::uint64_t counter = 0;
  real number(real low = -1, real high = 1) {
    return low + (high - low) * real(0.5 + 0.5 * random_signed(7, counter++));
  }
  vec3 vector() {
    const real x = number(), y = number(), z = number();
    return {x, y, z};
  }
  vec3 direction() { return glm::normalize(vector() + vec3(real(1e-3))); }
  vec3 across(const vec3& n) {
    const vec3 v = vector();
    return v - glm::dot(v, n) * n;
  }
};

void expect_near(const vec3& a, const vec3& b, int trial) {
  for (int k = 0; k < 3; ++k)
    ASSERT_NEAR(double(a[k]), double(b[k]), rounding * (1.0 + double(glm::length(b)))) << "trial " << trial;
}

/// Counts of the regimes that the random rows reach: each must occur.
struct Regimes {
  int apart = 0, sticks = 0, slides = 0;
  void count(const ContactRow& row) {
    if (!(row.normal_lambda > real(0)))
      ++apart;
    else if (glm::length(row.friction_lambda) < real(0.999) * row.friction * row.normal_lambda)
      ++sticks;
    else
      ++slides;
  }
  void expect_all() const {
    EXPECT_GT(apart, trials / 50);
    EXPECT_GT(sticks, trials / 50);
    EXPECT_GT(slides, trials / 50);
  }
};

/// A row with a multiplier from earlier sweeps, within its cone.
ContactRow earlier(Draw& draw, const vec3& n) {
  ContactRow row;
  row.normal = n;
  row.friction = draw.number(0, 1);
  row.normal_lambda = std::max(draw.number(), real(0));
  row.friction_lambda = within_cone(draw.across(n), row.friction * row.normal_lambda);
  return row;
}

/// Two balls whose rotations take part in friction (2/7 of the sliding of a surface is translation).
struct Balls {
  vec4 &a, &b;
  const vec4 &xa, &xb;
  vec4 &ra, &rb;
  const vec3& n;
  bool roll;

  vec3 moved() const {
    const vec3 centres = vec3(a) - vec3(xa) - (vec3(b) - vec3(xb));
    return roll ? centres - glm::cross(vec3(ra) + vec3(rb), n) : centres;
  }
  real inverse_mass_along(const vec3& along) const {
    const bool across = std::abs(glm::dot(along, n)) < real(0.5);
    return (a.w + b.w) * (roll && across ? real(surface_mobility) : real(1));
  }
  void push(const vec3& impulse) const {
    a += vec4(a.w * impulse, real(0)), b -= vec4(b.w * impulse, real(0));
    if (!roll) return;
    const vec3 torque = real(spin_mobility) * glm::cross(n, impulse);
    ra -= vec4(a.w * torque, real(0)), rb -= vec4(b.w * torque, real(0));
  }
};

template <bool Clusters>
void compare_particles() {
  Draw draw;
  Regimes regimes;
  for (int t = 0; t < trials; ++t) {
    const vec3 n = draw.direction();
    const real radius = real(0.5), gap = std::max(draw.number(real(-0.5), real(0.5)), real(0));
    vec4 previous[2] = {vec4((2 * radius + gap) * n, draw.number(0, 2)), vec4(vec3(0), draw.number(0, 2))};
    vec4 points[2], rolls[2], outward[2] = {}, velocity[2] = {};
    if (Clusters) outward[1] = vec4(n, real(-0.5) * radius);  // not deep: n is the direction of the centres
    for (int k = 0; k < 2; ++k) {
      points[k] = previous[k] + vec4(real(0.3) * draw.vector(), real(0));
      rolls[k] = Clusters ? vec4(0) : vec4(real(0.1) * draw.vector(), real(0));
    }
    vec4 scalar[2] = {points[0], points[1]}, turned[2] = {rolls[0], rolls[1]};
    ContactRow row = earlier(draw, n);
    row.gap = gap;
    row.weigh(previous[0].w + previous[1].w);
    vec3 kept = row.lambda();
    const std::int32_t a = 0, b = 1;
    const real friction = row.friction, none = 0;
    real unused[6] = {}, rolled[3] = {};
    push_particles<Clusters, L1>({&a,
                                  &b,
                                  &friction,
                                  &none,
                                  &none,
                                  unused,
                                  {&kept.x, &kept.y, &kept.z},
                                  unused + 1,
                                  {rolled, rolled + 1, rolled + 2}},
                                 0, 1,
                                 {&points[0].x, &previous[0].x, &outward[0].x, &rolls[0].x, &velocity[0].x,
                                  radius, real(1), real(100), real(0)});
    project_contact(
        row, true, Balls{scalar[0], scalar[1], previous[0], previous[1], turned[0], turned[1], n, !Clusters});
    expect_near(kept, row.lambda(), t);
    for (int k = 0; k < 2; ++k) expect_near(vec3(points[k]), vec3(scalar[k]), t);
    for (int k = 0; k < 2; ++k) expect_near(vec3(rolls[k]), vec3(turned[k]), t);
    regimes.count(row);
  }
  regimes.expect_all();
}

TEST(ContactRows, PairsOfClusterParticlesObeyTheScalarLaw) { compare_particles<true>(); }
TEST(ContactRows, PairsOfGrainsObeyTheScalarLaw) { compare_particles<false>(); }

/// The point sum s_j x_j of four particles, against nothing.
struct FourPoints {
  vec4 (&points)[4];
  const real (&s)[4];
  const vec3& before;

  vec3 moved() const {
    vec3 sum(0);
    for (int j = 0; j < 4; ++j) sum += s[j] * vec3(points[j]);
    return sum - before;
  }
  real inverse_mass_along(const vec3&) const {
    real w = 0;
    for (int j = 0; j < 4; ++j) w += points[j].w * s[j] * s[j];
    return w;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 4; ++j) points[j] += vec4(points[j].w * s[j] * impulse, real(0));
  }
};

TEST(ContactRows, PairsOfSurfacesObeyTheScalarLaw) {
  Draw draw;
  Regimes regimes;
  for (int t = 0; t < trials; ++t) {
    const vec3 n = draw.direction();
    real u = draw.number(real(0.1), real(0.6)), v = draw.number(real(0.1), real(0.3));
    const real s[4] = {1, -u, -v, u + v - 1};
    vec4 points[4], scalar[4], moved[4];
    vec3 apart(0);
    for (int j = 0; j < 4; ++j) {
      points[j] = vec4(draw.vector(), draw.number(real(0.2), 2));
      apart += s[j] * vec3(points[j]);
    }
    vec3 before = apart;
    for (int j = 0; j < 4; ++j) {
      points[j] += vec4(real(0.3) * draw.vector(), real(0));
      scalar[j] = moved[j] = points[j];
    }
    const std::int32_t index[4] = {0, 1, 2, 3};
    ContactRow row = earlier(draw, n);
    const FourPoints side{scalar, s, before};
    row.gap = draw.number(real(-0.3), real(0.3));
    row.weigh(side.inverse_mass_along(n));
    vec3 kept = row.lambda();
    real hold = glm::dot(n, before) - row.gap, friction = row.friction, normal[3] = {n.x, n.y, n.z};
    real drift[3] = {}, weight[4] = {s[0], s[1], s[2], s[3]};
    SurfacePairView<real> view{};
    for (int j = 0; j < 4; ++j) view.vertices[j] = index + j, view.weight[j] = weight + j;
    for (int k = 0; k < 3; ++k)
      view.normal[k] = normal + k, view.kept[k] = &kept[k], view.apart[k] = &before[k],
      view.drift[k] = drift + k;
    view.friction = &friction, view.hold = &hold;
    push_pairs<L1>(view, 0, 1, &points[0].x, &moved[0].x);
    project_contact(row, true, side);
    expect_near(kept, row.lambda(), t);
    for (int j = 0; j < 4; ++j) expect_near(vec3(points[j]), vec3(scalar[j]), t);
    regimes.count(row);
  }
  regimes.expect_all();
}

/// A manifold of one point between bodies that cannot turn: its friction is that of a row.
TEST(ContactRows, ManifoldsOfOnePointObeyTheScalarLaw) {
  Draw draw;
  Regimes regimes;
  for (int t = 0; t < trials; ++t) {
    const vec3 n = draw.direction(), along = glm::normalize(draw.across(n));
    vec4 rows[2 * body_rows] = {};
    vec4 scalar[2][frame_rows] = {};
    for (int b = 0; b < 2; ++b) {
      rows[b * body_rows + row_shift] = vec4(real(0.3) * draw.vector(), draw.number(real(0.1), 2));
      rows[b * body_rows + row_rotated] = vec4(0, 0, 0, 1);
      scalar[b][row_shift] = rows[b * body_rows + row_shift];
    }
    ContactRow row = earlier(draw, n);
    row.gap = draw.number(0, real(0.3));
    row.weigh(scalar[0][row_shift].w + scalar[1][row_shift].w);
    std::vector<real> data(std::size_t(contact_columns * lane_group), real(0));
    const std::int32_t a = 0, b = body_rows;
    const BodyContactView<real> view{&a, &b, data.data()};
    real* const slot = view.slot(0);
    const vec3 side = glm::cross(n, along);
    const auto put = [&](real* at, int column, real value) { at[column * lane_group] = value; };
    const auto put3 = [&](real* at, int column, const vec3& value) {
      for (int k = 0; k < 3; ++k) put(at, column + k, value[k]);
    };
    put3(slot, column_normal, n), put3(slot, column_tangent, along);
    put(slot, column_friction, row.friction);
    put(slot, column_friction_lambda + 0, glm::dot(row.friction_lambda, along));
    put(slot, column_friction_lambda + 1, glm::dot(row.friction_lambda, side));
    for (int k = 0; k < contact_points; ++k)
      put(view.point(slot, k), point_base, k == 0 ? row.gap : real(1e3));
    put(view.point(slot, 0), point_push, row.normal_lambda);
    weigh_contacts<L1>(view, 0, 1, &rows[0].x);
    settle_contacts<true, L1>(view, 0, 1, &rows[0].x, false);
    const vec3 arm(0);
    project_contact(row, true, Sides{FramePoint{scalar[0], arm}, FramePoint{scalar[1], arm}});
    EXPECT_NEAR(double(view.point(slot, 0)[point_push * lane_group]), double(row.normal_lambda),
                10 * rounding);
    for (int k = 0; k < 2; ++k)
      expect_near(vec3(rows[k * body_rows + row_shift]), vec3(scalar[k][row_shift]), t);
    regimes.count(row);
  }
  regimes.expect_all();
}

/// The first projection of a particle at a collider, whose multipliers are displacements: friction and the
/// velocity filter.
TEST(ContactRows, CollidersObeyTheScalarLaw) {
  Draw draw;
  Regimes regimes;
  for (int t = 0; t < trials; ++t) {
    ContactRow row;
    row.normal = draw.direction();
    row.friction = draw.number(0, 1);
    row.mass = 1;
    row.gap = draw.number(real(-0.5), real(0.5));
    Particles particles = still_particles({vec4(draw.vector(), real(1)), vec4(0)});
    move_particle(particles, 0, real(0.5) * draw.vector());
    const vec3 moved = way_of(particles, 0);
    const real depth = std::max(-(glm::dot(row.normal, moved) + row.gap), real(0));
    const vec3 freed = moved + depth * row.normal;
    const vec3 kernel = freed + friction_correction(freed, row.normal, depth, row.friction);
    const LoosePoint nothing{particles, 1};
    project_contact(row, true, Sides{LoosePoint{particles, 0}, nothing});
    expect_near(kernel, way_of(particles, 0), t);
    regimes.count(row);

    vec4 velocity(draw.vector(), real(0));
    const real leaving = glm::dot(row.normal, vec3(velocity));
    const real sliding = glm::length(vec3(velocity) - leaving * row.normal);
    const vec3 filtered = filter_velocity(vec3(velocity), row.normal, leaving, real(0),
                                          share_within(sliding, row.friction * row.normal_lambda));
    ContactRow bounce = row;
    bounce_contact(bounce, real(0), real(0), Sides{LooseVelocity{&velocity, real(1)}, nothing});
    filter_contact(row, real(1), Sides{LooseVelocity{&velocity, real(1)}, nothing});
    expect_near(filtered, vec3(velocity), t);
  }
  regimes.expect_all();
}

/// The point sum s_j x_j of four particles, each of which may be held along a direction, against nothing.
struct HeldPoints {
  vec4 (&points)[4];
  const real (&s)[4];
  const vec3 (&held)[4];  ///< unit, or 0
  real (&loads)[4];       ///< m, taken from what holds them
  const vec3& before;

  vec3 moved() const {
    vec3 sum(0);
    for (int j = 0; j < 4; ++j) sum += s[j] * vec3(points[j]);
    return sum - before;
  }
  real inverse_mass_along(const vec3& d) const {
    real w = 0;
    for (int j = 0; j < 4; ++j) {
      const vec3 free = d - glm::dot(d, held[j]) * held[j];
      w += points[j].w * s[j] * s[j] * glm::dot(free, free);
    }
    return w;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 4; ++j) {
      const vec3 step = points[j].w * s[j] * impulse;
      loads[j] -= glm::dot(step, held[j]);
      points[j] += vec4(step - glm::dot(step, held[j]) * held[j], real(0));
    }
  }
};

/// A collider holds particles along or across the normal of the pair.
TEST(ContactRows, PairsThatAColliderSupportsObeyTheScalarLaw) {
  Draw draw;
  Regimes regimes;
  Particles particles;
  particles.position.resize(4), particles.moved.resize(4);
  for (int t = 0; t < trials; ++t) {
    const vec3 n = draw.direction();
    real u = draw.number(real(0.3), real(0.35)), v = draw.number(real(0.3), real(0.35));
    real weight[4] = {1, -u, -v, u + v - 1};
    vec4 scalar[4];
    vec3 before(0), held[4], kept;
    StaticContact support[4]{};
    for (std::size_t j = 0; j < 4; ++j) {
      scalar[j] = vec4(draw.vector(), draw.number(real(0.2), 2));
      before += weight[j] * vec3(scalar[j]);
      scalar[j] += vec4(real(0.3) * draw.vector(), real(0));
      particles.position[j] = particles.moved[j] = scalar[j];
      const real way = draw.number();
      held[j] = j > 0 && way > real(0.6)    ? n
                : j > 0 && way > real(0.2)  ? -n
                : j > 0 && way > real(-0.2) ? glm::normalize(draw.across(n))
                                            : vec3(0);
      support[j].normal = held[j];
    }
    real loads[4] = {};
    const HeldPoints side{scalar, weight, held, loads, before};
    ContactRow row = earlier(draw, n);
    row.gap = draw.number(real(-0.3), real(0.3));
    row.weigh(side.inverse_mass_along(n));
    kept = row.lambda();
    const std::int32_t index[4] = {0, 1, 2, 3};
    real hold = glm::dot(n, before) - row.gap, friction = row.friction, drift[3] = {};
    SurfacePairView<real> view{};
    for (int j = 0; j < 4; ++j) view.vertices[j] = index + j, view.weight[j] = weight + j;
    for (int k = 0; k < 3; ++k)
      view.kept[k] = &kept[k], view.apart[k] = &before[k], view.drift[k] = drift + k;
    view.friction = &friction, view.hold = &hold;
    SupportedPair pair{view, 0, particles};
    for (int j = 0; j < 4; ++j) pair.support[j] = held[j] == vec3(0) ? nullptr : support + j;
    push_supported_pair(pair, n, vec3(kept));
    project_contact(row, true, side);
    expect_near(kept, row.lambda(), t);
    for (std::size_t j = 0; j < 4; ++j) {
      expect_near(vec3(particles.position[j]), vec3(scalar[j]), t);
      expect_near(vec3(particles.moved[j]), vec3(scalar[j]), t);
      ASSERT_NEAR(double(support[j].load), double(loads[j]), 10 * rounding) << "trial " << t;
    }
    regimes.count(row);
  }
  regimes.expect_all();
}

/// Velocities of two bodies at a point of each.
struct FlyingPoints {
  vec3 (&velocity)[2], (&spin)[2];
  const real (&mass)[2];  ///< inverse
  const Symmetric (&inertia)[2];
  const vec3 (&arm)[2];

  vec3 moved() const {
    return velocity[0] + glm::cross(spin[0], arm[0]) - velocity[1] - glm::cross(spin[1], arm[1]);
  }
  real inverse_mass_along(const vec3& d) const {
    real w = mass[0] + mass[1];
    for (int k = 0; k < 2; ++k) w += glm::dot(glm::cross(inertia[k] * glm::cross(arm[k], d), arm[k]), d);
    return w;
  }
  void push(const vec3& impulse) const {
    for (int k = 0; k < 2; ++k) {
      const vec3 own = k == 0 ? impulse : -impulse;
      velocity[k] += mass[k] * own, spin[k] += inertia[k] * glm::cross(arm[k], own);
    }
  }
};

TEST(ContactRows, ImpactsOfBodiesObeyTheScalarLaw) {
  Draw draw;
  Regimes regimes;
  for (int t = 0; t < trials; ++t) {
    FlightState state[2];
    vec3 velocity[2], spin[2], arm[2];
    real mass[2];
    Symmetric inertia[2];
    for (int k = 0; k < 2; ++k) {
      FlightState& s = state[k];
      s.velocity = velocity[k] = draw.vector(), s.spin = spin[k] = draw.vector();
      const bool fixed = k == 1 && t % 4 == 0;
      s.inverse_mass = mass[k] = fixed ? real(0) : draw.number(real(0.2), 2);
      const vec4 q(draw.vector(), real(1));
      const vec3 principal = fixed ? vec3(0) : vec3(2) + draw.vector();
      s.inverse_inertia = inertia[k] = in_world(rotation_of(q / std::sqrt(glm::dot(q, q))), principal);
      arm[k] = draw.vector();
    }
    const FlyingPoints side{velocity, spin, mass, inertia, arm};
    ImpactKick kicks[2];
    const ImpactSides sides{state[0], state[1], arm[0], arm[1], &kicks[0], t % 4 == 0 ? nullptr : &kicks[1]};
    const vec3 n = draw.direction();
    const real approach = glm::dot(n, side.moved()), restitution = draw.number(0, 1);
    ContactRow row;
    row.normal = n, row.friction = draw.number(0, 1), row.bounce_lambda = std::max(draw.number(), real(0));
    row.weigh(side.inverse_mass_along(n));
    ImpactRow own{n, sides.inverse_mass_along(n), -restitution * approach, row.friction, row.bounce_lambda};
    push_impact(own, sides);
    const vec3 rubbed = rub_impact(own, sides);
    bounce_contact(row, restitution, approach, side);
    ASSERT_NEAR(double(own.pushed), double(row.bounce_lambda), 10 * rounding) << "trial " << t;
    row.normal_lambda = row.bounce_lambda;
    filter_contact(row, real(1), side);
    for (int k = 0; k < 2; ++k) {
      expect_near(state[k].velocity + kicks[k].velocity, velocity[k], t);
      expect_near(state[k].spin + kicks[k].spin, spin[k], t);
    }
    row.friction_lambda = rubbed;
    regimes.count(row);
  }
  regimes.expect_all();
}

}}}}  // namespace limber::LIMBER_PRECISION::contact_rows_test
