#include "app/tools/picking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <vector>

namespace limber {
namespace {

constexpr float no_hit = std::numeric_limits<float>::infinity();

/// Distance along the ray to a triangle, from either side (Moeller and Trumbore 1997); no_hit if it misses.
float meet_triangle(const Ray& ray, glm::vec3 a, glm::vec3 b, glm::vec3 c) {
  const glm::vec3 ab = b - a, ac = c - a;
  const glm::vec3 p = glm::cross(ray.direction, ac);
  const float det = glm::dot(ab, p);
  if (det == 0.0f) return no_hit;
  const glm::vec3 s = ray.origin - a;
  const float u = glm::dot(s, p) / det;
  if (!(u >= 0.0f && u <= 1.0f)) return no_hit;
  const glm::vec3 q = glm::cross(s, ab);
  const float v = glm::dot(ray.direction, q) / det;
  if (!(v >= 0.0f && u + v <= 1.0f)) return no_hit;
  const float t = glm::dot(ac, q) / det;
  return t > 0.0f ? t : no_hit;
}

float meet_sphere(const Ray& ray, glm::vec3 centre, float radius) {
  const glm::vec3 from = ray.origin - centre;
  const float b = glm::dot(from, ray.direction);
  const float root = b * b - glm::dot(from, from) + radius * radius;
  if (root < 0.0f) return no_hit;
  const float t = -b - std::sqrt(root);
  return t > 0.0f ? t : no_hit;
}

/// Distance to the cube [-1,1]^3 under `transform`. Slab test in the cube's own space, in which t is still
/// the distance in the world.
float meet_box(const Ray& ray, const glm::mat4& transform) {
  const glm::mat4 inverse = glm::inverse(transform);
  const glm::vec3 origin(inverse * glm::vec4(ray.origin, 1.0f));
  const glm::vec3 direction(inverse * glm::vec4(ray.direction, 0.0f));
  const glm::vec3 t0 = (glm::vec3(-1.0f) - origin) / direction, t1 = (glm::vec3(1.0f) - origin) / direction;
  const glm::vec3 enter = glm::min(t0, t1), leave = glm::max(t0, t1);
  const float first = std::max({enter.x, enter.y, enter.z}), last = std::min({leave.x, leave.y, leave.z});
  return first > 0.0f && first <= last ? first : no_hit;
}

/// Distance to a capsule: two caps, and the infinite cylinder between them cut at the cap centres.
float meet_capsule(const Ray& ray, const PrimitiveDraw& solid) {
  const glm::vec3 axis(solid.transform[1]), centre(solid.transform[3]);
  const glm::vec3 tip = axis * solid.half_length;
  const float caps =
      std::min(meet_sphere(ray, centre + tip, solid.radius), meet_sphere(ray, centre - tip, solid.radius));
  const glm::vec3 from = ray.origin - centre;
  const glm::vec3 d = ray.direction - glm::dot(ray.direction, axis) * axis,
                  o = from - glm::dot(from, axis) * axis;
  const float a = glm::dot(d, d), b = glm::dot(d, o), c = glm::dot(o, o) - solid.radius * solid.radius;
  const float root = b * b - a * c;
  if (a == 0.0f || root < 0.0f) return caps;
  const float t = (-b - std::sqrt(root)) / a;
  const float along = glm::dot(from + t * ray.direction, axis);
  return t > 0.0f && std::abs(along) <= solid.half_length ? std::min(t, caps) : caps;
}

/// Distance to the unit cylinder under `transform`. The wall and the caps are tested in the cylinder's own
/// space, in which t is still the distance in the world.
float meet_cylinder(const Ray& ray, const glm::mat4& transform) {
  const glm::mat4 inverse = glm::inverse(transform);
  const glm::vec3 o(inverse * glm::vec4(ray.origin, 1.0f)), d(inverse * glm::vec4(ray.direction, 0.0f));
  float nearest = no_hit;
  const float a = d.x * d.x + d.z * d.z, b = o.x * d.x + o.z * d.z, c = o.x * o.x + o.z * o.z - 1.0f;
  if (const float root = b * b - a * c; a > 0.0f && root >= 0.0f) {
    const float t = (-b - std::sqrt(root)) / a;
    if (t > 0.0f && std::abs(o.y + t * d.y) <= 1.0f) nearest = t;
  }
  for (const float cap : {-1.0f, 1.0f}) {
    const float t = (cap - o.y) / d.y;
    const glm::vec3 at = o + t * d;
    if (t > 0.0f && t < nearest && at.x * at.x + at.z * at.z <= 1.0f) nearest = t;
  }
  return nearest;
}

/// Distance t along the ray to the mesh. The test is done in the mesh's own space, with a direction that is
/// not normalised, so t remains the distance in the world.
float meet_mesh(const Ray& ray, const PrimitiveDraw& solid) {
  const glm::vec3 reach = glm::max(solid.geometry->reach, glm::vec3(1e-6f));
  if (meet_box(ray, glm::scale(solid.transform, reach)) == no_hit) return no_hit;
  const glm::mat4 inverse = glm::inverse(solid.transform);
  const Ray own{glm::vec3(inverse * glm::vec4(ray.origin, 1.0f)),
                glm::vec3(inverse * glm::vec4(ray.direction, 0.0f))};
  const std::vector<glm::vec3>& corners = solid.geometry->positions;
  float nearest = no_hit;
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    nearest = std::min(nearest, meet_triangle(own, corners[i], corners[i + 1], corners[i + 2]));
  return nearest;
}

float meet_solid(const Ray& ray, const PrimitiveDraw& solid) {
  switch (solid.shape) {
    case PrimitiveDraw::Shape::sphere:
      return meet_sphere(ray, glm::vec3(solid.transform[3]), glm::length(glm::vec3(solid.transform[0])));
    case PrimitiveDraw::Shape::box:
      return meet_box(ray, solid.transform);
    case PrimitiveDraw::Shape::mesh:
      return meet_mesh(ray, solid);
    case PrimitiveDraw::Shape::cylinder:
      return meet_cylinder(ray, solid.transform);
    case PrimitiveDraw::Shape::capsule:
      break;
  }
  return meet_capsule(ray, solid);
}

void meet_triangles(const RenderFrame& frame, const Ray& ray, SurfaceHit& nearest) {
  if (!frame.surfaces) return;
  const auto& indices = frame.surfaces->indices;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const float t = meet_triangle(ray, frame.positions[indices[i]], frame.positions[indices[i + 1]],
                                  frame.positions[indices[i + 2]]);
    if (t < nearest.distance) nearest = {t, std::int64_t(i), -1};
  }
}

Index nearest_corner(const RenderFrame& frame, std::int64_t triangle, glm::vec3 point) {
  const auto corners = frame.surfaces->indices.begin() + triangle;
  const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
    return glm::distance(frame.positions[a], point) < glm::distance(frame.positions[b], point);
  };
  return Index(frame.vertex_of(*std::min_element(corners, corners + 3, nearer)));
}

