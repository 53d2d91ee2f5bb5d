// Solids of many overlapping clusters: momenta, stiffness, plastic flow, equal bits for any number of
// threads.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>
#include <utility>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/clusters/overlapping_clusters.hpp"
#include "engine/parallel/random.hpp"
#include "engine/parts/clusters/soft_bodies.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/free_spin.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace soft_bodies_test { namespace {

using namespace free_spin;

/// 1.2 m x 0.16 m x 0.16 m in 30 x 4 x 4 particles.
ObjectDesc soft_bar(double cluster = 0.16) {
  ObjectDesc object;
  object.name = "bar";
  object.type = ObjectType::solid;
  object.mesh = test::source("assets/bar.obj");
  object.density = 500.0;
  object.pose.position = {0.1, 1.0, 0.2};
  object.solid->cluster_size = cluster;
  object.solid->youngs_modulus = 1e5;
  return object;
}

SceneDesc scene_of(const ObjectDesc& object) {
  SceneDesc scene = weightless({object});
  scene.solver.contact->particle_radius = 0.02;
  scene.solver.step->substeps = 6;
  scene.solver.step->iterations = 1;
  return scene;
}

std::size_t particles(const World& world) { return std::size_t(world.particles.count); }
glm::dvec3 place(const World& world, std::size_t i) { return place_of(world.particles, i); }
double mass(const World& world, std::size_t i) { return 1.0 / double(world.particles.inverse_mass[i]); }

TEST(SoftBodies, EveryPointIsInAClusterAndNoneIsPartOfAnother) {
  std::vector<glm::dvec3> points;
  for (int x = 0; x < 20; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 4; ++z) points.emplace_back(0.1 * x, 0.1 * y, 0.1 * z);
  points.emplace_back(5.0, 0.0, 0.0);  // by itself
  const auto clusters = overlapping_clusters(points, {0.4, 0.5, 0.17});
  std::vector<int> in(points.size(), 0);
  for (const auto& cluster : clusters) {
    EXPECT_TRUE(std::is_sorted(cluster.begin(), cluster.end()));
    for (const std::int32_t i : cluster) ++in[std::size_t(i)];
    for (const auto& other : clusters)
      EXPECT_TRUE(&other == &cluster ||
                  !std::includes(other.begin(), other.end(), cluster.begin(), cluster.end()));
  }
  EXPECT_EQ(std::count(in.begin(), in.end(), 0), 0);
  EXPECT_GT(clusters.size(), 15u);
  // weights of a place sum up to one, and change steadily along a line
  std::vector<glm::dvec3> line;
  for (int k = 0; k <= 400; ++k) line.emplace_back(0.0047 * k, 0.2, 0.15);
  const auto blends = blend_clusters(line, points, clusters, 0.1);
  const auto weight = [&](const ClusterBlend& blend, std::int32_t cluster) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 4; ++k) sum += blend.cluster[k] == cluster ? blend.weight[k] : 0.0;
    return sum;
  };
  double jump = 0.0;
  for (std::size_t k = 1; k < blends.size(); ++k) {
    double all = 0.0;
    for (const double w : blends[k].weight) all += w;
    EXPECT_NEAR(all, 1.0, 1e-12);
    for (std::size_t c = 0; c < clusters.size(); ++c)
      jump = std::max(jump,
                      std::abs(weight(blends[k], std::int32_t(c)) - weight(blends[k - 1], std::int32_t(c))));
  }
  EXPECT_LT(jump, 0.35);
}

