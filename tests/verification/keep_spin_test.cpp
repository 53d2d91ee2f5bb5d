// Objects without outside contact keep their momenta, for every kind of object and every solver.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "engine/core/settings/method.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/parallel/random.hpp"
#include "engine/parts/motion/spin_keeper.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/verify/measure.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/free_spin.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace keep_spin_test {
namespace {

using namespace free_spin;

/// Float: the loss is one of every substep, so a share of the ten seconds shows it. Rods that turn by half a
/// radian in a substep ask their joint for more than it can do, and are held to their energy first.
TEST(KeepSpin, EveryKindOfMatter) {
  for (const Kind& kind : kinds())
    for (const double turns : {0.2, 1.0, 5.0})
      for (const int substeps : {1, 2, 5, 10, 20, 40}) {
        SceneDesc scene = kind.scene();
        if (!scene.joints.empty() && two_pi * turns / (60 * substeps) > 0.5) continue;
        scene.solver.step->substeps = substeps;
        Rig rig(scene);
        spin(rig.world, two_pi * turns);
        const int frames = std::max(3, 60 / substeps);
        const Kept kept = fly(rig, frames);
        const std::string which =
            kind.name + ", " + std::to_string(turns) + " turns/s, " + std::to_string(substeps) + " substeps";
        if (in_double) {
          EXPECT_LT(kept.linear, 1e-12) << which;
          EXPECT_LT(kept.angular, 1e-10) << which;
        } else {
          EXPECT_GT(kept.least, 1.0 - 1e-3 * std::min(frames / 600.0, 1.0)) << which;
        }
      }
}

/// A sack, 8 % too small, stretched without friction over two balls on the x axis or a capsule along it.
SceneDesc tight_sack(ColliderShape shape, int substeps) {
  ObjectDesc sack;
  sack.name = "sack";
  sack.type = ObjectType::cloth;
  sack.mesh = test::source("tests/robustness/rest/sack.obj");
  sack.material->thickness = 0.01;
  sack.material->friction = 0.0;
  SceneDesc scene = weightless({sack});
  scene.solver.step->substeps = substeps;
  ColliderDesc inside;
  inside.shape = shape;
  inside.radius = inside.half_length = 0.3;
  inside.friction = 0.0;
  inside.pose.rotation_degrees.z = 90.0;
  const int count = shape == ColliderShape::sphere ? 2 : 1;
  for (int k = 0; k < count; ++k) {
    inside.name = "inside_" + std::to_string(k);
    inside.pose.position.x = count == 2 ? 0.6 * k - 0.3 : 0.0;
    scene.colliders.push_back(inside);
  }
  return scene;
}

/// Pushes go through that axis and have no moment about it.
TEST(KeepSpin, OfASackOverSmoothRoundThingsAboutTheirAxis) {
  for (const ColliderShape shape : {ColliderShape::sphere, ColliderShape::capsule})
    for (const int substeps : {10, 40})
      for (const double turn : {0.0, 1.0}) {
        Rig rig(tight_sack(shape, substeps));
        for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
          const vec4 p = rig.world.particles.position[i];
          rig.world.particles.velocity[i] = vec4(0, real(-turn) * p.z, real(turn) * p.y, 0);
        }
        const double start = measure(rig.world).angular_momentum.x;
        rig.run(300);
        const double lost =
            std::abs(measure(rig.world).angular_momentum.x - start) / 0.029;  // kg m^2/s at 1 rad/s
        std::printf("          %d substeps, %.0f rad/s: off by %.1e of that at 1 rad/s\n", substeps, turn,
                    lost);
        EXPECT_LT(lost, in_double ? 1.1e-13 : 7e-5) << substeps << " " << turn;
      }
}

/// rad/s about their own long axes; J.
struct OwnSpin {
  std::vector<double> along;
  double energy = 0.0;
};
OwnSpin own_spin(const World& world) {
  OwnSpin spin;
  for (std::size_t b = 0; b < std::size_t(world.bodies.count()); ++b) {
    const glm::dmat3 r(rotation_of(world.bodies.orientation[b]));
    spin.along.push_back(glm::dot(r[0], glm::dvec3(world.bodies.angular_momentum[b])) *
                         double(world.bodies.inverse_inertia[b].x));
    spin.energy += kinetic_energy(world.bodies, b);
  }
  return spin;
}

