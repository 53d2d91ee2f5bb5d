// Rods compared with known results: elastica, twist, loads, momenta, and equal bits for any threads and
// lanes.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>
#include <string>

#include "engine/constraints/rod.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/geometry/rods/catmull_rom.hpp"
#include "engine/geometry/rods/rod_curve.hpp"
#include "engine/geometry/rods/rod_section.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/turns.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/heat.hpp"
#include "engine/verify/heat_map.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rod_test { namespace {

constexpr bool in_double = sizeof(real) == 8;
constexpr double g = 9.81;

SceneDesc scene_of(const ObjectDesc& rod, double damping = 0.0) {
  SceneDesc scene;
  scene.solver.step->substeps = 10;
  scene.solver.step->automatic = false;
  scene.solver.motion->damping = damping;
  scene.objects = {rod};
  return scene;
}

/// A metre of 1 cm of thickness along x, clamped where it begins.
ObjectDesc metre(double youngs_modulus, int segments = 40) {
  ObjectDesc rod;
  rod.name = "rod";
  rod.type = ObjectType::rod;
  rod.pose.position = {0.0, 1.0, 0.0};
  rod.density = 1000.0;
  rod.rod->segments = segments;
  rod.material->youngs_modulus = youngs_modulus;
  rod.material->damping_time = 0.1;
  return rod;
}

double second_moment() { return rod_section(0.005, 1.0, 0.0).i1; }

TEST(Rods, AreCurvesThroughTheirPoints) {
  const test::VectorCase c = test::vector_case("catmull_rom_uniform");
  const auto p = test::to_vec3s<double>(c.inputs.at("p"));
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const char* const name = t == 0.0    ? "t=0"
                             : t == 0.25 ? "t=0.25"
                             : t == 0.5  ? "t=0.5"
                             : t == 0.75 ? "t=0.75"
                                         : "t=1";
    const glm::dvec3 at = catmull_rom(p[0], p[1], p[2], p[3], t),
                     want = test::to_vec3<double>(c.expected.at(name));
    EXPECT_LT(glm::distance(at, want), 1e-12) << t;
    const double step = 1e-6;
    const glm::dvec3 slope =
        (catmull_rom(p[0], p[1], p[2], p[3], t + step) - catmull_rom(p[0], p[1], p[2], p[3], t - step)) /
        (2.0 * step);
    EXPECT_LT(glm::distance(catmull_rom_slope(p[0], p[1], p[2], p[3], t), slope), 1e-8) << t;
  }
}

/// The documents' 2 Im(q0^-1 q1) / l is 2 sin(phi/2) / l of the rotation vector phi.
TEST(Rods, TurnByTheWorkedAngle) {
  const test::VectorCase c = test::vector_case("rod_darboux_twist");
  const auto quaternion = [&](const char* key) {  // written with w first
    const auto& q = c.inputs.at(key);
    return glm::dvec4(q.at(1).get<double>(), q.at(2).get<double>(), q.at(3).get<double>(),
                      q.at(0).get<double>());
  };
  const double l = c.inputs.at("l").get<double>();
  const glm::dvec3 turn = rotation_between(quaternion("q0"), quaternion("q1"));
  EXPECT_NEAR(turn.z / l, c.expected.at("small_angle_theta_over_l").get<double>(), 1e-9);
  EXPECT_NEAR(2.0 * std::sin(0.5 * turn.z) / l, c.expected.at("Omega").at(2).get<double>(), 1e-9);
  EXPECT_EQ(turn.x, 0.0);
}

/// Height and width of a cantilever under its own weight, by rho A g L^3/(E I) (elastica), and how the error
/// falls with the number of segments.
TEST(Rods, SagAsTheElasticaDoes) {
  const double area = rod_section(0.005, 1.0, 0.0).area;
  const std::pair<double, double> cases[] = {{1.0, 0.1246}, {5.0, 0.5857}, {10.0, 1.0668}};
  for (const auto& [load, ratio] : cases) {
    double errors[2];
    for (const int halves : {0, 1}) {
      Rig rig(scene_of(metre(1000.0 * area * g / (load * second_moment()), halves ? 40 : 20), 0.9));
      rig.run(300);
      const Index tip = Index(halves ? 40 : 20);
      const double height = 1.0 - double(rig.x(tip).y), width = double(rig.x(tip).x);
      errors[halves] = height / width - ratio;
    }
    EXPECT_LT(std::abs(errors[1]), 0.0012 * ratio) << load;  // the table has four digits
    EXPECT_LT(std::abs(errors[1]), 0.35 * std::abs(errors[0])) << load;
  }
}

