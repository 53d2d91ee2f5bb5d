#include "engine/coloring/schedule_builder.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "engine/coloring/coloring.hpp"
#include "engine/coloring/patches.hpp"
#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Colours the constraints of `members` (indices into `raw`) by the points that they move. Turns, whose rows
/// lie behind all particles, are renumbered from the first one on.
template <class Type>
Coloring color_in_order(const RawConstraints<Type>& raw, std::span<const std::int32_t> members,
                        ParticleRange particles, Order order) {
  constexpr int written = written_points<Type>();
  std::vector<Index> local;
  local.reserve(members.size() * written);
  Index first_turn = std::numeric_limits<Index>::max(), count = Index(particles.count);
  for (std::int32_t m : members)
    for (int j = 0; j < written; ++j)
      if (node_of<Type>(j) == Node::turn)
        first_turn = std::min(first_turn, raw.vertices[std::size_t(m)][std::size_t(j)]);
  for (std::int32_t m : members)
    for (int j = 0; j < written; ++j) {
      const Index vertex = raw.vertices[std::size_t(m)][std::size_t(j)];
      const bool turn = node_of<Type>(j) == Node::turn;
      local.push_back(turn ? Index(particles.count) + vertex - first_turn : vertex - Index(particles.first));
      count = std::max(count, local.back() + 1);
    }
  const auto rule = is_coloured(order) ? greedy_coloring : sequential_levels;
  return rule(local, written, count);
}

/// Appends the constraints of `members` to the batch, colour after colour. `coloring` has one colour per
/// member.
template <class Type>
std::vector<ColorRun> append_part(const RawConstraints<Type>& raw, std::span<const std::int32_t> members,
                                  const Coloring& coloring, std::int32_t padding_particle,
                                  StencilBatch<Type>& batch) {
  batch.colors = std::max(batch.colors, coloring.count);
  batch.constraints += std::int32_t(members.size());

  // bucket the members by colour, keeping their order within a colour
  std::vector<std::int32_t> start(std::size_t(coloring.count) + 1, 0), sorted(members.size());
  for (std::int32_t c : coloring.color) ++start[std::size_t(c) + 1];
  for (int c = 0; c < coloring.count; ++c) start[std::size_t(c) + 1] += start[std::size_t(c)];
  std::vector<std::int32_t> next = start;
  for (std::size_t k = 0; k < members.size(); ++k)
    sorted[std::size_t(next[std::size_t(coloring.color[k])]++)] = members[k];

  const auto append_slot = [&](std::int32_t constraint) {
    const std::size_t c = std::size_t(constraint);
    const bool padding = constraint < 0;
    for (int j = 0; j < Type::arity; ++j)
      batch.vertices[std::size_t(j)].push_back(padding ? padding_particle : raw.vertices[c][std::size_t(j)]);
    for (int r = 0; r < Type::rest_count; ++r)
      batch.rest[std::size_t(r)].push_back(padding ? real(0) : real(raw.rest[c][std::size_t(r)]));
    batch.id.push_back(constraint);
    batch.object.push_back(padding ? -1 : raw.object[c]);
    batch.compliance_scale.push_back(padding || raw.compliance_scale.empty() ? real(1)
                                                                             : real(raw.compliance_scale[c]));
  };
  std::vector<ColorRun> runs;
  for (int c = 0; c < coloring.count; ++c) {
    const std::int32_t begin = batch.slots();
    // neighbours in memory order within a colour, so that a thread's share is a compact part of the mesh
    const auto first = sorted.begin() + start[std::size_t(c)],
               last = sorted.begin() + start[std::size_t(c) + 1];
    std::sort(first, last, [&](std::int32_t a, std::int32_t b) {
      return raw.vertices[std::size_t(a)] != raw.vertices[std::size_t(b)]
                 ? raw.vertices[std::size_t(a)] < raw.vertices[std::size_t(b)]
                 : a < b;
    });
    for (auto m = first; m != last; ++m) append_slot(*m);
    while (batch.slots() % lane_group != 0) append_slot(-1);
    runs.push_back({begin, batch.slots()});
  }
  return runs;
}

/// Constraint indices per object.
template <class Type>
std::vector<std::vector<std::int32_t>> members_by_object(const RawConstraints<Type>& raw,
                                                         std::size_t objects) {
  std::vector<std::vector<std::int32_t>> members(objects);
  for (std::size_t c = 0; c < raw.object.size(); ++c)
    members[std::size_t(raw.object[c])].push_back(std::int32_t(c));
  return members;
}

/// Particles of one task: a small object, or a patch of a large one.
struct Part {
  ParticleRange particles;
  std::int32_t padding;  ///< particle that its padding slots name
};

bool is_small(const ParticleRange& object) { return object.count < small_object_particles; }