/// Nothing turns a square rod about its own axis, because a ball joint pulls at a point of that axis. The
/// spin of rods in a row about their axes is constant for 10 s, and so are energy and angular momentum, up to
/// a sixth of a radian per substep.
TEST(KeepSpin, JoinedRodsKeepTheirOwnSpin) {
  for (const int rods : {2, 3, 5})
    for (const double turns : {0.2, 1.0, 5.0})
      for (const int substeps : {1, 3, 10, 40}) {
        if (two_pi * turns / (60 * substeps) > 0.18) continue;
        SceneDesc scene = rods_in_a_row(rods);
        scene.solver.step->substeps = substeps;
        Rig rig(scene);
        spin(rig.world, two_pi * turns);
        const Momenta start = momenta(rig.world);
        const OwnSpin first = own_spin(rig.world);
        rig.run(600);
        const OwnSpin last = own_spin(rig.world);
        const std::string which = std::to_string(rods) + " rods, " + std::to_string(turns) + " turns/s, " +
                                  std::to_string(substeps) + " substeps";
        EXPECT_LT(glm::distance(momenta(rig.world).angular, start.angular) / glm::length(start.angular),
                  in_double ? 3e-14 : 2e-5)
            << which;
        EXPECT_NEAR(last.energy / first.energy, 1.0, 6e-5) << which;
        if (!in_double || two_pi * turns / (60 * substeps) > 0.06) continue;
        for (std::size_t b = 0; b < last.along.size(); ++b)
          EXPECT_NEAR(last.along[b] / first.along[b], 1.0, 1.5e-3) << which << ", rod " << b;
      }
}

/// A straight chain that turns about a pin: no joint moves along its force, so energy stays.
TEST(KeepSpin, AChainOnAPinKeepsItsEnergy) {
  for (const int rods : {2, 5})
    for (const double turn : {0.063, 0.157}) {  // rad, in a substep
      SceneDesc scene = rods_in_a_row(rods);
      const double pin = -0.3 * rods;
      scene.joints.push_back(
          joint_scenes::joint("pin", JointType::ball, scene.bodies[0].name, "", {pin, 0.0, 0.0}));
      scene.solver.step->substeps = 4;
      Rig rig(scene);
      const double rate = turn / frame * 4;
      Bodies& bodies = rig.world.bodies;
      for (std::size_t b = 0; b < std::size_t(rods); ++b) {
        bodies.velocity[b] = vec4(0, rate * (double(bodies.position[b].x) - pin), 0, 0);
        bodies.angular_momentum[b] = vec4(0, 0, rate / double(bodies.inverse_inertia[b].z), 0);
      }
      const double start = own_spin(rig.world).energy;
      rig.run(180);
      EXPECT_NEAR(own_spin(rig.world).energy / start, 1.0, in_double ? 5e-7 : 3.5e-5)
          << rods << " rods, " << turn;
    }
}

/// The kernel's sums compared with their formulas, for velocities that differ from the displacements.
TEST(KeepSpin, SumsAreThoseOfTheFormulas) {
  constexpr std::int32_t count = 64, begin = 5, end = 50;
  AlignedVector<vec4> origin(count), moved(count), moved_before(count), before(count), velocity(count);
  std::uint64_t drawn = 0;
  const auto draw = [&] { return real(random_signed(9, drawn++)); };
  for (auto* rows : {&origin, &moved, &moved_before, &before, &velocity})
    for (vec4& row : *rows) row = vec4(draw(), draw(), draw(), 2);
  const MomentumView<real> view{&origin.data()->x, &moved.data()->x,    &moved_before.data()->x,
                                &before.data()->x, &velocity.data()->x, {real(0.1), real(0.2), real(0.3)},
                                real(0.25)};
  real sums[momentum_sums];
  reference_kernels().momentum.sum(view, begin, end, sums);
  glm::dvec3 slip(0.0), lost(0.0), turn(0.0);
  for (std::size_t i = begin; i < end; ++i) {
    const glm::dvec3 o = glm::dvec3(origin[i]) - glm::dvec3(0.1, 0.2, 0.3),
                     x = o + glm::dvec3(moved_before[i]), p = o + glm::dvec3(moved[i]), v(velocity[i]),
                     d = glm::dvec3(before[i]) - v, e = p - x - 0.25 * v;
    slip += 0.5 * e, lost += 0.5 * d, turn += 0.5 * (glm::cross(x, d) - glm::cross(e, v));
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(double(sums[momentum_slip + k]), slip[k], in_double ? 1e-13 : 1e-5);
    EXPECT_NEAR(double(sums[momentum_lost + k]), lost[k], in_double ? 1e-13 : 1e-5);
    EXPECT_NEAR(double(sums[momentum_turn + k]), turn[k], in_double ? 1e-13 : 1e-5);
  }
}