/// A projection of a bar whose particles are anywhere near their places.
TEST(SoftBodies, AProjectionKeepsBothMomenta) {
  for (const double young : {0.0, 2e4})
    for (const auto& [linear, quadratic] : {std::pair(0.0, 0.0), std::pair(0.5, 0.0), std::pair(0.3, 0.8)}) {
      ObjectDesc object = soft_bar();
      object.solid->youngs_modulus = young, object.solid->linear = linear, object.solid->stiffness = 0.7;
      object.solid->quadratic = quadratic;
      Rig rig(scene_of(object));
      World& world = rig.world;
      for (std::size_t i = 0; i < particles(world); ++i) {
        const auto draw = [&](std::size_t k) { return 0.01 * random_signed(5, 3 * i + k); };
        world.particles.moved[i] += vec4(vec3(glm::dvec3(draw(0), draw(1), draw(2))), real(0));
      }
      std::vector<glm::dvec3> before;
      for (std::size_t i = 0; i < particles(world); ++i) before.push_back(place(world, i));
      SoftBodies soft;
      soft.reserve(world);
      ASSERT_EQ(SoftBodies::steps_for(0.3), 1);
      rig.pool.run([&](Team& team) {
        soft.begin_substep(team);
        soft.project(world, real(1.0 / 1200.0), team);
      });
      glm::dvec3 linear_sum(0.0), angular_sum(0.0);
      double moves = 0.0, turns = 0.0;
      for (std::size_t i = 0; i < particles(world); ++i) {
        const glm::dvec3 d = mass(world, i) * (place(world, i) - before[i]);
        linear_sum += d, moves += glm::length(d);
        angular_sum += glm::cross(before[i], d), turns += glm::length(glm::cross(before[i], d));
      }
      ASSERT_GT(moves, 1e-6);
      EXPECT_LT(glm::length(linear_sum) / moves, in_double ? 1e-12 : 1e-4) << young << " " << linear;
      EXPECT_LT(glm::length(angular_sum) / turns, in_double ? 1e-12 : 1e-4) << young << " " << linear;
    }
}

/// A bar in one cluster that is bent and sheared. `wanted`: the deformed place of a rest position q. Returns
/// how far a projection of stiffness 1 moves it, as a share of the deformation.
template <class Deform>
double straightened(double quadratic, const Deform& deform) {
  ObjectDesc object = soft_bar(2.0);
  object.solid->youngs_modulus = 0.0, object.solid->stiffness = 1.0, object.solid->quadratic = quadratic;
  Rig rig(scene_of(object));
  World& world = rig.world;
  EXPECT_EQ(world.topology->matter.soft.clusters(), 1u);
  double put = 0.0;
  std::vector<glm::dvec3> bent;
  for (std::size_t i = 0; i < particles(world); ++i) {
    const glm::dvec3 shift = deform(glm::dvec3(world.topology->matter.rest[i]));
    world.particles.moved[i] += vec4(vec3(shift), real(0));
    bent.push_back(place(world, i)), put += glm::dot(shift, shift);
  }
  SoftBodies soft;
  soft.reserve(world);
  rig.pool.run([&](Team& team) {
    soft.begin_substep(team);
    soft.project(world, real(1.0 / 1200.0), team);
  });
  double moved = 0.0;
  for (std::size_t i = 0; i < particles(world); ++i)
    moved += glm::dot(place(world, i) - bent[i], place(world, i) - bent[i]);
  return std::sqrt(moved / put);
}

/// Quadratic modes keep what bends, (-k x y, k x^2 / 2, 0), and give way to no shear.
TEST(SoftBodies, ABarInOneClusterBendsRatherThanShears) {
  const auto bend = [](const glm::dvec3& q) {
    return glm::dvec3(-0.2 * q.x * q.y, 0.1 * q.x * q.x - 0.012, 0.0);
  };
  const auto shear = [](const glm::dvec3& q) { return glm::dvec3(0.1 * q.y, 0.0, 0.0); };
  EXPECT_GT(straightened(0.0, bend), 0.9);
  EXPECT_NEAR(straightened(0.5, bend), 0.5 * straightened(0.0, bend), 0.02);
  EXPECT_LT(straightened(1.0, bend), in_double ? 0.02 : 0.03);
  EXPECT_GT(straightened(0.0, shear), 0.9);
  EXPECT_NEAR(straightened(1.0, shear), straightened(0.0, shear), 1e-3);
}

