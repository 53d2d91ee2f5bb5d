// Contact of surfaces with themselves: worked cases, momentum, and above all that nothing ever crosses.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "engine/contact/cloth/impact_zones.hpp"
#include "engine/contact/cloth/surface_contacts.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/split.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace surface_contact_test { namespace {

constexpr bool in_double = std::is_same_v<real, double>;
using L1 = Lanes<real, 1>;

/// A pair of features in arrays of its own.
struct OnePair {
  std::int32_t index[4] = {0, 1, 2, 3};
  real normal[3], weight[4], distance, friction = 0;
  real apart[3] = {}, hold = 0, kept[3] = {}, before = 0, anchor[2] = {}, drift[3] = {};
  vec4 points[4];

  SurfacePairView<real> view() {
    SurfacePairView<real> v{};
    for (int j = 0; j < 4; ++j) v.vertices[j] = index + j, v.weight[j] = weight + j;
    for (int k = 0; k < 3; ++k) v.normal[k] = normal + k;
    for (int k = 0; k < 3; ++k) v.apart[k] = apart + k, v.kept[k] = kept + k, v.drift[k] = drift + k;
    for (int k = 0; k < 2; ++k) v.anchor[k] = anchor + k;
    v.distance = &distance, v.friction = &friction, v.hold = &hold, v.before = &before;
    return v;
  }
};

void expect_moved(OnePair& pair, const vec4 (&start)[4], const test::Value& dp) {
  for (std::size_t j = 0; j < 4; ++j)
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(double(pair.points[j][k] - start[j][k]), dp[j][std::size_t(k)].get<double>(),
                  in_double ? 1e-12 : 1e-6)
          << "point " << j << " axis " << k;
}

/// A substep starts with six tenths of the push that a contact has had for two substeps: a load lasts, an
/// impact does not.
TEST(SurfacePair, ABlowIsNotGivenAgain) {
  OnePair pair;
  pair.normal[0] = pair.normal[2] = 0, pair.normal[1] = 1;
  pair.weight[0] = 1, pair.weight[1] = pair.weight[2] = real(-0.5), pair.weight[3] = 0;
  pair.kept[1] = real(0.8), pair.before = real(0.3);
  vec4 moved[4];
  for (int j = 0; j < 4; ++j) pair.points[j] = moved[j] = vec4(0, 0, 0, 1);
  warm_pairs<L1>(pair.view(), 0, 1, &pair.points[0].x, &moved[0].x);
  EXPECT_NEAR(double(moved[0].y), 0.6 * 0.3, 1e-6);
  EXPECT_NEAR(double(moved[1].y), -0.5 * 0.6 * 0.3, 1e-6);
  EXPECT_NEAR(double(pair.before), 0.8, 1e-6);
}

TEST(SurfacePair, PointAndTriangleAsWorkedOut) {
  for (const char* name : {"point_triangle_above", "point_triangle_below"}) {
    const test::VectorCase c = test::vector_case(name);
    const auto& in = c.inputs;
    OnePair pair;
    const char* keys[4] = {"q", "p1", "p2", "p3"};
    for (std::size_t j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k) pair.points[j][k] = real(in[keys[j]][std::size_t(k)].get<double>());
    for (std::size_t j = 0; j < 4; ++j) pair.points[j].w = real(in["w"][j].get<double>());
    pair.distance = pair.hold = real(in["h"].get<double>());
    vec4 start[4];
    std::copy(pair.points, pair.points + 4, start);
    aim_pairs<PairKind::vertex_triangle, L1>(pair.view(), 0, 1, &pair.points[0].x);
    // the side is the one where the point is, which in these cases is not the one it is wanted on
    const double side = in["sign"].get<double>();
    const vec3 n(pair.normal[0], pair.normal[1], pair.normal[2]);
    const double up = n.z > 0 ? 1.0 : -1.0;
    if (up != side)
      for (real& x : pair.normal) x = -x;
    alignas(32) vec4 moved[4] = {};
    push_pairs<L1>(pair.view(), 0, 1, &pair.points[0].x, &moved[0].x);
    expect_moved(pair, start, c.expected["dp"]);
  }
}

