// Tears of tetrahedra: topology, mass, momenta, equal bits for any number of threads, contact of the parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <set>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"
#include "engine/parallel/random.hpp"
#include "engine/parts/tearing/cutting.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/tet_split.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/free_spin.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace tet_tearing_test { namespace {

using namespace free_spin;

/// A rig whose world has room for tears.
struct Torn : Rig {
  explicit Torn(const SceneDesc& scene, int threads = 1) : Rig(scene, threads) {
    adopt_tear_room(world, with_tear_room(world));
    refresh_softness(world);
    world.changed(Change::everything), solver.follow(world);
  }
};

ObjectDesc brittle_bar() {
  ObjectDesc object = bar(SolidModel::neo_hookean);
  object.tets->dimensions = {0.9, 0.2, 0.2}, object.tets->cells = {9, 3, 3};
  object.material->youngs_modulus = 1e5, object.material->strength = 1e4;
  return object;
}

/// Drawn out by both ends at 0.3 m/s each.
SceneDesc pulled() {
  ObjectDesc object = brittle_bar();
  AttachmentDesc left, right;
  left.vertices = {VertexName(std::string("left"))}, right.vertices = {VertexName(std::string("right"))};
  left.amplitude = {-0.5, 0, 0}, right.amplitude = {0.5, 0, 0}, left.period = right.period = 10.0;
  object.attachments = {left, right};
  return weightless({object});
}

double mass_of(const World& world) { return momenta(world).mass; }
std::int32_t copies(const World& world) {
  std::int32_t sum = 0;
  for (const TearRoom::Object& object : world.topology->tears.objects) sum += object.used;
  return sum;
}
std::vector<Tet> tets_of(const Topology& topology) {
  std::vector<Tet> tets;
  for (const auto& [a, b, c, d] : topology.tets) tets.push_back({Index(a), Index(b), Index(c), Index(d)});
  return tets;
}

/// The triangles are the faces that have one tetrahedron, and all else follows from them.
void expect_sound(const World& world) {
  const Topology& topology = *world.topology;
  std::map<std::array<std::int32_t, 3>, int> border;
  const std::vector<TetFace> faces = sorted_tet_faces(tets_of(topology));
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (f + 1 < faces.size() && faces[f + 1].key == faces[f].key) {
      ++f;
      continue;
    }
    const auto& [a, b, c] = faces[f].vertices;
    std::array<std::int32_t, 3> turned{std::int32_t(a), std::int32_t(b), std::int32_t(c)};
    std::rotate(turned.begin(), std::min_element(turned.begin(), turned.end()), turned.end());
    ++border[turned];
  }
  for (const auto& triangle : topology.triangles) {
    auto turned = triangle;
    std::rotate(turned.begin(), std::min_element(turned.begin(), turned.end()), turned.end());
    ASSERT_EQ(border[turned]--, 1);
  }
  for (const auto& [face, left] : border) ASSERT_EQ(left, 0);
  std::vector<std::int32_t> count(topology.corner_count.size(), 0);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    for (const std::int32_t i : topology.triangles[t]) {
      ++count[std::size_t(i)];
      const auto at = topology.triangles_at(i);
      ASSERT_NE(std::find(at.begin(), at.end(), std::int32_t(t)), at.end());
    }
  ASSERT_EQ(count, topology.corner_count);
  ASSERT_EQ(topology.surface.owned.size(), topology.triangles.size());
  // every slot names the corners of its tetrahedron
  std::multiset<std::array<std::int32_t, 4>> in_slots, in_list;
  const auto& batch = std::get<StencilBatch<NeoHookean>>(*topology.constraints);
  for (std::size_t s = 0; s < batch.id.size(); ++s)
    if (batch.id[s] >= 0) {
      std::array<std::int32_t, 4> corners;
      for (std::size_t j = 0; j < 4; ++j) corners[j] = batch.vertices[j][s];
      std::sort(corners.begin(), corners.end());
      in_slots.insert(corners);
    }
  for (auto corners : topology.tets) {
    std::sort(corners.begin(), corners.end());
    in_list.insert(corners);
  }
  ASSERT_EQ(in_slots, in_list);
  // tetrahedra at a vertex hang together by faces
  TetSplitter splitter(const_cast<World&>(world));
  for (std::int32_t v = 0; v < world.particles.count; ++v)
    if (splitter.star(v).size() > 1 && world.particles.inverse_mass[std::size_t(v)] > real(0)) {
      ASSERT_EQ(splitter.split_by(v, [](std::int32_t) { return 0; }), 0) << v;
    }
}

