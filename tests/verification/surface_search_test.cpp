// The search for pairs of surface features: which pairs it leaves out, and that it misses no other pair.
#include "engine/contact/cloth/surface_search.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <set>

#include "engine/parallel/random.hpp"
#include "engine/state/split.hpp"
#include "engine/state/tear_room.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace surface_search_test { namespace {

using L1 = Lanes<real, 1>;

ObjectDesc lying_sheet(const std::string& name, int side, double width, double y) {
  ObjectDesc object;
  object.name = name;
  object.cloth->columns = object.cloth->rows = side;
  object.cloth->width = object.cloth->height = width;
  object.cloth->upright = false;
  object.pose.position = {0.013 * y, y, 0.007 * y};
  object.material->thickness = 0.01;
  return object;
}

/// Whether a node can be left out as a whole depends on the order of the triangles: pieces must hang
/// together.
TEST(SurfacePatches, NearlyAllNodesInsideAGridAreDiscs) {
  SceneDesc scene;
  scene.objects = {lying_sheet("sheet", 100, 1.0, 0.0)};
  Rig rig(scene);
  const Topology& topology = *rig.world.topology;
  constexpr int height = 6;
  SurfaceTree tree;
  tree.reserve(std::int32_t(topology.triangles.size()));
  SurfacePatches patches;
  patches.reserve(tree, topology, height);
  int inside = 0, discs = 0;
  for (std::int32_t node = tree.leaf_nodes() >> height; node < tree.nodes(); ++node) {
    const auto begin = topology.surface.at_gap.begin() + tree.first_triangle(node),
               end = topology.surface.at_gap.begin() + tree.last_triangle(node);
    if (begin >= end || std::count(begin, end, 0) < end - begin) continue;
    ++inside;
    discs += patches.is_disc(node);
  }
  EXPECT_GT(inside, 4000);
  EXPECT_GT(double(discs) / inside, 0.85);
}

/// A grid of side x side squares, except the squares for which `without` is true.
template <class Without>
Surface grid_without(int side, Without&& without) {
  std::vector<vec3> rest;
  std::vector<std::array<std::int32_t, 3>> triangles;
  for (int y = 0; y <= side; ++y)
    for (int x = 0; x <= side; ++x) rest.emplace_back(x, y, 0);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      if (without(x, y)) continue;
      const std::int32_t v = y * (side + 1) + x, w = v + side + 1;
      triangles.push_back({v, v + 1, w}), triangles.push_back({v + 1, w + 1, w});
    }
  return make_surface(triangles, rest);
}

/// A straight border is no gap; where the border turns inward, its two sides may meet.
TEST(Surface, GapsAreWhereTheBorderTurnsInward) {
  const auto gaps = [](const Surface& surface) {
    return std::count(surface.at_gap.begin(), surface.at_gap.end(), 1);
  };
  EXPECT_EQ(gaps(grid_without(8, [](int, int) { return false; })), 0);
  EXPECT_EQ(gaps(grid_without(8, [](int x, int y) { return x < 4 && y < 4; })), 5)
      << "at its one inner corner";
  EXPECT_EQ(gaps(grid_without(8, [](int x, int y) { return x == 4 && y == 4; })), 5 + 4 + 5 + 4 - 4)
      << "around a hole; four triangles see two of its corners";
  EXPECT_EQ(gaps(grid_without(8, [](int x, int y) { return x == 4 && y < 4; })), 5 + 4 - 1)
      << "at the end of a cut";
}

using VertexTriangle = std::array<std::int32_t, 4>;

VertexTriangle sorted_pair(std::int32_t vertex, const std::array<std::int32_t, 3>& triangle) {
  VertexTriangle v{vertex, triangle[0], triangle[1], triangle[2]};
  std::sort(v.begin() + 1, v.end());
  return v;
}