TEST(SurfacePair, TwoEdgesAsWorkedOut) {
  const test::VectorCase c = test::vector_case("edge_edge_distance");
  OnePair pair;
  for (std::size_t j = 0; j < 4; ++j) {
    for (int k = 0; k < 3; ++k) pair.points[j][k] = real(c.inputs["p"][j][std::size_t(k)].get<double>());
    pair.points[j].w = real(c.inputs["w"][j].get<double>());
  }
  pair.distance = pair.hold = real(c.inputs["d"].get<double>());
  vec4 start[4];
  std::copy(pair.points, pair.points + 4, start);
  aim_pairs<PairKind::edge_edge, L1>(pair.view(), 0, 1, &pair.points[0].x);
  alignas(32) vec4 moved[4] = {};
  push_pairs<L1>(pair.view(), 0, 1, &pair.points[0].x, &moved[0].x);
  expect_moved(pair, start, c.expected["dp"]);
}

/// A triangle without area is its edges.
TEST(SurfacePair, APointAndAnEdgeAsWorkedOut) {
  const test::VectorCase c = test::vector_case("point_edge_distance");
  OnePair pair;
  const char* keys[4] = {"q", "a", "b", "b"};
  for (std::size_t j = 0; j < 4; ++j) {
    for (int k = 0; k < 3; ++k) pair.points[j][k] = real(c.inputs[keys[j]][std::size_t(k)].get<double>());
    pair.points[j].w = real(c.inputs["w"][std::min<std::size_t>(j, 2)].get<double>());
  }
  aim_pairs<PairKind::vertex_triangle, L1>(pair.view(), 0, 1, &pair.points[0].x);
  EXPECT_TRUE(test::matches<real>(c, "n", vec3(pair.normal[0], pair.normal[1], pair.normal[2])));
  EXPECT_TRUE(test::matches<real>(c, "t", -(pair.weight[2] + pair.weight[3])));
  const real apart = glm::dot(vec3(pair.normal[0], pair.normal[1], pair.normal[2]),
                              vec3(pair.points[0]) + pair.weight[1] * vec3(pair.points[1]) +
                                  (pair.weight[2] + pair.weight[3]) * vec3(pair.points[2]));
  EXPECT_TRUE(test::matches<real>(c, "C", apart - real(c.inputs["d"].get<double>())));
}

/// At the moment that a worked point meets a worked triangle, both moving, their nearest points are one.
TEST(SurfacePair, AMovingPointMeetsAMovingTriangleWhereItWasWorkedOut) {
  const test::VectorCase c = test::vector_case("ccd_moving_point_triangle");
  const double t = c.expected["t_hit"];
  const auto at = [&](const char* key) {
    const auto path = test::to_vec3s<double>(c.inputs[key]);
    const vec3 x(path[0] + t * (path[1] - path[0]));
    return Vec3<L1>{x.x, x.y, x.z};
  };
  const Vec3<L1> q = at("q"), corners[3] = {at("p1"), at("p2"), at("p3")};
  const TriangleWeights<L1> found = closest_on_triangle(q, corners);
  std::vector<real> weights;
  vec3 apart(q.x.v, q.y.v, q.z.v);
  for (int k = 0; k < 3; ++k) {
    weights.push_back(found.b[k].v);
    apart -= found.b[k].v * vec3(corners[k].x.v, corners[k].y.v, corners[k].z.v);
  }
  EXPECT_TRUE(test::matches<real>(c, "barycentric", weights));
  EXPECT_LT(double(glm::length(apart)), LIMBER_DOUBLE ? 1e-9 : 1e-6);
}

