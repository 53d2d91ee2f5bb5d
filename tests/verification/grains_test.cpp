// Particles that touch each other: the search, single contacts against worked cases, heaps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <numeric>
#include <set>

#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/matter_measure.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace grains_test { namespace {

using test::to_vec3;
using test::vector_case;
using test::VectorCase;

/// A pair of particles in a group of its own, from x to p.
struct PairOfParticles {
  AlignedVector<vec4> points, previous, start, outward, rolls, velocity;
  AlignedVector<std::int32_t> a, b;
  AlignedVector<real> friction, rolling, bounce, approach, kept[3], before, rolled[3];
  real radius = real(0.5), share = 1, most = 100, slow = 0;

  PairOfParticles(const vec3& xa, real wa, const vec3& xb, real wb, real mu = 0) {
    previous = {vec4(xa, wa), vec4(xb, wb), vec4(0), vec4(0)};
    points = start = previous;
    for (auto* row : {&outward, &rolls, &velocity}) row->resize(4, vec4(0));
    a.assign(lane_group, 2), b.assign(lane_group, 2);
    a[0] = 0, b[0] = 1;
    friction.assign(lane_group, mu);
    for (auto* row : {&rolling, &bounce, &approach, &before, &kept[0], &kept[1], &kept[2], &rolled[0],
                      &rolled[1], &rolled[2]})
      row->assign(lane_group, real(0));
  }
  using Kernel = ParticlePairKernels<real>::Kernel;
  void run(Kernel kernel) {
    kernel({a.data(),
            b.data(),
            friction.data(),
            rolling.data(),
            bounce.data(),
            approach.data(),
            {kept[0].data(), kept[1].data(), kept[2].data()},
            before.data(),
            {rolled[0].data(), rolled[1].data(), rolled[2].data()}},
           0, lane_group,
           {flat(points), flat(previous), flat(outward), flat(rolls), flat(velocity), radius, share, most,
            slow});
  }
  void push(bool solids = false) { run(reference_kernels().particles.push[solids]); }
  vec3 moved(std::size_t i) const { return vec3(points[i] - start[i]); }
};

TEST(ParticleContact, MovesTheWorkedCases) {
  const VectorCase active = vector_case("distance_inequality_active");
  const auto& p = active.inputs.at("p");
  PairOfParticles touching(to_vec3<real>(p[0]), active.inputs.at("w")[0].get<real>(), to_vec3<real>(p[1]),
                           active.inputs.at("w")[1].get<real>());
  touching.push();
  EXPECT_TRUE(test::matches<real>(active, "dp", std::vector{touching.moved(0), touching.moved(1)}));

  const VectorCase inactive = vector_case("distance_inequality_inactive");
  const auto& q = inactive.inputs.at("p");
  PairOfParticles apart(to_vec3<real>(q[0]), 1, to_vec3<real>(q[1]), 1);
  apart.push();
  EXPECT_EQ(apart.moved(0), vec3(0));
}

/// A pair that starts in contact: i approaches by the case's depth while it slides. Both are 2 r apart, so
/// the normal push is the depth; the tangential part of the case is left.
void expect_friction(const char* name, const char* mu) {
  const VectorCase c = vector_case(name);
  const real depth = c.inputs.at("penetration_d").get<real>();
  const vec3 slid = to_vec3<real>(c.inputs.at("dx_rel")), n = to_vec3<real>(c.inputs.at("n"));
  const real wi = c.inputs.at("w_i").get<real>(), wj = c.inputs.at("w_j").get<real>();
  PairOfParticles pair(n, wi, vec3(0), wj, c.inputs.at(mu).get<real>());
  const vec3 across = slid - glm::dot(slid, n) * n;
  pair.points[0] += vec4(across - depth * n, 0);
  const vec3 start_i(pair.points[0]), start_j(pair.points[1]);
  pair.push(true);  // points: the kernel for grains turns them as well
  const real whole = wi + wj;
  const vec3 out_i = vec3(pair.points[0]) - start_i - (wi / whole * depth) * n,
             out_j = vec3(pair.points[1]) - start_j + (wj / whole * depth) * n;
  EXPECT_TRUE(test::matches<real>(c, "dp_i", out_i));
  EXPECT_TRUE(test::matches<real>(c, "dp_j", out_j));
}