/// Expects that none is there twice.
std::set<VertexTriangle> known_pairs(const SurfaceSearch& search) {
  std::set<VertexTriangle> known;
  for (const auto& list : search.pairs(PairKind::vertex_triangle))
    for (const SurfacePair& pair : list)
      EXPECT_TRUE(
          known.insert(sorted_pair(pair.vertices[0], {pair.vertices[1], pair.vertices[2], pair.vertices[3]}))
              .second);
  return known;
}

/// `places` per particle.
template <class Places>
real distance(const Places& places, std::int32_t vertex, const std::array<std::int32_t, 3>& corners) {
  const auto row = [&](std::int32_t k) {
    const auto& x = places[std::size_t(k)];
    return Vec3<L1>{x.x, x.y, x.z};
  };
  const Vec3<L1> triangle[3] = {row(corners[0]), row(corners[1]), row(corners[2])}, x = row(vertex);
  const TriangleWeights<L1> w = closest_on_triangle(x, triangle);
  const Vec3<L1> d = x - w.b[0] * triangle[0] - w.b[1] * triangle[1] - w.b[2] * triangle[2];
  return std::sqrt(dot(d, d).v);
}

/// A frame in which all is searched at its beginning.
void search_all(SurfaceSearch& search, const World& world, real frame, Pool& pool) {
  const Particles& p = world.particles;
  const Motion motion{p.position, p.position, p.velocity, real(0), frame};
  search.begin_frame();
  pool.run([&](Team& team) {
    search.prepare(world, motion, real(0), team);
    search.run(world, motion, real(0), team);
  });
}

bool covers(SurfaceSearch& search, Particles& particles, real elapsed, Pool& pool) {
  std::atomic<bool> all{true};
  pool.run([&](Team& team) {
    if (!search.covers(particles, elapsed, team)) all = false;
  });
  return all;
}

/// Motion of the vertices of two sheets besides drifting towards each other.
struct Unrest {
  bool kicks = false;       ///< now and then a few are kicked off their ways
  bool tears = false;       ///< a few are split in every other substep
  double acceleration = 0;  ///< m/s^2, of each in a direction of its own
};

/// Two sheets: after updating the particles that left their safe bounds, as after a complete search, every
/// pair closer than its thickness is among the pairs.
class TwoSheets {
 public:
  explicit TwoSheets(const Unrest& unrest)
      : unrest_(unrest),
        rig_(scene()),
        pool_(2),
        search_(reference_kernels().pairs, reference_kernels().leaves) {
    if (unrest.tears) adopt_tear_room(rig_.world, with_tear_room(rig_.world));
    search_.reserve(rig_.world);
    for (std::int32_t i = 0; i < particles().count; ++i)
      if (exists(i))
        particles().velocity[std::size_t(i)] = vec4(random_vector(0.3) - vec3(0, towards(i), 0), real(0));
    for (std::int32_t i = 0; i < particles().count; ++i)
      acceleration_.push_back(vec4(random_vector(unrest.acceleration), real(0)));
  }

  void frame() {
    Particles& p = particles();
    search_.begin_frame();
    look({p.position, p.position, p.velocity, real(0), substeps_ * h_}, real(0));
    for (int s = 1; s <= substeps_; ++s) {
      p.previous = p.position;
      for (std::int32_t i = 0; i < p.count; ++i) {
        const std::size_t k = std::size_t(i);
        p.velocity[k] += h_ * acceleration_[k];
        if (unrest_.kicks && random() < -0.99)
          p.velocity[k] += vec4(random_vector(1.5) - vec3(0, 2 * towards(i), 0), real(0));
        p.position[k] += h_ * vec4(vec3(p.velocity[k]), real(0));
      }
      const bool torn = unrest_.tears && s % 2 == 1 && tear();
      if (!covers(search_, p, real(s) * h_, pool_) || torn) look(motion(s), real(s) * h_);
      expect_all_near_pairs();
    }
    pool_.run([&](Team& team) { search_.learn(particles(), motion(substeps_), substeps_ * h_, true, team); });
  }

  int follows = 0, searches = 0, near = 0, tears = 0;

