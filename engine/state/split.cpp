#include "engine/state/split.hpp"

#include <algorithm>
#include <atomic>
#include <glm/geometric.hpp>
#include <tuple>
#include <utility>

#include "engine/constraints/constraint_types.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/schedule.hpp"
#include "engine/state/soft_parts.hpp"
#include "engine/state/tear_room.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Number of groups of loose slots in which a place is searched before a new group is begun.
constexpr std::int32_t tried_groups = 16;

double rest_area(const Topology& topology, std::int32_t triangle) {
  const auto& [a, b, c] = topology.triangles[std::size_t(triangle)];
  const auto rest = [&](std::int32_t i) { return glm::dvec3(topology.surface.rest[std::size_t(i)]); };
  return 0.5 * glm::length(glm::cross(rest(b) - rest(a), rest(c) - rest(a)));
}

}  // namespace

Topology& own_topology(World& world) {
  // identifies topologies for caches; it is no state of the simulation
  static std::atomic<std::uint64_t> editions{0};
  if (world.topology.use_count() > 1 || world.topology->edition == 0) {
    auto copy = std::make_shared<Topology>(*world.topology);
    if (!copy->untorn) copy->untorn = world.topology;
    world.topology = std::move(copy);
  }
  Topology& own = const_cast<Topology&>(*world.topology);  // not created const, and not shared
  own.edition = ++editions;
  return own;
}

void Splitter::load_fan(std::int32_t v) {
  fan_.clear();
  for (std::int32_t t : mesh().triangles_at(v)) {
    const auto& corners = mesh().triangles[std::size_t(t)];
    fan_.push_back({t, int(std::find(corners.begin(), corners.end(), v) - corners.begin()), 0});
  }
}

/// The other triangle of the fan at the edge from the vertex to u, or null.
const Splitter::FanTriangle* Splitter::across(const FanTriangle& f, std::int32_t u) const {
  for (const FanTriangle& other : fan_)
    if (other.number != f.number && (next(other) == u || last(other) == u)) return &other;
  return nullptr;
}

bool Splitter::joined(const FanTriangle& a, const FanTriangle& b,
                      std::span<const std::int32_t> cut_sides) const {
  if (a.label != b.label) return false;
  const auto side_to = [&](const FanTriangle& f, std::int32_t u) {
    return 3 * f.number + (next(f) == u ? f.corner : (f.corner + 2) % 3);
  };
  for (std::int32_t u : {next(a), last(a)}) {
    if (next(b) != u && last(b) != u) continue;
    if (!std::binary_search(cut_sides.begin(), cut_sides.end(), side_to(a, u)) &&
        !std::binary_search(cut_sides.begin(), cut_sides.end(), side_to(b, u)))
      return true;
  }
  return false;
}

/// Numbers the parts of the fan in the order of their first triangles. Returns how many there are.
int Splitter::number_parts(std::span<const std::int32_t> cut_sides) {
  int parts = 0;
  for (FanTriangle& seed : fan_) {
    if (seed.part >= 0) continue;
    seed.part = parts++;
    open_.push_back(&seed);
    while (!open_.empty()) {
      const FanTriangle& from = *open_.back();
      open_.pop_back();
      for (FanTriangle& to : fan_) {
        if (to.part >= 0 || !joined(from, to, cut_sides)) continue;
        to.part = from.part;
        open_.push_back(&to);
      }
    }
  }
  return parts;
}

/// True if the reserves suffice for splitting v into `parts`, and for splitting the other ends of the edges
/// that open: a split that ended half-way would not leave a manifold.
bool Splitter::has_room(std::int32_t v, int parts) const {
  const auto& object = mesh().tears.objects[std::size_t(world_.particles.object[std::size_t(v)])];
  if (object.used + 3 * parts > object.spares) return false;
  if (object.spring_type < 0) return true;
  const LooseSlots& loose = mesh().tears.loose[std::size_t(object.spring_type)];
  return loose.end + 2 * parts * lane_group <= loose.capacity;
}

int Splitter::split_across(std::int32_t v, const vec3& normal) {
  load_fan(v);
  const auto place = [&](std::int32_t i) { return vec3(world_.particles.position[std::size_t(i)]); };
  const vec3 x = place(v);
  for (FanTriangle& f : fan_) {
    const vec3 toward = (place(next(f)) - x) + (place(last(f)) - x);  // three times the centroid
    const real height = glm::dot(toward, normal),
               tie = real(1e-5) * glm::length(toward) * glm::length(normal);
    f.label = height >= -tie ? 1 : 0;
  }
  return divide(v, {});
}

int Splitter::separate(std::int32_t v, std::span<const std::int32_t> cut_sides) {
  load_fan(v);
  return divide(v, cut_sides);
}

