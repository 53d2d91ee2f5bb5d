// Solids of tetrahedra and elastic sheets as a whole: against Newton's method, beam theory, and their own
// rest pose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/tets/tet_shapes.hpp"
#include "engine/parts/tearing/cutting.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/newton_reference.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace solids_test { namespace {

constexpr SolidModel models[]{SolidModel::neo_hookean, SolidModel::stvk, SolidModel::corotated,
                              SolidModel::strain, SolidModel::volume};

/// A bar along x, free and without gravity unless said otherwise.
SceneDesc bar(const glm::dvec3& size, const glm::dvec3& cells, SolidModel model, double young,
              double poisson) {
  SceneDesc scene;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  ObjectDesc object;
  object.name = "bar";
  object.type = ObjectType::tets;
  object.tets->shape = TetShape::bar;
  object.tets->dimensions = size;
  object.tets->cells = cells;
  object.density = 1000.0;
  object.material->model = model;
  object.material->youngs_modulus = young;
  object.material->poisson_ratio = poisson;
  scene.objects.push_back(object);
  return scene;
}

/// Mean of the positions of the vertices at the right end.
[[maybe_unused]] glm::dvec3 tip_of(const Rig& rig, const glm::dvec3& cells) {
  const auto right = *bar_vertices("right", glm::ivec3(cells));
  glm::dvec3 sum(0.0);
  for (const Index v : right) sum += glm::dvec3(rig.world.particles.position[rig.inside(v)]);
  return sum / double(right.size());
}
[[maybe_unused]] glm::dvec3 tip_of(const Rig& rig, const NewtonReference& newton, const glm::dvec3& cells) {
  const auto right = *bar_vertices("right", glm::ivec3(cells));
  glm::dvec3 sum(0.0);
  for (const Index v : right) sum += newton.x[rig.inside(v)];
  return sum / double(right.size());
}

TEST(Solids, AreAtRestAtRest) {
  for (const SolidModel model : models) {
    Rig rig(bar({1, 0.2, 0.2}, {5, 2, 1}, model, 1e5, 0.3));
    const auto start = rig.world.particles.position;
    rig.run(10);
    double moved = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i)
      moved = std::max(moved, double(glm::distance(vec3(start[i]), vec3(rig.world.particles.position[i]))));
    const double rounding = sizeof(real) == 4 ? 2e-5 : 1e-12;
    EXPECT_LT(moved, rounding) << int(model);
  }
}

/// "Collapsed to a point, flattened, or shuffled: no inverted element within 3 s." Shuffled StVK boils at 200
/// m/s, with 20 and more substeps for ever; with ten, the energy loss of the plain loop calms it.
TEST(Solids, UnfoldFromAnyStart) {
  for (const SolidModel model : models)
    for (const Start from : {Start::point, Start::plane, Start::random}) {
      SceneDesc scene = bar({0.5, 0.5, 0.5}, {3, 3, 3}, model, 2e4, 0.4);
      scene.objects[0].start = from;
      scene.solver.motion->damping = 0.9;
      scene.solver.motion->keep_spin = model != SolidModel::stvk || from != Start::random;
      Rig rig(scene);
      rig.run(180);
      const Measures m = measure(rig.world);
      EXPECT_EQ(m.inverted_tets, 0) << int(model) << " from " << int(from);
      EXPECT_NEAR(m.volume_ratios.at(0).ratio, 1.0, 0.15)  // it still rings
          << int(model) << " from " << int(from);
    }
}

/// Nothing but rounding: linear and angular momentum of a free spinning bar.
TEST(Solids, KeepMomenta) {
  for (const SolidModel model : models) {
    SceneDesc scene = bar({0.6, 0.2, 0.2}, {3, 1, 1}, model, 1e5, 0.3);
    Rig rig(scene);
    for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
      const glm::dvec3 x(rig.world.particles.position[std::size_t(i)]);
      rig.world.particles.velocity[std::size_t(i)] = vec4(vec3(glm::cross(glm::dvec3(1, 2, 3), x)), real(0));
    }
    const Measures before = measure(rig.world);
    rig.run(5);
    const Measures after = measure(rig.world);
    const double error = sizeof(real) == 4 ? 1e-4 : 1e-11;  // 50 substeps of eps |x|/h m
    EXPECT_LT(glm::distance(before.momentum, after.momentum), error * 24) << int(model);
    EXPECT_LT(glm::distance(before.angular_momentum, after.angular_momentum),
              (sizeof(real) == 4 ? 1e-5 : 1e-13) * glm::length(before.angular_momentum))
        << int(model);
  }
}