 private:
  static SceneDesc scene() {
    SceneDesc scene;
    scene.objects = {lying_sheet("low", 13, 0.6, 0.0), lying_sheet("high", 13, 0.6, 0.06)};
    return scene;
  }
  Particles& particles() { return rig_.world.particles; }
  /// Not in reserve for a tear.
  bool exists(std::int32_t i) const { return rig_.world.topology->internal_to_external[std::size_t(i)] >= 0; }
  bool tear() {
    Splitter splitter(rig_.world);
    int made = 0;
    for (int k = 0; k < 5; ++k) {
      const auto i = std::int32_t(std::abs(random()) * particles().count);
      if (exists(i)) made += splitter.split_across(i, random_vector(1.0));
    }
    tears += made;
    pool_.run([&](Team& team) { search_.invalidate_split_particles(rig_.world, team); });
    return made > 0;
  }
  real towards(std::int32_t i) { return particles().object[std::size_t(i)] == 0 ? real(-0.3) : real(0.3); }
  double random() { return random_signed(11, drawn_++); }
  vec3 random_vector(double size) {
    const double x = random(), y = random(), z = random();
    return vec3(size * glm::dvec3(x, y, z));
  }
  void look(const Motion& motion, real elapsed) {
    pool_.run([&](Team& team) {
      if (!search_.prepare(rig_.world, motion, elapsed, team)) return;
      search_.learn(particles(), motion, elapsed, false, team);
      team.barrier();
      search_.run(rig_.world, motion, elapsed, team);
      team.barrier();
      search_.forget_strays(team);
    });
    bool followed = false;
    for (std::int32_t part = 0; part < search_.parts(); ++part) {
      search_.drop_strays_of(part, true);
      followed |= search_.due(part) == SurfaceSearch::Due::follow;
    }
    ++(followed ? follows : searches);
  }
  Motion motion(int substep) {
    const Particles& p = particles();
    return {p.previous, p.position, p.velocity, h_, real(substeps_ - substep) * h_};
  }
  void expect_all_near_pairs() {
    const std::set<VertexTriangle> known = known_pairs(search_);
    std::set<std::array<std::int32_t, 3>> triangles;
    for (const auto& t : rig_.world.topology->triangles) {
      const VertexTriangle pair = sorted_pair(-1, t);
      triangles.insert({pair[1], pair[2], pair[3]});
      for (std::int32_t i = 0; i < particles().count; ++i) {
        if (!exists(i) || particles().object[std::size_t(i)] == particles().object[std::size_t(t[0])])
          continue;
        const vec4 apart = particles().position[std::size_t(i)] - particles().position[std::size_t(t[0])];
        if (glm::length(vec3(apart)) > real(0.15) || distance(particles().position, i, t) > real(0.01))
          continue;
        ++near;
        EXPECT_TRUE(known.contains(sorted_pair(i, t))) << "vertex " << i << " and triangle " << t[0];
      }
    }
    for (const auto& list : search_.pairs(PairKind::vertex_triangle))
      for (const SurfacePair& pair : list)
        if (particles().object[std::size_t(pair.vertices[0])] !=
            particles().object[std::size_t(pair.vertices[1])]) {
          EXPECT_FLOAT_EQ(float(pair.distance), 0.01f) << "between two sheets, copies or not";
        }
    for (const VertexTriangle& pair : known)
      EXPECT_TRUE(triangles.contains({pair[1], pair[2], pair[3]})) << "a triangle that is no longer there";
  }
  static constexpr int substeps_ = 8;
  static constexpr real h_ = real(1.0 / 480);
  Unrest unrest_;
  Rig rig_;
  Pool pool_;
  SurfaceSearch search_;
  std::vector<vec4> acceleration_;  ///< m/s^2
  std::uint64_t drawn_ = 0;
};

TEST(SurfaceSearch, WhatLeftItsTubeMissesNothing) {
  TwoSheets sheets({.kicks = true, .acceleration = 30.0});
  for (int frame = 0; frame < 8; ++frame) sheets.frame();
  EXPECT_GT(sheets.follows, 5);
  EXPECT_GT(sheets.near, 500);
}

