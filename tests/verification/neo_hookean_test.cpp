// Crushed neo-Hookean tetrahedra: the energy leads back to the rest pose from every state.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/constraints/energy.hpp"
#include "engine/constraints/neo_hookean.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace neo_hookean_test { namespace {

#if LIMBER_DOUBLE
const std::array<glm::dvec3, 4> right_corner{glm::dvec3(0), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// The right corner of edge 1 after F, of E = 1.
Element<NeoHookean> deformed(const glm::dmat3& F, double poisson) {
  Element<NeoHookean> e;
  e.rest = TetStencil::rest_of(right_corner);
  Material material;
  material.youngs_modulus = 1.0, material.poisson_ratio = poisson;
  e.softness = softness_of<NeoHookean>(material, 6.0);
  for (std::size_t j = 0; j < 4; ++j) e.x[j] = F * right_corner[j];
  return e;
}

/// dE/ds_k of the element stretched by s along its axes.
glm::dvec3 slopes(const glm::dvec3& s, double poisson) {
  const auto g = energy_gradient(deformed(glm::dmat3(s.x, 0, 0, 0, s.y, 0, 0, 0, s.z), poisson));
  return {g[1].x, g[2].y, g[3].z};
}

/// A stretch other than the rest pose without forces along it would be another minimum or a saddle: there is
/// none between volume zero and the rest pose, nor beyond zero.
TEST(NeoHookeanEnergy, RestsInTheRestPoseOnly) {
  for (const double poisson : {0.0, 0.1, 0.3, 0.45, 0.49}) {
    for (double s = 0.005; s < 0.995; s += 0.005)
      EXPECT_LT(slopes(glm::dvec3(s), poisson).x, 0.0) << "pressed to " << s << ", nu " << poisson;
    for (double s = 1.005; s < 3.0; s += 0.005)
      EXPECT_GT(slopes(glm::dvec3(s), poisson).x, 0.0) << "pulled to " << s << ", nu " << poisson;
    for (double x = 0.05; x < 2.0; x += 0.05)
      for (double y = 0.05; y <= x; y += 0.05)
        for (double z = 0.0; z <= y; z += 0.05)  // mirrored by -z: it must be drawn back through zero
          EXPECT_LT(slopes({x, y, -z}, poisson).z, 0.0) << x << ' ' << y << ' ' << -z << ", nu " << poisson;
  }
}

/// Newton's method from any pose, turned over, flat or next to a point, ends at rest.
TEST(NeoHookeanEnergy, LeadsBackFromEveryPose) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const double poisson : {0.0, 0.1, 0.3, 0.45})
    for (const double size : {0.02, 0.3, 1.0}) {
      for (int trial = 0; trial < 5; ++trial) {
        glm::dmat3 F;
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r) F[c][r] = size * uniform(random);
        auto e = deformed(F, poisson);
        EXPECT_LT(energy(e), 100.0);
        double step = 0.05;
        for (int k = 0; k < 4000 && energy(e) > 1e-9;
             ++k) {  // descent along the gradient, with steps as long as they go down
          const auto g = energy_gradient(e);
          auto to = e;
          for (std::size_t j = 0; j < 4; ++j) to.x[j] -= step * g[j];
          const bool lower = energy(to) <= energy(e);
          if (lower) e = to;
          step *= lower ? 1.3 : 0.5;
        }
        EXPECT_NEAR(6.0 * TetStencil::volume_of(e.x), 1.0, 1e-3)
            << "nu " << poisson << ", start of size " << size << ", trial " << trial;
      }
    }
}

/// nu = 0: a pressed element keeps its width.
TEST(NeoHookeanEnergy, KeepsTheWidthOfAPressedElementOfCork) {
  for (const double height : {0.9, 0.75, 0.5, 0.35, 0.25}) {
    double low = 0.1, high = 2.0;
    for (int k = 0; k < 60; ++k) {
      const double width = 0.5 * (low + high);
      (slopes({width, height, width}, 0.0).x < 0.0 ? low : high) = width;
    }
    EXPECT_NEAR(low, 1.0, 0.05) << "pressed to " << height;
  }
}
#endif

/// A block of jelly on the ground; cells of size/n.
SceneDesc block(double young, double poisson, int n, double size, bool weight) {
  SceneDesc scene;
  scene.solver.step->substeps = 20;
  scene.solver.motion->damping = 0.99;  // a block that came back rings
  if (!weight) scene.solver.motion->gravity = glm::dvec3(0.0);
  ObjectDesc object;
  object.name = "block";
  object.type = ObjectType::tets;
  object.tets->shape = TetShape::block;
  object.tets->dimensions = glm::dvec3(size);
  object.tets->resolution = n;
  object.pose.position = {0.0, 0.5 * size + 0.005, 0.0};
  object.density = 1000.0;
  object.material->youngs_modulus = young, object.material->poisson_ratio = poisson;
  object.material->thickness = 0.005;
  scene.objects.push_back(object);
  ColliderDesc ground;
  ground.name = "ground", ground.shape = ColliderShape::plane;
  scene.colliders.push_back(ground);
  return scene;
}

struct Crushed {
  double young, poisson;
  int n;
  double size;
  bool weight;
};

/// Volume over that at rest, and how many elements are inside out, 3 s after a press to a quarter of the
/// height (`shuffled`: after every particle was put at a random place).
Measures after_press(const Crushed& c, bool shuffled) {
  Rig rig(block(c.young, c.poisson, c.n, c.size, c.weight));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  auto& particles = rig.world.particles;
  for (std::size_t v = 0; v < rig.world.topology->external_to_internal.size(); ++v) {
    const vec4 x = rig.x(Index(v));
    const vec3 to = shuffled
                        ? vec3(real(c.size) * vec3(real(uniform(random)) - real(0.5), real(uniform(random)),
                                                   real(uniform(random)) - real(0.5)))
                        : vec3(x.x, real(0.005) + real(0.25) * (x.y - real(0.005)), x.z);
    put_particle(particles, rig.inside(Index(v)), vec4(to, x.w));
  }
  rig.run(180);
  return measure(rig.world);
}

TEST(NeoHookeanSolid, ComesBackFromAPressAndAShuffle) {
  const std::vector<Crushed> all{{1e3, 0.0, 3, 0.3, false}, {1e3, 0.3, 3, 0.3, false},
                                 {3e4, 0.0, 3, 0.3, true},  {3e4, 0.1, 3, 0.3, true},
                                 {1e7, 0.49, 3, 0.3, true}, {1e5, 0.0, 2, 0.3, true},
                                 {1e5, 0.45, 2, 0.3, true}};
  for (const Crushed& c : all) {
    Rig still(block(c.young, c.poisson, c.n, c.size, c.weight));
    still.run(180);
    const double at_rest = measure(still.world).volume_ratios.at(0).ratio;
    for (const bool shuffled : {false, true}) {
      const Measures m = after_press(c, shuffled);
      EXPECT_EQ(m.inverted_tets, 0) << "E " << c.young << " nu " << c.poisson << " n " << c.n << " shuffled "
                                    << shuffled;
      if (shuffled) continue;  // some come to rest twisted, 0.86 of their volume, with nothing inverted
      EXPECT_NEAR(m.volume_ratios.at(0).ratio, at_rest, 0.02)
          << "E " << c.young << " nu " << c.poisson << " n " << c.n;
    }
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::neo_hookean_test