/// Deflection and shortening by the load P L^2/(E I) at the tip (elastica), of a light rod.
TEST(Rods, BendUnderALoadAtTheirTip) {
  const double load[] = {0.5, 1, 2, 3, 5, 10},
               deflection[] = {.16214, .30172, .49346, .60325, .71379, .81061},
               shortening[] = {.01592, .05643, .16064, .25442, .38763, .55500};
  for (std::size_t k = 0; k < std::size(load); ++k) {
    const double modulus = 1e8, force = load[k] * modulus * second_moment();
    ObjectDesc rod = metre(modulus, 40);
    rod.density = 1e-3;
    rod.rod->end_mass = force / g;
    Rig rig(scene_of(rod, 0.9));
    rig.run(400);
    const double most = in_double ? 1.5e-3 : 2e-3;
    EXPECT_NEAR(1.0 - double(rig.x(40).y), deflection[k], most * deflection[k]) << load[k];
    EXPECT_NEAR(1.0 - double(rig.x(40).x), shortening[k], 3.0 * most * std::max(shortening[k], 0.1))
        << load[k];
  }
}

/// A rod with both ends clamped, half a turn put in: the twist is even and its energy G J theta^2/(2 L);
/// frames of clamps act half a segment away.
TEST(Rods, ShareTheirTwistEvenly) {
  ObjectDesc rod = metre(1e8);
  rod.rod->last_end = RodEnd::clamped;
  rod.rod->last_spin = 90.0;
  SceneDesc scene = scene_of(rod, 0.9);
  scene.solver.motion->gravity = glm::dvec3(0.0);
  Rig rig(scene);
  rig.run(60);
  const double theta = glm::half_pi<double>(), stiffness = 1e8 / 2.6 * rod_section(0.005, 1.0, 0.0).torsion;
  for (int i = 0; i < 40; ++i) {
    const glm::dvec4 q =
        orientation_of(rig.world.particles, std::size_t(rig.world.topology->rods.first_row + i));
    const glm::dvec3 turn = rotation_between(bishop_frames(line_points(1.0, 40), false)[0], q);
    EXPECT_NEAR(turn.z, (i + 0.5) / 40 * theta, in_double ? 3e-4 : 1e-3) << i;  // it lags while it is turned
    EXPECT_LT(std::hypot(turn.x, turn.y), in_double ? 1e-9 : 1e-5) << i;
  }
  const double want = 0.5 * stiffness * theta * theta;
  EXPECT_NEAR(measure(rig.world).elastic_energy, want, 2e-3 * want);
}

/// Heat maps have the forces: the whole weight at the clamp, nothing at the end; G J theta/L of a twist
/// everywhere.
TEST(Rods, ShowTheirForces) {
  ObjectDesc hanging = metre(1e8);
  hanging.pose.rotation_degrees = {0.0, 0.0, -90.0};
  ObjectDesc wound = metre(1e8);
  wound.name = "wound", wound.pose.position.z = 1.0;
  wound.rod->last_end = RodEnd::clamped, wound.rod->twist = 90.0;
  wound.density = 1e-3;
  SceneDesc scene = scene_of(hanging, 0.9);
  scene.objects.push_back(wound);
  Rig rig(scene);
  rig.run(200);
  const auto heat = [&](HeatMap map) {
    std::vector<float> out(rig.world.topology->external_to_internal.size());
    const Topology& topology = *rig.world.topology;
    write_heat(rig.world, *topology.constraints, topology.schedule, map, out);
    return out;
  };
  const RodSection section = rod_section(0.005, 1.0, 0.0);
  const double weight = 1000.0 * section.area * g;
  const std::vector<float> tension = heat(HeatMap::tension), torque = heat(HeatMap::twist);
  EXPECT_NEAR(double(tension[0]), weight * 79.0 / 80.0,
              2e-3 * weight);  // half a segment hangs on the clamp itself
  EXPECT_NEAR(double(tension[40]), weight / 80.0, 2e-3 * weight);
  const double want = 1e8 / 2.6 * section.torsion * glm::half_pi<double>();
  for (Index i = 42; i < 82; ++i) EXPECT_NEAR(double(torque[i]), want, 1e-3 * want) << i;
  for (const float moment : heat(HeatMap::bending)) EXPECT_LT(double(moment), 1e-3 * want);
}

