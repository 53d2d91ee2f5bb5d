#include "engine/parts/motion/connected_parts.hpp"

#include <algorithm>
#include <numeric>

#include "engine/constraints/constraint_types.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void ConnectedParts::reserve(const World& world) {
  const std::size_t particles = std::size_t(world.particles.padded());
  parent_.assign(particles, 0);
  of_particle_.assign(particles, -1);
  tied_.assign(particles, 0);
  pieces_.clear(), parts_.clear();
  if (!world.topology->tears.objects.empty()) {  // tears can divide a run of particles into many pieces
    pieces_.reserve(particles);
    parts_.reserve(particles + std::size_t(world.bodies.count()));
  }
  topology_ = nullptr;
  any_free_ = false;
}

std::int32_t ConnectedParts::root(std::int32_t i) {
  while (parent_[std::size_t(i)] != i) {
    std::int32_t& up = parent_[std::size_t(i)];
    up = parent_[std::size_t(up)];
    i = up;
  }
  return i;
}

void ConnectedParts::unite(std::int32_t a, std::int32_t b) {
  if (parent_[std::size_t(a)] == parent_[std::size_t(b)]) return;
  a = root(a), b = root(b);
  parent_[std::size_t(std::max(a, b))] = std::min(a, b);
}

/// Slots of padding, and slots that a tear has disabled, have padding particles and are skipped.
template <class Type>
void ConnectedParts::unite_along(const World& world, const StencilBatch<Type>& batch) {
  for (std::int32_t s = 0; s < batch.slots(); ++s) {
    const std::int32_t first = batch.vertices[0][std::size_t(s)];
    if (batch.id[std::size_t(s)] < 0 || first >= world.particles.count) continue;
    for (std::size_t j = 1; j < Type::arity; ++j)
      if (const std::int32_t i = batch.vertices[j][std::size_t(s)]; i < world.particles.count)
        unite(first, i);
  }
}

void ConnectedParts::unite_particles(const World& world) {
  std::iota(parent_.begin(), parent_.end(), 0);
  for_each_type([&](auto type) { unite_along(world, std::get<type>(*world.topology->constraints)); });
  for (const Solid& cluster : world.topology->matter.solids)
    for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i) unite(cluster.first, i);
}

/// Numbers the parts in the order of their first particles. A single particle is a part only if it has a tie.
void ConnectedParts::number_parts(const World& world) {
  std::fill(tied_.begin(), tied_.end(), std::uint8_t(0));
  for (const BodyTie& tie : world.user.ties) tied_[std::size_t(tie.particle)] = 1;
  for (const PointTie& tie : world.user.point_ties)
    for (const TieEnd* const end : {&tie.a, &tie.b})
      if (end->is_of_particles())
        for (const std::int32_t i : end->points) tied_[std::size_t(root(i))] = 1;
  for (std::int32_t i = 0; i < world.particles.padded(); ++i)  // a root with more than one particle is marked
    if (const std::int32_t first = root(i); first != i) tied_[std::size_t(first)] = 1;
  parts_.clear();
  for (std::int32_t i = 0; i < world.particles.padded(); ++i) {
    const std::int32_t first = root(i);
    if (first < i) {
      of_particle_[std::size_t(i)] = of_particle_[std::size_t(first)];
    } else if (tied_[std::size_t(i)]) {
      of_particle_[std::size_t(i)] = std::int32_t(parts_.size());
      parts_.emplace_back();
    } else {
      of_particle_[std::size_t(i)] = -1;
    }
  }
  particle_parts_ = parts_.size();
}

/// Counts the pieces of each part, then lists them part after part.
void ConnectedParts::cut_pieces(const World& world) {
  const auto for_runs = [&](const auto& act) {
    for (std::int32_t begin = 0, end; begin < world.particles.padded(); begin = end) {
      const std::int32_t part = of_particle_[std::size_t(begin)],
                         limit = (begin / particle_block + 1) * particle_block;
      for (end = begin + 1; end < limit && of_particle_[std::size_t(end)] == part;) ++end;
      if (part >= 0) act(Piece{part, begin, end});
    }
  };
  std::int32_t count = 0;
  for_runs([&](const Piece& piece) { ++parts_[std::size_t(piece.part)].end_piece, ++count; });
  std::int32_t first = 0;
  for (Part& part : parts_) {
    part.first_piece = first;
    first += std::exchange(part.end_piece, first);
  }
  pieces_.resize(std::size_t(count));
  for_runs(
      [&](const Piece& piece) { pieces_[std::size_t(parts_[std::size_t(piece.part)].end_piece++)] = piece; });
}