/// Two masses on a rigid spring that rotate. From the places x = (1, 0) and the velocity (u, v) along and
/// across, in units of the radius, line (7) moves to (1 + h u, h v), the spring brings that back to the
/// circle, and line (13) makes the momentum sin(turn) / h of the former v (lines of Mueller et al. 2006).
TEST(KeepSpin, ThePlainLoopLosesWhatItsFormulaSays) {
  for (const int substeps : {2, 10}) {
    SceneDesc scene = weightless({row(2, 2.0, 1.0)});
    scene.solver.step->substeps = substeps;
    scene.solver.motion->keep_spin = false;
    Rig rig(scene);
    const double rate = two_pi * std::sqrt(1.0 - 0.01 / 1.1),
                 h = frame / substeps;  // of the axis that spin() takes
    spin(rig.world, two_pi);
    const double start = glm::length(momenta(rig.world).angular);
    rig.run(20);
    double u = 0.0, v = rate;
    for (int s = 0; s < 20 * substeps; ++s) {
      const double turn = std::atan2(h * v, 1.0 + h * u);
      u = (1.0 - std::cos(turn)) / h;
      v = std::sin(turn) / h;
    }
    const double lost = 1.0 - v / rate, turn = rate * h;
    EXPECT_NEAR(1.0 - glm::length(momenta(rig.world).angular) / start, lost,
                (in_double ? 1e-9 : 1e-4) * lost);
    EXPECT_NEAR(lost, 20 * substeps * turn * turn, 0.2 * lost);
  }
}

/// Every way to solve constraints. Descent takes other steps for light particles than for heavy ones,
/// averaged iterations other shares where more constraints meet: both change the linear momentum as well.
TEST(KeepSpin, EveryMethod) {
  for (const MethodTraits& method : method_table)
    for (const Integrator integrator : {Integrator::bdf1, Integrator::bdf2}) {
      if (integrator == Integrator::bdf2 && !method.bdf2) continue;
      SceneDesc scene = weightless({sheet(6)});
      scene.objects[0].jitter = 0.01;
      scene.objects[0].material->stretch_compliance = 1e-2;
      scene.objects[0].material->bending = false;
      scene.solver.method->kind = SolverMethod(&method - method_table.data());
      scene.solver.method->integrator = integrator;
      scene.solver.step->substeps = 8;
      Rig rig(scene);
      spin(rig.world, two_pi, {0.3, -0.2, 0.1});
      const Kept kept = fly(rig, 10);
      EXPECT_LT(kept.linear, in_double ? 1e-14 : 1e-7) << method.name;
      EXPECT_LT(kept.angular, in_double ? 1e-14 : 1e-7) << method.name;
    }
}

/// The work of forces and damping stays done: plain damping leaves a share of the momentum, the other law
/// all.
TEST(KeepSpin, GravityAndDamping) {
  for (const DampingLaw law : {DampingLaw::plain, DampingLaw::rigid_modes})
    for (const Kind& kind : kinds()) {
      SceneDesc scene = kind.scene();
      scene.solver.motion->gravity = {0.0, -9.81, 0.0};
      scene.solver.motion->damping = 0.3;
      scene.solver.motion->damping_law = law;
      scene.solver.step->substeps = 5;
      if (law == DampingLaw::rigid_modes && !scene.bodies.empty()) continue;  // not of bodies
      Rig rig(scene);
      spin(rig.world, two_pi, {1.0, 5.0, 0.0});
      const double start = glm::length(momenta(rig.world).angular);
      rig.run(30);
      const double left = law == DampingLaw::plain ? std::pow(1.0 - 0.3, 30.0 * frame) : 1.0;
      EXPECT_NEAR(glm::length(momenta(rig.world).angular) / start, left, in_double ? 1e-12 : 1e-5)
          << kind.name << " " << int(law);
    }
}

/// Resting air slows a rotating object equally with and without keep_spin.
TEST(KeepSpin, WindIsAForce) {
  double left[2];
  for (const bool keep : {false, true}) {
    SceneDesc scene = weightless({sheet(9)});
    scene.wind->enabled = true;
    scene.solver.step->substeps = 40;
    scene.solver.motion->keep_spin = keep;
    Rig rig(scene);
    spin(rig.world, two_pi);
    const double start = glm::length(momenta(rig.world).angular);
    rig.run(20);
    left[keep] = glm::length(momenta(rig.world).angular) / start;
  }
  EXPECT_LT(left[1], 0.95);
  EXPECT_NEAR(left[0], left[1], 0.01);
}

/// The brick gets a blow at one end.
TEST(KeepSpin, AStruckBrickTurns) {
  SceneDesc scene = weightless({brick(1.0)});
  scene.solver.step->substeps = 2;
  Rig rig(scene);
  const Momenta still = momenta(rig.world);
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
    if (double(rig.world.particles.position[i].x) > still.center.x + 0.1)
      rig.world.particles.velocity[i] = vec4(0, 4, 0, 0);
  const Momenta start = momenta(rig.world);
  rig.run(300);
  const Momenta end = momenta(rig.world);
  EXPECT_LT(glm::distance(end.angular, start.angular) / glm::length(start.angular), in_double ? 1e-11 : 1e-4);
  EXPECT_LT(glm::distance(end.linear, start.linear) / glm::length(start.linear), in_double ? 1e-11 : 1e-4);
  EXPECT_GT(glm::length(start.angular), 0.01);
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::keep_spin_test
