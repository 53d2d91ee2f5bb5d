#include "engine/contact/coupling/coupling_search.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real body_share = real(0.02);   // safe bound of a path: share of a body's reach,
constexpr real speed_share = real(0.25);  // plus share of the displacement in a frame
// rad; with this rotation no point moves farther than twice its distance from the axis.
constexpr real most_spin = 2;

Bounds nothing() {
  constexpr real far = std::numeric_limits<real>::max();
  return {vec3(far), vec3(-far)};
}
void grow(Bounds& box, const Bounds& more) {
  box.low = glm::min(box.low, more.low), box.high = glm::max(box.high, more.high);
}
bool share_room(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}
Bounds box_of_way(const Bounds& box, const vec3& way, real more) {
  return {glm::min(box.low, box.low + way) - more, glm::max(box.high, box.high + way) + more};
}

}  // namespace

void CouplingSearch::reserve(const World& world) {
  const Topology& topology = *world.topology;
  blocks_.clear();
  const auto cut = [&](std::int32_t begin, std::int32_t end, std::int32_t size) {
    for (; begin < end; begin += size) blocks_.push_back({begin, std::min(begin + size, end)});
  };
  std::int32_t last = 0;
  for (const ParticleRange& object : topology.objects) {
    cut(object.first, object.end(), block_particles_);
    last = std::max(last, object.end());
  }
  cut(last, world.particles.count, block_particles_);  // particles in reserve for tears
  particle_blocks_ = blocks_.size();
  const std::int32_t triangles = std::int32_t(topology.triangles.size());
  cut(0, triangles, block_triangles_);
  cut(triangles, topology.facets(), block_triangles_);

  const std::size_t shapes = shape_count(world);
  boxes_.resize(shapes + blocks_.size());
  places_.resize(shapes);
  body_paths_.resize(std::size_t(world.bodies.count()) + world.colliders.size());
  paths_.resize(std::size_t(world.particles.count));
  particle_boxes_.resize(paths_.size());
  tied_to_.assign(paths_.size(), -1);
  travel_.assign(paths_.size(), 0);
  shape_travel_.assign(shapes, 0);
  noted_.clear();
}

void CouplingSearch::place_shapes(const World& world, real ahead, const Team& team) {
  const Bodies& bodies = world.bodies;
  const real fall = ahead * ahead * real(glm::length(world.settings.solver.motion->gravity));
  const auto box_of = [&](std::int64_t s) -> PairBox& {
    PairBox& box = boxes_[std::size_t(s)];
    box = {};
    box.owner = shape(world, std::int32_t(s)).body;
    box.movable = false;  // the blocks search for partners
    return box;
  };
  const Share mine = team.share(std::int64_t(shape_count(world)), 16);
  for (std::int64_t s = mine.begin; s < mine.end; ++s) {
    const PlacedShape& shape = this->shape(world, std::int32_t(s));
    const std::size_t i = std::size_t(shape.body);
    if (const std::int32_t k = thin_number(world, std::int32_t(s)); k >= 0) {
      const real travel = thin_.travel(std::size_t(k));
      const Placed& at = places_[std::size_t(s)] = thin_.at(std::size_t(k));
      box_of(s).box = box_of_way(bounds(shape.shape, at), vec3(0), travel);
      body_paths_[i] = {at.position, vec3(0), travel, 0, {}};
      continue;
    }
    const bool movable = bodies.position[i].w > real(0);
    const vec3 v = movable ? vec3(bodies.velocity[i]) : vec3(0);
    const real spin = movable ? std::min(glm::length(angular_velocity(bodies, i)) * ahead, most_spin) : 0;
    const real margin = movable ? body_share * shape.reach + speed_share * ahead * glm::length(v) + fall : 0;
    places_[std::size_t(s)] = placed(shape, bodies);
    box_of(s).box =
        box_of_way(bounds(shape.shape, places_[std::size_t(s)]), ahead * v, margin + spin * shape.reach);
    const bool first = s == 0 || this->shape(world, std::int32_t(s) - 1).body != shape.body;
    if (first) body_paths_[i] = {vec3(bodies.position[i]), v, margin, spin, bodies.orientation[i]};
  }
}