/// Slowly drawn out, it tears where the stress of its strain reaches the strength, here at 10 % of E. The
/// held ends cannot contract, which raises the stress there.
TEST(TetTearing, BeginsAtItsStrength) {
  SceneDesc scene = pulled();
  scene.solver.step->substeps = 40;
  for (AttachmentDesc& end : scene.objects[0].attachments) end.period = 100.0;
  Torn rig(scene);
  int frames = 0;
  while (copies(rig.world) == 0 && frames < 300) rig.run(1), ++frames;
  const double strain = 2.0 * 0.5 * std::sin(2.0 * std::acos(-1.0) * frames / 60.0 / 100.0) / 0.9;
  std::printf("  first tear at a strain of %.4f\n", strain);
  EXPECT_NEAR(strain, 0.1, 0.02);
}

TEST(TetTearing, ABarPartsAcrossAndEverythingStaysSound) {
  Torn rig(pulled());
  const double mass = mass_of(rig.world);
  const std::size_t triangles = rig.world.topology->triangles.size();
  rig.run(5);
  EXPECT_EQ(copies(rig.world), 0) << "below its strength nothing tears";
  rig.run(145);
  EXPECT_GT(copies(rig.world), 10);
  EXPECT_GT(rig.world.topology->triangles.size(), triangles);
  EXPECT_NEAR(mass_of(rig.world) / mass, 1.0, in_double ? 1e-12 : 1e-5);
  expect_sound(rig.world);
  EXPECT_GE(tet_pieces(tets_of(*rig.world.topology)).count, 2);
  const Measures measured = measure(rig.world);
  EXPECT_EQ(measured.inverted_tets, 0);
  EXPECT_EQ(measured.tears, copies(rig.world));
}

TEST(TetTearing, TheSameBitsForAnyNumberOfThreadsAndSnapshotsHoldTheMesh) {
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    Torn rig(pulled(), threads);
    rig.run(40);
    const World before = rig.world;
    rig.run(80);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
    rig.world = before;
    rig.run(80);
    EXPECT_EQ(world_hash(rig.world), first) << "again from a snapshot";
  }
}

/// Spun so fast that it breaks: nothing outside touches it.
TEST(TetTearing, BothMomentaStayWhileItBreaks) {
  SceneDesc scene = weightless({brittle_bar()});
  scene.objects[0].material->strength = 2500.0;
  scene.solver.step->substeps = 10;
  Torn rig(scene);
  spin(rig.world, 25.0);
  const Momenta start = momenta(rig.world);
  const Kept kept = fly(rig, 120);
  EXPECT_GT(copies(rig.world), 5);
  EXPECT_GT(kept.least, 0.999);
  const Momenta end = momenta(rig.world);
  EXPECT_LT(glm::distance(end.linear, start.linear), 1e-6 * start.speeds);
  EXPECT_LT(glm::distance(end.angular, start.angular), 1e-3 * glm::length(start.angular));
}