SceneDesc sheets(int count, int side, double apart) {
  SceneDesc scene;
  scene.name = "sheets";
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  scene.solver.contact->cloth_collision = true;
  for (int i = 0; i < count; ++i) {
    ObjectDesc sheet;
    sheet.name = "sheet" + std::to_string(i);
    sheet.cloth->columns = sheet.cloth->rows = side;
    sheet.cloth->width = sheet.cloth->height = 1.0;
    sheet.cloth->upright = false;
    sheet.pose.position = {0.03 * i, apart * i, 0.02 * i};
    sheet.pose.rotation_degrees = {0.0, 17.0 * i, 0.0};
    sheet.material->thickness = 0.02;
    scene.objects.push_back(sheet);
  }
  return scene;
}

/// A sheet falls onto a fixed sheet and rests at its thickness above it, less the motion by gravity in a
/// substep. The guard alone would stop the sheet at a tenth of the thickness.
TEST(SurfaceContacts, ASheetRestsAtItsThicknessAboveAnother) {
  SceneDesc scene = sheets(2, 5, 0.03);
  scene.solver.motion->gravity = glm::dvec3(0.0, -9.81, 0.0);
  scene.solver.motion->damping = 0.9;
  for (long vertex = 0; vertex < 25; ++vertex) scene.objects[0].pins.emplace_back(vertex);
  scene.objects[1].cloth->width = scene.objects[1].cloth->height = 0.5;
  Rig rig(scene);
  rig.run(45);
  for (Index vertex = 25; vertex < 50; ++vertex)
    EXPECT_NEAR(double(rig.x(vertex).y), 0.02, 0.1 * 0.02) << vertex;
}

TEST(SurfaceContacts, TwoSheetsMeetInFlightAndKeepTheirMomentum) {
  SceneDesc scene = sheets(2, 13, 0.1);
  scene.objects[0].velocity = {0.3, 1.5, 0.0};
  scene.objects[1].velocity = {-0.2, -1.0, 0.4};
  scene.objects[1].material->density = 0.5;
  Rig rig(scene);
  const Measures start = measure(rig.world);
  const double scale = 0.2 * 1.5 + 0.5 * 1.1;  // kg m/s that meet
  double contacts = 0.0;
  for (int frame = 0; frame < 60; ++frame) {
    contacts = std::max(contacts, rig.step().surface_contacts);
    ASSERT_EQ(count_intersections(rig.world), 0) << "frame " << frame;
  }
  EXPECT_GT(contacts, 100.0) << "they have met";
  const Measures end = measure(rig.world);
  // float: in 60 frames each v is rounded by up to 6e-8 of it, always the same way
  EXPECT_LT(glm::length(end.momentum - start.momentum), scale * (in_double ? 1e-10 : 4e-6));
  EXPECT_GT(glm::distance(end.momentum, glm::dvec3(0.0)), 0.01) << "there is momentum to keep";
}

/// Throws every vertex its own way at 10 m/s, again and again, and returns how many were moved as one.
double throw_about(Rig& rig, std::uint64_t seed, int frames) {
  double in_zones = 0.0;
  for (int frame = 0; frame < frames; ++frame) {
    if (frame % 5 == 0)
      for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
        const std::uint64_t n = 3 * (std::uint64_t(frame) * 1000 + std::uint64_t(i));
        rig.world.particles.velocity[std::size_t(i)] = vec4(
            real(10) * vec3(random_signed(seed, n), random_signed(seed, n + 1), random_signed(seed, n + 2)),
            real(0));
      }
    const StepReport report = rig.step();
    in_zones += report.in_zones;
    EXPECT_FALSE(report.nonfinite);
    EXPECT_EQ(count_intersections(rig.world), 0) << "seed " << seed << " frame " << frame;
  }
  return in_zones;
}

/// Only moving as one can keep some of these from crossing.
TEST(SurfaceContacts, NothingCrossesWhateverTheVelocities) {
  double in_zones = 0.0;
  for (int substeps : {2, 10})  // many: contacts do most of it
    for (std::uint64_t seed = 1; seed <= 4 && !HasFailure(); ++seed) {
      SceneDesc scene = sheets(3, 11, 0.03);
      scene.solver.step->substeps = substeps;
      Rig rig(scene);
      in_zones += throw_about(rig, seed, 20);
    }
  EXPECT_GT(in_zones, 0.0) << "the fail-safe was needed";
}