void CouplingSearch::place_particles(const World& world, const AlignedVector<vec4>& places, real ahead,
                                     const Team& team) {
  const Particles& particles = world.particles;
  const real fall = ahead * ahead * real(glm::length(world.settings.solver.motion->gravity));
  const Share mine = team.share(particles.count, particle_block);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    const vec3 x(places[i]), v(particles.velocity[i]);
    const real thickness = thickness_at(world, i);
    const real margin = thickness + speed_share * ahead * glm::length(v) + fall + margin_;
    paths_[i].start = x, paths_[i].speed = v, paths_[i].margin = margin;
    particle_boxes_[i] =
        box_of_way({x, x}, ahead * v, margin + thickness + fluid_reach(world, std::int32_t(k)));
  }
}

void CouplingSearch::place_blocks(const World& world, const Team& team) {
  const Topology& topology = *world.topology;
  const std::size_t shapes = shape_count(world);
  const Share mine = team.share(std::int64_t(blocks_.size()), 8);
  for (std::int64_t b = mine.begin; b < mine.end; ++b) {
    const Block& block = blocks_[std::size_t(b)];
    PairBox& box = boxes_[shapes + std::size_t(b)];
    box = {};
    box.box = nothing();
    box.owner = -1;
    for (std::int32_t k = block.begin; k < block.end; ++k) {
      if (std::size_t(b) < particle_blocks_) {
        if (topology.internal_to_external[std::size_t(k)] >= 0)
          grow(box.box, particle_boxes_[std::size_t(k)]);
        continue;
      }
      for (const std::int32_t i : topology.facet(k)) grow(box.box, particle_boxes_[std::size_t(i)]);
    }
    box.movable = box.box.low.x <= box.box.high.x;  // blocks without particles search for none
  }
}

/// A vertex tied to a body or a collider does not touch it, nor do its edges and triangles.
void CouplingSearch::note_ties(const World& world) {
  for (const std::int32_t i : noted_) tied_to_[std::size_t(i)] = -1;
  noted_.clear();
  const auto note = [&](std::int32_t particle, std::int32_t body) {
    tied_to_[std::size_t(particle)] = body;
    noted_.push_back(particle);
  };
  for (const BodyTie& tie : world.user.ties) note(tie.particle, tie.body);
  const std::int32_t bodies = world.bodies.count();
  for (const Attachment& attachment : world.user.attachments)
    if (attachment.body >= 0)
      note(attachment.particle, attachment.body);
    else if (attachment.collider >= 0)
      note(attachment.particle, bodies + attachment.collider);
  for (const PointTie& tie : world.user.point_ties) {
    if (tie.broken) continue;
    for (const auto& [end, other] : {std::pair(&tie.a, &tie.b), std::pair(&tie.b, &tie.a)})
      for (std::size_t k = 0; end->is_of_particles() && !other->is_of_particles() && k < end->points.size();
           ++k)
        if (end->weight[k] != real(0))
          note(end->points[k], other->body >= 0 ? other->body : bodies + other->collider);
  }
}

/// Whether a particle cannot touch a shape because it is tied to its body or the scene excludes the pair.
bool CouplingSearch::is_apart(const World& world, std::int32_t particle, std::int32_t shape) const {
  const std::int32_t body = this->shape(world, shape).body, bodies = world.bodies.count();
  return tied_to_[std::size_t(particle)] == body ||
         !(body < bodies ? particle_touches_body(world, particle, body)
                         : particle_touches_collider(world, particle, std::size_t(body - bodies)));
}

/// Whether an edge can meet a shape where its ends do not: an edge with a collider only if it is long.
bool CouplingSearch::meets(const World& world, std::int32_t shape, std::int32_t i, std::int32_t j) const {
  const std::int32_t k = thin_number(world, shape);
  return k < 0 || thin_.spans(world, std::size_t(k), i, j);
}

/// m, largest distance between a particle and a shape at the search from which they can still meet.
real CouplingSearch::reach(const World& world, std::int32_t particle, std::int32_t shape) const {
  const PredictedPath& own = paths_[std::size_t(particle)];
  const PredictedPath& body = body_paths_[std::size_t(boxes_[std::size_t(shape)].owner)];
  const real arm = glm::length(own.start - body.start) + ahead_ * glm::length(own.speed - body.speed);
  return ahead_ * glm::length(own.speed - body.speed) + body.turn * arm + 2 * own.margin + body.margin +
         fluid_reach(world, particle);
}