TEST(Solids, ThatCarryTheirMeshCannotBeCutAndSaySo) {
  Rig rig(bar({1, 0.2, 0.2}, {4, 1, 1}, SolidModel::neo_hookean, 1e5, 0.3));
  adopt_tear_room(rig.world, with_tear_room(rig.world));
  const std::size_t vertices = rig.world.topology->external_to_internal.size();
  const CutResult result = cut(rig.world, {glm::dvec3(0.03, -1, 1), {0.03, 1, 1}},
                               {glm::dvec3(0.03, -1, -1), {0.03, 1, -1}}, true, {1});
  EXPECT_EQ(result.made, 0);
  EXPECT_EQ(result.refusal, "a solid that carries its mesh cannot be cut: set 'fill' to cut");
  EXPECT_EQ(rig.world.topology->external_to_internal.size(), vertices);
  SceneDesc torn = bar({1, 0.2, 0.2}, {4, 1, 1}, SolidModel::neo_hookean, 1e5, 0.3);
  torn.objects[0].material->tear_strain = 0.1;
  const auto built = build_world(torn);
  ASSERT_FALSE(built);
  EXPECT_NE(built.error().message.find("does not tear by strain"), std::string::npos);
}

/// Erratum 17: sheets in one piece with a tear along an edge keep their triangles' constraints.
TEST(ElasticSheets, AreCutAlongTheirTriangles) {
  SceneDesc scene;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  ObjectDesc cloth;
  cloth.name = "sheet";
  cloth.cloth->columns = cloth.cloth->rows = 5;
  cloth.material->sheet_model = SheetModel::strain;
  scene.objects.push_back(cloth);
  Rig rig(scene);
  EXPECT_EQ(std::get<StencilBatch<StrainTriangle>>(*rig.world.topology->constraints).constraints, 32);
  EXPECT_EQ(std::get<StencilBatch<Distance>>(*rig.world.topology->constraints).constraints, 0);
  adopt_tear_room(rig.world, with_tear_room(rig.world));
  rig.world.changed(Change::everything), rig.solver.follow(rig.world);
  EXPECT_GT(
      cut(rig.world, {glm::dvec3(0.01, -2, 1), {0.01, 2, 1}}, {glm::dvec3(0.01, -2, -1), {0.01, 2, -1}}, true)
          .made,
      0);
  const Topology& topology = *rig.world.topology;
  const auto& batch = std::get<StencilBatch<StrainTriangle>>(*topology.constraints);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    const std::size_t slot = std::size_t(topology.tears.within[t]);
    std::array<std::int32_t, 3> own{batch.vertices[0][slot], batch.vertices[1][slot],
                                    batch.vertices[2][slot]};
    std::array<std::int32_t, 3> corners = topology.triangles[t];
    std::sort(own.begin(), own.end()), std::sort(corners.begin(), corners.end());
    EXPECT_EQ(own, corners) << t;
  }
  rig.run(3);
  EXPECT_EQ(measure(rig.world).nonfinite, 0);
}