TEST(SurfaceContacts, NothingCrossesWithoutThicknessEither) {
  for (std::uint64_t seed = 1; seed <= 4 && !HasFailure(); ++seed) {
    SceneDesc scene = sheets(3, 11, 0.03);
    for (ObjectDesc& sheet : scene.objects) sheet.material->thickness = 0.0;
    Rig rig(scene);
    throw_about(rig, seed, 20);
  }
}

/// Two level sheets of which the test says how they move, with nothing but the guard between them.
class Guarded {
 public:
  Guarded(real lower, real upper) : rig_(scene()), pool_(1), contacts_(kernels().pairs, kernels().leaves) {
    contacts_.reserve(rig_.world);
    Particles& p = rig_.world.particles;
    for (std::int32_t i = 0; i < p.count; ++i)
      p.position[std::size_t(i)].y = p.previous[std::size_t(i)].y = is_lower(i) ? lower : upper;
  }

  void step(real lower, real upper) {
    Particles& p = rig_.world.particles;
    pool_.run([&](Team& team) {
      contacts_.begin_frame(rig_.world, h_, team);
      p.previous = p.position;
      for (std::int32_t i = 0; i < p.count; ++i) p.position[std::size_t(i)].y += is_lower(i) ? lower : upper;
      contacts_.aim(rig_.world, team);
      contacts_.guard(rig_.world, nullptr, {}, {h_, h_, real(0), 0}, nullptr, team);
    });
  }

  /// m, between the lower sheet's highest and the upper one's lowest vertex.
  real gap() const {
    real highest = std::numeric_limits<real>::lowest(), lowest = std::numeric_limits<real>::max();
    const Particles& p = rig_.world.particles;
    for (std::int32_t i = 0; i < p.count; ++i) {
      const real y = p.position[std::size_t(i)].y;
      if (is_lower(i))
        highest = std::max(highest, y);
      else
        lowest = std::min(lowest, y);
    }
    return lowest - highest;
  }

 private:
  static SceneDesc scene() { return sheets(2, 7, 0.1); }
  static const KernelTable<real>& kernels() { return reference_kernels(); }
  bool is_lower(std::int32_t i) const { return i < rig_.world.topology->objects[1].first; }

  static constexpr real h_ = real(0.001);  // s
  Rig rig_;
  Pool pool_;
  SurfaceContacts contacts_;
};

constexpr real spacing = std::numeric_limits<real>::epsilon();  // of numbers of about 1, the widest there are

/// Nearer by a tenth each time, which nothing stops while that can be told from rounding.
TEST(SurfaceContacts, AGapNeverClosesDownToRounding) {
  Guarded sheets(real(0), real(1e-3));
  for (int k = 0; k < 400; ++k) sheets.step(real(0.1) * sheets.gap(), real(0));
  EXPECT_LT(sheets.gap(), 64 * spacing);
  EXPECT_GT(sheets.gap(), 2 * spacing);  // in the middle numbers are as small as an edge
}

/// Across a power of two, above which numbers lie twice as far apart: moving as one takes no more of a gap
/// than it may lose, or nothing would ever be done about it.
TEST(SurfaceContacts, MovingAsOneLeavesWhatRoundingLeaves) {
  for (int spacings = 3; spacings < 40; ++spacings) {
    Guarded sheets(real(1) - real(spacings) * spacing, real(1));
    const real up = 1024 * spacing;
    sheets.step(2 * up, up);
    EXPECT_GE(sheets.gap(), real(spacings - 1) * spacing);
  }
}

