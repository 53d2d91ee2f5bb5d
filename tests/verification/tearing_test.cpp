// Tearing and cutting: a worked case, and surfaces that stay manifold after random tears.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "engine/constraints/constraint_types.hpp"
#include "engine/contact/cloth/piercing_search.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/random.hpp"
#include "engine/parts/tearing/cutting.hpp"
#include "engine/scene/build/world_builder.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/schedule.hpp"
#include "engine/state/split.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/step/stepper.hpp"
#include "engine/verify/measure.hpp"
#include "tests/source_folder.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace tearing_test { namespace {

World build(const SceneDesc& scene) {
  Expected<BuiltWorld> built = build_world(scene);
  EXPECT_TRUE(built) << (built ? "" : built.error().text());
  World world = std::move(built->world);
  adopt_tear_room(world, with_tear_room(world));
  refresh_softness(world);
  return world;
}

double total_mass(const World& world) {
  double sum = 0.0;
  for (Index i : world.topology->external_to_internal) {
    const real w = world.particles.inverse_mass[std::size_t(i)];
    if (w > real(0)) sum += 1.0 / double(w);
  }
  return sum;
}

/// The triangles at particle i.
std::vector<std::int32_t> corners(const Topology& topology, std::int32_t i) {
  const auto first = topology.corners.begin() + topology.corner_offset[std::size_t(i)];
  return {first, first + topology.corner_count[std::size_t(i)]};
}

/// Number of parts that the triangles at i form, joined at edges through i.
int fans(const Topology& topology, std::int32_t i) {
  std::vector<std::int32_t> open = corners(topology, i);
  int parts = 0;
  while (!open.empty()) {
    ++parts;
    std::vector<std::int32_t> part{open.back()};
    open.pop_back();
    for (std::size_t k = 0; k < part.size(); ++k)
      for (std::size_t o = 0; o < open.size();) {
        const auto &a = topology.triangles[std::size_t(part[k])],
                   &b = topology.triangles[std::size_t(open[o])];
        const auto shared = std::count_if(
            a.begin(), a.end(), [&](std::int32_t v) { return std::find(b.begin(), b.end(), v) != b.end(); });
        if (shared < 2) {
          ++o;
          continue;
        }
        part.push_back(open[o]);
        open.erase(open.begin() + std::ptrdiff_t(o));
      }
  }
  return parts;
}

using Sides = std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>>;
Sides sides_of(const Topology& topology) {
  Sides sides;
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    for (std::size_t j = 0; j < 3; ++j) {
      const auto [a, b] = std::minmax(topology.triangles[t][j], topology.triangles[t][(j + 1) % 3]);
      sides[{a, b}].push_back(std::int32_t(t));
    }
  return sides;
}

