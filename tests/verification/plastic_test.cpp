// Plasticity: tetrahedra by von Mises' stress, springs, creases; momenta, det F_p, restarts.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/random.hpp"
#include "engine/parts/plasticity/plastic_flow.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"
#include "engine/state/plastic_laws.hpp"
#include "engine/state/world_hash.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/free_spin.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace plastic_test { namespace {

using namespace free_spin;

TEST(Plastic, DistanceVector) {
  const test::VectorCase c = test::vector_case("plastic_distance");
  const double rest = double(c.inputs["L0"]), yield = double(c.inputs["yield_strain"]),
               creep = double(c.inputs["creep"]);
  EXPECT_NEAR(flowed_length(rest, double(c.inputs["l"]), yield, creep), double(c.expected["L0_new"]), 1e-9);
  EXPECT_EQ(flowed_length(rest, double(c.inputs["l_elastic"]), yield, creep),
            double(c.expected["L0_elastic"]));

  // the same by the engine: a rate whose share in a step of h is `creep`
  for (const bool long_one : {true, false}) {
    SceneDesc scene = weightless({row(2, rest, 1.0)});
    Material& material = *scene.objects[0].material;
    const double h = 1e-3;
    material.yield_strain = yield, material.creep = creep / (1.0 - creep) / h;
    Rig rig(scene);
    const double length = double(c.inputs[long_one ? "l" : "l_elastic"]);
    for (const std::size_t i : {rig.inside(0), rig.inside(1)})
      rig.world.particles.moved[i].x =
          real(double(rig.world.particles.origin[i].x) > 0.0 ? length - rest : 0.0);
    ASSERT_TRUE(PlasticFlow::enabled(rig.world));
    rig.pool.run([&](Team& team) { PlasticFlow::run(rig.world, h, team); });
    const auto& batch = std::get<StencilBatch<Distance>>(*rig.world.topology->constraints);
    const auto& state = std::get<StencilState<Distance>>(*rig.world.matter.constraints);
    EXPECT_NEAR(rest_row(batch, state, 0)[0], double(c.expected[long_one ? "L0_new" : "L0_elastic"]),
                in_double ? 1e-9 : 1e-6);
  }
}

