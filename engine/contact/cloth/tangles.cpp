#include "engine/contact/cloth/tangles.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

using L1 = Lanes<real, 1>;

/// Frames after the last intersection during which surfaces that were close together are still separated
/// slowly.
constexpr std::int32_t settle_frames = 20;
/// A fixed vertex counts more than any number of others: its region stays, the other region is pulled out.
constexpr std::int64_t held_size = std::int64_t(1) << 32;

/// Contours whose length would decrease by less than this share of an edge's displacement are moved slowly.
constexpr real least_gradient = real(0.25);

vec3 place(const World& world, std::int32_t i) { return vec3(world.particles.position[std::size_t(i)]); }

std::int32_t root(std::vector<std::int32_t>& parent, std::int32_t i) {
  while (parent[std::size_t(i)] != i)
    i = parent[std::size_t(i)] = parent[std::size_t(parent[std::size_t(i)])];
  return i;
}

void join(std::vector<std::int32_t>& parent, std::int32_t a, std::int32_t b) {
  a = root(parent, a), b = root(parent, b);
  parent[std::size_t(std::max(a, b))] = std::min(a, b);
}

/// Computes the weights s of sum_i s_i x_i, the edge's point minus the triangle's point: the point where the
/// edge meets the triangle's plane, and the point of the triangle nearest to it.
void set_weights(const vec3 (&x)[5], const vec3& normal, real (&s)[5]) {
  const real from = glm::dot(normal, x[0] - x[2]), to = glm::dot(normal, x[1] - x[2]);
  const real t = from == to ? real(0.5) : std::clamp(from / (from - to), real(0), real(1));
  const auto row = [](const vec3& p) { return Vec3<L1>{p.x, p.y, p.z}; };
  const Vec3<L1> triangle[3] = {row(x[2]), row(x[3]), row(x[4])};
  const TriangleWeights<L1> w = closest_on_triangle(row(x[0] + t * (x[1] - x[0])), triangle);
  s[0] = 1 - t, s[1] = t;
  for (int j = 0; j < 3; ++j) s[2 + j] = -w.b[j].v;
}

real distance(PairKind kind, const vec3 (&x)[4]) {
  Vec3<L1> p[4];
  for (int j = 0; j < 4; ++j) p[j] = {x[j].x, x[j].y, x[j].z};
  if (kind == PairKind::vertex_triangle) {
    const Vec3<L1> triangle[3] = {p[1], p[2], p[3]};
    const TriangleWeights<L1> w = closest_on_triangle(p[0], triangle);
    return glm::length((x[0] - x[3]) - w.b[0].v * (x[1] - x[3]) - w.b[1].v * (x[2] - x[3]));
  }
  const EdgeParameters<L1> e = closest_on_edges(p[0], p[1], p[2], p[3]);
  return glm::length((x[0] - x[2]) + e.s.v * (x[1] - x[0]) - e.t.v * (x[3] - x[2]));
}

vec3 unit(const vec3& v) {
  const real length = glm::length(v);
  return length > real(0) ? v / length : vec3(0);
}

}  // namespace

void Tangles::reserve(const World& world, std::size_t lists) {
  const std::size_t particles = std::size_t(world.particles.padded());
  search_.reserve(world);
  cut_.assign(world.topology->triangles.size(), 0);
  for (auto* labels : {&region_, &body_, &largest_}) labels->assign(particles, 0);
  size_.assign(particles, 0);
  partners_.assign(particles, 0);
  at_contour_.assign(particles, 0);
  untangling_.assign(world.topology->objects.size(), 0);
  for (auto& kept : kept_) kept.resize(lists);
}

void Tangles::begin_frame(World& world, real dt, Team& team) {
  const bool look = world.contacts.tangle_watch > 0 && world.settings.solver.contact->untangle_speed > 0.0;
  if (look) {
    search_.run(world, team);
    team.barrier();
  }
  if (team.rank() == 0) {
    active_ = false, tangled_ = 0;
    way_ =
        real(world.settings.solver.contact->untangle_speed) * dt / real(world.settings.solver.step->substeps);
    if (look) analyse(world);
  }
}

void Tangles::rest(Team& team) {
  if (team.rank() == 0) active_ = false;
}

void Tangles::analyse(World& world) {
  piercings_.clear();
  for (const auto& list : search_.found()) piercings_.insert(piercings_.end(), list.begin(), list.end());
  world.contacts.tangle_watch = piercings_.empty() ? world.contacts.tangle_watch - 1 : settle_frames;
  active_ = world.contacts.tangle_watch > 0;
  watch_objects(world);
  if (!active_) return;
  cut_edges(*world.topology);
  fill(world);
  mark(*world.topology);
  pulls_.clear();
  for (const Piercing& piercing : piercings_) add_pull(world, piercing);
}

