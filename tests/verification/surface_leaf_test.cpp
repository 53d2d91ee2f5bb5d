// Features in the leaves of the surface search: boxes against all pairs tested one by one, and every
// instruction set against the scalar instance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "engine/contact/cloth/surface_leaves.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/split.hpp"
#include "engine/state/tear_room.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace surface_leaf_test {
namespace {

/// A cloth in its starting shape, crumpled by a few waves, with rows as a search has them.
struct Leaves {
  Rig rig{scene()};
  SurfaceTree tree;
  AlignedVector<vec4> places, reaches;

  static SceneDesc scene() { return test::hanging_cloth(13); }

  Leaves() {
    const auto& particles = rig.world.particles;
    for (std::size_t i = 0; i < std::size_t(particles.padded()); ++i) {
      const vec3 x(particles.position[i]);
      places.push_back(vec4(x + real(0.1) * vec3(std::sin(40 * x.y), std::sin(31 * x.z), std::sin(23 * x.x)),
                            real(0.003) * real(1 + i % 3)));
      reaches.push_back(
          vec4(real(0.01) * vec3(std::cos(17 * x.y), std::cos(x.x), real(i % 5)), real(i % 2) / 500));
    }
    tree.reserve(std::int32_t(rig.world.topology->triangles.size()));
  }
  LeafRows<real> rows() const { return {points(), &reaches.data()->x, real(0.002)}; }
  const real* points() const { return &places.data()->x; }
};

/// The answers of `kernels` for all leaves and all pairs of leaves.
[[maybe_unused]] std::vector<std::uint8_t> answers(const SurfaceLeafKernels<real>& kernels, const Leaves& of,
                                                   const Box& way) {
  SurfaceLeaves leaves(kernels);
  leaves.reserve(of.tree, *of.rig.world.topology);
  std::vector<std::uint8_t> bytes;
  const auto append = [&](const auto& value) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
  };
  for (std::int32_t a = 0; a < of.tree.leaves(); ++a) {
    LeafShape<real> shape{};
    leaves.shape(a, of.rows(), shape);
    append(shape);
    leaves.place_boxes(a, of.points());
  }
  for (std::int32_t a = 0; a < of.tree.leaves(); ++a)
    for (std::int32_t b = a; b < of.tree.leaves(); ++b) {
      NearFeatures near{};
      leaves.find_near(a, b, way, of.points(), near);
      append(near);
    }
  return bytes;
}

const Box some_way{Row<real>(real(-0.03), real(-0.01), real(-0.02), real(0)),
                   Row<real>(real(0.01), real(0.02), real(0.015), real(0))};

#if !LIMBER_DOUBLE
TEST(SurfaceLeaves, EveryInstructionSetGivesTheScalarBits) {
  const Leaves leaves;
  const auto expected = answers(kernels_scalar()->leaves, leaves, some_way);
  const std::pair<Simd, const KernelTable<float>*> instances[] = {
      {Simd::w4, kernels_sse2()}, {Simd::w8, kernels_avx2()}, {Simd::w16, kernels_avx512()}};
  for (const auto& [simd, kernels] : instances) {
    if (!kernels || !supported(simd)) continue;
    EXPECT_TRUE(answers(kernels->leaves, leaves, some_way) == expected) << to_string(simd);
  }
}
#endif

/// Whether b, moved by anything in the way, overlaps a.
bool overlap(const Box& a, const Box& b) {
  return Box{b.low + some_way.low, b.high + some_way.high}.overlaps(a);
}

Box box_of(const Leaves& leaves, std::initializer_list<std::int32_t> particles) {
  Box box{Row<real>(real(1e9)), Row<real>(real(-1e9))};
  for (const std::int32_t i : particles) {
    const Row<real> x = Row<real>::load(&leaves.places[std::size_t(i)].x);
    box = {min(box.low, x), max(box.high, x)};
  }
  return box;
}

TEST(SurfaceLeaves, FindsWhatBoxesOneByOneDo) {
  Leaves of;
  const Topology& topology = *of.rig.world.topology;
  SurfaceLeaves leaves(reference_kernels().leaves);
  leaves.reserve(of.tree, topology);
  for (std::int32_t a = 0; a < of.tree.leaves(); ++a) leaves.place_boxes(a, of.points());
  const auto edge = [&](const LeafFeatures<real>& leaf, int k) {
    const auto& block = leaf.ends[k / leaf_lanes];
    return box_of(of, {block[0][k % leaf_lanes], block[1][k % leaf_lanes]});
  };
  const auto triangle = [&](const LeafFeatures<real>& leaf, int k) {
    return box_of(of, {leaf.corners[0][k], leaf.corners[1][k], leaf.corners[2][k]});
  };
  int met = 0, edges = 0;
  for (std::int32_t a = 0; a < of.tree.leaves(); ++a) {
    edges += leaves.features(a).edges;
    for (std::int32_t b = a; b < of.tree.leaves(); ++b) {
      NearFeatures near{};
      leaves.find_near(a, b, some_way, of.points(), near);
      const LeafFeatures<real>&fa = leaves.features(a), &fb = leaves.features(b);
      for (int v = 0; v < fa.vertices; ++v)
        for (int t = 0; t < fb.triangles; ++t)
          ASSERT_EQ(near.triangles_at[0][v] >> t & 1u, overlap(box_of(of, {fa.vertex[v]}), triangle(fb, t)));
      for (int v = 0; v < fb.vertices && a != b; ++v)
        for (int t = 0; t < fa.triangles; ++t)
          ASSERT_EQ(near.triangles_at[1][v] >> t & 1u, overlap(triangle(fa, t), box_of(of, {fb.vertex[v]})));
      for (int i = 0; i < fa.edges; ++i)
        for (int j = a == b ? i + 1 : 0; j < fb.edges; ++j, ++met)
          ASSERT_EQ(near.edges_at[i] >> j & 1u, overlap(edge(fa, i), edge(fb, j)));
    }
  }
  EXPECT_EQ(edges, 12 * 12 + 2 * 12 * 13) << "each edge of the grid has one owner";
  EXPECT_EQ(met, edges * (edges - 1) / 2) << "each two edges are met once";
}