/// Everything that must hold after any number of tears.
void expect_sound(const World& world) {
  const Topology& topology = *world.topology;
  std::vector<std::vector<std::int32_t>> at(std::size_t(world.particles.count));
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    for (std::int32_t i : topology.triangles[t]) at[std::size_t(i)].push_back(std::int32_t(t));
  for (Index i : topology.external_to_internal) {
    ASSERT_EQ(corners(topology, i), at[std::size_t(i)]) << "corners of " << i;
    ASSERT_LE(fans(topology, i), 1) << "particle " << i << " joins its triangles at a point only";
  }

  const Sides sides = sides_of(topology);
  for (const auto& [edge, triangles] : sides) ASSERT_LE(triangles.size(), 2u);
  std::map<std::pair<std::int32_t, std::int32_t>, int> springs;
  const auto& distance = std::get<StencilBatch<Distance>>(*topology.constraints);
  int live = 0;
  for (std::int32_t s = 0; s < distance.slots(); ++s) {
    if (distance.id[std::size_t(s)] < 0) continue;
    ++live;
    ++springs[std::minmax(distance.vertices[0][std::size_t(s)], distance.vertices[1][std::size_t(s)])];
  }
  EXPECT_EQ(live, distance.constraints);
  ASSERT_EQ(springs.size(), sides.size()) << "a spring per edge";
  for (const auto& [edge, triangles] : sides) ASSERT_EQ(springs[edge], 1);

  std::set<std::pair<std::int32_t, std::int32_t>> hinged;
  const auto& bending = std::get<StencilBatch<Bending>>(*topology.constraints);
  for (std::int32_t s = 0; s < bending.slots(); ++s) {
    if (bending.id[std::size_t(s)] < 0) continue;
    std::int32_t v[4];
    for (std::size_t j = 0; j < 4; ++j) v[j] = bending.vertices[j][std::size_t(s)];
    const auto edge = std::minmax(v[0], v[1]);
    ASSERT_TRUE(hinged.insert(edge).second);
    const auto found = sides.find(edge);
    ASSERT_TRUE(found != sides.end() && found->second.size() == 2);
    for (int wing = 2; wing < 4; ++wing)
      ASSERT_TRUE(std::any_of(found->second.begin(), found->second.end(), [&](std::int32_t t) {
        const auto& c = topology.triangles[std::size_t(t)];
        return std::find(c.begin(), c.end(), v[wing]) != c.end();
      }));
  }
  for (const auto& [edge, triangles] : sides) ASSERT_EQ(hinged.count(edge), triangles.size() - 1);

  const Surface made = make_surface(topology.triangles, topology.surface.rest);
  ASSERT_EQ(topology.surface.owned, made.owned);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    ASSERT_GE(topology.surface.at_gap[t], made.at_gap[t]);

  for_each_type([&](auto type) {  // no two slots of a colour, or of a group of loose ones, share a particle
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*topology.constraints);
    for (const Segment& segment : topology.schedule.segments) {
      if (segment.type != std::int32_t(type)) continue;
      const bool loose =
          topology.tears.loose[type].capacity > 0 && segment.begin == topology.tears.loose[type].begin;
      const std::int32_t run = loose ? lane_group : segment.end - segment.begin;
      for (std::int32_t begin = segment.begin; begin < segment.end; begin += run) {
        std::set<std::int32_t> seen;
        for (std::int32_t s = begin; s < begin + run; ++s) {
          std::set<std::int32_t> own;
          for (int j = 0; j < written_points<Type>(); ++j)
            own.insert(batch.vertices[std::size_t(j)][std::size_t(s)]);
          for (std::int32_t i : own) {
            if (i >= world.particles.count) continue;  // padding
            ASSERT_TRUE(seen.insert(i).second) << Type::name << " slot " << s;
          }
        }
      }
    }
  });
}

/// Round and round next_copy lie the copies of one origin: all of them, each once.
void expect_rings_of_copies(const World& world) {
  const TearRoom& room = world.topology->tears;
  std::map<std::int32_t, std::set<std::int32_t>> copies;
  for (Index i : world.topology->external_to_internal) copies[room.origin[std::size_t(i)]].insert(i);
  for (const auto& [origin, all] : copies) {
    std::set<std::int32_t> met;
    std::int32_t at = origin;
    for (std::size_t k = 0; k < all.size(); ++k) {
      met.insert(at);
      at = room.next_copy[std::size_t(at)];
    }
    ASSERT_EQ(met, all) << "from " << origin;
    ASSERT_EQ(at, origin);
  }
}

/// Splits vertices at random along random planes.
void tear_at_random(World& world, int times, std::uint64_t seed) {
  Splitter splitter(world);
  for (int k = 0; k < times; ++k) {
    const auto number = [&](int n) { return random_signed(seed, std::uint64_t(4 * k + n)); };
    const auto& vertices = world.topology->external_to_internal;
    const std::size_t v = std::size_t((number(0) + 1.0) / 2 * double(vertices.size()));
    splitter.split_across(vertices[std::min(v, vertices.size() - 1)],
                          vec3(real(number(1)), real(number(2)), real(number(3))));
  }
}

/// The mesh of the worked case from a file of its own.
SceneDesc worked_mesh(const test::VectorCase& c) {
  const std::string path =
      testing::TempDir() + "limber_tear_" + (std::is_same_v<real, double> ? "64" : "32") + ".obj";
  std::ofstream file(path);
  for (const auto& p : c.inputs["p"]) file << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
  for (const auto& t : c.inputs["triangles"])
    file << "f " << t[0].get<int>() + 1 << ' ' << t[1].get<int>() + 1 << ' ' << t[2].get<int>() + 1 << '\n';
  file.close();
  SceneDesc scene = test::square_cloth(3);
  scene.objects[0].mesh = path;
  return scene;
}