TEST(ParticleContact, FrictionIsThatOfTheWorkedCases) {
  expect_friction("friction_positional_static", "mu_s");
  expect_friction("friction_positional_kinetic", "mu_k");
}

/// A substep starts with the push that a contact has had for two substeps: a load lasts, an impact does not.
TEST(ParticleContact, ABlowIsNotGivenAgain) {
  PairOfParticles pair(vec3(0, 1, 0), 2, vec3(0), 3);
  pair.kept[1][0] = real(0.8), pair.before[0] = real(0.3);
  pair.run(reference_kernels().particles.start[0]);
  EXPECT_NEAR(double(pair.moved(0).y), 2 * 0.3, 1e-6);
  EXPECT_NEAR(double(pair.moved(1).y), -3 * 0.3, 1e-6);
  EXPECT_NEAR(double(pair.kept[1][0]), 0.3, 1e-6);
  EXPECT_NEAR(double(pair.before[0]), 0.8, 1e-6);
}

/// If two grains slide by a small distance, friction removes 2/7 of it by translation and 5/7 by spins, so
/// that their surfaces do not slide. The angular momentum about the contact point, m r u + 2/5 m r^2 turn, is
/// conserved. Beyond mu times the normal push they keep sliding.
TEST(ParticleContact, FrictionMakesGrainsSpin) {
  const real depth = real(0.01), slid = real(0.007);
  PairOfParticles pair(vec3(0, 1, 0), 2, vec3(0), 2, 1);
  pair.points[0] += vec4(slid, -depth, 0, 0);
  pair.push();
  const vec3 u = vec3(pair.points[0]) - vec3(0, 1, 0), away = vec3(pair.points[1]);
  EXPECT_NEAR(u.x + away.x, slid, 1e-6);
  EXPECT_NEAR(u.x - away.x, slid * 5 / 7, 1e-6);
  const vec3 spins = vec3(pair.rolls[0]) + vec3(pair.rolls[1]);
  EXPECT_NEAR(u.x - away.x - glm::cross(spins, vec3(0, 1, 0)).x, 0, 1e-6);
  // r = 1/2, about the middle: r (u_a - u_b) + 2/5 r (s_a + s_b), along z against the slide
  EXPECT_NEAR(-(u.x - away.x) * real(0.5) + real(0.4) * real(0.5) * spins.z, -slid * real(0.5), 1e-6);

  PairOfParticles slippery(vec3(0, 1, 0), 2, vec3(0), 2, real(0.01));
  slippery.points[0] += vec4(slid, -depth, 0, 0);
  slippery.push();
  const real relative = slippery.points[0].x - slippery.points[1].x;
  EXPECT_NEAR(relative, slid - real(0.01) * depth, 1e-6);
}

/// Two that roll on each other stop within the resistance, and not beyond.
TEST(ParticleContact, RollingIsResistedWithinAShareOfThePush) {
  const real depth = real(0.01), turn = real(0.02);
  for (const real resistance : {real(1), real(0.1)}) {
    PairOfParticles pair(vec3(0, 1, 0), 2, vec3(0), 2, 0);
    pair.rolling.assign(lane_group, resistance);
    pair.points[0] -= vec4(0, depth, 0, 0);
    pair.rolls[0] = vec4(turn, 0, 0, 0), pair.rolls[1] = vec4(-turn, 0, 0, 0);
    pair.push();
    // push = depth / (w_a + w_b); it takes 5/2 (w_a + w_b) times the share of it from s_a - s_b
    const real left = std::max(2 * turn - real(2.5) * resistance * depth, real(0));
    EXPECT_NEAR(pair.rolls[0].x - pair.rolls[1].x, left, 1e-6) << resistance;
  }
}