/// The sheet moves by one spacing of floats per step, the size of a rounding error.
TEST(SurfaceContacts, NothingCreepsThroughAGapOfAFewSpacings) {
  for (int spacings = 4; spacings < 12; ++spacings) {
    Guarded sheets(real(1.5), real(1.5) + real(spacings) * spacing);
    for (int k = 0; k < 20; ++k) sheets.step(spacing, real(0));
    EXPECT_GE(sheets.gap(), real(spacings) * spacing);
  }
}

/// Beside other cloth, into which the steps that part the copies of a torn vertex would bring them: moved
/// back as one they would lie in one place, and have no sides.
TEST(SurfaceContacts, WhatTearsBesideOtherClothComesApart) {
  SceneDesc scene = sheets(2, 3, 1.0);
  scene.objects[0].material->tear_strain = 1.0;
  Rig rig(scene);
  adopt_tear_room(rig.world, with_tear_room(rig.world));
  const Topology& mesh = *rig.world.topology;
  const std::int32_t middle = mesh.external_to_internal[4];
  const ParticleRange other = mesh.objects[1];
  const real step = tear_gap * mesh.surface.room[std::size_t(middle)];
  Pool pool(1);
  int split = 0;
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    World world = rig.world;
    std::uint64_t drawn = 0;
    const auto any = [&] { return real(random_signed(trial, drawn++)); };
    const auto any_vector = [&] {
      const real x = any(), y = any();
      return vec3(x, y, any());
    };
    auto& x = world.particles.position;
    for (std::int32_t i : mesh.external_to_internal)  // crumpled, and a point of the other sheet next to it
      x[std::size_t(i)] += vec4(real(0.2) * any_vector(), real(0));
    const vec3 to = vec3(x[std::size_t(middle)]) + step * any_vector() - vec3(x[std::size_t(other.first)]);
    for (std::int32_t i = other.first; i < other.end(); ++i) x[std::size_t(i)] += vec4(to, real(0));
    if (count_intersections(world) > 0) continue;
    Splitter splitter(world);
    if (splitter.split_across(middle, any_vector()) == 0) continue;
    ++split;
    SurfaceContacts contacts(reference_kernels().pairs, reference_kernels().leaves);
    contacts.reserve(world);
    pool.run([&](Team& team) { contacts.begin_frame(world, real(0.01), team); });
    EXPECT_EQ(count_intersections(world), 0) << "trial " << trial;
    const auto& copies = world.topology->tears.next_copy;
    for (std::int32_t i = copies[std::size_t(middle)]; i != middle; i = copies[std::size_t(i)])
      EXPECT_GT(glm::distance(vec3(x[std::size_t(i)]), vec3(x[std::size_t(middle)])), step / 200)
          << "trial " << trial;
  }
  EXPECT_GT(split, 100);
}

/// Intersections at `samples` moments of the last substep, in which everything moved straight on: a sheet
/// that passed through as a whole shows there.
std::int64_t intersections_on_the_way(World world, int samples) {
  std::int64_t sum = 0;
  const AlignedVector<vec4> end = world.particles.position;
  for (int k = 1; k < samples; ++k) {
    const real t = real(k) / real(samples);
    for (std::size_t i = 0; i < end.size(); ++i)
      world.particles.position[i] = world.particles.previous[i] + t * (end[i] - world.particles.previous[i]);
    sum += count_intersections(world);
  }
  return sum;
}

/// The bound on speed takes back part of a move after contact has had its say: here a heavy sheet rises just
/// within the bound, and one above it, whose way aside is far beyond, keeps a third of its way up.
TEST(SurfaceContacts, NothingCrossesWhenSpeedIsBounded) {
  SceneDesc scene = sheets(2, 11, 0.021);
  scene.solver.step->substeps = 1;
  scene.solver.motion->max_speed = 3.0;
  scene.objects[0].material->density = 20.0;
  Rig rig(scene);
  const ParticleRange upper = rig.world.topology->objects[1];
  for (int frame = 0; frame < 10; ++frame) {
    for (std::int32_t i = 0; i < rig.world.particles.count; ++i)
      rig.world.particles.velocity[std::size_t(i)] =
          i < upper.first ? vec4(0, 2.9, 0, 0) : vec4(frame % 2 ? -6 : 6, 0, 0, 0);
    ASSERT_FALSE(rig.step().nonfinite);
    ASSERT_EQ(count_intersections(rig.world), 0) << "frame " << frame;
    ASSERT_EQ(intersections_on_the_way(rig.world, 40), 0) << "passed through, in frame " << frame;
  }
}