/// m, largest distance of two particles that stay within their safe bounds.
real CouplingSearch::most_apart(std::int32_t i, std::int32_t j) const {
  const PredictedPath &a = paths_[std::size_t(i)], &b = paths_[std::size_t(j)];
  return glm::length(a.start - b.start) + ahead_ * glm::length(a.speed - b.speed) + a.margin + b.margin;
}

void CouplingSearch::find_vertices(const World& world, std::int32_t shape, const Block& block,
                                   std::vector<CouplingPair>& out) const {
  if (thin_number(world, shape) >= 0) return;  // StaticContacts has those
  const Bounds& box = boxes_[std::size_t(shape)].box;
  const ConvexShape& solid = this->shape(world, shape).shape;
  for (std::int32_t i = block.begin; i < block.end; ++i) {
    if (world.topology->internal_to_external[std::size_t(i)] < 0) continue;
    if (!share_room(particle_boxes_[std::size_t(i)], box) || is_apart(world, i, shape)) continue;
    if (is_parked(world.topology->fluid, world.matter.fluid, i)) continue;
    const vec3& x = paths_[std::size_t(i)].start;
    const real distance = surface_distance(solid, places_[std::size_t(shape)], x).d;
    if (distance < reach(world, i, shape))
      keep(world, {{i, i, i}, shape, 0, CouplingKind::vertex, 0}, distance, out);
  }
}

void CouplingSearch::find_triangles(const World& world, std::int32_t shape, const Block& block,
                                    std::vector<CouplingPair>& out) const {
  const Topology& topology = *world.topology;
  const Bounds& box = boxes_[std::size_t(shape)].box;
  const ConvexShape& solid = this->shape(world, shape).shape;
  const Placed& at = places_[std::size_t(shape)];
  for (std::int32_t t = block.begin; t < block.end; ++t) {
    const auto corners = topology.facet(t);
    Bounds own = nothing();
    real far = 0, size = 0;
    vec3 middle(0);
    bool free = true;
    for (const std::int32_t i : corners) {
      grow(own, particle_boxes_[std::size_t(i)]);
      free &= !is_apart(world, i, shape);
      middle += paths_[std::size_t(i)].start / real(3);
    }
    if (!free || !share_room(own, box)) continue;
    for (const std::int32_t i : corners) {
      far = std::max(far, reach(world, i, shape));
      size = std::max(size, glm::length(paths_[std::size_t(i)].start - middle));
    }
    if (!(surface_distance(solid, at, middle).d - size < far)) continue;
    const vec3 x[3] = {paths_[std::size_t(corners[0])].start, paths_[std::size_t(corners[1])].start,
                       paths_[std::size_t(corners[2])].start};
    const std::uint8_t owned = topology.surface.owned[std::size_t(t)];
    const real thickness = thickness_over(world, corners);
    real longest = 0;
    bool any = false;
    for (std::size_t e = 0; e < 3; ++e) {
      const real side = most_apart(corners[e], corners[(e + 1) % 3]);
      longest = std::max(longest, side);
      if (!meets(world, shape, corners[e], corners[(e + 1) % 3])) continue;
      any = true;
      if (!(owned & 1 << (3 + e)) || corners_suffice(solid, side, thickness)) continue;
      const real distance = least_distance_of_edge(solid, at, x[e], x[(e + 1) % 3]);
      const std::int32_t from = corners[e], to = corners[(e + 1) % 3];
      if (distance < far) keep(world, {{from, to, from}, shape, 0, CouplingKind::edge, 0}, distance, out);
    }
    if (!any || topology.is_segment(t) || corners_suffice(solid, longest, thickness)) continue;
    for (std::int32_t k = 0; k < corner_count(solid); ++k) {
      if (solid.kind != ConvexKind::cylinder) {  // most corners of a shape are elsewhere
        const Corner corner = corner_of(solid, at, k, vec3(0));
        const real near = far + corner.radius;
        if (glm::any(glm::lessThan(corner.place, own.low - near)) ||
            glm::any(glm::greaterThan(corner.place, own.high + near)))
          continue;
      }
      const real distance = distance_of_corner(solid, at, k, x);
      if (distance < far)
        keep(world, {{corners[0], corners[1], corners[2]}, shape, k, CouplingKind::corner, 0}, distance, out);
    }
  }
}