TEST(Tearing, SplitsTheWorkedGridByItsPlane) {
  const test::VectorCase c = test::vector_case("tear_split_plane");
  World world = build(worked_mesh(c));
  const double mass = total_mass(world);
  const auto inside = [&](std::size_t v) { return world.topology->external_to_internal[v]; };
  const std::size_t v = c.inputs["split_vertex"], end = c.inputs["edge"][1];
  const auto& x = world.particles.position;
  Splitter splitter(world);
  const vec3 normal(x[std::size_t(inside(end))] - x[std::size_t(inside(v))]);
  // One more vertex, as in the case, and two where the plane meets the border: the triangles there would
  // otherwise be joined only at a point.
  EXPECT_EQ(splitter.split_across(inside(v), normal), 1 + 2);
  EXPECT_EQ(world.topology->external_to_internal.size(),
            c.expected["n_vertices_after"].get<std::size_t>() + 2);

  // triangles by the ids that their vertices have in the case, a new one having that which it was split from
  const std::size_t made = c.expected["new_vertex_index"];
  const auto having = [&](std::size_t vertex) {
    std::multiset<std::multiset<std::size_t>> found;
    for (const auto& t : world.topology->triangles) {
      if (std::find(t.begin(), t.end(), inside(vertex)) == t.end()) continue;
      std::multiset<std::size_t> ids;
      for (std::int32_t i : t)
        ids.insert(std::size_t(
            world.topology->internal_to_external[std::size_t(world.topology->tears.origin[std::size_t(i)])]));
      found.insert(ids);
    }
    return found;
  };
  const auto expected = [&](const char* key) {
    std::multiset<std::multiset<std::size_t>> wanted;
    for (const auto& t : c.expected[key]) {
      const auto corners = c.inputs["triangles"][t.get<std::size_t>()].get<std::vector<std::size_t>>();
      wanted.insert(std::multiset<std::size_t>(corners.begin(), corners.end()));
    }
    return wanted;
  };
  EXPECT_EQ(having(v), expected("above"));
  EXPECT_EQ(having(made), expected("below"));
  EXPECT_NEAR(total_mass(world), mass, (std::is_same_v<real, double> ? 1e-14 : 1e-6) * mass);
  expect_sound(world);
}

bool pierces_itself(const World& world) {
  PiercingSearch search;
  search.reserve(world);
  Pool pool(1);
  pool.run([&](Team& team) { search.run(world, team); });
  return std::any_of(search.found().begin(), search.found().end(),
                     [](const auto& list) { return !list.empty(); });
}

TEST(Tearing, AnySequenceOfTearsLeavesASurface) {
  for (std::uint64_t seed : {1, 2, 3}) {
    SceneDesc scene = test::square_cloth(seed == 1 ? 14 : 60);
    if (seed == 3) scene.objects[0].mesh = test::source("assets/star.obj");  // closed
    World world = build(scene);
    const double mass = total_mass(world);
    for (int round = 0; round < 4; ++round) {
      tear_at_random(world, 100, 10 * seed + std::uint64_t(round));
      expect_sound(world);
      EXPECT_FALSE(pierces_itself(world)) << "seed " << seed << " round " << round;
      EXPECT_NEAR(total_mass(world), mass, (std::is_same_v<real, double> ? 1e-12 : 3e-6) * mass);
    }
    EXPECT_GT(measure(world).tears, 50);
  }
}

TEST(Tearing, CopiesOfAVertexStayInOneRing) {
  World world = build(test::square_cloth(100));
  tear_at_random(world, 6000, 5);
  expect_rings_of_copies(world);
  EXPECT_GT(measure(world).tears, 3000);
}

