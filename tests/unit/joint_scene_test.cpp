// Joints in scene files, and the sparse system that solves them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/core/block_cholesky.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/file/scene_schema.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/joint_source.hpp"

namespace limber::joint_scene_test {
namespace {

Expected<SceneDesc> scene_with(const std::string& joint) {
  return parse_scene(R"({ "format": 1,
  "bodies": {
    "box": { "shape": "box" },
    "wall": { "shape": "box", "fixed": true },
    "row": { "shape": "box", "copies": [4, 1, 1], "arrangement": "line" }
  },
  "joints": {
    "one": )" + joint + "\n  }\n}",
                     "scene.json", "");
}

std::string fault(const std::string& joint) {
  const Expected<SceneDesc> scene = scene_with(joint);
  return scene ? "" : scene.error().text();
}

TEST(JointScene, ReadsWhatItIsTold) {
  const Expected<SceneDesc> scene = scene_with(
      R"({ "type": "hinge", "a": "row[2]", "b": "box", "at": [1, 2, 3], "axis": [0, 0, 1], "motor_speed": 90 })");
  ASSERT_TRUE(scene) << scene.error().text();
  ASSERT_EQ(scene->joints.size(), 1u);
  EXPECT_EQ(scene->joints[0].type, JointType::hinge);
  EXPECT_EQ(scene->joints[0].at, glm::dvec3(1, 2, 3));
  const auto pairs = joined_pairs(*scene, scene->joints[0]);
  ASSERT_EQ(pairs->size(), 1u);
  EXPECT_EQ(pairs->front().a, 4);  // after the box and the wall
  EXPECT_EQ(pairs->front().b, 0);
}

TEST(JointScene, ChainsAndCopies) {
  const auto count = [](const std::string& joint) {
    const Expected<SceneDesc> scene = scene_with(joint);
    return scene ? joined_pairs(*scene, scene->joints[0])->size() : std::size_t(0);
  };
  EXPECT_EQ(count(R"({ "type": "ball", "a": "row", "chain": true, "at": [0, 0, 0] })"), 3u);
  EXPECT_EQ(count(R"({ "type": "ball", "a": "row", "at": [0, 0, 0] })"), 4u);
  EXPECT_EQ(count(R"({ "type": "ball", "a": "row", "b": "wall", "at": [0, 0, 0] })"), 4u);
}

TEST(JointScene, FaultsNameTheLineAndWhatIsNear) {
  const std::vector<std::pair<std::string, std::string>> faults{
      {R"({ "a": "box", "at": [0, 0, 0] })", "needs a 'type'"},
      {R"({ "type": "ball", "at": [0, 0, 0] })", "needs a body 'a'"},
      {R"({ "type": "ball", "a": "box" })", "needs a place"},
      {R"({ "type": "ball", "a": "bax", "at": [0, 0, 0] })", "did you mean 'box'"},
      {R"({ "type": "ball", "a": "row[4]", "at": [0, 0, 0] })", "the last one is row[3]"},
      {R"({ "type": "ball", "a": "row[x]", "at": [0, 0, 0] })", "as in row[0]"},
      {R"({ "type": "ball", "a": "wall", "at": [0, 0, 0] })", "nothing that it joins can move"},
      {R"({ "type": "ball", "a": "box", "b": "box", "at": [0, 0, 0] })", "to itself"},
      {R"({ "type": "ball", "a": "box", "b": "row", "at": [0, 0, 0] })", "not as many copies"},
      {R"({ "type": "ball", "a": "box", "chain": true, "at": [0, 0, 0] })", "give it 'copies'"},
      {R"({ "type": "ball", "a": "box", "at": [0, 0, 0], "motor_speed": 3 })", "means nothing"},
      {R"({ "type": "distance", "a": "box", "at": [0, 0, 0] })", "second place"},
      {R"({ "type": "hinge", "a": "box", "at": [0, 0, 0], "axis": [0, 0, 0] })", "no direction"},
      {R"({ "type": "universal", "a": "box", "at": [0, 0, 0], "axis": [1, 0, 0] })", "do not cross"},
  };
  for (const auto& [joint, message] : faults) {
    const std::string text = fault(joint);
    EXPECT_NE(text.find(message), std::string::npos) << joint << "\n" << text;
    EXPECT_NE(text.find("scene.json:8"), std::string::npos) << text;
  }
}

TEST(JointScene, SettingsAndSchemaKnowThem) {
  Expected<SceneDesc> scene = scene_with(R"({ "type": "slider", "a": "box", "at": [0, 0, 0] })");
  ASSERT_TRUE(scene);
  EXPECT_TRUE(find_setting(*scene, "joints.one.motor_force"));
  bool listed = false;
  for (const Setting& setting : list_settings(*scene)) {
    listed |= setting.path == "joints.one.motor_force";
    EXPECT_NE(setting.path, "joints.one.motor_torque");  // a hinge's
  }
  EXPECT_TRUE(listed);
  EXPECT_NE(scene_schema().find("\"break_force\""), std::string::npos);
}

