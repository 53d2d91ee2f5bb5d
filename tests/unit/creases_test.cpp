// Creases: a block keeps its edges, a ball has none.
#include "engine/geometry/mesh/creases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/geometry/mesh/shapes.hpp"

namespace limber::creases_test {
namespace {

std::size_t distinct_normals(const TriMesh& mesh, double degrees = crease_degrees) {
  const std::vector<std::uint8_t> groups = smoothing_groups(mesh.triangles, mesh.positions, degrees);
  std::set<std::pair<Index, int>> normals;
  for (std::size_t corner = 0; corner < groups.size(); ++corner)
    normals.insert({mesh.triangles[corner / 3][corner % 3], groups[corner]});
  return normals.size();
}

TEST(Creases, ABlockHasANormalForEverySideAtItsEdges) {
  const TriMesh box = make_box({1, 2, 3}, 4);  // 5 x 5 vertices on each of 6 sides
  EXPECT_EQ(distinct_normals(box), 6u * 25u);
  EXPECT_EQ(distinct_normals(box, 100.0), box.positions.size());
}

TEST(Creases, ABallHasNone) {
  const TriMesh ball = make_icosphere(2, 1.0);
  EXPECT_EQ(distinct_normals(ball), ball.positions.size());
  EXPECT_GT(distinct_normals(ball, 5.0), ball.positions.size());
}

TEST(Creases, ACreaseThatEndsPartsNothingAtItsEnd) {
  // a ridge from vertex 1 to vertex 0, where it fades
  const TriMesh fan{{{0, 0, 0}, {1, 0, 0}, {0, 1, -1}, {-1, 0, -1}, {0, -1, -1}},
                    {},
                    {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}}};
  const std::vector<std::uint8_t> groups = smoothing_groups(fan.triangles, fan.positions, 80.0);
  for (std::size_t corner = 0; corner < groups.size(); corner += 3) EXPECT_EQ(groups[corner], 0);
  EXPECT_NE(groups[1], groups[11]);  // the two corners at vertex 1
}

}  // namespace
}  // namespace limber::creases_test