/// The patches of all large objects.
std::vector<Part> cut_into_patches(std::span<const ParticleRange> objects, std::int32_t first_padding) {
  std::vector<Part> patches;
  std::int32_t padding = first_padding + padding_line * (std::int32_t(objects.size()) + 1);
  for (const ParticleRange& object : objects) {
    if (is_small(object)) continue;
    const std::int32_t size = patch_vertices(object.count);
    for (std::int32_t first = object.first; first < object.end(); first += size, padding += padding_line)
      patches.push_back({{first, std::min(size, object.end() - first)}, padding});
  }
  return patches;
}

void append_segments(std::vector<Segment>& segments, std::size_t type, std::int32_t object,
                     std::span<const ColorRun> runs) {
  for (ColorRun run : runs) segments.push_back({std::int32_t(type), run.begin, run.end, object});
}

/// Appends a phase whose tasks are the lists of segments that are not empty.
void append_phase(std::span<const std::vector<Segment>> tasks, Schedule& schedule) {
  const std::int32_t first_task = std::int32_t(schedule.tasks.size());
  for (const std::vector<Segment>& segments : tasks) {
    if (segments.empty()) continue;
    schedule.tasks.push_back({std::int32_t(schedule.segments.size()), std::int32_t(segments.size())});
    schedule.segments.insert(schedule.segments.end(), segments.begin(), segments.end());
  }
  const std::int32_t count = std::int32_t(schedule.tasks.size()) - first_task;
  if (count > 0) schedule.phases.push_back({first_task, count});
}

void add_small_objects(const RawConstraintSet& raw, std::span<const ParticleRange> objects,
                       std::int32_t first_padding, Order order, ConstraintLayout& out) {
  std::vector<std::vector<Segment>> tasks(objects.size());
  for_each_type([&](auto type) {
    const auto members = members_by_object(std::get<type>(raw), objects.size());
    for (std::size_t o = 0; o < objects.size(); ++o) {
      if (!is_small(objects[o]) || members[o].empty()) continue;
      const std::int32_t padding = first_padding + padding_line * (std::int32_t(o) + 1);
      append_segments(tasks[o], type, std::int32_t(o),
                      append_part(std::get<type>(raw), members[o],
                                  color_in_order(std::get<type>(raw), members[o], objects[o], order), padding,
                                  std::get<type>(out.constraints)));
    }
  });
  append_phase(tasks, out.schedule);
}

/// Constraints of large objects: per patch those that move only its particles; and those across patches,
/// ordered by colour, that are visited before and after the patches.
struct Sorted {
  std::vector<std::vector<std::int32_t>> inside;
  std::vector<std::int32_t> before, after;
};

/// The patch that contains all particles that a constraint moves; `patches.end()` if there is none.
template <class Type>
auto patch_of(const std::array<Index, Type::arity>& stencil, std::span<const Part> patches,
              const RodMatter& rods) {
  const auto after = [](std::int32_t particle, const Part& patch) {
    return particle < patch.particles.first;
  };
  const auto particle = [&](int corner) {
    const std::int32_t i = std::int32_t(stencil[std::size_t(corner)]);
    return node_of<Type>(corner) == Node::turn ? std::int32_t(rods.home[std::size_t(i - rods.first_row)]) : i;
  };
  const auto patch = std::prev(std::upper_bound(patches.begin(), patches.end(), particle(0), after));
  for (int j = 0; j < written_points<Type>(); ++j)
    if (particle(j) < patch->particles.first || particle(j) >= patch->particles.end()) return patches.end();
  return patch;
}

/// Sorts the constraints of `members`. `coloring` is that without patches: constraints across patches come
/// before or after the patches according to their colour. If all of them came last, borders would show as
/// lines of high strain, because the constraints visited first keep the largest errors. (If colours continued
/// from patch to patch, borders would show even less, but a hanging cloth would not come to rest: see
/// coloring.hpp. A hanging cloth does not come to rest either if every other substep runs backward:
/// `cloth_hang` then keeps moving at 6 m/s.)
template <class Type>
Sorted sort_by_patch(const RawConstraints<Type>& raw, std::span<const std::int32_t> members,
                     const Coloring& coloring, std::span<const Part> patches, const RodMatter& rods) {
  Sorted sorted{std::vector<std::vector<std::int32_t>>(patches.size()), {}, {}};
  std::vector<std::vector<std::int32_t>> across(std::size_t(coloring.count));
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto patch = patch_of<Type>(raw.vertices[std::size_t(members[k])], patches, rods);
    if (patch != patches.end())
      sorted.inside[std::size_t(patch - patches.begin())].push_back(members[k]);
    else
      across[std::size_t(coloring.color[k])].push_back(members[k]);
  }
  for (std::size_t c = 0; c < across.size(); ++c) {
    std::vector<std::int32_t>& list = 2 * c + 1 < across.size() ? sorted.before : sorted.after;
    list.insert(list.end(), across[c].begin(), across[c].end());
  }
  return sorted;
}