/// Steel stretches by load/EA with 10,000 times its mass at its end, at once and for good, at any substeps.
TEST(Rods, CarryTenThousandTimesTheirMass) {
  for (const int substeps : {1, 10, 40}) {
    ObjectDesc rod = metre(2e11, 50);
    rod.pose.rotation_degrees = {0.0, 0.0, -90.0};
    rod.rod->first_end = RodEnd::pinned;
    rod.rod->end_mass = 1000.0;
    rod.material->damping_time = 0.0;
    SceneDesc scene = scene_of(rod, 0.1);
    scene.solver.step->substeps = substeps;
    Rig rig(scene);
    rig.run(300);
    const double stretch = 1000.0 * g / (2e11 * rod_section(0.005, 1.0, 0.0).area);
    EXPECT_NEAR(1.0 - double(rig.x(50).y) - 1.0, stretch, (in_double ? 1e-3 : 2e-3) * stretch) << substeps;
    const Measures m = measure(rig.world);
    EXPECT_LT(m.max_speed, in_double ? 1e-8 : 3e-5) << substeps;
    EXPECT_NEAR(m.strain.max, stretch, (in_double ? 1e-3 : 2e-3) * stretch) << substeps;
  }
}

/// A segment of a rope pulls along itself by its length alone, also where it has turned over against its
/// frame.
TEST(Rods, ARopePullsWhicheverWayItsFramesLook) {
  const real rest[2] = {real(0.1), real(1)};
  using Lane = Lanes<real, 1>;
  const Lane zero(real(0)), lengths[2] = {Lane(rest[0]), Lane(rest[1])};
  const Quaternion<Lane> along_z{{zero, zero, zero}, Lane(real(1))};
  for (const real z : {real(0.15), real(-0.15), real(0.05), real(-0.05)}) {
    const Vec3<Lane> places[3] = {{zero, zero, zero}, {zero, zero, Lane(z)}, {zero, zero, zero}};
    const Quaternion<Lane> turns[3] = {along_z, along_z, along_z};
    const auto g = RodStretch::evaluate(places, turns, lengths);
    const real stretched = std::max(std::abs(z) - rest[0], real(0));
    EXPECT_NEAR(double(g.C[2].v), double(stretched), 1e-7) << z;
    EXPECT_NEAR(double(g.grad[2][1].z.v), stretched > 0 ? (z > 0 ? 1.0 : -1.0) : 0.0, 1e-6) << z;
  }
}

/// A free rod conserves both momenta, summed over points and frames.
TEST(Rods, KeepTheirMomenta) {
  for (const RodSolve solve : {RodSolve::direct, RodSolve::sweeps})
    for (const int substeps : {1, 10, 40}) {
      ObjectDesc rod = metre(1e8);
      rod.rod->first_end = RodEnd::free;
      rod.angular_velocity = {30.0, 720.0, 300.0};
      rod.velocity = {0.1, 0.0, 0.0};
      rod.material->damping_time = 0.0;
      SceneDesc scene = scene_of(rod);
      scene.solver.motion->gravity = glm::dvec3(0.0);
      scene.solver.method->rods = solve;
      scene.solver.step->substeps = substeps;
      Rig rig(scene);
      const Measures before = measure(rig.world);
      rig.run(120);
      const Measures after = measure(rig.world);
      const double L = glm::length(before.angular_momentum), P = glm::length(before.momentum);
      EXPECT_LT(glm::distance(after.angular_momentum, before.angular_momentum), (in_double ? 1e-9 : 1e-3) * L)
          << int(solve) << substeps;
      EXPECT_LT(glm::distance(after.momentum, before.momentum), (in_double ? 1e-9 : 1e-4) * P)
          << int(solve) << substeps;
    }
}