struct Candidate {
  float pixels;
  Index vertex;
};

/// Vertices that project within `reach` pixels of the cursor, nearest first, at most eight.
std::vector<Candidate> near_cursor(const RenderFrame& frame, const Camera& camera, glm::vec2 pixel,
                                   glm::vec2 size, float reach) {
  const glm::mat4 project = camera.projection(size.x / size.y) * camera.view();
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < frame.vertex_count(); ++i) {
    if (frame.is_absent(i)) continue;
    const glm::vec4 clip = project * glm::vec4(frame.positions[i], 1.0f);
    if (clip.w <= 0.0f) continue;
    const glm::vec2 at = (glm::vec2(clip.x, -clip.y) / clip.w * 0.5f + 0.5f) * size;
    if (const float pixels = glm::distance(at, pixel); pixels <= reach) found.push_back({pixels, Index(i)});
  }
  const auto kept = std::min<std::size_t>(found.size(), 8);
  std::partial_sort(found.begin(), found.begin() + std::ptrdiff_t(kept), found.end(),
                    [](const Candidate& a, const Candidate& b) { return a.pixels < b.pixels; });
  found.resize(kept);
  return found;
}

bool visible(const RenderFrame& frame, glm::vec3 eye, Index vertex) {
  const glm::vec3 way = frame.positions[std::size_t(vertex)] - eye;
  const float distance = glm::length(way);
  if (distance == 0.0f) return false;
  const auto hit = cast_ray(frame, {eye, way / distance}, vertex);
  // The triangles of the vertex itself are hit at its distance. The tolerance of 5 mm is the thickness of a
  // cloth.
  return !hit || hit->distance > distance - 0.005f;
}

