#include "engine/parts/tearing/cutting.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "engine/parts/tearing/blade.hpp"
#include "engine/parts/tearing/rod_cutting.hpp"
#include "engine/parts/tearing/solid_cutting.hpp"
#include "engine/state/split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

using CornerPlaces = std::array<glm::dvec3, 3>;

CornerPlaces place_of(const World& world, std::int32_t triangle) {
  CornerPlaces corners;
  for (std::size_t k = 0; k < 3; ++k)
    corners[k] = glm::dvec3(
        world.particles.position[std::size_t(world.topology->triangles[std::size_t(triangle)][k])]);
  return corners;
}

/// Weights of the corners of the triangle at the point where the line from `near` to `far` pierces it; empty
/// if it does not.
std::optional<glm::dvec3> pierced(const CornerPlaces& x, const glm::dvec3& near, const glm::dvec3& far) {
  glm::dvec3 weights;
  for (int k = 0; k < 3; ++k) {
    const glm::dvec3 &a = x[std::size_t(k + 1) % 3], &b = x[std::size_t(k + 2) % 3];
    weights[k] = glm::dot(far - near, glm::cross(a - near, b - near));
  }
  const double sum = weights.x + weights.y + weights.z;
  if (sum == 0.0) return std::nullopt;
  weights /= sum;
  if (glm::any(glm::lessThan(weights, glm::dvec3(0.0)))) return std::nullopt;
  return weights;
}

class Cutter {
 public:
  Cutter(World& world, const Blade& blade, const glm::dvec3& near, const glm::dvec3& far)
      : world_(world),
        blade_(blade),
        near_(near),
        far_(far),
        gone_(world.user.cut.ends.size()),
        solids_(world.topology->objects.size(), 0) {
    for (const auto& tet : world.topology->tets)
      solids_[std::size_t(world.particles.object[std::size_t(tet[0])])] = 1;
  }

  void find_path();
  int open();
  std::string_view refusal() const { return refusal_; }

 private:
  std::optional<int> corner_at(std::int32_t triangle, int side) const;
  void enter(std::int32_t triangle, int corner);
  void forget_gone();
  void join(std::int32_t triangle, int a, int b);
  std::int32_t vertex(std::int32_t triangle, int corner) const {
    return world_.topology->triangles[std::size_t(triangle)][std::size_t(corner)];
  }

  World& world_;
  const Blade& blade_;
  const glm::dvec3 near_, far_;  ///< path of the blade
  std::size_t gone_;             ///< number of ends of earlier pieces that are not joined yet
  std::string_view refusal_;     ///< for an object that the blade crossed and that cannot be cut
  std::vector<char> solids_;     ///< per object: made of tetrahedra, which cut_solids() cuts
  /// Triangles on the new piece of the path, and their chosen corners.
  std::vector<std::array<std::int32_t, 2>> fresh_;
};

/// The corner nearest to the point where the blade crosses a side; both triangles at that side choose the
/// same vertex.
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
    if (crossed == 0) continue;
    const std::size_t object = std::size_t(world_.particles.object[std::size_t(vertex(t, 0))]);
    if (solids_[object]) continue;
    if (const std::string_view why = world_.topology->tears.objects[object].refusal; !why.empty()) {
      refusal_ = why;
      continue;
    }
    if (crossed == 1) enter(t, at[0]);
    for (int k = 1; k < crossed; ++k) join(t, at[k - 1], at[k]);
  }
  forget_gone();
}

/// Records that the cut enters a triangle, or leaves one that it entered before.
void Cutter::enter(std::int32_t triangle, int corner) {
  auto& ends = world_.user.cut.ends;
  const auto came =
      std::find_if(ends.begin(), ends.end(), [&](const auto& e) { return e.triangle == triangle; });
  if (came == ends.end()) {
    const auto leads = pierced(place_of(world_, triangle), near_, far_);
    return ends.push_back({triangle, corner, leads.has_value(), leads.value_or(glm::dvec3(1.0 / 3.0))});
  }
  join(triangle, came->corner, corner);
  if (came < ends.begin() + std::ptrdiff_t(gone_)) --gone_;
  ends.erase(came);
}

/// Drops ends of layers that have moved apart since the last piece: the cut continues from the front layer
/// and starts anew in the others.
void Cutter::forget_gone() {
  auto& ends = world_.user.cut.ends;
  const auto led = [](const CutPath::End& e) { return e.leads; };
  const auto last = ends.begin() + std::ptrdiff_t(gone_);
  if (std::any_of(last, ends.end(), led)) ends.erase(std::remove_if(ends.begin(), last, led), last);
}

void Cutter::join(std::int32_t triangle, int a, int b) {
  if (a == b) return;
  const int side = (a + 1) % 3 == b ? a : b;
  const std::int32_t number = 3 * triangle + side;
  auto& sides = world_.user.cut.sides;
  const auto at = std::lower_bound(sides.begin(), sides.end(), number);
  if (at == sides.end() || *at != number) sides.insert(at, number);
  for (const int corner : {a, b}) fresh_.push_back({triangle, corner});
}

int Cutter::open() {
  if (fresh_.empty()) return 0;
  Splitter splitter(world_);
  int made = 0;
  for (const auto& [triangle, corner] : fresh_)
    made += splitter.separate(vertex(triangle, corner), world_.user.cut.sides);
  return made == 0 && splitter.full() ? -1 : made;
}

/// The end of the line from `near` to the present position of the cut's front end; `far` if there is none.
/// Surfaces move between two pieces of a cut.
glm::dvec3 led_from(const World& world, const glm::dvec3& near, const glm::dvec3& far) {
  glm::dvec3 to = far;
  double closest = std::numeric_limits<double>::max();
  for (const CutPath::End& end : world.user.cut.ends) {
    if (!end.leads) continue;
    const CornerPlaces x = place_of(world, end.triangle);
    const glm::dvec3 off = end.weights.x * x[0] + end.weights.y * x[1] + end.weights.z * x[2] - near;
    const double distance = glm::length(off);
    if (distance >= closest || !(glm::dot(off, far - near) > 0.0)) continue;
    closest = distance;
    to = near + glm::distance(far, near) / distance * off;
  }
  return to;
}

}  // namespace

CutResult cut(World& world, const std::array<glm::dvec3, 2>& near, const std::array<glm::dvec3, 2>& far,
              bool begins, const std::vector<char>& carriers) {
  const auto before = world.user.cut;
  if (begins) world.user.cut = {};
  const Blade blade(near, {led_from(world, near[0], far[0]), far[1]});
  Cutter cutter(world, blade, near[1], far[1]);
  cutter.find_path();
  CutResult result{0, false, cutter.refusal()};
  const int opened = cutter.open();
  if (opened < 0) world.user.cut = before;
  result.made = std::max(opened, 0);
  result.full = opened < 0;
  cut_rods(world, blade, result);
  cut_solids(world, blade, carriers, result);
  cut_clusters(world, blade, result);
  return result;
}

}}  // namespace limber::LIMBER_PRECISION
