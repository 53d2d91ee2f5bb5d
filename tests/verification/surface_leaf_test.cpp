// The features of leaves: boxes against all pairs tried one by one, and every instruction set against the
// scalar instance.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "engine/collision/surface_leaves.hpp"
#include "engine/core/simd_choice.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber::inline LIMBER_PRECISION::surface_leaf_test {
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

/// What `kernels` say of all leaves and of all pairs of them.
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

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION::surface_leaf_test