/// A hand draws a line across a bar in 20 pieces, seen from above, to `end` of its width; it flies meanwhile.
int cut_across(Torn& rig, double end) {
  const glm::dvec3 eye(0.02, 3.0, 0.0);
  const auto seen = [&](int k) { return glm::dvec3(0.02, -3.0, -0.3 + 0.6 * end * k / 20.0); };
  int made = 0;
  for (int k = 0; k < 20; ++k) {
    made += cut(rig.world, {eye, eye}, {seen(k), seen(k + 1)}, k == 0).made;
    rig.run(1);
  }
  return made;
}

TEST(TetTearing, AHandCutsABarInTwo) {
  SceneDesc scene = weightless({brittle_bar()});
  scene.objects[0].material->strength = 0.0;
  scene.solver.motion->damping = 0.0;
  Torn rig(scene);
  const double mass = mass_of(rig.world);
  const Momenta start = momenta(rig.world);
  EXPECT_GT(cut_across(rig, 1.0), 8);
  expect_sound(rig.world);
  EXPECT_EQ(tet_pieces(tets_of(*rig.world.topology)).count, 2);
  EXPECT_NEAR(mass_of(rig.world), mass, 1e-6 * mass);
  EXPECT_LT(glm::distance(momenta(rig.world).linear, start.linear), 1e-6 * mass);
  rig.run(30);
  EXPECT_EQ(measure(rig.world).nonfinite, 0);
}

TEST(TetTearing, ACutThatEndsWithinABarLeavesItInOnePiece) {
  SceneDesc scene = weightless({brittle_bar()});
  scene.objects[0].material->strength = 0.0;
  Torn rig(scene);
  EXPECT_GT(cut_across(rig, 0.5), 0);
  expect_sound(rig.world);
  EXPECT_EQ(tet_pieces(tets_of(*rig.world.topology)).count, 1);
}

/// A block that is cut across by hand falls on the ground: its halves rest beside and on each other.
TEST(TetTearing, PartsTouchEachOther) {
  ObjectDesc object = bar(SolidModel::neo_hookean);
  object.tets->dimensions = {0.3, 0.4, 0.3}, object.tets->cells = {3, 4, 3};
  object.material->youngs_modulus = 2e5, object.material->strength = 1e9, object.material->thickness = 0.005;
  object.pose.position = {0, 0.22, 0};
  SceneDesc scene = weightless({object});
  scene.solver.motion->gravity = {0, -9.81, 0}, scene.solver.motion->damping = 1.0;
  scene.solver.contact->cloth_collision = true;
  scene.solver.step->substeps = 10;
  scene.colliders.emplace_back().shape = ColliderShape::plane;
  Torn rig(scene);
  const auto height = [&](std::int32_t i) {
    return double(rig.world.topology->surface.rest[std::size_t(i)].y);
  };
  const auto center = [&](std::int32_t t) {
    double sum = 0.0;
    for (const std::int32_t i : rig.world.topology->tets[std::size_t(t)]) sum += 0.25 * height(i);
    return sum;
  };
  {
    TetSplitter splitter(rig.world);
    for (std::int32_t v = 0; v < rig.world.particles.count; ++v)
      if (splitter.star(v).size() > 0 && std::abs(height(v)) < 1e-3)
        splitter.split_by(v, [&](std::int32_t t) { return center(t) > 0.0 ? 1 : 0; });
    splitter.finish();
  }
  expect_sound(rig.world);
  ASSERT_EQ(tet_pieces(tets_of(*rig.world.topology)).count, 2);
  rig.run(180);
  double lowest_above = 1e9;
  for (std::size_t t = 0; t < rig.world.topology->tets.size(); ++t)
    if (center(std::int32_t(t)) > 0.0)
      for (const std::int32_t i : rig.world.topology->tets[t])
        lowest_above = std::min(lowest_above, place_of(rig.world.particles, std::size_t(i)).y);
  EXPECT_GT(lowest_above, 0.17) << "the upper half stands on the lower one";
  EXPECT_EQ(find_intersections(rig.world).size(), 0u);
}

}}}}  // namespace limber::LIMBER_PRECISION::tet_tearing_test