/// Splits the loaded fan, then the ends of opened edges at which parts are connected by a point only. This
/// opens no more edges, so the reserve that has_room() asked for is enough.
int Splitter::divide(std::int32_t v, std::span<const std::int32_t> cut_sides) {
  const int parts = number_parts(cut_sides);
  if (parts <= 1) return 0;
  if (!has_room(v, parts)) {
    full_ = true;
    return 0;
  }
  const auto above = std::find_if(fan_.begin(), fan_.end(), [](const auto& f) { return f.label == 1; });
  const int kept = above == fan_.end() ? 0 : above->part;
  if (!find_steps(v, parts, kept)) return 0;
  opened_.clear();
  split_fan(v, parts, kept);
  int made = parts - 1;
  for (const std::int32_t u : std::vector<std::int32_t>(opened_)) {
    load_fan(u);
    const int pieces = number_parts({});
    if (pieces <= 1) continue;
    find_steps(u, pieces, 0);  // copies without a step stay in one place
    split_fan(u, pieces, 0);
    made += pieces - 1;
  }
  return made;
}

void Splitter::split_fan(std::int32_t v, int parts, int kept) {
  if (!own_) own_ = &own_topology(world_);
  if (!world_.contacts.parted) world_.particles.previous = world_.particles.position;
  world_.contacts.parted = true;
  // triangles that shared a vertex, and so did not count as intersecting, may share none now
  world_.contacts.tangle_watch = std::max(world_.contacts.tangle_watch, ContactState::first_look);
  const std::int32_t object = world_.particles.object[std::size_t(v)];
  if (own_->tears.objects[std::size_t(object)].tethered) release_tethers(object);
  for (const FanTriangle& f : fan_) touched_.insert(touched_.end(), {v, next(f), last(f)});

  target_.assign(std::size_t(parts), v);
  for (int part = 0; part < parts; ++part)
    if (part != kept) {
      target_[std::size_t(part)] = take_spare(world_, *own_, v);
      touched_.push_back(target_[std::size_t(part)]);
    }
  share_mass(v, parts);
  leave_clusters(world_, *own_, v);

  for (const FanTriangle& f : fan_) {
    for (const auto& [side, u] : {std::pair(f.corner, next(f)), std::pair((f.corner + 2) % 3, last(f))})
      move_springs(v, f, side, u);
    move_hinges(v, f);
    move_within(v, f);
  }
  for (const FanTriangle& f : fan_)
    own_->triangles[std::size_t(f.number)][std::size_t(f.corner)] = target_[std::size_t(f.part)];
  write_corners(v, parts, kept);
  write_owners();
  for (int part = 0; part < parts; ++part) move_copy(target_[std::size_t(part)], steps_[std::size_t(part)]);
}

std::int32_t take_spare(World& world, Topology& own, std::int32_t v) {
  Particles& particles = world.particles;
  TearRoom& room = own.tears;
  auto& object = room.objects[std::size_t(particles.object[std::size_t(v)])];
  const std::int32_t p = object.first_spare + object.used++;
  const std::size_t to = std::size_t(p), from = std::size_t(v);
  for (auto* rows : {&particles.position, &particles.previous, &particles.origin, &particles.moved,
                     &particles.predicted, &particles.moved_before, &particles.velocity})
    (*rows)[to] = (*rows)[from];
  share_heat(world, from, to);
  split_fields(world, from, to);
  own.surface.rest[to] = own.surface.rest[from];
  own.surface.room[to] = own.surface.room[from];
  room.origin[to] = room.origin[from];
  room.next_copy[to] = std::exchange(room.next_copy[from], p);
  own.internal_to_external[to] = Index(own.external_to_internal.size());
  own.external_to_internal.push_back(p);

  auto& list = world.user.attachments;
  const auto before = [](const Attachment& a, std::int32_t i) { return a.particle < i; };
  if (const auto at = std::lower_bound(list.begin(), list.end(), v, before);
      at != list.end() && at->particle == v) {
    Attachment copy = *at;
    copy.particle = p;
    list.insert(std::lower_bound(list.begin(), list.end(), p, before), copy);
  }
  return p;
}