TEST(SoftBodies, QuadraticModesNeedThickClusters) {
  ObjectDesc object = soft_bar();
  object.solid->quadratic = 0.5;
  EXPECT_TRUE(build_world(scene_of(object)));
  SceneDesc thin = scene_of(object);
  thin.solver.contact->particle_radius = 0.04;  // two layers
  EXPECT_FALSE(build_world(thin));
}

TEST(SoftBodies, TheSameBitsForAnyNumberOfThreads) {
  for (const double young : {0.0, 3e4}) {
    std::uint64_t first = 0;
    for (const int threads : test::thread_counts()) {
      ObjectDesc object = soft_bar();
      object.solid->youngs_modulus = young, object.solid->stiffness = 0.4, object.solid->damping_time = 0.002;
      object.solid->yield = 0.02;
      object.copies = {1, 2, 2}, object.spacing = glm::dvec3(0.3);
      SceneDesc scene = scene_of(object);
      scene.solver.motion->gravity = {0.0, -9.81, 0.0};
      scene.colliders.emplace_back().shape = ColliderShape::plane;
      Rig rig(scene, threads);
      rig.run(40);
      const std::uint64_t hash = world_hash(rig.world);
      if (threads == 1) first = hash;
      EXPECT_EQ(hash, first) << threads;
    }
  }
}

/// m, how far the free end of a bar that is held at its left one hangs down once it rests.
double sag(int substeps, int iterations, double young, double cluster = 0.16) {
  ObjectDesc object = soft_bar(cluster);
  object.pins = {std::string("left")};
  object.solid->youngs_modulus = young, object.solid->damping_time = 0.01;
  SceneDesc scene = scene_of(object);
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  scene.solver.motion->damping = 0.95;
  scene.solver.step->substeps = substeps, scene.solver.step->iterations = iterations;
  Rig rig(scene);
  rig.run(240);
  double low = 0.0;
  for (std::size_t i = 0; i < particles(rig.world); ++i) low = std::min(low, place(rig.world, i).y - 1.0);
  return -low;
}

TEST(SoftBodies, YoungsModulusMeansTheSameForAllStepsAndIterations) {
  const double reference = sag(40, 1, 2e6);
  ASSERT_GT(reference, 0.05);
  for (const auto& [substeps, iterations] : {std::pair{4, 1}, {4, 10}, {10, 3}})
    EXPECT_NEAR(sag(substeps, iterations, 2e6) / reference, 1.0, 0.05) << substeps << " " << iterations;
}

/// Lateral contraction over extension of the first half of a bar that gravity draws out along its axis.
double contraction(double poisson_ratio, double cluster) {
  ObjectDesc object = soft_bar(cluster);
  object.pins = {std::string("left")};
  object.solid->poisson_ratio = poisson_ratio, object.solid->damping_time = 0.01;
  SceneDesc scene = scene_of(object);
  scene.solver.motion->gravity = {9.81, 0.0, 0.0};
  scene.solver.motion->damping = 0.95;
  Rig rig(scene);
  std::vector<std::size_t> part;
  std::vector<glm::dvec3> before;
  for (std::size_t i = 0; i < particles(rig.world); ++i)
    if (const double x = place(rig.world, i).x - object.pose.position.x; x > -0.4 && x < 0.0)
      part.push_back(i), before.push_back(place(rig.world, i));
  rig.run(240);
  // strain along an axis: slope of the line through (place before, place now)
  const auto strain = [&](int axis) {
    double mean = 0.0, now = 0.0, squares = 0.0, products = 0.0;
    for (std::size_t k = 0; k < part.size(); ++k)
      mean += before[k][axis] / double(part.size()),
          now += place(rig.world, part[k])[axis] / double(part.size());
    for (std::size_t k = 0; k < part.size(); ++k) {
      const double off = before[k][axis] - mean;
      squares += off * off, products += off * (place(rig.world, part[k])[axis] - now);
    }
    return products / squares - 1.0;
  };
  EXPECT_GT(strain(0), 0.01);
  return -0.5 * (strain(1) + strain(2)) / strain(0);
}

