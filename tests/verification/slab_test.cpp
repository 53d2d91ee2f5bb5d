// Contact directions between surface features in nearly degenerate positions.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "engine/contact/cloth/surface_pair.hpp"
#include "engine/core/real.hpp"
#include "engine/parallel/random.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace slab_test {
namespace {

using L1 = Lanes<real, 1>;
using Four = std::array<glm::dvec3, 4>;

class Draw {
 public:
  double operator()() { return random_signed(11, drawn_++); }
  glm::dvec3 vector() {
    const double x = (*this)(), y = (*this)(), z = (*this)();
    return {x, y, z};
  }

 private:
  std::uint64_t drawn_ = 0;
};

/// Three unit vectors at right angles.
struct Frame {
  glm::dvec3 x, y, z;
  explicit Frame(Draw& draw) : x(glm::normalize(draw.vector())) {
    y = glm::normalize(glm::cross(x, draw.vector()));
    z = glm::cross(x, y);
  }
};

/// The slab that the kernels find between the features, as a share of their distance; 1 if that is below
/// `least`.
template <PairKind Kind>
double slab_share(const Four& x, double least) {
  const std::int32_t index[4] = {0, 1, 2, 3};
  real points[16] = {}, normal[3], weight[4];
  SurfacePairView<real> pair{};
  Vec3<L1> at[4];
  for (int j = 0; j < 4; ++j) {
    const vec3 place(x[std::size_t(j)]);
    pair.vertices[j] = index + j, pair.weight[j] = weight + j;
    at[j] = {place.x, place.y, place.z};
    for (int k = 0; k < 3; ++k) points[4 * j + k] = place[k];
  }
  for (int k = 0; k < 3; ++k) pair.normal[k] = normal + k;
  aim_pairs<Kind, L1>(pair, 0, 1, points);
  glm::dvec3 apart(0.0);
  for (std::size_t j = 0; j < 4; ++j) apart += double(weight[j]) * x[j];
  const double distance = glm::length(apart);
  return distance < least ? 1.0
                          : double(slab_width<Kind>({normal[0], normal[1], normal[2]}, at).v) / distance;
}

constexpr double size = 0.3;    // m, as far as a wild hand stretches an edge of a few centimetres
constexpr double least = 5e-4;  // m, a twentieth of a thickness
constexpr double half = 0.5;    // of the distance: the guard asks for a tenth of the thickness

// Between a point and the nearest point of a convex set lies a slab as wide as their distance. The guard
// takes one that is not there for two features that touched all along, and lets them through.
TEST(Slab, IsFoundBesideASliver) {
  Draw draw;
  for (const double height : {1e-1, 1e-2, 3e-3, 1e-3, 1e-4, 1e-6})
    for (int k = 0; k < 3000; ++k) {
      const glm::dvec3 origin = draw.vector();
      const Frame f(draw);
      const double tip = 0.5 + 0.5 * draw(), along = 0.5 + 0.6 * draw(), across = 0.5 + 0.5 * draw();
      const glm::dvec3 off = 0.005 * draw() * f.z + 0.003 * draw() * f.y;
      const Four x{origin + size * along * f.x + height * across * f.y + off, origin, origin + size * f.x,
                   origin + size * tip * f.x + height * f.y};
      ASSERT_GT(slab_share<PairKind::vertex_triangle>(x, least), half) << height << ", " << k;
    }
}

TEST(Slab, IsFoundBetweenEdgesNearlyInLine) {
  Draw draw;
  for (const double angle : {1.0, 1e-1, 1e-2, 3e-3, 1e-3, 1e-4, 1e-6})
    for (int k = 0; k < 3000; ++k) {
      const glm::dvec3 origin = draw.vector();
      const Frame f(draw);
      const glm::dvec3 way = glm::normalize(f.x + angle * (draw() * f.y + draw() * f.z));
      const glm::dvec3 middle = size * (0.5 + 0.7 * draw()) * f.x + 0.005 * (draw() * f.y + draw() * f.z);
      const Four x{origin, origin + size * f.x, origin + middle - 0.5 * size * way,
                   origin + middle + 0.5 * size * way};
      ASSERT_GT(slab_share<PairKind::edge_edge>(x, least), half) << angle << ", " << k;
    }
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::slab_test