/// Adds the pair if its features can come within twice the thickness, at which rows are made (before they
/// push).
void CouplingSearch::keep(const World& world, CouplingPair pair, real distance,
                          std::vector<CouplingPair>& out) const {
  pair.room =
      distance - 2 * thickness_over(world, pair.points) - margin_ - fluid_reach(world, pair.points[0]);
  out.push_back(pair);
}

void CouplingSearch::find_in(const World& world, const BoxPair& pair, std::vector<CouplingPair>& out) const {
  const std::size_t shapes = shape_count(world), b = std::size_t(pair.b);
  if (std::size_t(pair.a) >= shapes || b < shapes) return;  // two bodies
  const Block& block = blocks_[b - shapes];
  if (b - shapes < particle_blocks_)
    find_vertices(world, pair.a, block, out);
  else
    find_triangles(world, pair.a, block, out);
}

void CouplingSearch::run(const World& world, const AlignedVector<vec4>& places, real ahead, Team& team) {
  if (team.rank() == 0) {
    ahead_ = ahead;
    margin_ = real(world.settings.solver.contact->contact_margin);
    list_per_thread(found_, team);
    note_ties(world);
  }
  team.barrier();
  place_shapes(world, ahead, team);
  place_particles(world, places, ahead, team);
  team.barrier();
  place_blocks(world, team);
  team.barrier();
  grid_.find(boxes_, team);
  team.barrier();
  std::vector<CouplingPair>& found = found_[std::size_t(team.rank())];
  found.clear();
  const std::span<const BoxPair> near = grid_.pairs();
  const Share mine = team.share(std::int64_t(near.size()));
  for (std::int64_t p = mine.begin; p < mine.end; ++p) find_in(world, near[std::size_t(p)], found);
  team.barrier();
  if (team.rank() == 0) {  // the pairs of boxes are sorted, so these pairs are too
    pairs_.clear();
    for (const auto& list : found_) pairs_.insert(pairs_.end(), list.begin(), list.end());
  }
}

bool CouplingSearch::covers(const World& world, const vec4* rows, real elapsed, Team& team) {
  const auto outside = [&](const PredictedPath& path, const vec3& now) {
    const vec3 away = now - (path.start + elapsed * path.speed);
    return !(glm::dot(away, away) <= path.margin * path.margin);
  };
  bool left = false;
  const Bodies& bodies = world.bodies;
  const auto& shapes = world.bodies.parts->shapes;
  for (std::size_t k = 0; k < thin_.shapes().size() && team.rank() == 0; ++k)
    shape_travel_[shapes.size() + k] = 3 * thin_.travel(k);  // since the search, and twice that of a substep
  const Share mine = team.share(std::int64_t(shapes.size()), 16);
  for (std::int64_t s = mine.begin; s < mine.end; ++s) {
    const std::size_t i = std::size_t(shapes[std::size_t(s)].body);
    const vec4* const row = rows + body_rows * i;
    const vec3 x(bodies.position[i]), shift(row[row_shift]);
    left |= bodies.position[i].w > real(0) && outside(body_paths_[i], x + shift);
    const vec4 q = bodies.orientation[i], before = body_paths_[i].orientation;
    const vec4 change = q - (glm::dot(q, before) < real(0) ? -before : before);
    const real turn =
        std::min(real(2.3) * glm::length(change), real(4)) + 2 * glm::length(vec3(row[row_turn]));
    shape_travel_[std::size_t(s)] =
        glm::length(x - body_paths_[i].start) + 2 * glm::length(shift) + turn * shapes[std::size_t(s)].reach;
  }
  const Share own = team.share(world.particles.count, particle_block);
  for (std::int64_t k = own.begin; k < own.end; ++k) {
    const std::size_t i = std::size_t(k);
    const vec3 x(world.particles.previous[i]), p(world.particles.position[i]);
    left |= outside(paths_[i], p);
    travel_[i] = glm::length(x - paths_[i].start) + 2 * glm::length(p - x);
  }
  if (left) left_.store(true, std::memory_order_relaxed);
  team.barrier();
  const bool any = left_.load(std::memory_order_relaxed);
  team.barrier();
  if (team.rank() == 0) left_.store(false, std::memory_order_relaxed);
  return !any;  // in either case a barrier follows before left_ is set again
}

}}  // namespace limber::LIMBER_PRECISION