/// Divides the mass in proportion to the areas at rest, or to the numbers of triangles if these areas are
/// zero.
void Splitter::share_mass(std::int32_t v, int parts) {
  area_.assign(std::size_t(parts), 0.0);
  double whole = 0.0;
  for (const FanTriangle& f : fan_) {
    const double area = rest_area(*own_, f.number);
    area_[std::size_t(f.part)] += area;
    whole += area;
  }
  if (*std::min_element(area_.begin(), area_.end()) <= 1e-6 * whole) {
    area_.assign(std::size_t(parts), 0.0);
    for (const FanTriangle& f : fan_) area_[std::size_t(f.part)] += 1.0;
    whole = double(fan_.size());
  }
  Particles& particles = world_.particles;
  const double w = double(particles.inverse_mass[std::size_t(v)]);
  const double share = own_->tears.share[std::size_t(v)];
  for (int part = 0; part < parts; ++part) {
    const std::size_t i = std::size_t(target_[std::size_t(part)]);
    const double of_whole = area_[std::size_t(part)] / whole;
    own_->tears.share[i] = share * of_whole;
    particles.inverse_mass[i] = real(w / of_whole);
    set_weight(particles, i, 0);
    free_particle(world_, std::int32_t(i));
  }
}

/// Moves the spring from v to u at a side of f to the copy of its part. Called before the triangle is
/// changed.
void Splitter::move_springs(std::int32_t v, const FanTriangle& f, int side, std::int32_t u) {
  const FanTriangle* other = across(f, u);
  const bool opens = other && other->part != f.part;
  if (opens && std::find(opened_.begin(), opened_.end(), u) == opened_.end()) opened_.push_back(u);
  const std::int32_t p = target_[std::size_t(f.part)];
  auto& slots = own_->tears.spring;
  std::int32_t& slot = slots[std::size_t(f.number)][std::size_t(side)];
  if (p == v || slot < 0) return;
  const std::int32_t type =
      own_->tears.objects[std::size_t(world_.particles.object[std::size_t(v)])].spring_type;
  if (opens) {
    const int other_side = next(*other) == u ? other->corner : (other->corner + 2) % 3;
    if (slots[std::size_t(other->number)][std::size_t(other_side)] == slot) {
      slot = add_loose(type, slot, p, v, u);
      return;
    }
  }
  visit_type(type, [&](auto t) {
    for (auto& row : std::get<t>(*own_->constraints).vertices)
      if (row[std::size_t(slot)] == v) row[std::size_t(slot)] = p;
  });
}

/// Moves or retires the hinges across all three sides of f.
void Splitter::move_hinges(std::int32_t v, const FanTriangle& f) {
  const std::int32_t p = target_[std::size_t(f.part)];
  const std::int32_t type =
      own_->tears.objects[std::size_t(world_.particles.object[std::size_t(v)])].hinge_type;
  if (type < 0) return;
  auto& hinges = own_->tears.hinge;
  for (int side = 0; side < 3; ++side) {
    std::int32_t& hinge = hinges[std::size_t(f.number)][std::size_t(side)];
    if (hinge < 0) continue;
    const bool opposite = side == (f.corner + 1) % 3;
    const FanTriangle* other = opposite ? nullptr : across(f, side == f.corner ? next(f) : last(f));
    const bool opens = other && other->part != f.part;
    visit_type(type, [&](auto t) {
      auto& batch = std::get<t>(*own_->constraints);
      const std::size_t slot = std::size_t(hinge);
      if (opens) {
        // all corners name one particle: the gradient is zero, the projection moves nothing, and the colour
        // stays valid
        for (auto& row : batch.vertices) row[slot] = batch.vertices[0][slot];
        batch.id[slot] = batch.object[slot] = -1;
        --batch.constraints;
      } else {
        for (auto& row : batch.vertices)
          if (row[slot] == v) row[slot] = p;
      }
    });
    if (!opens) continue;
    for (std::int32_t& same : hinges[std::size_t(other->number)])
      if (same == hinge) same = -1;
    hinge = -1;
  }
}

/// Moves the constraint on the triangle f itself to the copy of its part.
void Splitter::move_within(std::int32_t v, const FanTriangle& f) {
  const std::int32_t p = target_[std::size_t(f.part)];
  const std::int32_t slot = own_->tears.within[std::size_t(f.number)];
  if (p == v || slot < 0) return;
  const std::int32_t type =
      own_->tears.objects[std::size_t(world_.particles.object[std::size_t(v)])].triangle_type;
  visit_type(type, [&](auto t) {
    for (auto& row : std::get<t>(*own_->constraints).vertices)
      if (row[std::size_t(slot)] == v) row[std::size_t(slot)] = p;
  });
}

/// Divides v's run of Topology::corners among the parts.
void Splitter::write_corners(std::int32_t v, int parts, int kept) {
  std::int32_t at = own_->corner_offset[std::size_t(v)];
  for (int order = 0; order < parts; ++order) {
    const int part = order == 0 ? kept : order <= kept ? order - 1 : order;
    const std::size_t i = std::size_t(target_[std::size_t(part)]);
    own_->corner_offset[i] = at;
    for (const FanTriangle& f : fan_)
      if (f.part == part) own_->corners[std::size_t(at++)] = f.number;
    own_->corner_count[i] = at - own_->corner_offset[i];
  }
}