/// Three vertices lie on a floor, and one falls fast towards them: the impact zone stays on the floor and can
/// still slide along it. If colliders were ignored, the mean motion would move the three 1 cm below the
/// floor.
TEST(ImpactZones, TakeNothingIntoAFixedCollider) {
  SceneDesc scene = sheets(1, 5, 0.0);
  scene.objects[0].pose.position = {0.0, 0.02, 0.0};
  scene.colliders.emplace_back();
  scene.colliders[0].name = "floor";
  scene.colliders[0].shape = ColliderShape::plane;
  Rig rig(scene);
  World& world = rig.world;
  Particles& particles = world.particles;
  const std::vector<std::int32_t> members = {0, 1, 2, 3};
  particles.position[0].y = real(0.3);
  particles.previous = particles.position;

  StaticContacts contacts;
  contacts.reserve(world);
  const double h = 1.0 / 60.0;
  contacts.begin_step(world, h);
  for (std::int32_t i : members) particles.position[std::size_t(i)].x += real(0.01);
  particles.position[0].y -= real(0.12);
  contacts.begin_frame(world, 0, real(h));
  contacts.find(world, 0, real(h));
  ImpactZones zones;
  zones.reserve(world);
  zones.clear();
  zones.join(members);
  zones.move(world, &contacts, {}, 0);
  for (std::int32_t i : members) {
    const vec3 moved = vec3(particles.position[std::size_t(i)]) - vec3(particles.previous[std::size_t(i)]);
    EXPECT_NEAR(double(moved.y), 0.0, 1e-7) << "vertex " << i;
    EXPECT_NEAR(double(moved.x), 0.01, 1e-7) << "vertex " << i;
  }
}

/// A corner dragged through the stack and back by a mouse that jumps.
TEST(SurfaceContacts, AHeldVertexCannotBePulledThrough) {
  SceneDesc scene = sheets(3, 11, 0.03);
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  scene.objects[0].pins = {std::string("top_left"), std::string("top_right"), std::string("bottom_left"),
                           std::string("bottom_right")};
  Rig rig(scene);
  const ParticleRange middle = rig.world.topology->objects[1];
  rig.world.user.grab = Grab{middle.first + 60, glm::dvec3(0.0)};
  fix_particle(rig.world, rig.world.user.grab->particle);
  for (int frame = 0; frame < 60; ++frame) {
    const double angle = 0.9 * frame;
    rig.world.user.grab->target = {1.5 * std::cos(angle), 1.2 * std::sin(2.3 * angle), 1.5 * std::sin(angle)};
    ASSERT_FALSE(rig.step().nonfinite);
    ASSERT_EQ(count_intersections(rig.world), 0) << "frame " << frame;
  }
}

TEST(SurfaceContacts, SameBitsForAnyNumberOfThreads) {
  SceneDesc scene = sheets(3, 15, 0.02);
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  scene.objects[0].pins = {std::string("top"), std::string("bottom")};
  std::uint64_t expected = 0;
  double contacts = 0.0;
  for (int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    for (int frame = 0; frame < 6; ++frame) contacts = std::max(contacts, rig.step().surface_contacts);
    if (threads == 1) expected = world_hash(rig.world);
    EXPECT_EQ(world_hash(rig.world), expected) << threads << " threads";
  }
  EXPECT_GT(contacts, 1000.0) << "enough that several threads share a colour";
}

}}}}  // namespace limber::LIMBER_PRECISION::surface_contact_test