/// Unit tetrahedron, pulled about by seeded amounts.
template <class Type>
void expect_returns(double hardening) {
  const std::array<glm::dvec3, 4> at_rest{glm::dvec3(0), {1, 0, 0}, {0.2, 0.9, 0}, {0.1, 0.3, 1.1}};
  const auto first = TetStencil::rest_of(at_rest);
  const SolidYield law{lame(1e6, 0.35), 2e4, hardening, 5.0, 1.0};
  int flowed = 0;
  for (std::size_t draw = 0; draw < 200; ++draw) {
    glm::dvec3 x[4];
    const double size = 0.002 + 0.002 * double(draw);
    for (std::size_t j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k)
        x[j][k] = at_rest[j][k] + size * random_signed(3, 12 * draw + 3 * j + std::size_t(k));
    auto rest = first;
    double gone = 0.01;
    const double before = gone;
    const auto von_mises_now = [&] {
      const glm::dmat3 F = glm::dmat3(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * rest_matrix(rest);
      const glm::dvec3 s = stretches(eigen_symmetric(glm::transpose(F) * F));
      return von_mises(principal_stress(Type(), s, law.elastic)) / glm::determinant(F);
    };
    const double trial = von_mises_now(), limit = law.yield + hardening * gone;
    if (glm::determinant(glm::dmat3(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * rest_matrix(rest)) < 0.1)
      continue;
    const bool flows = flow_solid<Type>(x, first, law, rest, gone);
    ASSERT_EQ(flows, trial > limit) << draw;
    if (!flows) continue;
    ++flowed;
    EXPECT_NEAR(von_mises_now() / (law.yield + hardening * gone), 1.0, 1e-9) << draw;
    EXPECT_GT(gone, before);
    EXPECT_NEAR(glm::determinant(rest_matrix(rest)) / glm::determinant(rest_matrix(first)), 1.0, 1e-12);
  }
  EXPECT_GT(flowed, 100);
}

TEST(Plastic, StressReturnsToYieldAndTheVolumeStays) {
  for (const double hardening : {0.0, 3e5}) {
    expect_returns<NeoHookean>(hardening);
    expect_returns<StvkTet>(hardening);
    expect_returns<CorotatedTet>(hardening);
  }
}

/// A bar of 0.9 m that both ends are drawn out of, slowly: they move together as sin.
struct Pulled {
  static constexpr double length = 0.9, young = 1e6, half_amplitude = 0.028, period = 12.0;
  Rig rig;

  static SceneDesc scene(SolidModel model, double yield, double hardening) {
    ObjectDesc object = bar(model);
    object.tets->dimensions = {length, 0.1, 0.1};
    object.tets->cells = {18, 2, 2};
    object.density = 1000.0;
    object.material->youngs_modulus = young, object.material->poisson_ratio = 0.3;
    object.material->yield = yield, object.material->hardening = hardening;
    object.material->damping_time = 0.002;
    AttachmentDesc left, right;
    left.vertices = {VertexName(std::string("left"))}, right.vertices = {VertexName(std::string("right"))};
    left.amplitude = {-half_amplitude, 0, 0}, right.amplitude = {half_amplitude, 0, 0};
    left.period = right.period = period;
    object.attachments = {left, right};
    SceneDesc scene = weightless({object});
    scene.solver.contact->cloth_collision = false;
    scene.solver.step->substeps = 40, scene.solver.step->iterations = 4;
    return scene;
  }

  /// True stress along x, the volume's mean over the middle third, from the energy's gradient.
  double stress() const {
    double force = 0.0, volume = 0.0;
    for_each_constraint(rig.world, [&](auto type, const auto& batch, std::size_t slot) {
      using Type = std::tuple_element_t<type, ConstraintTypes>;
      if constexpr (flows_as<Type>() == FlowTrait::volume) {
        const auto element = element_at(rig.world, batch, slot, 0.0);
        double middle = 0.0;
        for (const std::int32_t i : element.particle)
          middle += 0.25 * double(rig.world.topology->surface.rest[std::size_t(i)].x);
        if (std::abs(middle) > length / 6.0) return;
        const auto gradient = energy_gradient(element);
        for (std::size_t j = 0; j < 4; ++j) force += gradient[j].x * (element.x[j].x - element.x[0].x);
        volume += TetStencil::volume_of({element.x[0], element.x[1], element.x[2], element.x[3]});
      }
    });
    return force / volume;
  }
  /// Logarithmic strain between the vertices at a third and two.
  double strain() const {
    double ends[2]{}, counts[2]{};
    for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
      const double x = double(rig.world.topology->surface.rest[i].x);
      for (int side = 0; side < 2; ++side)
        if (std::abs(x - (side ? 1 : -1) * length / 6.0) < 1e-4)
          ends[side] += place_of(rig.world.particles, i).x, ++counts[side];
    }
    return std::log((ends[1] / counts[1] - ends[0] / counts[0]) / (length / 3.0));
  }
  /// Largest |det F_p - 1|.
  double volume_error() const {
    double worst = 0.0;
    for_each_constraint(rig.world, [&](auto type, const auto& batch, std::size_t slot) {
      using Type = std::tuple_element_t<type, ConstraintTypes>;
      if constexpr (flows_as<Type>() == FlowTrait::volume) {
        const auto& state = std::get<type>(*rig.world.matter.constraints);
        std::array<double, 10> first, now;
        for (std::size_t r = 0; r < 10; ++r)
          first[r] = double(batch.rest[r][slot]), now[r] = double(rest_row(batch, state, r)[slot]);
        worst = std::max(
            worst, std::abs(glm::determinant(rest_matrix(first)) / glm::determinant(rest_matrix(now)) - 1.0));
      }
    });
    return worst;
  }
};

TEST(Plastic, ABarYieldsAtItsStressHardensAndUnloadsAlongE) {
  if (!in_double) GTEST_SKIP() << "minutes, and in double first";
  for (const double hardening : {0.0, 2e5}) {
    const double yield = 1e4;
    Pulled bar{Rig(Pulled::scene(SolidModel::neo_hookean, yield, hardening))};
    const auto frames = [](double share) { return int(std::lround(share * Pulled::period * 60.0)); };
    bar.rig.run(frames(0.1));
    const double strain_a = bar.strain(), stress_a = bar.stress();
    bar.rig.run(frames(0.25) - frames(0.1));
    const double strain_b = bar.strain(), stress_b = bar.stress();
    EXPECT_GT(strain_b, 0.05);
    EXPECT_NEAR((stress_b - hardening * (strain_b - stress_b / Pulled::young)) / yield, 1.0, 0.02);
    EXPECT_LT(bar.volume_error(), 1e-6);
    if (hardening > 0.0) {
      // of true stress over plastic strain
      const double slope =
          (stress_b - stress_a) / (strain_b - strain_a - (stress_b - stress_a) / Pulled::young);
      EXPECT_NEAR(slope / hardening, 1.0, 0.03);
    }
    // back, until about half of the stress is gone, and to zero
    double strain = strain_b, stress = stress_b, zero = 0.0;
    while (stress > 0.0) {
      const double last_strain = strain, last = stress;
      bar.rig.step();
      strain = bar.strain(), stress = bar.stress();
      if (stress <= 0.0) zero = strain - stress * (strain - last_strain) / (stress - last);
    }
    EXPECT_NEAR(zero / (strain_b - stress_b / Pulled::young), 1.0, 0.02);
    EXPECT_NEAR(stress_b / (strain_b - zero) / Pulled::young, 1.0, 0.03);
  }
}

TEST(Plastic, ABlockThatFlowsKeepsItsSpinAndStopsFlowing) {
  for (const SolidModel model : {SolidModel::neo_hookean, SolidModel::stvk, SolidModel::corotated}) {
    ObjectDesc object = bar(model);
    object.material->youngs_modulus = 2e5, object.material->yield = 200.0, object.material->creep = 0.5;
    SceneDesc scene = weightless({object});
    Rig rig(scene);
    spin(rig.world, 7.0);
    const Kept kept = fly(rig, in_double ? 600 : 120);
    EXPECT_GT(kept.least, 0.999);
    EXPECT_LT(kept.angular, in_double ? 1e-10 : 1e-5);
    double flowed = 0.0;
    for_each_type([&](auto type) {
      for (const real one : std::get<type>(*rig.world.matter.constraints).flowed.strain)
        flowed = std::max(flowed, double(one));
    });
    EXPECT_GT(flowed, 1e-4);
  }
}

TEST(Plastic, TheSameBitsForAnyNumberOfThreadsAndARestartGivesTheFirstShape) {
  ObjectDesc object = bar(SolidModel::neo_hookean);
  object.material->youngs_modulus = 1e5, object.material->yield = 500.0, object.material->hardening = 1e4;
  object.pose.position = {0, 0.5, 0}, object.velocity = {0, -5, 0};
  SceneDesc scene = weightless({object});
  scene.colliders.emplace_back().shape = ColliderShape::plane;
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    const World start = rig.world;
    rig.run(40);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
    World changed = rig.world;
    for_each_type([&](auto type) {
      auto& flowed = std::get<type>(*changed.matter.constraints).flowed;
      if (!flowed.empty()) flowed.rest[0][0] += real(1e-3);
    });
    EXPECT_NE(world_hash(changed), hash) << "what has flowed is part of the state";
    rig.world = start;
    rig.run(40);
    EXPECT_EQ(world_hash(rig.world), first) << "a snapshot holds it";
  }
}