/// Sets Surface::owned anew: a vertex or edge is owned by the first triangle that has it, as in
/// make_surface().
void Splitter::write_owners() {
  const auto set = [](std::uint8_t& bits, int bit, bool on) {
    bits = std::uint8_t(on ? bits | 1u << bit : bits & ~(1u << bit));
  };
  for (const FanTriangle& f : fan_) {
    const std::size_t i = std::size_t(target_[std::size_t(f.part)]);
    std::uint8_t& owned = own_->surface.owned[std::size_t(f.number)];
    set(owned, f.corner, own_->corners[std::size_t(own_->corner_offset[i])] == f.number);
    for (const auto& [side, u] : {std::pair(f.corner, next(f)), std::pair((f.corner + 2) % 3, last(f))}) {
      const FanTriangle* other = across(f, u);
      set(owned, 3 + side, !other || other->part != f.part || f.number < other->number);
    }
  }
  // marks two rings: near a tear the surface can touch itself without a fold in between
  const auto visit = [&](std::int32_t i, auto&& act) {
    const std::int32_t first = own_->corner_offset[std::size_t(i)];
    for (std::int32_t k = first; k < first + own_->corner_count[std::size_t(i)]; ++k)
      act(std::size_t(own_->corners[std::size_t(k)]));
  };
  const auto at_gap = [&](std::int32_t i) {
    visit(i, [&](std::size_t near) {
      for (std::int32_t j : own_->triangles[near])
        visit(j, [&](std::size_t t) { own_->surface.at_gap[t] = 1; });
    });
  };
  for (std::int32_t i : target_) at_gap(i);
  for (std::int32_t u : opened_) at_gap(u);
}

/// Retires the tethers of a torn object: their paths along the surface to the pins may be cut.
void Splitter::release_tethers(std::int32_t object) {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (tears_as<Type>(TearTrait::let_go)) {
      auto& batch = std::get<type>(*own_->constraints);
      for (std::size_t s = 0; s < batch.object.size(); ++s) {
        if (batch.object[s] != object) continue;
        for (auto& row : batch.vertices) row[s] = batch.vertices[0][s];
        batch.id[s] = batch.object[s] = -1;
        --batch.constraints;
      }
    }
  });
  own_->tears.objects[std::size_t(object)].tethered = false;
}

/// Adds a spring between p, a copy of v, and u, with the rest length and softness of slot `like` between v
/// and u; returns its slot. No slot in its group names v either, because such a slot may later be moved to
/// the same copy.
std::int32_t Splitter::add_loose(std::int32_t type, std::int32_t like, std::int32_t p, std::int32_t v,
                                 std::int32_t u) {
  LooseSlots& loose = own_->tears.loose[std::size_t(type)];
  std::int32_t slot = -1;
  visit_type(type, [&](auto t) {
    auto& batch = std::get<t>(*own_->constraints);
    const auto free_in = [&](std::int32_t group) {
      std::int32_t free = -1;
      for (std::int32_t s = group; s < group + lane_group; ++s) {
        if (batch.id[std::size_t(s)] < 0) {
          if (free < 0) free = s;
          continue;
        }
        for (const auto& row : batch.vertices)
          if (const std::int32_t i = row[std::size_t(s)]; i == p || i == v || i == u) return -1;
      }
      return free;
    };
    const std::int32_t oldest = std::max(loose.begin, loose.end - tried_groups * lane_group);
    for (std::int32_t group = oldest; group < loose.end && slot < 0; group += lane_group)
      slot = free_in(group);
    if (slot < 0) {
      slot = loose.end;
      loose.end += lane_group;
      own_->schedule.segments[std::size_t(loose.segment)].end = loose.end;
    }
    const std::size_t to = std::size_t(slot), from = std::size_t(like);
    batch.vertices[0][to] = p, batch.vertices[1][to] = u;
    for (auto& row : batch.rest) row[to] = row[from];
    batch.id[to] = batch.constraints++;
    batch.object[to] = batch.object[from];
    batch.compliance_scale[to] = batch.compliance_scale[from];
    auto& state = std::get<t>(*world_.matter.constraints);
    for (auto& row : state.softness) row[to] = row[from];
    for (auto& row : state.lambda) row[to] = row[from];
    if (!state.damping.empty()) state.damping[to] = state.damping[from];
    if (!state.flowed.empty()) state.flowed.copy_slot(from, to);
  });
  return slot;
}

}}  // namespace limber::LIMBER_PRECISION