/// Michell: a ring that is naturally straight buckles beyond 2 pi sqrt(3) E I / (G J) of twist.
TEST(Rods, RingsBuckleWhereMichellSays) {
  const double critical = glm::degrees(2.0 * glm::pi<double>() * std::sqrt(3.0) * 1.3);
  for (const double share : {0.95, 1.05}) {
    ObjectDesc rod = metre(3e8, 48);
    rod.rod->form = RodForm::ring;
    rod.rod->rest = RodRest::straight;
    rod.rod->twist = share * critical;
    rod.jitter = 1e-5;
    rod.material->damping_time = 0.01;
    SceneDesc scene = scene_of(rod, 0.1);
    scene.solver.motion->gravity = glm::dvec3(0.0);
    Rig rig(scene);
    double flattest = 1e9, widest = 0.0;
    for (int frame = 0; frame < 400; ++frame) {
      rig.step();
      const Measures m = measure(rig.world);
      const double height = m.bounds_max.y - m.bounds_min.y;
      if (frame > 50) flattest = std::min(flattest, height), widest = std::max(widest, height);
    }
    if (share < 1.0)
      EXPECT_LT(widest, 1e-4);
    else
      EXPECT_GT(widest, 0.05);
  }
}

/// A rod between two clamps: the rows between fixed ends are solved too.
TEST(Rods, HangBetweenTwoClamps) {
  ObjectDesc rod = metre(2e7);
  rod.rod->last_end = RodEnd::clamped;
  Rig rig(scene_of(rod, 0.9));
  rig.run(300);
  // small: w = rho A g L^4 / (384 E I), less the effect of the pull along the rod
  const double load = 1000.0 * rod_section(0.005, 1.0, 0.0).area * g / (2e7 * second_moment());
  const double sag = 1.0 - double(rig.x(20).y);
  EXPECT_LT(sag, load / 384.0);
  EXPECT_GT(sag, 0.005);
  EXPECT_LT(measure(rig.world).max_speed, 1e-3);
  EXPECT_NEAR(double(rig.x(10).y), double(rig.x(30).y), in_double ? 1e-9 : 1e-5);
}

/// Half a turn put in before both ends were fixed, and a ring with two and a half: the energy of an even
/// twist.
TEST(Rods, KeepTheTwistThatTheyWereMadeWith) {
  for (const bool ring : {false, true}) {
    ObjectDesc rod = metre(1e8);
    rod.rod->form = ring ? RodForm::ring : RodForm::line;
    rod.rod->rest = RodRest::straight;
    rod.rod->last_end = RodEnd::clamped;
    rod.rod->twist = ring ? 500.0 : 180.0;
    SceneDesc scene = scene_of(rod, 0.9);
    scene.solver.motion->gravity = glm::dvec3(0.0);
    Rig rig(scene);
    rig.run(20);
    const double theta = glm::radians(rod.rod->twist), around = ring ? glm::two_pi<double>() : 0.0;
    const double want = 0.5 * 1e8 * second_moment() * (around * around + 2.0 / 2.6 * theta * theta);
    // of the second order in how far a joint bends and twists at once: a rotation vector is no sum of the two
    const double most = ring ? 2e-3 : in_double ? 2e-6 : 1e-4;
    EXPECT_NEAR(measure(rig.world).elastic_energy, want, most * want) << ring;
  }
}

SceneDesc many_rods() {
  SceneDesc scene = scene_of(metre(1e7, 12));
  for (int k = 0; k < 9; ++k) {
    ObjectDesc rod = metre(1e6 * (k + 1), 8 + 3 * k);
    rod.name = "rod" + std::to_string(k);
    rod.pose.position = {0.0, 1.0, 0.2 * (k + 1)};
    if (k % 3 == 2) rod.rod->form = RodForm::ring;
    if (k % 3 == 1) rod.rod->last_end = RodEnd::pinned;
    scene.objects.push_back(rod);
  }
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  scene.colliders = {floor};
  return scene;
}