/// Appends a phase per colour, cut into tasks.
void append_phases(std::size_t type, std::int32_t object, std::span<const ColorRun> runs,
                   Schedule& schedule) {
  for (ColorRun run : runs) {
    std::vector<std::vector<Segment>> pieces;
    for (std::int32_t begin = run.begin; begin < run.end; begin += task_slots)
      pieces.push_back({{std::int32_t(type), begin, std::min(begin + task_slots, run.end), object}});
    append_phase(pieces, schedule);
  }
}

/// Constraints of the objects of a group, which is visited together. `group_of`: per object its group, -1 for
/// small objects. A group is one object, or `shared`: all objects that enclose nothing.
template <class Type>
std::vector<std::int32_t> members_of(const RawConstraints<Type>& raw, std::int32_t group,
                                     std::span<const std::int32_t> group_of) {
  std::vector<std::int32_t> members;
  for (std::size_t c = 0; c < raw.object.size(); ++c)
    if (group_of[std::size_t(raw.object[c])] == group) members.push_back(std::int32_t(c));
  return members;
}

void add_group(const RawConstraintSet& raw, std::span<const ParticleRange> objects, std::int32_t group,
               std::span<const std::int32_t> group_of, std::int32_t first_padding, const RodMatter& rods,
               Order order, ConstraintLayout& out) {
  const std::int32_t object = group == std::int32_t(objects.size()) ? -1 : group;
  const std::vector<Part> patches = cut_into_patches(objects, first_padding);
  const ParticleRange particles{0, objects.empty() ? 0 : objects.back().end()};
  for_each_type([&](auto type) {
    const auto& list = std::get<type>(raw);
    auto& batch = std::get<type>(out.constraints);
    const auto in_sequence = [&](std::span<const std::int32_t> members) {
      const Coloring levels = color_in_order(list, members, particles, Order::sequential);
      append_phases(type, object, append_part(list, members, levels, first_padding, batch), out.schedule);
    };
    const std::vector<std::int32_t> members = members_of(list, group, group_of);
    if (members.empty()) return;
    if (!is_coloured(order)) return in_sequence(members);
    const Sorted sorted =
        sort_by_patch(list, members, color_in_order(list, members, particles, order), patches, rods);
    std::vector<std::vector<Segment>> tasks(patches.size());
    in_sequence(sorted.before);
    for (std::size_t p = 0; p < patches.size(); ++p)
      append_segments(tasks[p], type, object,
                      append_part(list, sorted.inside[p],
                                  color_in_order(list, sorted.inside[p], patches[p].particles, order),
                                  patches[p].padding, batch));
    append_phase(tasks, out.schedule);
    in_sequence(sorted.after);
  });
}

void add_large_objects(const RawConstraintSet& raw, std::span<const ParticleRange> objects,
                       std::span<const Enclosure> enclosures, std::int32_t first_padding,
                       const RodMatter& rods, Order order, ConstraintLayout& out) {
  const std::int32_t shared = std::int32_t(objects.size());
  std::vector<std::int32_t> groups, group_of(objects.size(), -1);
  for (std::size_t o = 0; o < objects.size(); ++o) {
    if (is_small(objects[o])) continue;
    group_of[o] = enclosures[o].volume > 0.0 ? std::int32_t(o) : shared;
    groups.push_back(group_of[o]);
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const std::int32_t group : groups)
    add_group(raw, objects, group, group_of, first_padding, rods, order, out);
}

}  // namespace

std::int32_t padding_particles(std::span<const ParticleRange> objects) {
  return padding_line * (std::int32_t(objects.size() + cut_into_patches(objects, 0).size()) + 1);
}

ConstraintLayout lay_out(const RawConstraintSet& raw, std::span<const ParticleRange> objects,
                         std::span<const Enclosure> enclosures, std::int32_t first_padding,
                         const RodMatter& rods, Order order) {
  ConstraintLayout out;
  add_small_objects(raw, objects, first_padding, order, out);
  add_large_objects(raw, objects, enclosures, first_padding, rods, order, out);
  return out;
}

RawConstraintSet raw_constraints(const Topology& untorn) {
  RawConstraintSet raw;
  for_each_type([&](auto type) {
    const auto& batch = std::get<type>(*untorn.constraints);
    auto& list = std::get<type>(raw);
    const std::size_t count = std::size_t(batch.constraints);
    list.vertices.resize(count), list.rest.resize(count), list.object.resize(count);
    list.compliance_scale.resize(count);
    for (std::size_t s = 0; s < batch.id.size(); ++s) {
      if (batch.id[s] < 0) continue;
      const std::size_t c = std::size_t(batch.id[s]);
      for (std::size_t j = 0; j < batch.vertices.size(); ++j)
        list.vertices[c][j] = Index(batch.vertices[j][s]);
      for (std::size_t r = 0; r < batch.rest.size(); ++r) list.rest[c][r] = double(batch.rest[r][s]);
      list.object[c] = batch.object[s];
      list.compliance_scale[c] = double(batch.compliance_scale[s]);
    }
  });
  return raw;
}

}}  // namespace limber::LIMBER_PRECISION