/// Small clusters contract by Poisson's ratio. Particles of large ones average the goals of several clusters,
/// which holds the contraction back by about a quarter.
TEST(SoftBodies, ContractAcrossWhatDrawsThemOut) {
  for (const auto& [cluster, off] : {std::pair{0.08, 6e-4}, {0.16, 0.09}}) {
    const double none = contraction(0.0, cluster), usual = contraction(0.3, cluster);
    std::printf("  clusters of %.2f m: %.4f at nu 0, %.4f at nu 0.3\n", cluster, none, usual);
    EXPECT_NEAR(none, 0.0, 1e-3);
    EXPECT_NEAR(usual, 0.3, off);
  }
}

/// deg, of the last third of a bar against its first.
double bend(const World& world) {
  glm::dvec3 middle[3]{};
  int count[3]{};
  const SoftMatter& soft = world.topology->matter.soft;
  for (std::size_t e = 0; e < soft.entry_particle.size(); ++e) {
    const double x =
        double(soft.cluster_rest[std::size_t(soft.entry_cluster[e])].x) + double(soft.entry_rest[e].x);
    const int part = x < -0.5 ? 0 : (std::abs(x) < 0.06 ? 1 : (x > 0.5 ? 2 : -1));
    if (part < 0) continue;
    middle[part] += place(world, std::size_t(soft.entry_particle[e])), ++count[part];
  }
  for (int k = 0; k < 3; ++k) middle[k] /= double(count[k]);
  const glm::dvec3 a = glm::normalize(middle[1] - middle[0]), b = glm::normalize(middle[2] - middle[1]);
  return glm::degrees(std::acos(std::min(1.0, glm::dot(a, b))));
}

/// Gravity bends it for a second, then it is weightless.
double bend_of_a_bar(double yield, int seconds, double& before) {
  ObjectDesc object = soft_bar();
  object.pins = {std::string("left")};
  object.solid->youngs_modulus = 4e5, object.solid->damping_time = 0.005, object.solid->yield = yield;
  SceneDesc scene = scene_of(object);
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  scene.solver.motion->damping = 0.9;
  Rig rig(scene);
  rig.run(60);
  rig.world.settings.solver.motion->gravity = glm::dvec3(0.0);
  rig.run(300);
  before = bend(rig.world);
  rig.run(60 * seconds);
  return bend(rig.world);
}

TEST(SoftBodies, ABentBarKeepsItsAngleAndAnElasticOneComesBack) {
  double before = 0.0;
  const double after = bend_of_a_bar(0.01, 60, before);
  EXPECT_GT(before, 5.0);
  EXPECT_NEAR(after, before, 0.1);
  EXPECT_LT(bend_of_a_bar(0.0, 1, before), 0.3);
}

/// A bar turns freely about a slanted axis, elastic and while it flows.
TEST(SoftBodies, AFreeBarKeepsItsSpin) {
  for (const double yield : {0.0, 0.005}) {
    ObjectDesc object = soft_bar();
    object.solid->youngs_modulus = 5e4, object.solid->yield = yield, object.solid->damping_time = 0.01;
    object.angular_velocity = {60.0, 250.0, 100.0};
    SceneDesc scene = scene_of(object);
    Rig rig(scene);
    const auto angular = [&] {
      glm::dvec3 center(0.0), sum(0.0);
      double all = 0.0;
      for (std::size_t i = 0; i < particles(rig.world); ++i)
        center += mass(rig.world, i) * place(rig.world, i), all += mass(rig.world, i);
      center /= all;
      for (std::size_t i = 0; i < particles(rig.world); ++i)
        sum += mass(rig.world, i) *
               glm::cross(place(rig.world, i) - center, glm::dvec3(rig.world.particles.velocity[i]));
      return sum;
    };
    const glm::dvec3 start = angular();
    rig.run(600);
    EXPECT_LT(glm::distance(angular(), start), 1e-3 * glm::length(start)) << yield;
    double flowed = 0.0;
    for (const SoftCluster& cluster : rig.world.matter.soft.clusters)
      flowed = std::max(flowed, double(cluster.flowed));
    EXPECT_EQ(flowed > 0.0, yield > 0.0);
  }
}