/// Cuts between vertices at random, seen from anywhere, until nothing is left in reserve and on from there.
TEST(Tearing, CutsKeepToWhatIsInReserve) {
  for (std::uint64_t seed : {1, 2, 3, 4}) {
    World world = build(test::square_cloth(seed % 2 == 0 ? 14 : 40));
    const auto number = [&](int k, int n) { return random_signed(seed, std::uint64_t(8 * k + n)); };
    bool refused = false;
    for (int k = 0; k < 300; ++k) {
      const auto& vertices = world.topology->external_to_internal;
      std::array<glm::dvec3, 2> near, far;
      const glm::dvec3 view = 5.0 * glm::dvec3(number(k, 0), 1.0, number(k, 1));
      for (std::size_t end = 0; end < 2; ++end) {
        const std::size_t v = std::size_t(std::abs(number(k, 2 + int(end))) * double(vertices.size()));
        const glm::dvec3 at(world.particles.position[std::size_t(vertices[v])]);
        near[end] = at + view, far[end] = at - view;
      }
      refused |= cut(world, near, far, number(k, 4) > -0.5).full;
      const TearRoom& room = world.topology->tears;
      for (const auto& object : room.objects) ASSERT_LE(object.used, object.spares) << seed << " cut " << k;
      for (const auto& loose : room.loose) ASSERT_LE(loose.end, loose.capacity) << seed << " cut " << k;
    }
    EXPECT_TRUE(refused) << "the reserve was used up";
    expect_sound(world);
  }
}

/// Number of pieces whose triangles are connected by edges.
int pieces(const Topology& topology) {
  std::vector<std::int32_t> root(topology.triangles.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t t) {
    while (root[std::size_t(t)] != t) t = root[std::size_t(t)];
    return t;
  };
  for (const auto& [edge, triangles] : sides_of(topology))
    for (const std::int32_t t : triangles) root[std::size_t(find(t))] = find(triangles.front());
  int count = 0;
  for (std::int32_t t = 0; t < std::int32_t(root.size()); ++t) count += root[std::size_t(t)] == t;
  return count;
}

/// A hand cuts along a straight line, seen from above, in fifty pieces; the cloth moves between them.
TEST(Tearing, ACutGoesOnWhereItEndedInClothThatMoves) {
  const glm::dvec3 eye(0.0, 3.0, 0.0);
  for (const glm::dvec3 drift : {glm::dvec3(0.0), glm::dvec3(0.02, 0, 0), glm::dvec3(-0.01, 0, 0.013)}) {
    SceneDesc scene = test::square_cloth(40);
    scene.objects[0].cloth->upright = false;
    World world = build(scene);
    for (int k = -5; k < 45; ++k) {
      const auto seen = [&](int at) { return glm::dvec3(0.11 * at - 2.2, -3.0, 0.023); };
      cut(world, {eye, eye}, {seen(k), seen(k + 1)}, k == -5);
      for (vec4& x : world.particles.position)
        x += (k % 2 == 0 ? real(1) : real(-0.9)) * vec4(vec3(drift), real(0));
    }
    EXPECT_EQ(pieces(*world.topology), 2) << "moving by " << drift.x << ", " << drift.z << " m";
    expect_sound(world);
  }
}

/// Copies of a vertex that lay in one place would have no sides; pinned ones as well.
TEST(Tearing, CopiesOfAPinArePartedWithTheirPins) {
  SceneDesc scene = test::square_cloth(20);
  scene.objects[0].pins = {std::string("left"), std::string("top")};
  World world = build(scene);
  const std::size_t pins = world.user.attachments.size();
  tear_at_random(world, 300, 7);
  EXPECT_GT(world.user.attachments.size(), pins + 10);
  const auto& x = world.particles.position;
  for (const Attachment& pin : world.user.attachments)
    EXPECT_LT(glm::distance(glm::dvec3(x[std::size_t(pin.particle)]), pin.rest), 1e-6);
  std::set<std::array<real, 3>> places;
  for (Index i : world.topology->external_to_internal)
    EXPECT_TRUE(places.insert({x[std::size_t(i)].x, x[std::size_t(i)].y, x[std::size_t(i)].z}).second)
        << "particle " << i << " lies on another";
}