/// Marks the objects that cross anything, also for settle_frames frames afterwards.
void Tangles::watch_objects(World& world) {
  std::vector<std::int32_t>& watch = world.contacts.untangling;
  watch.resize(untangling_.size(), 0);
  for (std::int32_t& frames : watch) frames = std::max(frames - 1, 0);
  const auto& triangles = world.topology->triangles;
  for (const Piercing& p : piercings_)
    for (const std::int32_t t : {p.owner, p.triangle})
      watch[std::size_t(world.particles.object[std::size_t(triangles[std::size_t(t)][0])])] = settle_frames;
  std::transform(watch.begin(), watch.end(), untangling_.begin(),
                 [](std::int32_t frames) { return std::uint8_t(frames > 0); });
}

void Tangles::cut_edges(const Topology& topology) {
  std::fill(cut_.begin(), cut_.end(), 0);
  for (const Piercing& p : piercings_) {
    cut_[std::size_t(p.owner)] ^= std::uint8_t(1 << p.side);
    const std::int32_t beyond = topology.surface.neighbors[std::size_t(p.owner)][std::size_t(p.side)];
    if (beyond < 0) continue;
    const auto& sides = topology.surface.neighbors[std::size_t(beyond)];
    for (int j = 0; j < 3; ++j)
      if (sides[std::size_t(j)] == p.owner) cut_[std::size_t(beyond)] ^= std::uint8_t(1 << j);
  }
}

/// Computes regions and meshes, their sizes, and the largest region of each mesh.
void Tangles::fill(const World& world) {
  const auto& triangles = world.topology->triangles;
  std::iota(region_.begin(), region_.end(), 0);
  std::iota(body_.begin(), body_.end(), 0);
  std::iota(largest_.begin(), largest_.end(), 0);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::int32_t from = triangles[t][j], to = triangles[t][(j + 1) % 3];
      join(body_, from, to);
      if (!(cut_[t] >> j & 1)) join(region_, from, to);
    }
  std::fill(size_.begin(), size_.end(), 0);
  for (std::int32_t i = 0; i < world.particles.count; ++i) {
    const bool held = world.particles.position[std::size_t(i)].w == real(0);
    size_[std::size_t(root(region_, i))] += held ? held_size : 1;
  }
  for (std::int32_t i = 0; i < world.particles.count; ++i) {
    region_[std::size_t(i)] = root(region_, i);
    body_[std::size_t(i)] = root(body_, i);
    std::int32_t& largest = largest_[std::size_t(body_[std::size_t(i)])];
    if (size_[std::size_t(region_[std::size_t(i)])] > size_[std::size_t(largest)])
      largest = region_[std::size_t(i)];
  }
}

/// Marks the vertices at a contour, and the meshes that each region crosses.
void Tangles::mark(const Topology& topology) {
  std::fill(partners_.begin(), partners_.end(), 0);
  std::fill(at_contour_.begin(), at_contour_.end(), 0);
  for (const Piercing& p : piercings_) {
    const auto& edge = topology.triangles[std::size_t(p.owner)];
    for (int end : {0, 1}) at_contour_[std::size_t(edge[std::size_t((p.side + end) % 3)])] = 1;
    for (std::int32_t corner : topology.triangles[std::size_t(p.triangle)])
      at_contour_[std::size_t(corner)] = 1;
  }
  for (std::size_t i = 0; i < region_.size(); ++i)
    tangled_ += at_contour_[i] || region_[i] != largest_[std::size_t(body_[i])];
}

/// The smaller of two regions; of two equal ones that with the higher number.
std::int32_t Tangles::smaller(std::int32_t a, std::int32_t b) const {
  const std::int64_t size_a = size_[std::size_t(a)], size_b = size_[std::size_t(b)];
  return size_a != size_b ? (size_a < size_b ? a : b) : std::max(a, b);
}

void Tangles::add_pull(const World& world, const Piercing& p) {
  const auto& edge = world.topology->triangles[std::size_t(p.owner)];
  const auto& t = world.topology->triangles[std::size_t(p.triangle)];
  Pull pull{
      {edge[std::size_t(p.side)], edge[std::size_t((p.side + 1) % 3)], t[0], t[1], t[2]}, {}, vec3(0), way_};
  vec3 x[5];
  std::int32_t region[5];
  for (int j = 0; j < 5; ++j) {
    x[j] = place(world, pull.vertices[j]);
    region[j] = region_[std::size_t(pull.vertices[j])];
  }
  const vec3 normal = unit(glm::cross(x[3] - x[2], x[4] - x[2]));
  set_weights(x, normal, pull.weight);
  const bool divided = region[2] != region[3] || region[3] != region[4];
  if (region[0] == region[1]) {
    pull.along = shortening(world, p, normal);
    const real length = glm::length(pull.along);
    pull.along = unit(pull.along);
    pull.way *= length / std::hypot(length, least_gradient);  // a straight contour cannot be shortened
  } else {
    const std::int32_t out = smaller(region[0], region[1]);
    const std::int32_t other = smaller(smaller(region[2], region[3]), region[4]);
    // The triangle's region is pulled out instead.
    if (divided && smaller(out, other) == other && out != other) return;
    partners_[std::size_t(out)] |= std::uint64_t(1) << (body_[std::size_t(t[0])] % 64);
    const bool up = (glm::dot(normal, x[1] - x[0]) > real(0)) == (out == region[0]);
    pull.along = up ? normal : -normal;
  }
  pulls_.push_back(pull);
}