/// A ring of blocks of 1 to 6 numbers with a chord, checked by multiplying the solution.
TEST(BlockCholesky, SolvesWhatItFactors) {
  constexpr int n = 7, most = BlockCholesky::most;
  std::vector<BlockCholesky::Edge> edges{{0, 3}};
  for (int i = 0; i < n; ++i) edges.push_back({std::min(i, (i + 1) % n), std::max(i, (i + 1) % n)});
  BlockCholesky matrix;
  EXPECT_FALSE(matrix.analyze(n, edges, 8));
  ASSERT_TRUE(matrix.analyze(n, edges, 100));
  const std::vector<std::uint8_t> sizes{3, 6, 1, 5, 2, 4, 3};
  double dense[n * most][n * most] = {};
  std::uint64_t drawn = 0;
  const auto draw = [&] { return random_signed(7, drawn++); };
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < sizes[std::size_t(i)]; ++r)
      for (int s = 0; s <= r; ++s) {
        const double x = draw() + (r == s ? 20.0 : 0.0);
        dense[i * most + r][i * most + s] = dense[i * most + s][i * most + r] = x;
        matrix.diagonal(i)[r * most + s] = x;
      }
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const BlockCholesky::Place place = matrix.off_diagonal(e);
    const int i = place.row, j = edges[e][0] + edges[e][1] - i;
    for (int r = 0; r < sizes[std::size_t(i)]; ++r)
      for (int s = 0; s < sizes[std::size_t(j)]; ++s)
        place.numbers[r * most + s] = dense[i * most + r][j * most + s] = dense[j * most + s][i * most + r] =
            draw();
  }
  std::vector<double> wanted(n * most, 0.0), x(n * most, 0.0);
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < sizes[std::size_t(i)]; ++r) wanted[std::size_t(i * most + r)] = draw();
  for (int r = 0; r < n * most; ++r)
    for (int s = 0; s < n * most; ++s) x[std::size_t(r)] += dense[r][s] * wanted[std::size_t(s)];
  matrix.factor(sizes);
  matrix.solve(sizes, x);
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(x[k], wanted[k], 1e-12) << k;
}

/// The joints of a net of 30 x 30 balls, of which each four that meet at a ball are neighbours. Elimination
/// of the fewest neighbours first takes 522,890 updates of blocks, dissection along rows and columns 238,678.
TEST(BlockCholesky, OrdersANetByDissection) {
  constexpr int n = 30, most = BlockCholesky::most;
  std::vector<std::vector<std::int32_t>> at(n * n);
  std::int32_t nodes = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      if (k > 0)
        at[std::size_t(n * i + k)].push_back(nodes), at[std::size_t(n * i + k - 1)].push_back(nodes++);
      if (i > 0)
        at[std::size_t(n * i + k)].push_back(nodes), at[std::size_t(n * (i - 1) + k)].push_back(nodes++);
    }
  std::vector<BlockCholesky::Edge> edges;
  for (const auto& list : at)
    for (std::size_t s = 0; s < list.size(); ++s)
      for (std::size_t t = 0; t < s; ++t)
        edges.push_back({std::min(list[s], list[t]), std::max(list[s], list[t])});
  for (const int rows : {3, 6}) {
    BlockCholesky matrix;
    ASSERT_TRUE(matrix.analyze(nodes, edges, 100'000, rows));
    EXPECT_LT(matrix.plan().updates.size(), 280'000u);
    for (const int size : {3, 2}) {
      std::vector<std::uint8_t> sizes;
      sizes.assign(std::size_t(nodes), std::uint8_t(size));
      const int stride = matrix.stride();
      std::vector<double> wanted(std::size_t(nodes * most), 0.0), x = wanted;
      std::uint64_t drawn = 0;
      const auto draw = [&] { return random_signed(7, drawn++); };
      for (std::int32_t i = 0; i < nodes; ++i)
        for (int r = 0; r < size; ++r) wanted[std::size_t(i * most + r)] = draw();
      matrix.clear();
      for (std::int32_t i = 0; i < nodes; ++i)
        for (int r = 0; r < size; ++r) {
          matrix.diagonal(i)[r * stride + r] = 20.0;
          x[std::size_t(i * most + r)] += 20.0 * wanted[std::size_t(i * most + r)];
        }
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const BlockCholesky::Place place = matrix.off_diagonal(e);
        const int i = place.row, j = edges[e][0] + edges[e][1] - i;
        for (int r = 0; r < size; ++r)
          for (int s = 0; s < size; ++s) {
            const double number = place.numbers[r * stride + s] = draw();
            x[std::size_t(i * most + r)] += number * wanted[std::size_t(j * most + s)];
            x[std::size_t(j * most + s)] += number * wanted[std::size_t(i * most + r)];
          }
      }
      matrix.factor(sizes);
      matrix.solve(sizes, x);
      for (std::size_t k = 0; k < wanted.size(); ++k)
        ASSERT_NEAR(x[k], wanted[k], 1e-11) << rows << ", " << k;
    }
  }
}

/// With the same row twice, one of them is left out, and the other has the full effect.
TEST(BlockCholesky, LeavesOutARowThatFollowsFromOthers) {
  BlockCholesky matrix;
  ASSERT_TRUE(matrix.analyze(1, {}, 1));
  matrix.diagonal(0)[0] = matrix.diagonal(0)[6] = matrix.diagonal(0)[7] = 2.0;
  const std::vector<std::uint8_t> sizes{2};
  matrix.factor(sizes);
  std::vector<double> x{4.0, 4.0, 0, 0, 0, 0};
  matrix.solve(sizes, x);
  EXPECT_DOUBLE_EQ(x[0], 2.0);
  EXPECT_EQ(x[1], 0.0);
}

}  // namespace
}  // namespace limber::joint_scene_test