TEST(Rods, HaveTheSameBitsOnAnyThreads) {
  for (const RodSolve solve : {RodSolve::direct, RodSolve::sweeps}) {
    SceneDesc scene = many_rods();
    scene.solver.method->rods = solve;
    std::vector<std::uint64_t> hashes;
    for (const int threads : test::thread_counts()) {
      Rig rig(scene, threads);
      rig.run(30);
      hashes.push_back(world_hash(rig.world));
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
  }
}

#if !LIMBER_DOUBLE
/// Groups of one, two, three and four rods of unlike lengths, and rings.
TEST(Rods, HaveTheSameBitsOnEveryInstructionSet) {
  const std::pair<Simd, const KernelTable<float>*> instances[] = {{Simd::scalar, kernels_scalar()},
                                                                  {Simd::w4, kernels_sse2()},
                                                                  {Simd::w8, kernels_avx2()},
                                                                  {Simd::w16, kernels_avx512()}};
  std::uint64_t expected = 0;
  for (const auto& [simd, kernels] : instances) {
    if (!kernels || !supported(simd)) continue;
    Rig rig(many_rods());
    Stepper stepper(rig.pool, *kernels);
    rig.world.changed(Change::everything), stepper.follow(rig.world);
    for (int frame = 0; frame < 20; ++frame) stepper.step(rig.world, rig.world.settings.solver.step->dt);
    const std::uint64_t hash = world_hash(rig.world);
    if (simd == Simd::scalar) expected = hash;
    EXPECT_EQ(hash, expected) << to_string(simd);
  }
}
#endif

/// Each rod is alone: rods beside it, which go through the lanes with it, or a cloth with room for tears,
/// change nothing about it.
TEST(Rods, DoNotKnowOfEachOther) {
  const ObjectDesc rod = metre(1e7, 12);
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.pose.position = {0.0, 50.0, 0.0};
  cloth.material->tear_strain = 0.5;
  SceneDesc crowd = many_rods(), torn = scene_of(rod);
  crowd.colliders.clear();
  torn.objects.push_back(cloth);
  Rig alone(scene_of(rod)), crowded(crowd), beside(torn);
  adopt_tear_room(beside.world, with_tear_room(beside.world));
  beside.world.changed(Change::everything), beside.solver.follow(beside.world);
  alone.run(40), crowded.run(40), beside.run(40);
  for (Rig* const other : {&crowded, &beside})
    for (Index i = 0; i <= 12; ++i) {
      const double apart = double(glm::distance(vec3(alone.x(i)), vec3(other->x(i))));
      EXPECT_LT(apart, in_double ? 1e-12 : 1e-6) << i;
    }
}

TEST(Rods, AreRefusedByMethodsThatMovePointsOnly) {
  for (std::size_t m = 0; m < method_table.size(); ++m) {
    SceneDesc scene = scene_of(metre(1e7));
    scene.solver.method->kind = SolverMethod(m);
    const Expected<void> fits = check_objects_of_method(scene);
    EXPECT_EQ(bool(fits), method_table[m].turns) << method_table[m].name;
    if (!fits) {
      EXPECT_NE(fits.error().text().find(method_table[m].name), std::string::npos);
    }
  }
  SceneDesc scene = scene_of(metre(1e7));
  scene.solver.method->integrator = Integrator::bdf2;
  EXPECT_FALSE(check_objects_of_method(scene));
}

/// A clamp carries the rod's weight and its moment, a pin at the other end the rest of a bridge.
TEST(RodEnds, TellForceAndTorque) {
  const double weight = 1000.0 * glm::pi<double>() * 0.005 * 0.005 * g;
  ObjectDesc rod = metre(1e9);
  SceneDesc scene = scene_of(rod, 0.95);
  scene.solver.step->iterations = 4;  // one Newton step a substep leaves 1e-3 of the weight
  Rig one(scene);
  one.run(900);
  Measures m = measure(one.world);
  ASSERT_EQ(m.rod_ends.size(), 2u);
  // half a segment's weight rests on the clamped point itself
  EXPECT_NEAR(m.rod_ends[0].force, weight * 39.5 / 40.0, (in_double ? 1e-6 : 3e-3) * weight);
  double moment = 0.0;
  for (Index i = 1; i <= 40; ++i)
    moment += g * double(one.x(i).x) / double(one.world.particles.inverse_mass[std::size_t(i)]);
  EXPECT_NEAR(m.rod_ends[0].torque, moment, (in_double ? 1e-6 : 3e-3) * weight);
  EXPECT_EQ(m.rod_ends[1].force, 0.0) << "nothing holds it";
  EXPECT_EQ(m.rod_ends[1].torque, 0.0);
  EXPECT_EQ(m.end_torque_max, m.rod_ends[0].torque);
  if (!in_double) return;
  rod.rod->last_end = RodEnd::pinned;
  rod.material->youngs_modulus = 1e12;  // it hardly sags, so it hardly pulls along
  Rig two(scene_of(rod, 0.95));
  two.run(300);
  m = measure(two.world);
  const double up = 3.0 / 8.0 * weight;  // of a beam clamped at one end and held at the other
  EXPECT_NEAR(m.rod_ends[1].force, up * (1.0 - 1.0 / 30.0), 0.005 * weight);
}

/// A stretched loop that coils: the loss of twist equals the gain of writhe.
TEST(RodEnds, LinkOfARingIsWhole) {
  ObjectDesc rod = metre(3e8, 48);
  rod.rod->form = RodForm::ring;
  rod.rod->rest = RodRest::straight;
  rod.rod->twist = 3.0 * 360.0;
  rod.jitter = 1e-4;
  SceneDesc scene = scene_of(rod, 0.3);
  scene.solver.motion->gravity = {0.0, 0.0, 0.0};
  scene.solver.contact->cloth_collision = true;
  Rig rig(scene);
  Measures m = measure(rig.world);
  EXPECT_NEAR(m.rod_link, 3.0, in_double ? 1e-9 : 1e-4);
  EXPECT_NEAR(m.rod_writhe, 0.0, 1e-4);
  rig.run(240);
  m = measure(rig.world);
  EXPECT_NEAR(m.rod_link, 3.0, in_double ? 1e-9 : 1e-4);
  EXPECT_GT(m.rod_writhe, 0.3) << "it buckles";
  EXPECT_LT(m.rod_twist, 2.7);
}

/// An arc that is let go keeps the curvature that it has flowed by.
TEST(RodPlasticity, LeavesTheCurvatureBeyondYield) {
  for (const double hardening : {0.0, 0.25}) {
    constexpr double curvature = 3.0, yield = 1.0;
    ObjectDesc rod = metre(1e9, 32);
    rod.rod->form = RodForm::path;
    rod.rod->rest = RodRest::straight;
    rod.rod->first_end = RodEnd::free;
    rod.material->yield_curvature = yield;
    rod.material->hardening = hardening * 1e9;
    for (int k = 0; k <= 32; ++k) {
      PointDesc point;
      const double angle = curvature * k / 32.0;
      point.position = glm::dvec3(std::sin(angle), 1.0 - std::cos(angle), 0.0) / curvature;
      rod.points->list.push_back(point);
    }
    SceneDesc scene = scene_of(rod, 0.9);
    scene.solver.motion->gravity = {0.0, 0.0, 0.0};
    Rig rig(scene);
    rig.run(300);
    const glm::dvec4 a = orientation_of(rig.world.particles, std::size_t(rig.world.topology->rods.first_row)),
                     b = orientation_of(rig.world.particles,
                                        std::size_t(rig.world.topology->rods.first_row + 31));
    const double left = glm::length(rotation_between(a, b)) / (31.0 / 32.0);
    EXPECT_NEAR(left, (curvature - yield) / (1.0 + hardening), 0.04) << hardening;
    EXPECT_NEAR(measure(rig.world).plastic_strain_max, left * 0.005, 2e-4);
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::rod_test