/// Throws all vertices into a cube of half side `size` (m) about `centre`; returns a direction.
vec3 crumple(World& world, const vec3& centre, real size, std::uint64_t trial) {
  std::uint64_t drawn = 0;
  const auto random_vector = [&] {
    const double x = random_signed(trial, drawn), y = random_signed(trial, drawn + 1);
    const double z = random_signed(trial, drawn + 2);
    drawn += 3;
    return vec3(real(x), real(y), real(z));
  };
  for (Index i : world.topology->external_to_internal) {
    vec4& p = world.particles.position[std::size_t(i)];
    p = vec4(centre + size * random_vector(), p.w);
  }
  return random_vector();
}

/// However a patch of cloth is crumpled, as long as it does not cross itself: the copies of its middle vertex
/// find a way apart on which none of their triangles passes through another's.
TEST(Tearing, ACrumpledPatchDoesNotCrossItselfWhereItTears) {
  const World flat = build(test::square_cloth(3));
  int split = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    World world = flat;
    const vec3 normal = crumple(world, vec3(0), real(0.1), trial);
    if (pierces_itself(world)) continue;
    Splitter splitter(world);
    const int made = splitter.split_across(world.topology->external_to_internal[4], normal);
    if (made == 0) continue;
    ++split;
    EXPECT_FALSE(pierces_itself(world)) << "trial " << trial;
  }
  EXPECT_GT(split, 50);
}

/// If the copies of a vertex cannot be separated, nothing is split: copies in one place would have no sides,
/// and cloth could pass through there.
TEST(Tearing, CopiesFindAWayApartOrNothingIsSplit) {
  const World flat = build(test::square_cloth(3));
  const Index middle = flat.topology->external_to_internal[4];
  const real gap = tear_gap * flat.topology->surface.room[std::size_t(middle)];
  int refused = 0, split = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    World world = flat;
    const vec3 normal = crumple(world, vec3(3), gap, trial);  // hardly larger than the step
    if (trial % 2 == 1)
      for (vec4& p : world.particles.position) p.y = 3;  // on a floor, where no edge pierces anything
    const World before = world;
    Splitter splitter(world);
    if (splitter.split_across(middle, normal) == 0) {
      refused += splitter.touched().empty();
      EXPECT_EQ(world.particles.position, before.particles.position) << "trial " << trial;
      continue;
    }
    ++split;
    std::vector<vec3> places;
    for (Index i : world.topology->external_to_internal)
      if (world.topology->tears.origin[std::size_t(i)] == middle)
        places.emplace_back(world.particles.position[std::size_t(i)]);
    for (std::size_t k = 0; k < places.size(); ++k)
      for (std::size_t l = 0; l < k; ++l)
        EXPECT_GT(glm::distance(places[k], places[l]), gap / 20) << "trial " << trial;
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(split, 50);
}

/// Vertices of the border to which a split opens an edge hang together at a point only and are split as well,
/// with or without a way apart: their copies part, or stay in the place where the vertex was.
TEST(Tearing, OpenedEndsPartOrStayInOnePlace) {
  const World flat = build(test::square_cloth(3));
  const Index middle = flat.topology->external_to_internal[4];
  const real gap = tear_gap * flat.topology->surface.room[std::size_t(middle)];
  int apart = 0, together = 0;
  for (std::uint64_t trial = 0; trial < 4000; ++trial) {
    World world = flat;
    const vec3 normal = crumple(world, vec3(3), gap, trial);
    for (vec4& p : world.particles.position) p.y = 3;  // on a floor they find no way most often
    const World before = world;
    Splitter splitter(world);
    if (splitter.split_across(middle, normal) == 0) continue;
    expect_sound(world);
    expect_rings_of_copies(world);
    const auto place = [](const World& w, std::int32_t i) {
      return vec3(w.particles.position[std::size_t(i)]);
    };
    const TearRoom& room = world.topology->tears;
    for (Index i : world.topology->external_to_internal) {
      const std::int32_t copy = room.next_copy[std::size_t(i)], origin = room.origin[std::size_t(i)];
      if (copy == i || origin == middle) continue;
      const real d = glm::distance(place(world, i), place(world, copy));
      ++(d == real(0) ? together : apart);
      if (d > real(0)) {
        EXPECT_GT(d, gap / 20) << "trial " << trial;
      } else {
        EXPECT_EQ(place(world, i), place(before, origin)) << "trial " << trial;
      }
    }
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(together, 0);
}

}}}}  // namespace limber::LIMBER_PRECISION::tearing_test