/// Gradient of the contour's length for a displacement of edge e against the triangle: the sum of r - 2
/// (e.r)/(e.n) n over the triangles at e, with r the unit vector along the contour in that triangle, away
/// from e.
vec3 Tangles::shortening(const World& world, const Piercing& p, const vec3& normal) const {
  const Topology& topology = *world.topology;
  const auto& edge = topology.triangles[std::size_t(p.owner)];
  const std::int32_t a = edge[std::size_t(p.side)], b = edge[std::size_t((p.side + 1) % 3)];
  const vec3 e = unit(place(world, b) - place(world, a));
  const real across = glm::dot(e, normal);
  vec3 sum(0);
  for (std::int32_t t : {p.owner, topology.surface.neighbors[std::size_t(p.owner)][std::size_t(p.side)]}) {
    if (t < 0) continue;
    vec3 inward(0), x[3];
    for (std::size_t j = 0; j < 3; ++j) {
      const std::int32_t i = topology.triangles[std::size_t(t)][j];
      x[j] = place(world, i);
      if (i != a && i != b) inward = x[j] - place(world, a);
    }
    inward -= glm::dot(inward, e) * e;
    vec3 r = unit(glm::cross(normal, glm::cross(x[1] - x[0], x[2] - x[0])));
    if (glm::dot(r, inward) < real(0)) r = -r;
    sum += r;
    if (std::abs(across) > real(0.1)) sum -= 2 * glm::dot(e, r) / across * normal;
  }
  return sum;
}

/// True if the region of i is to be pulled out of the mesh of `other`.
bool Tangles::crossed(std::int32_t i, std::int32_t other) const {
  const std::int32_t region = region_[std::size_t(i)];
  return region != region_[std::size_t(other)] &&
         (partners_[std::size_t(region)] >> (body_[std::size_t(other)] % 64) & 1) != 0;
}

bool Tangles::released(PairKind kind, const SurfacePair& pair) const {
  const int split = kind == PairKind::vertex_triangle ? 1 : 2;
  for (int j = 0; j < split; ++j)
    for (int k = split; k < 4; ++k) {
      const std::int32_t a = pair.vertices[j], b = pair.vertices[k];
      if (crossed(a, b) || crossed(b, a)) return true;
      if (split == 2 && at_contour_[std::size_t(a)] && at_contour_[std::size_t(b)]) return true;
    }
  return false;
}

void Tangles::release(PairKind kind, std::span<const std::vector<SurfacePair>> found,
                      const AlignedVector<vec4>& places, const Team& team) {
  const Share blocks = team.share(std::int64_t(found.size()));
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) {
    std::vector<SurfacePair>& kept = kept_[int(kind)][std::size_t(b)];
    kept.clear();
    for (SurfacePair pair : found[std::size_t(b)]) {
      if (released(kind, pair)) continue;
      vec3 x[4];
      for (int j = 0; j < 4; ++j) x[j] = vec3(places[std::size_t(pair.vertices[j])]);
      pair.distance = std::min(pair.distance, distance(kind, x) + way_);
      kept.push_back(pair);
    }
  }
}

/// C = along . sum_i s_i (x_i - previous_i) - way >= 0, so nothing is added if the edge already moves fast
/// enough. No vertex is moved by more than |C|; otherwise a vertex near a fixed corner would have to make the
/// whole correction.
void Tangles::pull(World& world) const {
  Particles& particles = world.particles;
  for (const Pull& p : pulls_) {
    vec3 moved(0);
    real sum = 0;
    for (int j = 0; j < 5; ++j) {
      const std::size_t i = std::size_t(p.vertices[j]);
      moved += p.weight[j] * vec3(particles.position[i] - particles.previous[i]);
      sum += particles.position[i].w * p.weight[j] * p.weight[j];
    }
    for (int j = 0; j < 5 && sum > real(0); ++j)
      sum = std::max(sum, particles.position[std::size_t(p.vertices[j])].w * std::abs(p.weight[j]));
    const real C = glm::dot(p.along, moved) - p.way;
    if (!(C < real(0)) || !(sum > real(0))) continue;
    for (int j = 0; j < 5; ++j) {
      const std::size_t i = std::size_t(p.vertices[j]);
      move_particle(particles, i, (-C / sum * particles.position[i].w * p.weight[j]) * p.along);
    }
  }
}

}}  // namespace limber::LIMBER_PRECISION
