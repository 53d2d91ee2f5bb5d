#include "engine/state/tear_room.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// A slot of constraint type `type` at the edge a < b.
struct EdgeSlot {
  std::int32_t a, b, type, slot;
  bool before(const EdgeSlot& o) const { return std::tie(a, b) < std::tie(o.a, o.b); }
};

template <class Type>
void list_slots(const StencilBatch<Type>& batch, std::int32_t type, std::vector<EdgeSlot>& out) {
  for (std::int32_t s = 0; s < batch.slots(); ++s) {
    if (batch.id[std::size_t(s)] < 0) continue;
    const auto [a, b] = std::minmax(batch.vertices[0][std::size_t(s)], batch.vertices[1][std::size_t(s)]);
    out.push_back({a, b, type, s});
  }
}

/// Finds the slot of each side of each triangle in `slots`. Writes the type of an object's slots to
/// type_of(object).
template <class TypeOf>
std::vector<std::array<std::int32_t, 3>> find_sides(const World& world, std::vector<EdgeSlot>& slots,
                                                    TypeOf type_of) {
  std::sort(slots.begin(), slots.end(), [](const EdgeSlot& x, const EdgeSlot& y) { return x.before(y); });
  const auto& triangles = world.topology->triangles;
  std::vector<std::array<std::int32_t, 3>> sides(triangles.size(), {-1, -1, -1});
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t j = 0; j < 3; ++j) {
      const auto [a, b] = std::minmax(triangles[t][j], triangles[t][(j + 1) % 3]);
      const EdgeSlot wanted{a, b, 0, 0};
      const auto at = std::lower_bound(slots.begin(), slots.end(), wanted,
                                       [](const EdgeSlot& x, const EdgeSlot& y) { return x.before(y); });
      if (at == slots.end() || wanted.before(*at)) continue;
      sides[t][j] = at->slot;
      type_of(world.particles.object[std::size_t(a)]) = at->type;
    }
  return sides;
}

using CornerIds = std::array<std::int32_t, 3>;

CornerIds sorted(CornerIds corners) {
  std::sort(corners.begin(), corners.end());
  return corners;
}

/// Finds per triangle the slot of the constraint on its three corners.
void find_within(const World& world, TearRoom& room) {
  struct TriangleSlot {
    CornerIds corners;
    std::int32_t type, slot;
  };
  std::vector<TriangleSlot> slots;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (tears_as<Type>(TearTrait::on_triangle)) {
      const auto& batch = std::get<type>(*world.topology->constraints);
      for (std::size_t s = 0; s < batch.id.size(); ++s)
        if (batch.id[s] >= 0)
          slots.push_back({sorted({batch.vertices[0][s], batch.vertices[1][s], batch.vertices[2][s]}),
                           std::int32_t(type), std::int32_t(s)});
    }
  });
  std::sort(slots.begin(), slots.end(),
            [](const TriangleSlot& a, const TriangleSlot& b) { return a.corners < b.corners; });
  const auto& triangles = world.topology->triangles;
  room.within.assign(triangles.size(), -1);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const CornerIds wanted = sorted(triangles[t]);
    const auto at = std::lower_bound(slots.begin(), slots.end(), wanted,
                                     [](const TriangleSlot& a, const CornerIds& b) { return a.corners < b; });
    if (at == slots.end() || at->corners != wanted) continue;
    room.within[t] = at->slot;
    room.objects[std::size_t(world.particles.object[std::size_t(wanted[0])])].triangle_type = at->type;
  }
}

void find_slots(const World& world, TearRoom& room) {
  std::vector<EdgeSlot> springs, hinges;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*world.topology->constraints);
    if constexpr (tears_as<Type>(TearTrait::on_edge)) list_slots(batch, std::int32_t(type), springs);
    if constexpr (tears_as<Type>(TearTrait::on_hinge)) list_slots(batch, std::int32_t(type), hinges);
    if constexpr (tears_as<Type>(TearTrait::let_go))
      for (std::int32_t owner : batch.object)
        if (owner >= 0) room.objects[std::size_t(owner)].tethered = true;
  });
  room.spring = find_sides(world, springs, [&](std::int32_t o) -> std::int32_t& {
    return room.objects[std::size_t(o)].spring_type;
  });
  room.hinge = find_sides(world, hinges, [&](std::int32_t o) -> std::int32_t& {
    return room.objects[std::size_t(o)].hinge_type;
  });
  find_within(world, room);
}

/// Spares that are left when an object is taken apart: has_room() asks for more than most splits need.
constexpr std::int32_t spares_left_over = 12;