TEST(SurfaceSearch, WhatTearsMissesNothing) {
  TwoSheets sheets({.tears = true, .acceleration = 5.0});
  for (int frame = 0; frame < 8; ++frame) sheets.frame();
  EXPECT_GT(sheets.tears, 50);
  EXPECT_GT(sheets.follows, sheets.searches) << "no search from nothing for every tear";
  EXPECT_GT(sheets.near, 500);
}

/// The triangles around `vertex` but for the `missing` one, which is tucked under them, laid around a cone so
/// that its ends overlap by 5 degrees, 2 mm apart; the rest of the sheet goes with them.
void wrap(Particles& p, const Topology& topology, std::int32_t vertex, std::int32_t missing) {
  const auto& corners = topology.triangles[std::size_t(missing)];
  const auto at = std::find(corners.begin(), corners.end(), vertex) - corners.begin();
  const vec3 middle = topology.surface.rest[std::size_t(vertex)];
  const auto angle = [&](std::int32_t i) {  // seen from `vertex`
    const vec3 off = topology.surface.rest[std::size_t(i)] - middle;
    return std::atan2(double(off.z), double(off.x));
  };
  const auto turned = [](double a) { return std::fmod(a + 4 * std::numbers::pi, 2 * std::numbers::pi); };
  const double end = angle(corners[std::size_t(at + 1) % 3]), start = angle(corners[std::size_t(at + 2) % 3]);
  const double forth = turned(start - end) < std::numbers::pi ? 1 : -1;
  const double kept = 2 * std::numbers::pi - turned(forth * (start - end));
  const double overlap = std::numbers::pi / 36, flat = kept / (2 * std::numbers::pi + overlap);
  const double steep = std::sqrt(1 - flat * flat);
  for (std::int32_t i = 0; i < p.count; ++i) {
    if (p.object[std::size_t(i)] != p.object[std::size_t(vertex)] || i == vertex) continue;
    const double u = turned(forth * (angle(i) - start)), around = forth * u / flat, lift = 0.002 * u / kept;
    const double far = double(glm::distance(topology.surface.rest[std::size_t(i)], middle));
    const glm::dvec3 outward(std::cos(around), 0, std::sin(around));
    const glm::dvec3 x = glm::dvec3(middle) + (far * flat + lift * steep) * outward +
                         glm::dvec3(0, lift * flat - far * steep, 0);
    p.position[std::size_t(i)] = vec4(vec3(x), p.position[std::size_t(i)].w);
  }
}

/// A surface that faces one way can still meet itself if the triangles around a vertex overlap.
TEST(SurfaceSearch, AFanThatOverlapsIsNotLeftOut) {
  SceneDesc scene;
  scene.objects = {lying_sheet("sheet", 13, 0.6, 0.0)};
  Rig rig(scene);
  const Topology& topology = *rig.world.topology;
  Particles& p = rig.world.particles;
  Pool pool(1);
  SurfaceSearch search(reference_kernels().pairs, reference_kernels().leaves);
  search.reserve(rig.world);
  int overlapping = 0;
  for (std::int32_t vertex = 0; vertex < p.count; ++vertex) {
    const auto fan = topology.triangles_at(vertex);
    const vec3& rest = topology.surface.rest[std::size_t(vertex)];
    if (std::max(std::abs(rest.x), std::abs(rest.z)) > real(0.29)) continue;  // at the border
    for (const std::int32_t missing : fan) {
      wrap(p, topology, vertex, missing);
      search_all(search, rig.world, real(1e-3), pool);
      const auto known = known_pairs(search);
      for (const std::int32_t t : fan)
        for (const std::int32_t other : fan)
          for (const std::int32_t i : topology.triangles[std::size_t(other)]) {
            const auto& corners = topology.triangles[std::size_t(t)];
            if (std::count(corners.begin(), corners.end(), i) ||
                distance(p.position, i, corners) > real(0.004))
              continue;
            ++overlapping;
            EXPECT_TRUE(known.contains(sorted_pair(i, corners)))
                << "vertex " << i << " over a triangle at " << vertex << " without " << missing;
          }
    }
  }
  EXPECT_GT(overlapping, 500);
}