#if LIMBER_DOUBLE
/// Stretched by s along one axis and held along another: A/A0 = (l + mu) s^2/(mu + l s^2).
TEST(NeoHookeanSolid, NarrowsAsAMembraneDoes) {
  const std::array<glm::dvec3, 4> X{glm::dvec3(0), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Element<NeoHookean> e;
  e.rest = TetStencil::rest_of(X);
  e.softness = {6.0, 1e30};  // mu = 1, lambda = 0: l = lambda + mu = mu
  for (const auto& [s, ratio] : {std::pair{1.1, 1.0950}, {1.5, 1.3846}, {2.0, 1.6}}) {
    double low = 0.1, high = 2.0;  // of the free side t: dE/dt = sum grad_j . (0, y_j, 0)
    for (int k = 0; k < 60; ++k) {
      const double t = 0.5 * (low + high);
      for (std::size_t j = 0; j < 4; ++j) e.x[j] = {s * X[j].x, t * X[j].y, X[j].z};
      double slope = 0.0;
      const auto g = energy_gradient(e);
      for (std::size_t j = 0; j < 4; ++j) slope += g[j].y * X[j].y;
      (slope < 0.0 ? low : high) = t;
    }
    EXPECT_NEAR(s * low, ratio, 1e-4) << s;
  }
}

/// A step of implicit Euler converges to Newton's minimum, in every model.
TEST(Solids, ConvergeToNewton) {
  for (const SolidModel model : {SolidModel::neo_hookean, SolidModel::stvk, SolidModel::corotated}) {
    SceneDesc scene = bar({1, 0.2, 0.2}, {6, 1, 1}, model, 1e5, 0.3);
    scene.solver.motion->gravity = {0, -9.81, 0};
    scene.solver.step->substeps = 1;
    scene.solver.step->iterations = 1000;
    scene.objects[0].pins = {std::string("left")};
    Rig rig(scene);
    const glm::dvec3 cells(6, 1, 1);
    const double h = scene.solver.step->dt;
    for (int step = 0; step < 8; ++step) {
      std::vector<glm::dvec3> y;
      for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
        const vec4& x = rig.world.particles.position[std::size_t(i)];
        const glm::dvec3 v(rig.world.particles.velocity[std::size_t(i)]);
        y.push_back(glm::dvec3(x) + (x.w > 0 ? h * (v + h * scene.solver.motion->gravity) : glm::dvec3(0)));
      }
      NewtonReference newton(rig.world, y, h);
      newton.minimise(30);
      const double from = tip_of(rig, cells).y;
      rig.step();
      const double moved = tip_of(rig, newton, cells).y - from;
      // XPBD leaves out the change of gradients within a step: a hundredth of the step's own motion
      EXPECT_NEAR(tip_of(rig, cells).y, tip_of(rig, newton, cells).y, 0.01 * std::abs(moved) + 1e-6)
          << int(model) << " step " << step;
    }
  }
}

/// At rest, inertia and the terms that XPBD leaves out vanish: the tip of a cantilever is within 0.1 % of
/// Newton's.
TEST(Cantilever, RestsWhereNewtonDoes) {
  const glm::dvec3 cells(8, 1, 1);
  SceneDesc scene = bar({1, 0.1, 0.1}, cells, SolidModel::stvk, 1e5, 0.3);
  scene.solver.motion->gravity = {0, -9.81, 0};
  scene.solver.step->substeps = 20;
  scene.solver.step->iterations = 4;
  scene.solver.motion->damping = 0.999;
  scene.objects[0].density = 100.0;
  scene.objects[0].pins = {std::string("left")};
  Rig rig(scene);
  NewtonReference newton(rig.world, std::vector<glm::dvec3>(std::size_t(rig.world.particles.count)), 0.0);
  EXPECT_LT(newton.minimise(60), 1e-6);
  rig.run(400);
  const double expected = tip_of(rig, newton, cells).y;
  EXPECT_LT(expected, -0.02);
  EXPECT_NEAR(tip_of(rig, cells).y, expected, 0.001 * std::abs(expected));
}

/// A strip of triangles, clamped at its left end.
SceneDesc strip_of_triangles(SolverMethod method, int iterations) {
  SceneDesc scene;
  scene.solver.motion->damping = 0.0;
  scene.solver.method->kind = method;
  scene.solver.step->substeps = 16, scene.solver.step->iterations = iterations;
  ObjectDesc strip;
  strip.name = "strip";
  strip.cloth->columns = 13, strip.cloth->rows = 3;
  strip.cloth->width = 1.2, strip.cloth->height = 0.2;
  strip.pins = {std::string("left")};
  strip.material->sheet_model = SheetModel::stvk, strip.material->plane = PlaneState::strain;
  strip.material->youngs_modulus = 1e5, strip.material->poisson_ratio = 0.3;
  strip.material->membrane_thickness = 0.01, strip.material->density = 0.6;
  strip.material->bending = false;
  scene.objects.push_back(strip);
  return scene;
}