/// A solid is solved in as many steps as it needs itself.
TEST(SoftBodies, AStiffOneFarAwayChangesNoBit) {
  const auto places = [](double far_young) {
    ObjectDesc near = soft_bar(), far = soft_bar();
    near.solid->youngs_modulus = 1e3;
    far.name = "far";
    far.pose.position.x += 30.0;
    far.solid->youngs_modulus = far_young;
    SceneDesc scene = scene_of(near);
    scene.objects.push_back(far);
    scene.colliders.emplace_back().shape = ColliderShape::plane;
    for (ObjectDesc& object : scene.objects) object.velocity = {0.0, -4.0, 0.0};
    Rig rig(scene);
    rig.run(30);
    std::vector<glm::dvec3> out;
    const ParticleRange& own = rig.world.topology->objects[0];
    for (std::int32_t i = own.first; i < own.end(); ++i) out.push_back(place(rig.world, std::size_t(i)));
    return out;
  };
  const std::vector<glm::dvec3> beside_soft = places(1e3);
  EXPECT_EQ(beside_soft, places(1e7));
  EXPECT_EQ(beside_soft, places(0.0));
}

/// Pressed flat by a weightless blow, it keeps its volume, stays within the bound and starts anew.
TEST(SoftBodies, FlowKeepsTheVolumeAndIsBounded) {
  ObjectDesc object = soft_bar();
  object.solid->youngs_modulus = 2e4, object.solid->yield = 0.01, object.solid->creep = 200.0;
  object.solid->max_plastic = 0.3;
  object.velocity = {0.0, -6.0, 0.0};
  SceneDesc scene = scene_of(object);
  scene.colliders.emplace_back().shape = ColliderShape::plane;
  const auto hash = [&](double& most, double& volume) {
    Rig rig(scene);
    rig.run(30);
    const SoftMatter& soft = rig.world.topology->matter.soft;
    most = volume = 0.0;
    for (std::size_t c = 0; c < soft.clusters(); ++c) {
      double gone = 0.0, all = 0.0;
      glm::dmat3 outer(0.0);
      const std::int32_t begin = soft.cluster_entry[c], end = soft.cluster_entry[c + 1];
      for (std::int32_t e = begin; e < end; ++e) {
        const glm::dvec3 q(rig.world.matter.soft.rest[std::size_t(e)]), q0(soft.entry_rest[std::size_t(e)]);
        const double w = double(soft.entry_rest[std::size_t(e)].w);
        gone += w * glm::dot(q - q0, q - q0), all += w * glm::dot(q0, q0);
        for (int k = 0; k < 3; ++k) outer[k] += (w * q0[k]) * q;
      }
      SoftCluster start;
      take_moment(&soft.entry_rest[std::size_t(begin)], end - begin, start);
      const glm::dmat3 f = outer * glm::dmat3(start.inverse.matrix());
      volume = std::max(volume, std::abs(glm::determinant(f) - 1.0));
      most = std::max(most, std::sqrt(3.0 * gone / all));
    }
    return world_hash(rig.world);
  };
  double most = 0.0, volume = 0.0;
  const std::uint64_t first = hash(most, volume);
  EXPECT_GT(most, 0.1);
  EXPECT_LT(most, 0.36);  // the volume is restored last
  EXPECT_LT(volume, in_double ? 1e-9 : 1e-4);
  EXPECT_EQ(hash(most, volume), first);
}

/// A brick whose clusters have a stiffness.
ObjectDesc thrown_brick(const char* name, const glm::dvec3& place, double speed, double stiffness) {
  ObjectDesc object = brick(stiffness);
  object.name = name;
  object.size = 0.4;
  object.density = 500.0;
  object.solid->cluster_size = 0.15;
  object.pose.position = place;
  object.velocity = {speed, 0.0, 0.0};
  object.material->friction = 0.5;
  return object;
}