/// Angle, rad, that a strip keeps after it was bent to a cylinder of `curvature`: the part beyond yield is
/// plastic.
double kept_fold(int columns, double curvature, double yield) {
  ObjectDesc object = sheet(2);
  object.cloth->columns = columns, object.cloth->rows = (columns - 1) / 6 + 1;
  object.cloth->width = 0.3, object.cloth->height = 0.05;
  object.material->yield_curvature = yield;
  SceneDesc scene = weightless({object});
  Rig rig(scene);
  Particles& particles = rig.world.particles;
  const auto rest = [&](std::size_t i) { return glm::dvec3(rig.world.topology->surface.rest[i]); };
  for (std::size_t i = 0; i < std::size_t(particles.count); ++i) {
    const double angle = curvature * rest(i).x;
    const glm::dvec3 x(std::sin(angle) / curvature, (1.0 - std::cos(angle)) / curvature, rest(i).z);
    put_particle(particles, i, vec4(vec3(x), particles.position[i].w));
  }
  rig.pool.run([&](Team& team) { PlasticFlow::run(rig.world, 1.0, team); });
  const auto& batch = std::get<StencilBatch<Bending>>(*rig.world.topology->constraints);
  const auto& state = std::get<StencilState<Bending>>(*rig.world.matter.constraints);
  double sum = 0.0;
  for (std::size_t s = 0; s < batch.id.size(); ++s)
    if (batch.id[s] >= 0) {
      const glm::dvec3 edge =
          rest(std::size_t(batch.vertices[1][s])) - rest(std::size_t(batch.vertices[0][s]));
      sum += std::abs(double(rest_row(batch, state, 0)[s]) * edge.z) / 0.05;
    }
  return sum;
}