/// A moving cantilever of St. Venant-Kirchhoff triangles (E = 1e5 Pa, nu = 0.3): positions and multipliers of
/// XPBD compared with Newton's method, on the way down and at the bottom.
TEST(ElasticSheets, SwingAsUnderNewtonsMethod) {
  Rig newton(strip_of_triangles(SolverMethod::newton, 3)), xpbd(strip_of_triangles(SolverMethod::xpbd, 10));
  for (const int frames : {14, 28}) {
    newton.run(14), xpbd.run(14);
    double apart = 0.0, off = 0.0, all = 0.0;
    for (std::size_t i = 0; i < std::size_t(xpbd.world.particles.count); ++i)
      apart = std::max(apart, glm::distance(glm::dvec3(xpbd.world.particles.position[i]),
                                            glm::dvec3(newton.world.particles.position[i])));
    const auto& batch = std::get<StencilBatch<StvkTriangle>>(*xpbd.world.topology->constraints);
    const auto& own = std::get<StencilState<StvkTriangle>>(*xpbd.world.matter.constraints).lambda;
    const auto& truth = std::get<StencilState<StvkTriangle>>(*newton.world.matter.constraints).lambda;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t s = 0; s < batch.id.size(); ++s) {
        if (batch.id[s] < 0) continue;
        off += std::abs(double(own[k][s] - truth[k][s])), all += std::abs(double(truth[k][s]));
      }
    std::printf("after %d frames: %.3g mm apart, multipliers %.3g %% off\n", frames, 1e3 * apart,
                100.0 * off / all);
    EXPECT_LT(apart, 1e-3) << frames;
    EXPECT_LT(off / all, 0.04) << frames;
  }
}

/// P L^2/(E I) = 1, nu = 0: the tip sinks by w = 0.30172 L and comes nearer by u = 0.05643 L (elastica).
/// Triangles of constant strain are too stiff in bending, the less the finer they are.
TEST(ElasticSheets, ApproachTheElastica) {
  double last = 1.0;
  for (const int layers : {4, 8}) {
    constexpr double height = 0.1, young = 1e6, thickness = 0.01;
    SceneDesc scene;
    ObjectDesc sheet;
    sheet.name = "sheet";
    sheet.cloth->columns = 10 * layers + 1, sheet.cloth->rows = layers + 1;
    sheet.cloth->width = 1.0, sheet.cloth->height = height;
    sheet.pins = {std::string("left")};
    sheet.material->bending = false;
    sheet.material->sheet_model = SheetModel::stvk;
    sheet.material->youngs_modulus = young, sheet.material->poisson_ratio = 0.0;
    sheet.material->membrane_thickness = thickness;
    scene.objects.push_back(sheet);
    scene.solver.motion->gravity = {0, -1, 0};
    Rig rig(scene);
    const double load = young * thickness * height * height * height / 12.0;  // N, on the right end
    for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
      vec4& x = rig.world.particles.position[std::size_t(i)];
      if (x.w > 0) x.w = x.x > 0.499 ? (layers + 1) / load : 1e12;
    }
    NewtonReference newton(rig.world, std::vector<glm::dvec3>(std::size_t(rig.world.particles.count)), 0.0);
    newton.minimise(60);
    glm::dvec3 moved(0.0);
    for (std::size_t i = 0; i < newton.x.size(); ++i)
      if (rig.world.particles.position[i].x > 0.499)
        moved += (newton.x[i] - glm::dvec3(rig.world.particles.position[i])) / double(layers + 1);
    const double error = std::max(std::abs(-moved.y / 0.30172 - 1.0), std::abs(-moved.x / 0.05643 - 1.0) / 2);
    EXPECT_LT(error, last) << layers;
    last = error;
  }
  EXPECT_LT(last, 0.05);
}

/// A bar of nu = 0 hung from its top: rho g L^2/(2 E) = 0.0392.
TEST(HangingBar, StretchesUnderItsOwnWeight) {
  const glm::dvec3 cells(10, 1, 1);
  SceneDesc scene = bar({1, 0.1, 0.1}, cells, SolidModel::corotated, 1.25e5, 0.0);
  scene.solver.motion->gravity = {9.81, 0, 0};
  scene.objects[0].pins = {std::string("left")};
  Rig rig(scene);
  const double start = tip_of(rig, cells).x;
  NewtonReference newton(rig.world, std::vector<glm::dvec3>(std::size_t(rig.world.particles.count)), 0.0);
  newton.minimise(60);
  EXPECT_NEAR(tip_of(rig, newton, cells).x - start, 1000 * 9.81 / (2 * 1.25e5), 0.02 * 0.0392);
}
#endif

}}}}  // namespace limber::LIMBER_PRECISION::solids_test