std::int32_t ConnectedParts::group_of(std::int32_t part) {
  while (parts_[std::size_t(part)].group != part) part = parts_[std::size_t(part)].group;
  return part;
}

void ConnectedParts::join(std::int32_t a, std::int32_t b) {
  a = group_of(a), b = group_of(b);
  parts_[std::size_t(std::max(a, b))].group = std::min(a, b);
}

/// Joins all parts that a tie connects into one group; a collider at an end makes the group held.
/// `part_of(body)` makes a body a part.
template <class PartOf>
void ConnectedParts::join_ends(const PointTie& tie, const PartOf& part_of) {
  if (tie.broken) return;
  std::int32_t first = -1;
  bool held = false;
  const auto add = [&](std::int32_t part) {
    if (first >= 0) join(first, part);
    first = part;
  };
  for (const TieEnd* const end : {&tie.a, &tie.b}) {
    held |= end->collider >= 0;
    if (end->body >= 0) add(part_of(end->body));
    if (!end->is_of_particles()) continue;
    for (std::size_t k = 0; k < 4; ++k)
      if (end->weight[k] != real(0)) add(of_particle_[std::size_t(end->points[k])]);
  }
  if (held) parts_[std::size_t(first)].held = true;
}

/// Makes parts of the bodies that have ties or joints, behind the parts of particles, and joins groups.
void ConnectedParts::join_bodies(const World& world) {
  parts_.resize(particle_parts_);
  of_body_.assign(std::size_t(world.bodies.count()), -1);
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p].group = std::int32_t(p);
  const auto part_of = [&](std::int32_t body) {
    std::int32_t& part = of_body_[std::size_t(body)];
    if (part < 0) {
      part = std::int32_t(parts_.size());
      parts_.push_back({.body = body, .group = part});
    }
    return part;
  };
  for (const BodyTie& tie : world.user.ties) join(of_particle_[std::size_t(tie.particle)], part_of(tie.body));
  for (const PointTie& tie : world.user.point_ties) join_ends(tie, part_of);
  for (std::size_t j = 0; j < world.topology->joints.size(); ++j) {
    const Joint& joint = world.topology->joints[j];
    if (world.bodies.joints[j].broken) continue;
    const std::int32_t a = part_of(joint.a);
    if (joint.b == no_body)
      parts_[std::size_t(a)].held = true;
    else
      join(a, part_of(joint.b));
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p].group = group_of(std::int32_t(p));
}

/// Whether a particle of the part has inverse mass zero, or its body does not move freely.
bool ConnectedParts::is_held(const World& world, const Part& part) const {
  if (part.body >= 0)
    return !takes_part(world, std::size_t(part.body)) ||
           (world.user.body_grab && world.user.body_grab->body == part.body);
  for (std::int32_t k = part.first_piece; k < part.end_piece; ++k)
    for (std::int32_t i = pieces_[std::size_t(k)].begin; i < pieces_[std::size_t(k)].end; ++i)
      if (world.particles.position[std::size_t(i)].w == real(0)) return true;
  return false;
}

void ConnectedParts::hold(const World& world) {
  for (std::size_t p = 0; p < particle_parts_; ++p) parts_[p].held = false;
  join_bodies(world);
  const auto hold_group = [&](std::int32_t part) {
    parts_[std::size_t(parts_[std::size_t(part)].group)].held = true;
  };
  for (const Attachment& attachment : world.user.attachments)
    if (const std::int32_t part = of_particle_[std::size_t(attachment.particle)]; part >= 0) hold_group(part);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& group = parts_[std::size_t(parts_[p].group)];
    group.held = group.held || parts_[p].held || is_held(world, parts_[p]);
  }
  any_free_ = false;
  for (Part& part : parts_) {
    part.held = parts_[std::size_t(part.group)].held;
    any_free_ = any_free_ || !part.held;
  }
}

void ConnectedParts::begin_frame(const World& world) {
  const bool known = topology_ == world.topology.get() && edition_ == world.topology->edition &&
                     ties_ == world.user.ties.size() + world.user.point_ties.size();
  if (known)
    hold(world);
  else
    follow_tears(world);
}

void ConnectedParts::follow_tears(const World& world) {
  topology_ = world.topology.get();
  edition_ = world.topology->edition;
  ties_ = world.user.ties.size() + world.user.point_ties.size();
  unite_particles(world);
  number_parts(world);
  cut_pieces(world);
  hold(world);
}

}}  // namespace limber::LIMBER_PRECISION
