#include "engine/solver/cutting.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <optional>
#include <vector>

#include "engine/state/split.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// A flat quad with the corners near[0], far[0], far[1], near[1]; the near ones may be one point.
class Blade {
 public:
  Blade(const std::array<glm::dvec3, 2>& near, const std::array<glm::dvec3, 2>& far)
      : corners_{near[0], far[0], far[1], near[1]}, normal_(glm::cross(far[0] - near[0], far[1] - near[0])) {}

  /// On it counts as above, so that every edge is crossed or not, whoever asks.
  bool above(const glm::dvec3& x) const { return glm::dot(x - corners_[0], normal_) >= 0.0; }

  /// Where it crosses the segment from a to b, in [0, 1].
  std::optional<double> crosses(const glm::dvec3& a, const glm::dvec3& b) const {
    const double at_a = glm::dot(a - corners_[0], normal_), at_b = glm::dot(b - corners_[0], normal_);
    if ((at_a >= 0.0) == (at_b >= 0.0)) return std::nullopt;
    const double s = at_a / (at_a - at_b);
    const glm::dvec3 x = a + s * (b - a);
    for (std::size_t k = 0; k < 4; ++k) {
      const glm::dvec3 &from = corners_[k], &to = corners_[(k + 1) % 4];
      if (glm::dot(glm::cross(normal_, to - from), x - from) < 0.0) return std::nullopt;
    }
    return s;
  }

 private:
  std::array<glm::dvec3, 4> corners_;
  glm::dvec3 normal_;
};

class Cutter {
 public:
  Cutter(World& world, const Blade& blade) : world_(world), blade_(blade) {}

  void find_path();
  int open();

 private:
  std::optional<int> corner_at(std::int32_t triangle, int side) const;
  void enter(std::int32_t triangle, int corner);
  void join(std::int32_t triangle, int a, int b);
  std::int32_t vertex(std::int32_t triangle, int corner) const {
    return world_.topology->triangles[std::size_t(triangle)][std::size_t(corner)];
  }

  World& world_;
  const Blade& blade_;
  std::vector<CutPath::End> fresh_;  ///< corners of the triangles beside new pieces of the path
};

/// The corner nearest to where a side is crossed; of the two triangles there both find the same vertex.
std::optional<int> Cutter::corner_at(std::int32_t triangle, int side) const {
  const int other = (side + 1) % 3;
  const std::int32_t a = vertex(triangle, side), b = vertex(triangle, other);
  const auto place = [&](std::int32_t i) { return glm::dvec3(world_.particles.position[std::size_t(i)]); };
  const auto s = blade_.crosses(place(std::min(a, b)), place(std::max(a, b)));
  if (!s) return std::nullopt;
  return (*s < 0.5) == (a < b) ? side : other;
}

void Cutter::find_path() {
  const std::int32_t triangles = std::int32_t(world_.topology->triangles.size());
  for (std::int32_t t = 0; t < triangles; ++t) {
    int crossed = 0, at[3];
    for (int side = 0; side < 3; ++side)
      if (const auto corner = corner_at(t, side)) at[crossed++] = *corner;
    if (crossed == 1) enter(t, at[0]);
    for (int k = 1; k < crossed; ++k) join(t, at[k - 1], at[k]);
  }
}

/// Into the triangle, or out of it where the cut had come in before.
void Cutter::enter(std::int32_t triangle, int corner) {
  auto& ends = world_.cut.ends;
  const auto came =
      std::find_if(ends.begin(), ends.end(), [&](const auto& e) { return e.triangle == triangle; });
  if (came == ends.end()) return ends.push_back({triangle, corner});
  join(triangle, came->corner, corner);
  ends.erase(came);
}

void Cutter::join(std::int32_t triangle, int a, int b) {
  if (a == b) return;
  const int side = (a + 1) % 3 == b ? a : b;
  const std::int32_t number = 3 * triangle + side;
  auto& sides = world_.cut.sides;
  const auto at = std::lower_bound(sides.begin(), sides.end(), number);
  if (at == sides.end() || *at != number) sides.insert(at, number);
  fresh_.push_back({triangle, a});
  fresh_.push_back({triangle, b});
}

int Cutter::open() {
  if (fresh_.empty()) return 0;
  Splitter splitter(world_);
  int made = 0;
  for (const auto& [triangle, corner] : fresh_)
    made += splitter.separate(vertex(triangle, corner), world_.cut.sides);
  return made == 0 && splitter.full() ? -1 : made;
}

}  // namespace

int cut(World& world, const std::array<glm::dvec3, 2>& near, const std::array<glm::dvec3, 2>& far,
        bool begins) {
  const auto before = world.cut;
  if (begins) world.cut = {};
  const Blade blade(near, far);
  Cutter cutter(world, blade);
  cutter.find_path();
  const int made = cutter.open();
  if (made < 0) world.cut = before;
  return made;
}

}  // namespace limber::inline LIMBER_PRECISION