/// The particle nearest to `point` among the particles of which `solid` is the mesh.
Index nearest_particle(const RenderFrame& frame, const PrimitiveDraw& solid, glm::vec3 point) {
  const auto first = frame.positions.begin() + solid.first_vertex, end = first + solid.vertex_count;
  const auto nearer = [&](const glm::vec3& a, const glm::vec3& b) {
    return glm::distance(a, point) < glm::distance(b, point);
  };
  return Index(std::min_element(first, end, nearer) - frame.positions.begin());
}

bool stands_for(const PrimitiveDraw& solid, Index vertex) {
  return vertex >= solid.first_vertex && vertex < solid.first_vertex + solid.vertex_count;
}

void meet_points(const PointCloud& points, const Ray& ray, Index skip, SurfaceHit& nearest) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(points.spheres[i].w > 0.0f)) continue;  // not in the scene
    const float t = meet_sphere(ray, glm::vec3(points.spheres[i]), points.spheres[i].w);
    if (!(t < nearest.distance)) continue;
    const Index vertex = points.vertex_of(i);
    if (skip < 0 || vertex != skip) nearest = {t, -1, vertex};
  }
}

}  // namespace

std::optional<SurfaceHit> cast_ray(const RenderFrame& frame, const Ray& ray, Index skip) {
  SurfaceHit nearest{no_hit, -1, -1};
  meet_triangles(frame, ray, nearest);
  meet_points(frame.points, ray, skip, nearest);
  const PrimitiveDraw* filled = nullptr;
  for (const PrimitiveDraw& solid : frame.solids) {
    if (skip >= 0 && stands_for(solid, skip)) continue;
    const float t = meet_solid(ray, solid);
    if (!(t < nearest.distance)) continue;
    nearest = {t, -1, -1, solid.body};
    filled = solid.vertex_count > 0 ? &solid : nullptr;
  }
  if (filled)
    nearest.vertex = nearest_particle(frame, *filled, ray.origin + nearest.distance * ray.direction);
  if (frame.ground && ray.direction.y < 0.0f && ray.origin.y > 0.0f)
    if (const float t = -ray.origin.y / ray.direction.y; t < nearest.distance) nearest = {t, -1, -1};
  if (nearest.distance == no_hit) return std::nullopt;
  return nearest;
}

std::optional<Index> pick_vertex(const RenderFrame& frame, const Camera& camera, glm::vec2 pixel,
                                 glm::vec2 size, float reach_px) {
  const Ray ray = camera.ray(pixel, size);
  if (const auto hit = cast_ray(frame, ray)) {
    if (hit->vertex >= 0) return hit->vertex;
    if (hit->triangle >= 0)
      return nearest_corner(frame, hit->triangle, ray.origin + hit->distance * ray.direction);
  }
  for (const Candidate& candidate : near_cursor(frame, camera, pixel, size, reach_px))
    if (visible(frame, camera.seen_from(frame.positions[std::size_t(candidate.vertex)]), candidate.vertex))
      return candidate.vertex;
  return std::nullopt;
}

}  // namespace limber