/// A head-on pair leaves with e times the speed that it came with, and keeps its momentum.
TEST(ParticleContact, GrainsBounce) {
  const auto& kernels = reference_kernels().particles;
  for (const real e : {real(0), real(0.5), real(1)}) {
    PairOfParticles pair(vec3(0, 1, 0), 1, vec3(0), 3);
    pair.bounce.assign(lane_group, e);
    pair.velocity[0] = vec4(real(0.2), -2, 0, 0), pair.velocity[1] = vec4(0, 1, 0, 0);
    pair.run(kernels.aim_bounces);
    pair.points[0] -= vec4(0, real(0.02), 0, 0), pair.points[1] += vec4(0, real(0.01), 0, 0);
    pair.push();
    // the solver's result with a substep of one second: both move on together
    const real together = (real(-2) * 3 + 1) / 4;
    pair.velocity[0].y = pair.velocity[1].y = together;
    pair.run(kernels.bounce);
    EXPECT_NEAR(pair.velocity[0].y - pair.velocity[1].y, 3 * e, 1e-5) << e;
    EXPECT_NEAR(pair.velocity[0].y + pair.velocity[1].y / 3, together * 4 / 3, 1e-5) << e;
    EXPECT_EQ(pair.velocity[0].x, real(0.2));
  }
}

TEST(ParticleContact, FieldsSayWhichWayIsOut) {
  const VectorCase c = vector_case("rigid_sdf_contact");
  PairOfParticles pair(to_vec3<real>(c.inputs.at("x_i")), 1, to_vec3<real>(c.inputs.at("x_j")), 1);
  pair.radius = real(0.037);  // they are 0.0728 apart, and 0.05 is deeper than 1.25 r
  pair.outward[0] = vec4(to_vec3<real>(c.inputs.at("grad_i")), c.inputs.at("phi_i").get<real>());
  pair.outward[1] = vec4(to_vec3<real>(c.inputs.at("grad_j")), c.inputs.at("phi_j").get<real>());
  pair.push(true);
  EXPECT_TRUE(test::matches<real>(c, "dp_i", pair.moved(0)));
  EXPECT_TRUE(test::matches<real>(c, "dp_j", pair.moved(1)));
}

/// Behind a surface particle the push is mirrored: still out of the solid.
TEST(ParticleContact, APartnerBehindASurfaceParticleIsPushedOut) {
  PairOfParticles pair(vec3(0), 0, vec3(real(0.3), real(-0.4), 0), 1);
  pair.outward[0] = vec4(0, 1, 0, real(-0.5));
  pair.push(true);
  EXPECT_GT(pair.moved(1).y, 0);
  EXPECT_GT(pair.moved(1).x, 0);
}

std::vector<ParticlePair> found(const World& world, int threads, real reach) {
  Pool pool(threads);
  NeighbourSearch search;
  const ParticleMatter& matter = world.topology->matter;
  search.reserve(matter.members.size());
  const Swarm all = Swarm::everywhere(reach);
  pool.run([&](Team& team) {
    search.find(world, matter.members, world.particles.position, matter.phase, {{&all, 1}, {}}, team);
  });
  std::vector<ParticlePair> out;
  for (const auto& list : search.pairs()) out.insert(out.end(), list.begin(), list.end());
  return out;
}

/// A cloud of grains around the origin and far from it, among solids' phases.
TEST(NeighbourSearch, FindsWhatComparingAllFinds) {
  SceneDesc scene;
  ObjectDesc grains;
  grains.name = "grains";
  grains.type = ObjectType::grains;
  grains.copies = {12, 10, 10};
  grains.spacing = glm::dvec3(0.05);
  grains.jitter = 0.06;
  scene.objects = {grains};
  Rig rig(scene);
  auto topology = std::make_shared<Topology>(*rig.world.topology);
  for (std::size_t i = 0; i < 600; ++i) topology->matter.phase[i] = std::int32_t(1 + i / 100);
  for (std::size_t i = 0; i < 100; ++i) rig.world.particles.position[i] += vec4(-700, 300, 123, 0);
  rig.world.topology = topology;
  const real reach = real(0.06);
  const auto pairs = found(rig.world, 1, reach);
  std::set<std::pair<std::int32_t, std::int32_t>> fast, slow;
  for (const ParticlePair& pair : pairs) fast.insert({pair.a, pair.b});
  EXPECT_EQ(fast.size(), pairs.size()) << "a pair came twice";
  const auto& phase = topology->matter.phase;
  const auto& x = rig.world.particles.position;
  for (std::int32_t a = 0; a < rig.world.particles.count; ++a)
    for (std::int32_t b = a + 1; b < rig.world.particles.count; ++b) {
      const vec3 d(x[std::size_t(a)] - x[std::size_t(b)]);
      const bool strangers = phase[std::size_t(a)] == 0 || phase[std::size_t(a)] != phase[std::size_t(b)];
      if (strangers && glm::dot(d, d) < reach * reach) slow.insert({a, b});
    }
  EXPECT_GT(slow.size(), 1000u);
  EXPECT_EQ(fast, slow);
  for (const int threads : test::several_threads())
    EXPECT_EQ(found(rig.world, threads, reach), pairs) << threads;
}

