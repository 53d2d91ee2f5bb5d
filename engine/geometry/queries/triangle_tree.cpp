#include "engine/geometry/queries/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>

namespace limber {
namespace {

constexpr std::int32_t leaf_size = 4;
/// Distance, in radii, from which a group of triangles counts as a dipole (Barill et al. 2018)
constexpr double far_enough = 2.0;

using Corners = std::array<glm::dvec3, 3>;

glm::dvec3 area_vector(const Corners& t) { return 0.5 * glm::cross(t[1] - t[0], t[2] - t[0]); }
glm::dvec3 centroid(const Corners& t) { return (t[0] + t[1] + t[2]) / 3.0; }
double squared_length(const glm::dvec3& v) { return glm::dot(v, v); }

/// Vector from `p` to the nearest point of a triangle, by the region into which p projects (Ericson,
/// Real-Time Collision Detection, 5.1.5).
glm::dvec3 to_nearest(const Corners& t, const glm::dvec3& p) {
  const glm::dvec3 &a = t[0], &b = t[1], &c = t[2];
  const glm::dvec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = glm::dot(ab, ap), d2 = glm::dot(ac, ap);
  if (d1 <= 0.0 && d2 <= 0.0) return -ap;
  const glm::dvec3 bp = p - b;
  const double d3 = glm::dot(ab, bp), d4 = glm::dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return -bp;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return d1 / (d1 - d3) * ab - ap;
  const glm::dvec3 cp = p - c;
  const double d5 = glm::dot(ab, cp), d6 = glm::dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return -cp;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return d2 / (d2 - d6) * ac - ap;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
    return (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b) - bp;
  const double scale = 1.0 / (va + vb + vc);
  return vb * scale * ab + vc * scale * ac - ap;
}

double squared_distance(const Corners& t, const glm::dvec3& p) { return squared_length(to_nearest(t, p)); }

/// Solid angle of a triangle seen from `p` (van Oosterom and Strackee 1983).
double solid_angle(const Corners& t, const glm::dvec3& p) {
  const glm::dvec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
  const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
  const double denominator = la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb;
  return 2.0 * std::atan2(glm::dot(a, glm::cross(b, c)), denominator);
}

}  // namespace

TriangleTree::TriangleTree(const TriMesh& mesh) {
  triangles_.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    triangles_.push_back({mesh.positions[std::size_t(t[0])], mesh.positions[std::size_t(t[1])],
                          mesh.positions[std::size_t(t[2])]});
  nodes_.reserve(triangles_.size());
  build(0, std::int32_t(triangles_.size()));
}

/// Splits at the median along the longest side, so the depth is the logarithm of the count.
std::int32_t TriangleTree::build(std::int32_t first, std::int32_t count) {
  const auto begin = triangles_.begin() + first, end = begin + count;
  Node node{};
  node.low = glm::dvec3(std::numeric_limits<double>::max());
  node.high = -node.low;
  double area = 0.0;
  for (auto t = begin; t != end; ++t) {
    for (const glm::dvec3& corner : *t) {
      node.low = glm::min(node.low, corner);
      node.high = glm::max(node.high, corner);
    }
    const glm::dvec3 vector = area_vector(*t);
    node.area_vector += vector;
    node.center += glm::length(vector) * centroid(*t);
    area += glm::length(vector);
  }
  node.center = area > 0.0 ? node.center / area : 0.5 * (node.low + node.high);
  for (auto t = begin; t != end; ++t)
    for (const glm::dvec3& corner : *t)
      node.radius = std::max(node.radius, glm::length(corner - node.center));
  node.first = first;
  node.count = count;

  const auto index = std::int32_t(nodes_.size());
  nodes_.push_back(node);
  if (count <= leaf_size) return index;
  const glm::dvec3 extent = node.high - node.low;
  const int axis = extent.x >= extent.y ? (extent.x >= extent.z ? 0 : 2) : (extent.y >= extent.z ? 1 : 2);
  const std::int32_t half = count / 2;
  std::nth_element(begin, begin + half, end, [axis](const Corners& a, const Corners& b) {
    return centroid(a)[axis] < centroid(b)[axis];
  });
  build(first, half);
  const std::int32_t right = build(first + half, count - half);
  nodes_[std::size_t(index)].right = right;
  return index;
}

double TriangleTree::squared_distance_to_box(const Node& node, const glm::dvec3& p) {
  return squared_length(p - glm::clamp(p, node.low, node.high));
}

/// Visits the triangles of all leaves whose boxes are nearer to `p` than the root of `best`, which `act`
/// reduces.
template <class Act>
void TriangleTree::search(const glm::dvec3& p, const double& best, const Act& act) const {
  struct Visit {
    std::int32_t node;
    double squared;
  };
  std::array<Visit, 64> stack;  // two entries a level, and 2^31 triangles are 30 levels
  std::size_t waiting = 0;
  stack[waiting++] = {0, squared_distance_to_box(nodes_[0], p)};
  while (waiting > 0) {
    const Visit visit = stack[--waiting];
    if (!(visit.squared < best)) continue;
    const Node& node = nodes_[std::size_t(visit.node)];
    if (node.right == 0) {
      for (std::int32_t t = node.first; t < node.first + node.count; ++t) act(triangles_[std::size_t(t)]);
      continue;
    }
    Visit near{visit.node + 1, squared_distance_to_box(nodes_[std::size_t(visit.node) + 1], p)};
    Visit far{node.right, squared_distance_to_box(nodes_[std::size_t(node.right)], p)};
    if (far.squared < near.squared) std::swap(near, far);
    stack[waiting++] = far;
    stack[waiting++] = near;
  }
}

double TriangleTree::distance(const glm::dvec3& p, double within) const {
  double best = within * within;
  search(p, best, [&](const Corners& t) { best = std::min(best, squared_distance(t, p)); });
  return std::sqrt(best);
}

TriangleTree::Nearest TriangleTree::nearest(const glm::dvec3& p, double within) const {
  constexpr double tie = 1.0 + 1e-9;  // triangles that share an edge differ by rounding only
  Nearest out{p, glm::dvec3(0.0), within};
  double best = within * within, limit = best, facing = 0.0;
  search(p, limit, [&](const Corners& t) {
    const glm::dvec3 to = to_nearest(t, p);
    const double squared = squared_length(to);
    if (!(squared < limit)) return;
    const glm::dvec3 area = area_vector(t), normal = area / glm::length(area);
    const double now = std::abs(glm::dot(normal, to));
    if (squared * tie < best || now > facing) out.point = p + to, out.normal = normal, facing = now;
    if (squared < best) best = squared, limit = std::min(limit, best * tie);
  });
  out.distance = std::sqrt(best);
  return out;
}

double TriangleTree::winding_number(const glm::dvec3& p) const {
  std::array<std::int32_t, 64> stack;
  std::size_t waiting = 0;
  double angle = 0.0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    const std::int32_t index = stack[--waiting];
    const Node& node = nodes_[std::size_t(index)];
    const glm::dvec3 to = node.center - p;
    const double squared = squared_length(to);
    if (squared > far_enough * far_enough * node.radius * node.radius) {
      angle += glm::dot(node.area_vector, to) / (squared * std::sqrt(squared));
    } else if (node.right == 0) {
      for (std::int32_t t = node.first; t < node.first + node.count; ++t)
        angle += solid_angle(triangles_[std::size_t(t)], p);
    } else {
      stack[waiting++] = node.right;
      stack[waiting++] = index + 1;
    }
  }
  return angle / (4.0 * std::numbers::pi);
}

}  // namespace limber
