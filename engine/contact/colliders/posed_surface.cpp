#include "engine/contact/colliders/posed_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>

#include "engine/geometry/queries/closest_features.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr std::int32_t leaf_size = 4;
/// Squared distances that differ by less are distances to the same edge or corner of several triangles.
constexpr real same = real(2e-6);
/// Below this distance the direction to the surface is a rounding error; the triangle's normal is used.
constexpr real least_away = real(1e-5);  // m

real squared_distance(const vec3& low, const vec3& high, const vec3& p) {
  const vec3 away = p - glm::clamp(p, low, high);
  return glm::dot(away, away);
}

/// The axes of a triangle as columns: along its first edge, across that edge in its plane, and its normal.
mat3 axes(const vec3& a, const vec3& b, const vec3& n) {
  const vec3 edge = b - a;
  const real length = glm::length(edge);
  const vec3 along = length > real(0) ? edge / length : vec3(1, 0, 0);
  return {along, glm::cross(n, along), n};
}

}  // namespace

PosedSurface::PosedSurface(const PoseSequence& poses, double shell)
    : poses_(poses),
      half_shell_(real(0.5 * shell)),
      vertices_(poses.poses.front().size()),
      triangles_(poses.triangles) {
  poses_.at(0.0, pose_);
  nodes_.reserve(triangles_.size());
  build(pose_, 0, std::int32_t(triangles_.size()));
  place_moment(rest, 0.0);
}

/// Splits at the median along the longest side. Returns the number of the new node.
std::int32_t PosedSurface::build(const std::vector<glm::dvec3>& x, std::int32_t first, std::int32_t count) {
  const auto begin = triangles_.begin() + first, end = begin + count;
  const auto center = [&](const Triangle& t) {
    return x[std::size_t(t[0])] + x[std::size_t(t[1])] + x[std::size_t(t[2])];
  };
  const auto index = std::int32_t(nodes_.size());
  nodes_.push_back({first, count, 0});
  if (count <= leaf_size) return index;
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (auto t = begin; t != end; ++t) low = glm::min(low, center(*t)), high = glm::max(high, center(*t));
  const glm::dvec3 extent = high - low;
  const int axis = extent.x >= extent.y ? (extent.x >= extent.z ? 0 : 2) : (extent.y >= extent.z ? 1 : 2);
  std::nth_element(begin, begin + count / 2, end,
                   [&](const Triangle& a, const Triangle& b) { return center(a)[axis] < center(b)[axis]; });
  build(x, first, count / 2);
  const std::int32_t right = build(x, first + count / 2, count - count / 2);
  nodes_[std::size_t(index)].right = right;
  return index;
}

void PosedSurface::place(double time, double dt, int substeps) {
  place_moment(0, time);
  farthest_ = 0;
  for (int s = 1; s <= substeps; ++s) {
    place_moment(s, time + dt * (double(s) / substeps));
    const vec3 *before = corners(s - 1), *now = corners(s);
    real most = 0;
    for (std::size_t i = 0; i < vertices_; ++i) {
      const vec3 moved = now[i] - before[i];
      most = std::max(most, glm::dot(moved, moved));
    }
    fastest_[std::size_t(s + 1)] = std::sqrt(most);
    farthest_ += std::sqrt(most);
  }
}

void PosedSurface::place_moment(int moment, double time) {
  const std::size_t row = std::size_t(moment + 1);
  if (x_.size() < (row + 1) * vertices_) {
    x_.resize((row + 1) * vertices_);
    boxes_.resize((row + 1) * nodes_.size());
    fastest_.resize(row + 1);
  }
  poses_.at(time, pose_);
  vec3* const x = x_.data() + row * vertices_;
  for (std::size_t i = 0; i < vertices_; ++i) x[i] = vec3(pose_[i]);
  Box* const box = boxes_.data() + row * nodes_.size();
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children have higher numbers than their parent
    const Node& node = nodes_[n];
    if (node.right != 0) {
      const Box &a = box[n + 1], &b = box[node.right];
      box[n] = {glm::min(a.low, b.low), glm::max(a.high, b.high)};
      continue;
    }
    box[n] = {vec3(std::numeric_limits<real>::max()), vec3(-std::numeric_limits<real>::max())};
    for (std::int32_t t = node.first; t < node.first + node.count; ++t)
      for (const Index corner : triangles_[std::size_t(t)])
        box[n] = {glm::min(box[n].low, x[corner]), glm::max(box[n].high, x[corner])};
  }
}

vec3 PosedSurface::normal(int moment, std::int32_t triangle) const {
  const vec3* const x = corners(moment);
  const Triangle& t = triangles_[std::size_t(triangle)];
  const vec3 across = glm::cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
  const real length = glm::length(across);
  return length > real(0) ? across / length : vec3(0, 1, 0);
}