ObjectDesc grains_of(const glm::dvec3& copies, double friction) {
  ObjectDesc grains;
  grains.name = "grains";
  grains.type = ObjectType::grains;
  grains.copies = copies;
  grains.spacing = glm::dvec3(0.0402);
  grains.pose.position = {0.0, 0.021, 0.0};
  grains.jitter = 0.002;
  grains.material->friction = friction;
  return grains;
}

ColliderDesc ground(double friction) {
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  floor.friction = friction;
  return floor;
}

/// A cloud of grains that fly into each other. Contact conserves both momenta to rounding, friction the
/// linear one: it acts across the line between two points, and they do not spin. Float rounds x by eps |x|,
/// either way, in 200 substeps of h: sqrt(200) 3e-8 / 1.7e-3 = 2.5e-4 m/s for one, and less for the mean of
/// 512.
TEST(Grains, CollisionsConserveMomenta) {
  for (const double friction : {0.0, 0.5}) {
    SceneDesc scene;
    ObjectDesc grains = grains_of({8, 8, 8}, friction);
    grains.jitter = 0.01;
    scene.objects = {grains};
    scene.solver.motion->gravity = glm::dvec3(0.0);
    scene.solver.motion->damping = 0.0;
    Rig rig(scene);
    for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
      const vec3 x(rig.world.particles.position[std::size_t(i)]);
      const vec3 inwards = -real(3) * (x - vec3(0, real(0.16), 0)) + vec3(real(0.2), 0, 0);
      rig.world.particles.velocity[std::size_t(i)] = vec4(inwards, 0);
    }
    const Measures before = measure(rig.world);
    rig.run(20);
    const Measures after = measure(rig.world);
    EXPECT_LT(after.kinetic_energy, 0.5 * before.kinetic_energy);  // they did collide, and do not bounce
    const double mass = 512.0 / double(rig.world.particles.position[0].w);
    const double rounding = std::is_same_v<real, double> ? 1e-12 : 2.5e-4;
    EXPECT_LT(glm::length(after.momentum - before.momentum), rounding * mass) << friction;
    if (friction ==
        0.0) {  // n is that at x while p moves on: O(h), a thousandth of m v r for 0.5 m/s and 0.3 m
      EXPECT_LT(glm::length(after.angular_momentum - before.angular_momentum), 1e-3 * mass * 0.5 * 0.3);
    }
  }
}

SceneDesc heap(double friction) {
  SceneDesc scene;
  scene.solver.step->substeps = 6;
  ObjectDesc loose = grains_of({12, 8, 12}, friction);
  loose.spacing = glm::dvec3(0.05);
  loose.jitter = 0.012;
  loose.pose.position.y = 0.05;
  scene.objects = {loose};
  scene.colliders = {ground(0.8)};
  return scene;
}

constexpr double plate_half = 0.24, plate_top = 0.05;  // m

/// A loose block of grains on a plate: grains fall over its edge until a heap is left.
SceneDesc heap_on_a_plate(double friction) {
  SceneDesc scene = heap(friction);
  scene.objects[0].copies = {9, 8, 9};
  scene.objects[0].pose.position.y = plate_top + 0.04;
  ColliderDesc plate = ground(0.8);
  plate.name = "plate";
  plate.shape = ColliderShape::box;
  plate.half_extents = {plate_half, 0.5 * plate_top, plate_half};
  plate.pose.position = {0.0, 0.5 * plate_top, 0.0};
  scene.colliders.push_back(plate);
  return scene;
}