/// Assigns spare particles to all objects, one object after the other. Returns their total number.
std::int32_t count_spares(const World& world, TearRoom& room) {
  const Topology& topology = *world.topology;
  std::vector<std::int32_t> triangles(topology.objects.size(), 0);
  for (const auto& t : topology.triangles)
    ++triangles[std::size_t(world.particles.object[std::size_t(t[0])])];
  std::vector<std::int32_t> joints(topology.objects.size(), 0);  // points at which a rod can be split
  for (const RodRun& run : topology.rods.runs)
    joints[std::size_t(run.object)] += run.count - (run.closed ? 0 : 1);
  std::vector<std::int32_t> tets(topology.objects.size(), 0);
  for (const auto& t : topology.tets) ++tets[std::size_t(world.particles.object[std::size_t(t[0])])];
  std::int32_t next = world.particles.count;
  for (std::size_t o = 0; o < room.objects.size(); ++o) {
    const std::int32_t particles = topology.objects[o].count;
    if (tets[o] > 0) {  // for TetSplitter
      room.objects[o].first_spare = next;
      room.objects[o].spares = std::min(4 * tets[o], std::max(particles, fewest_spares));
      next += room.objects[o].spares;
      continue;
    }
    if (joints[o] > 0) {  // for RodSplitter
      room.objects[o].first_spare = next;
      room.objects[o].spares = std::min(joints[o], std::max(particles / 2, fewest_spares));
      next += room.objects[o].spares;
      continue;
    }
    if (triangles[o] == 0 || !room.objects[o].refusal.empty()) continue;
    room.objects[o].first_spare = next;
    room.objects[o].spares = std::min(std::max(3 * triangles[o] - particles, 0) + spares_left_over,
                                      std::max(particles / 2, fewest_spares));
    next += room.objects[o].spares;
  }
  return next - world.particles.count;
}

/// Appends `groups` groups of empty slots to the batch, and a phase that visits those in use.
template <class Type>
LooseSlots append_loose(std::int32_t type, std::int32_t groups, std::int32_t padding, Topology& topology) {
  auto& batch = std::get<StencilBatch<Type>>(*topology.constraints);
  LooseSlots loose;
  loose.begin = loose.end = batch.slots();
  loose.capacity = loose.begin + groups * lane_group;
  loose.segment = std::int32_t(topology.schedule.segments.size());
  const std::size_t slots = std::size_t(loose.capacity);
  for (auto& row : batch.vertices) row.resize(slots, padding);
  for (auto& row : batch.rest) row.resize(slots, real(0));
  batch.id.resize(slots, -1);
  batch.object.resize(slots, -1);
  batch.compliance_scale.resize(slots, real(1));
  Schedule& schedule = topology.schedule;
  schedule.phases.push_back({std::int32_t(schedule.tasks.size()), 1});
  schedule.tasks.push_back({loose.segment, 1});
  schedule.segments.push_back({type, loose.begin, loose.end});
  return loose;
}

/// Number of groups of loose slots for `spares` new vertices. A split opens at most two edges of a flat fan;
/// the rest is a reserve for groups that stay incomplete because no two slots in a group may share a
/// particle.
std::int32_t loose_groups(std::int32_t spares) { return (3 * spares + lane_group - 1) / lane_group + 32; }

void add_loose(std::int32_t padding, Topology& topology) {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (tears_as<Type>(TearTrait::on_edge)) {
      std::int32_t spares = 0;
      for (const TearRoom::Object& object : topology.tears.objects)
        if (object.spring_type == std::int32_t(type)) spares += object.spares;
      if (spares > 0)
        topology.tears.loose[type] =
            append_loose<Type>(std::int32_t(type), loose_groups(spares), padding, topology);
    }
  });
}

/// Number of rows of particles, with padding, after `spares` more particles.
std::int32_t padded_after(const Particles& particles, std::int32_t spares) {
  return (particles.padded() + spares + particle_block - 1) / particle_block * particle_block;
}

}  // namespace