/// In a flat sheet that has shrunk, nearby vertices and triangles are no pairs until something folds. The
/// search must then find the folded parts near the rest.
TEST(SurfaceSearch, AStrayThatFoldsASheetIsNotLeftOut) {
  SceneDesc scene;
  scene.objects = {lying_sheet("sheet", 13, 0.6, 0.0)};
  Rig rig(scene);
  Particles& p = rig.world.particles;
  Pool pool(2);
  const real frame = real(1e-3), shrunk = real(0.25);
  const auto run = [&](SurfaceSearch& search) {
    p.stray.assign(p.stray.size(), real(0));  // tubes as wide as before
    search_all(search, rig.world, frame, pool);
    return known_pairs(search);
  };
  const auto& kernels = reference_kernels();
  SurfaceSearch search(kernels.pairs, kernels.leaves), anew(kernels.pairs, kernels.leaves);
  search.reserve(rig.world), anew.reserve(rig.world);
  std::size_t folded = 0;
  for (std::size_t vertex = 0; vertex < std::size_t(p.count); vertex += 3) {
    for (std::size_t i = 0; i < std::size_t(p.count); ++i)
      p.position[i] = vec4(shrunk * rig.world.topology->surface.rest[i], p.position[i].w);
    p.previous = p.position;
    const auto before = run(search);
    p.position[vertex] += vec4(0.02, 0.004, 0.004, 0);  // past those beside it
    EXPECT_FALSE(covers(search, p, real(0), pool));
    search.drop_strays_of(0, true);
    pool.run([&](Team& team) {
      const Motion motion{p.previous, p.position, p.velocity, real(0), frame};
      EXPECT_TRUE(search.prepare(rig.world, motion, real(0), team));
      search.run(rig.world, motion, real(0), team);
      team.barrier();
      search.forget_strays(team);
    });
    EXPECT_EQ(search.due(0), SurfaceSearch::Due::follow);
    const auto known = known_pairs(search);
    for (const VertexTriangle& pair : run(anew)) {
      if (std::count(pair.begin(), pair.end(), std::int32_t(vertex)) == 0) continue;
      EXPECT_TRUE(known.contains(pair)) << "of vertex " << pair[0] << " when " << vertex << " is astray";
      folded += !before.contains(pair);
    }
  }
  EXPECT_GT(folded, 1000u);
}

/// Neighbours within a sheet that are closer at rest than the contact distance are kept at a quarter of their
/// rest distance: contact neither stretches a sheet nor lets it through itself.
TEST(SurfaceSearch, NeighboursKeepAQuarterOfWhatTheyKeptAtRest) {
  SceneDesc scene;
  scene.objects = {lying_sheet("sheet", 13, 0.6, 0.0)};
  const real thickness = real(scene.objects[0].material->thickness = 0.02);
  Rig rig(scene);
  Particles& p = rig.world.particles;
  for (std::size_t i = 0; i < std::size_t(p.count); ++i)  // drawn together and crumpled
    p.position[i] =
        vec4(real(0.2) * vec3(p.position[i]) + vec3(0, 0.02 * random_signed(5, i), 0), p.position[i].w);
  Pool pool(1);
  SurfaceSearch search(reference_kernels().pairs, reference_kernels().leaves);
  search.reserve(rig.world);
  search_all(search, rig.world, real(1e-3), pool);
  int whole = 0, less = 0;
  for (const auto& list : search.pairs(PairKind::vertex_triangle))
    for (const SurfacePair& pair : list) {
      const auto& v = pair.vertices;
      const real at_rest = distance(rig.world.topology->surface.rest, v[0], {v[1], v[2], v[3]});
      const real expected = std::min(thickness, at_rest / 4);
      EXPECT_NEAR(pair.distance, expected, 1e-5 * expected);
      ++(expected < thickness ? less : whole);
    }
  EXPECT_GT(whole, 100);
  EXPECT_GT(less, 100);
}