/// Degrees. A pyramid as wide as the plate has its centre of mass at a quarter of its height.
double slope_on_the_plate(const World& world) {
  const double r = 0.02;
  double height = 0.0, count = 0.0;
  for (std::int32_t i = 0; i < world.particles.count; ++i) {
    const double y = double(world.particles.position[std::size_t(i)].y) - plate_top - r;
    if (y > -0.5 * r) height += y, count += 1.0;
  }
  return glm::degrees(std::atan2(4.0 * height / count, plate_half));
}

/// The angle of repose grows with friction, and ever less, as balls begin to roll: 20 and 31 degrees for
/// frictions of 0.2 and 0.6 on a long slope (`limber validate`). A collapse of a dozen grains across leaves
/// two and five degrees less.
TEST(Grains, TheSlopeOfAHeapFollowsTheFriction) {
  double slope[3];
  const double mu[3] = {0.02, 0.2, 0.6};
  for (int k = 0; k < 3; ++k) {
    Rig rig(heap_on_a_plate(mu[k]));
    rig.run(80);
    const Measures m = measure(rig.world);
    slope[k] = slope_on_the_plate(rig.world);
    EXPECT_LT(m.mean_speed, k == 0 ? 1.0 : 0.03) << mu[k];
    EXPECT_LT(m.penetration_max, 0.05 * 0.04) << mu[k];
  }
  EXPECT_NEAR(slope[0], 2.5, 2.5);
  EXPECT_NEAR(slope[1], 18.5, 3.0);
  EXPECT_NEAR(slope[2], 26.0, 3.0);
}

/// Grains fall onto a body and drive it along with their momentum: the total is conserved, and no grain is
/// inside.
TEST(Grains, PushBodiesAndKeepTheMomentum) {
  SceneDesc scene;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  ObjectDesc grains = grains_of({5, 3, 5}, 0.5);
  grains.pose.position.y = 0.3;
  grains.velocity = {0.5, -5.0, 0.0};  // more than a radius in two substeps
  BodyDesc box;
  box.name = "box";
  box.half_extents = {0.15, 0.1, 0.15};
  box.density = 50.0;
  scene.objects = {grains};
  scene.bodies = {box};
  Rig rig(scene);
  const Measures before = measure(rig.world);
  double lowest = 1.0;
  for (int f = 0; f < 20; ++f) {
    rig.step();
    EXPECT_TRUE(measure(rig.world).inside.empty()) << f;
    for (std::int32_t i = 0; i < rig.world.particles.count; ++i)
      lowest = std::min(
          lowest, double(rig.world.particles.position[std::size_t(i)].y - rig.world.bodies.position[0].y));
  }
  EXPECT_GT(lowest, 0.0);                               // nobody went round or through
  EXPECT_LT(rig.world.bodies.velocity[0].y, real(-1));  // the box is on its way
  const Measures after = measure(rig.world);
  const double share = std::is_same_v<real, double> ? 1e-11 : 2e-4;
  EXPECT_LT(glm::length(after.momentum - before.momentum), share * glm::length(before.momentum));
}

TEST(Grains, TheSameBitsForAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    SceneDesc scene = heap(0.4);
    scene.objects[0].copies = {6, 8, 6};
    Rig rig(scene, threads);
    rig.run(12);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
  }
}

/// Hundreds of grains in exactly one place, which have no direction in which to part but the one they are all
/// given, stay finite and no faster than overlaps may go.
TEST(Grains, AHeapInOnePlaceStaysCalm) {
  SceneDesc scene = heap(0.3);
  scene.objects[0].copies = {7, 7, 7};
  Rig rig(scene);
  for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
    vec4& x = rig.world.particles.position[std::size_t(i)];
    x = vec4(0, real(0.5), 0, x.w);
  }
  rig.run(40);
  const Measures m = measure(rig.world);
  EXPECT_EQ(m.nonfinite, 0);
  EXPECT_LT(m.max_speed, 30.0);
}

}}}}  // namespace limber::LIMBER_PRECISION::grains_test