TEST(Plastic, ACreaseKeepsWhatIsBeyondItsYieldOnAnyMesh) {
  const double coarse = kept_fold(31, 10.0, 4.0), fine = kept_fold(61, 10.0, 4.0);
  EXPECT_NEAR(coarse / (0.3 * 6.0 * 29.0 / 30.0), 1.0, 0.01);
  EXPECT_NEAR(fine / (0.3 * 6.0 * 59.0 / 60.0), 1.0, 0.01);
  EXPECT_NEAR(fine / coarse, 1.0, 0.1);
  EXPECT_LT(kept_fold(31, 10.0, 0.0), 1e-3) << "without yield it is flat again";
}

/// Stretch beyond the yield strain stays, 1.1 less 0.02: springs, and the triangles of both sheets.
TEST(Plastic, AStretchStays) {
  for (const SheetModel model : {SheetModel::springs, SheetModel::stvk, SheetModel::strain}) {
    ObjectDesc object = sheet(11, 0.5);
    object.material->sheet_model = model, object.material->yield_strain = 0.02;
    Rig rig(weightless({object}));
    Particles& particles = rig.world.particles;
    for (std::size_t i = 0; i < std::size_t(particles.count); ++i) {
      const glm::dvec3 x = 1.1 * place_of(particles, i);
      put_particle(particles, i, vec4(vec3(x), particles.position[i].w));
    }
    rig.pool.run([&](Team& team) { PlasticFlow::run(rig.world, 1.0, team); });
    int seen = 0;
    const auto look = [&](const auto& batch, const auto& state, const auto& size) {
      for (std::size_t s = 0; s < batch.id.size(); ++s)
        if (batch.id[s] >= 0) {
          const auto row = [&](bool first) {
            return [&, first](std::size_t r) {
              return double((first ? batch.rest[r] : rest_row(batch, state, r))[s]);
            };
          };
          EXPECT_NEAR(size(row(false)) / size(row(true)), 1.08, in_double ? 1e-5 : 1e-4) << int(model);
          ++seen;
        }
    };
    const auto sheet_size = [](const auto& b) { return 1.0 / std::sqrt(b(0) * b(3) - b(1) * b(2)); };
    const ConstraintSet& set = *rig.world.topology->constraints;
    const ConstraintState& state = *rig.world.matter.constraints;
    look(std::get<StencilBatch<Distance>>(set), std::get<StencilState<Distance>>(state),
         [](const auto& length) { return length(0); });
    look(std::get<StencilBatch<StvkTriangle>>(set), std::get<StencilState<StvkTriangle>>(state), sheet_size);
    look(std::get<StencilBatch<StrainTriangle>>(set), std::get<StencilState<StrainTriangle>>(state),
         sheet_size);
    EXPECT_GT(seen, 100);
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::plastic_test