PosedSurface::Anchor PosedSurface::anchor(int moment, const vec3& p, real within) const {
  return nearest(moment, p, within);
}

vec3 PosedSurface::place_of(int moment, const Anchor& anchor) const {
  const vec3* const x = corners(moment);
  const Triangle& t = triangles_[std::size_t(anchor.triangle)];
  return anchor.weight[0] * x[t[0]] + anchor.weight[1] * x[t[1]] + anchor.weight[2] * x[t[2]];
}

Bounds PosedSurface::bounds() const {
  const Box& box = boxes_[nodes_.size()];  // root box at the frame's start
  return {box.low - half_shell_, box.high + half_shell_};
}

/// Compares a triangle with the nearest one so far. If several triangles share the nearest point, the
/// triangle that faces p most directly decides on which side p lies.
void PosedSurface::compare(int moment, std::int32_t triangle, const vec3& p, Nearest& best) const {
  using L1 = Lanes<real, 1>;
  const vec3* const x = corners(moment);
  const Triangle& t = triangles_[std::size_t(triangle)];
  Vec3<L1> corner[3];
  for (std::size_t j = 0; j < 3; ++j) {
    const vec3 to = x[t[j]] - p;
    corner[j] = {to.x, to.y, to.z};
  }
  const TriangleWeights<L1> w = closest_on_triangle(Vec3<L1>{real(0), real(0), real(0)}, corner);
  const vec3 weight(w.b[0].v, w.b[1].v, w.b[2].v);
  const vec3 away = weight[0] * (x[t[0]] - p) + weight[1] * (x[t[1]] - p) + weight[2] * (x[t[2]] - p);
  const real squared = glm::dot(away, away);
  if (squared > best.squared * (1 + same)) return;
  const real facing = std::abs(glm::dot(normal(moment, triangle), away));
  const real least = std::min(squared, best.squared);
  if (best.triangle >= 0 && squared >= best.squared * (1 - same) && facing <= best.facing) {
    best.squared = least;
    return;
  }
  best = {{triangle, weight}, p + away, least, facing};
}

PosedSurface::Nearest PosedSurface::nearest(int moment, const vec3& p, real within) const {
  struct Visit {
    std::int32_t node;
    real squared;
  };
  const Box* const box = boxes_.data() + std::size_t(moment + 1) * nodes_.size();
  const auto visit = [&](std::int32_t node) {
    return Visit{node, squared_distance(box[node].low, box[node].high, p)};
  };
  std::array<Visit, 64> stack;  // two entries per level
  std::size_t waiting = 0;
  Nearest best;
  best.squared = within * within;
  stack[waiting++] = visit(0);
  while (waiting > 0) {
    const Visit next = stack[--waiting];
    if (next.squared > best.squared * (1 + same)) continue;
    const Node& node = nodes_[std::size_t(next.node)];
    if (node.right == 0) {
      for (std::int32_t t = node.first; t < node.first + node.count; ++t) compare(moment, t, p, best);
      continue;
    }
    Visit near = visit(next.node + 1), far = visit(node.right);
    if (far.squared < near.squared) std::swap(near, far);
    stack[waiting++] = far;
    stack[waiting++] = near;
  }
  return best;
}

PosedSurface::MovingDistance PosedSurface::at(int moment, const vec3& p, real within) const {
  const Nearest near = nearest(moment, p, within + half_shell_);
  MovingDistance out{{within, vec3(0, 1, 0)}, vec3(0)};
  if (near.triangle < 0) return out;
  const vec3 face = normal(moment, near.triangle), away = p - near.point;
  const real length = std::sqrt(near.squared);
  const real side = half_shell_ > real(0) || glm::dot(face, away) >= real(0) ? real(1) : real(-1);
  out.d = side * length - half_shell_;
  out.n = length > least_away ? side / length * away : face;
  if (moment > 0) out.moved = place_of(moment, near) - place_of(moment - 1, near);
  return out;
}

vec3 PosedSurface::carried(int from, int to, const vec3& p, real within) const {
  const Nearest near = nearest(from, p, within);
  if (near.triangle < 0) return p;
  const Triangle& t = triangles_[std::size_t(near.triangle)];
  const auto frame = [&](int moment) {
    const vec3* const x = corners(moment);
    return axes(x[t[0]], x[t[1]], normal(moment, near.triangle));
  };
  return place_of(to, near) + frame(to) * ((p - place_of(from, near)) * frame(from));
}

real PosedSurface::least_distance(const vec3& p) const {
  const Box& box = boxes_[nodes_.size()];  // root box at the frame's start
  return std::sqrt(squared_distance(box.low, box.high, p)) - half_shell_ - farthest_;
}

}}  // namespace limber::LIMBER_PRECISION