/// If a whole mesh is in one place, everything meets everything: the edges of 512 triangles among themselves
/// already form 295,000 pairs. A block stops at 512^2 pairs, whichever thread works on it.
TEST(SurfaceSearch, ABlockOfACollapsedMeshStopsLookingInTime) {
  constexpr std::size_t most = 512 * 512, overshoot = 3 * MetPairs<real>::capacity;  // of its last look
  SceneDesc scene;
  scene.objects = {lying_sheet("sheet", 40, 0.6, 0.0)};
  Rig rig(scene);
  Particles& p = rig.world.particles;
  for (std::size_t i = 0; i < std::size_t(p.count); ++i)
    p.position[i] = vec4(real(1e-4) * vec3(random_signed(6, i), random_signed(7, i), random_signed(8, i)),
                         p.position[i].w);
  std::vector<std::size_t> found[2];
  for (const int threads : {1, 3}) {
    Pool pool(threads);
    SurfaceSearch search(reference_kernels().pairs, reference_kernels().leaves);
    search.reserve(rig.world);
    search_all(search, rig.world, real(1e-3), pool);
    for (const PairKind kind : {PairKind::vertex_triangle, PairKind::edge_edge})
      for (const auto& list : search.pairs(kind)) found[threads > 1].push_back(list.size());
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_GT(std::ranges::count_if(found[0], [&](std::size_t pairs) { return pairs > most; }), 3);
  EXPECT_LE(*std::ranges::max_element(found[0]), most + overshoot);
}

/// A vertex that accelerates as it did before stays in its tube and meets nothing that is not known, and one
/// that does so no longer leaves its tube.
TEST(SurfaceSearch, PathsBendAsTheyDidOfLate) {
  SceneDesc scene;
  scene.objects = {lying_sheet("low", 13, 0.6, 0.0), lying_sheet("high", 13, 0.6, 0.0165)};
  Rig rig(scene);
  Particles& p = rig.world.particles;
  const AlignedVector<vec4> start = p.position;
  Pool pool(1);
  SurfaceSearch search(reference_kernels().pairs, reference_kernels().leaves);
  search.reserve(rig.world);
  const real frame = real(1.0 / 60);
  const auto acceleration = [&](std::size_t i) {  // m/s^2, at each other
    return vec4(random_signed(3, i), p.object[i] == 0 ? 25 : -25, random_signed(4, i), 0);
  };
  const auto run = [&] { search_all(search, rig.world, frame, pool); };
  run();  // from rest
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) p.velocity[i] = frame * acceleration(i);
    pool.run([&](Team& team) {
      search.learn(p, {p.position, p.position, p.velocity, real(0), frame}, frame, true, team);
    });
    const std::size_t i = 20;
    EXPECT_NEAR(glm::distance(p.acceleration[i], acceleration(i)), 0.0, 1e-4);
    EXPECT_NEAR(p.lasting[0], round == 0 ? 0.0 : 0.5, 1e-6) << "the first acceleration agrees with none";
  }
  p.lasting.assign(p.lasting.size(), real(1));
  std::fill(p.velocity.begin(), p.velocity.end(), vec4(0));
  run();
  std::size_t pairs = 0;
  for (const auto& list : search.pairs(PairKind::vertex_triangle)) pairs += list.size();
  EXPECT_GE(pairs, std::size_t(p.count)) << "16.5 mm apart, but soon less than the 10 mm they keep";
  EXPECT_FALSE(covers(search, p, frame, pool)) << "they stand still now";
  for (std::size_t i = 0; i < std::size_t(p.count); ++i)
    p.position[i] = start[i] + frame * frame / 2 * acceleration(i);
  EXPECT_TRUE(covers(search, p, frame, pool));
}

}}}}  // namespace limber::LIMBER_PRECISION::surface_search_test