std::shared_ptr<const Topology> with_tear_room(const World& world) {
  const std::int32_t count = world.particles.count;
  auto topology = std::make_shared<Topology>(*world.topology);
  TearRoom& room = topology->tears;
  room.objects.resize(topology->objects.size());
  room.loose.resize(constraint_type_count);
  for (std::size_t o = 0; o < room.objects.size(); ++o) room.objects[o].refusal = tear_refusal(world, o);
  const std::int32_t spares = count_spares(world, room);
  find_slots(world, room);
  room.untorn_vertices = Index(topology->external_to_internal.size());

  const std::int32_t turns = topology->rods.first_row,
                     more = padded_after(world.particles, spares) - world.particles.padded();
  for_each_type([&](auto type) {  // indices of padding particles and of turns move up
    for (auto& row : std::get<type>(*topology->constraints).vertices)
      for (std::int32_t& i : row)
        if (i >= count) i += !topology->rods.empty() && i >= turns ? more : spares;
  });
  if (!topology->rods.empty()) topology->rods.first_row += more;
  add_loose(count + spares, *topology);

  const std::size_t all = std::size_t(count + spares);
  topology->internal_to_external.resize(all, -1);
  topology->corner_offset.resize(all + 1, topology->corner_offset.back());
  topology->corner_count.resize(all, 0);
  topology->surface.rest.resize(all, vec3(0));
  topology->surface.room.resize(all, real(0));
  if (!topology->rods.empty()) topology->surface.segments_at.resize(all, {-1, -1});
  room.origin.resize(all);
  std::iota(room.origin.begin(), room.origin.end(), 0);
  room.next_copy = room.origin;  // each vertex is its own only copy
  room.share.assign(all, 1.0);
  return topology;
}

void adopt_tear_room(World& world, std::shared_ptr<const Topology> topology) {
  world.topology = std::move(topology);
  Particles& particles = world.particles;
  const std::int32_t before = particles.count;
  std::int32_t spares = 0;
  for (const TearRoom::Object& object : world.topology->tears.objects) spares += object.spares;
  const std::size_t padded = std::size_t(padded_after(particles, spares));
  const std::size_t first_turn = std::size_t(particles.padded());
  particles.count += spares;
  const auto extend = [&](auto& rows,
                          auto nothing) {  // padding rows are all equal; turns stay behind them
    rows.insert(rows.begin() + std::ptrdiff_t(first_turn), padded - first_turn, nothing);
    std::fill(rows.begin() + before, rows.begin() + std::ptrdiff_t(padded), nothing);
  };
  for (auto* rows :
       {&particles.position, &particles.previous, &particles.origin, &particles.moved, &particles.predicted,
        &particles.moved_before, &particles.velocity, &particles.acceleration})
    extend(*rows, vec4(0));
  extend(particles.inverse_mass, real(0));
  extend(particles.object, std::int32_t(0));
  if (!world.contacts.rod_holds.empty()) {
    extend(world.contacts.rod_holds, vec4(0));
    extend(world.contacts.rod_holders, std::int32_t(-1));
  }
  if (!world.matter.grain_rolls.empty()) extend(world.matter.grain_rolls, vec4(0));
  if (!world.history.step_before.empty()) {
    extend(world.history.step_before, vec4(0));
    extend(world.history.velocity, vec4(0));
  }
  const std::size_t groups = stray_groups(padded, world.topology->objects.size());
  particles.stray.resize(groups, real(0));
  particles.lasting.resize(groups, real(0));
  for (std::size_t o = 0; o < world.topology->tears.objects.size(); ++o) {
    const TearRoom::Object& object = world.topology->tears.objects[o];
    std::fill_n(particles.object.begin() + object.first_spare, object.spares, std::int32_t(o));
  }
  for_each_type([&](auto type) {
    const std::size_t slots = std::size_t(std::get<type>(*world.topology->constraints).slots());
    std::get<type>(*world.matter.constraints).resize(slots);
  });
  make_room_for_heat(world);
  make_room_for_fields(world);
  world.changed(Change::everything);
}

std::string_view tear_refusal(const World& world, std::size_t object) {
  std::string_view refusal;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (tears_as<Type>(TearTrait::refused)) {
      const auto& owners = std::get<type>(*world.topology->constraints).object;
      if (std::find(owners.begin(), owners.end(), std::int32_t(object)) != owners.end())
        refusal = tearing_refusal<Type>();
    }
  });
  return refusal;
}

bool wants_tears(const World& world) {
  const auto& materials = world.settings.materials;
  if (!world.topology->rods.empty() && std::any_of(materials.begin(), materials.end(), [](const Material& m) {
        return m.break_tension > 0.0 || m.break_curvature > 0.0 || m.break_twist > 0.0;
      }))
    return true;
  if (world.heat->mesh && !world.heat->mesh->melts.empty()) return true;
  return !world.topology->triangles.empty() &&
         std::any_of(materials.begin(), materials.end(),
                     [](const Material& m) { return m.tear_strain > 0.0 || m.strength > 0.0; });
}

}}  // namespace limber::LIMBER_PRECISION