/// Two bricks, or a brick and a box, that collide off centre.
SceneDesc collision(bool with_body, double stiffness) {
  SceneDesc scene = weightless({thrown_brick("left", {-0.3, 1.0, 0.0}, 2.0, stiffness)});
  scene.solver.contact->particle_radius = 0.02;
  if (!with_body) {
    scene.objects.push_back(thrown_brick("right", {0.25, 1.03, 0.05}, -2.0, stiffness));
    return scene;
  }
  BodyDesc box;
  box.name = "right";
  box.shape = BodyShape::box;
  box.half_extents = glm::dvec3(0.1);
  box.density = 500.0;
  box.pose.position = {0.2, 1.03, 0.04};
  box.velocity = {-2.0, 0.0, 0.0};
  scene.bodies.push_back(box);
  return scene;
}

/// A collision without a bounce gives no energy. The clusters have none of their own at the end.
TEST(SoftBodies, GainNoEnergyWhereTheyCollide) {
  for (const bool with_body : {false, true})
    for (const double stiffness : {0.1, 1.0})
      for (const auto& [substeps, iterations] :
           {std::pair(1, 1), {4, 1}, {10, 1}, {10, 10}, {40, 1}, {40, 4}}) {
        SceneDesc scene = collision(with_body, stiffness);
        scene.solver.step->substeps = substeps, scene.solver.step->iterations = iterations;
        Rig rig(scene);
        const Measures before = measure(rig.world);
        double most = 0.0;
        for (int f = 0; f < 15; ++f) {
          rig.step();
          most = std::max(most, measure(rig.world).kinetic_energy);
        }
        const Measures after = measure(rig.world);
        const auto what = testing::Message()
                          << with_body << " " << stiffness << " " << substeps << " " << iterations;
        EXPECT_LT(most, (1.0 + (in_double ? 1e-9 : 1e-5)) * before.kinetic_energy) << what;
        EXPECT_LT(after.kinetic_energy, 0.95 * before.kinetic_energy) << what << ": they have not met";
        const double change = glm::distance(after.momentum, before.momentum);
        EXPECT_LT(in_double ? change : 0.0, 1e-9) << what;
      }
}

/// Solids too stiff for the most Chebyshev steps are softer than they should be, and stable: random
/// velocities of the particles are mostly gone after a frame, and never return.
TEST(SoftBodies, AreStableHoweverStiff) {
  for (const double young : {2e7, 1e12})
    for (const double damping_time : {0.0, 0.02})
      for (const auto& [substeps, iterations] : {std::pair(1, 1), {4, 3}, {12, 1}, {12, 5}}) {
        ObjectDesc object = soft_bar();
        object.solid->youngs_modulus = young, object.solid->poisson_ratio = 0.41;
        object.solid->damping_time = damping_time;
        SceneDesc scene = scene_of(object);
        scene.solver.step->substeps = substeps, scene.solver.step->iterations = iterations;
        Rig rig(scene);
        for (std::size_t i = 0; i < particles(rig.world); ++i) {
          const auto draw = [&](std::size_t k) { return 0.1 * random_signed(7, 3 * i + k); };
          rig.world.particles.velocity[i] = vec4(vec3(glm::dvec3(draw(0), draw(1), draw(2))), real(0));
        }
        const double start = measure(rig.world).kinetic_energy;
        double most = 0.0;
        for (int f = 0; f < 30; ++f) {
          rig.step();
          const double now = measure(rig.world).kinetic_energy;
          most = now <= most ? most : now;  // NaN counts
        }
        EXPECT_LT(most, 0.3 * start) << young << " Pa, " << damping_time << " s, " << substeps
                                     << " substeps, " << iterations << " iterations";
      }
}

}}}}  // namespace limber::LIMBER_PRECISION::soft_bodies_test