/// The elements owned by a leaf, each sorted.
struct Owned {
  std::set<std::int32_t> members, vertices;
  std::set<std::pair<std::int32_t, std::int32_t>> edges;
  std::vector<std::int32_t> corners;
  bool inside;

  explicit Owned(const LeafFeatures<real>& leaf)
      : members(leaf.member, leaf.member + leaf.members),
        vertices(leaf.vertex, leaf.vertex + leaf.vertices),
        corners(&leaf.corners[0][0], &leaf.corners[0][0] + 3 * leaf_lanes),
        inside(leaf.inside) {
    for (int k = 0; k < leaf.edges; ++k)
      edges.insert(
          {leaf.ends[k / leaf_lanes][0][k % leaf_lanes], leaf.ends[k / leaf_lanes][1][k % leaf_lanes]});
  }
  bool operator==(const Owned&) const = default;
};

/// Particles of triangles that have other corners than in `before`.
std::vector<std::uint8_t> split_since(const Topology& before, const Topology& now, std::size_t particles) {
  std::vector<std::uint8_t> split(particles, 0);
  for (std::size_t t = 0; t < now.triangles.size(); ++t)
    for (std::size_t j = 0; j < 3; ++j)
      if (const auto was = before.triangles[t][j], is = now.triangles[t][j]; was != is)
        split[std::size_t(was)] = split[std::size_t(is)] = 1;
  return split;
}

TEST(SurfaceLeaves, FollowTearsAsIfLaidOutAnew) {
  Leaves of;
  World& world = of.rig.world;
  adopt_tear_room(world, with_tear_room(world));
  SurfaceLeaves leaves(reference_kernels().leaves), anew(reference_kernels().leaves);
  leaves.reserve(of.tree, *world.topology);
  int tears = 0;
  for (std::uint64_t drawn = 0; drawn < 120;) {
    const Topology before = *world.topology;
    Splitter splitter(world);
    const auto at = std::size_t(std::abs(random_signed(3, drawn++)) * double(13 * 13));
    const double x = random_signed(3, drawn++), y = random_signed(3, drawn++);
    tears += splitter.split_across(world.topology->external_to_internal[at], vec3(glm::dvec3(x, y, 0)));
    std::vector<std::uint8_t> split(std::size_t(world.particles.padded()), 0);
    for (std::int32_t leaf = 0; leaf < of.tree.leaves(); ++leaf)
      leaves.follow_tears(of.tree, *world.topology, leaf, split);
    EXPECT_EQ(split, split_since(before, *world.topology, split.size()));
    anew.reserve(of.tree, *world.topology);
    for (std::int32_t leaf = 0; leaf < of.tree.leaves(); ++leaf)
      ASSERT_EQ(Owned(leaves.features(leaf)), Owned(anew.features(leaf))) << "leaf " << leaf;
  }
  EXPECT_GT(tears, 20);
}

/// The two halves of a torn leaf are moved far apart: an object between them meets neither.
TEST(SurfaceLeaves, PartsOfATornLeafMeetWhatIsBesideThem) {
  SceneDesc scene;
  scene.objects = {test::hanging_cloth(3).objects[0]};  // 8 triangles: one leaf
  Rig rig(scene);
  World& world = rig.world;
  adopt_tear_room(world, with_tear_room(world));
  SurfaceTree tree;
  tree.reserve(std::int32_t(world.topology->triangles.size()));
  SurfaceLeaves leaves(reference_kernels().leaves);
  leaves.reserve(tree, *world.topology);
  for (const Index middle : {1, 4, 7})  // a column
    Splitter(world).split_across(world.topology->external_to_internal[std::size_t(middle)], vec3(1, 0, 0));
  leaves.follow_tears(tree, *world.topology, 0, {});
  ASSERT_EQ(leaves.features(0).members, 12);
  AlignedVector<vec4> places(std::size_t(world.particles.padded()), vec4(0)), reaches = places;
  const real middle = rig.x(4).x;
  for (const auto& corners : world.topology->triangles) {
    real sum = 0;
    for (const std::int32_t i : corners) sum += world.particles.position[std::size_t(i)].x - middle;
    for (const std::int32_t i : corners)
      places[std::size_t(i)] =
          vec4(vec3(world.particles.position[std::size_t(i)]) + vec3(sum > 0 ? 5 : -5, 0, 0), real(0.01));
  }
  const Flow whole = leaves.flow(0, &places.data()->x, &reaches.data()->x);
  const auto small = [&](real x) {
    const Row<real> at(x, real(rig.x(4).y), real(rig.x(4).z), real(0));
    return Flow{Box{at, at}.grown(real(0.05)), {Row<real>(real(0)), Row<real>(real(0))}, real(0.01)};
  };
  const auto meets_parts = [&](const Flow& other) {
    return std::any_of(leaves.parts(0, whole).begin(), leaves.parts(0, whole).end(),
                       [&](const Flow& part) { return part.meets(other); });
  };
  EXPECT_TRUE(whole.meets(small(middle)));
  EXPECT_FALSE(meets_parts(small(middle)));
  EXPECT_TRUE(meets_parts(small(middle - 5))) << "where one half is";
  EXPECT_TRUE(meets_parts(small(middle + 5))) << "where the other is";
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::surface_leaf_test
