#include "engine/contact/coupling/sheet_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/mix.hpp"
#include "engine/core/first_fit.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/geometry/queries/closest_features.hpp"
#include "engine/parallel/color_visits.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/thin_rods.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Sweeps per iteration: neighbouring grains push the same vertices.
constexpr int sheet_sweeps = 4;
/// Number of groups of a colour up to which one thread is faster than the barrier after it.
constexpr std::int32_t serial_sheet_groups = 16;

vec3 blend(const vec3 (&v)[3], const vec3& b) { return b.x * v[0] + b.y * v[1] + b.z * v[2]; }

/// m, distance to be kept from a particle's centre to the sheet.
real keep_of(const World& world, std::size_t triangle) {
  return real(world.settings.solver.contact->particle_radius) +
         thickness_over(world, world.topology->facet(std::int32_t(triangle)));
}

bool any_bouncy(const World& world) {
  const auto& materials = world.settings.materials;
  return std::any_of(materials.begin(), materials.end(),
                     [](const Material& material) { return material.restitution > 0.0; });
}

/// Box around the paths of particles in a substep.
struct Swept {
  vec3 low{std::numeric_limits<real>::max()}, high{-std::numeric_limits<real>::max()};

  Swept() = default;
  Swept(const Particles& particles, std::int32_t i) { add(particles, i); }
  void add(const Particles& particles, std::int32_t i) {
    const vec3 x(particles.previous[std::size_t(i)]), p(particles.position[std::size_t(i)]);
    low = glm::min(low, glm::min(x, p)), high = glm::max(high, glm::max(x, p));
  }
  /// Whether the boxes come nearer to each other than `within` m.
  bool meets(const Swept& other, real within) const {
    for (int k = 0; k < 3; ++k)
      if (low[k] - within > other.high[k] || other.low[k] > high[k] + within) return false;
    return true;
  }
};

/// The two sides of a row of a particle that moves by itself.
auto loose_sides_of(const SheetRow& row, Particles& particles) {
  const std::size_t i = std::size_t(row.grain);
  return Sides{LoosePoint{particles, i}, WeightedPoint{row.points, row.weight, particles}};
}
auto rigid_sides_of(const SheetRow& row, Particles& particles, ClusterMotion* clusters) {
  const std::size_t i = std::size_t(row.grain);
  return Sides{CarriedPoint{{clusters[row.cluster].frame, row.arm}, way_of(particles, i)},
               WeightedPoint{row.points, row.weight, particles}};
}

}  // namespace

void SheetContacts::aim(const World& world, std::span<const Sorted> particles,
                        const ClusterContacts& clusters, real h, Team& team) {
  const std::int64_t count = (world.topology->facets() + block_triangles - 1) / block_triangles;
  if (team.rank() == 0) {
    tied_.note(world);
    list_per_thread(found_, team);
    blocks_.resize(std::size_t(count));
  }
  team.barrier();
  Found& own = found_[std::size_t(team.rank())];
  own.clear();
  // Threads take blocks in turn, because objects on a cloth lie on a part of it.
  for (std::int64_t b = team.rank(); b < count; b += team.size()) {
    Block& block = blocks_[std::size_t(b)];
    block = {team.rank(), {std::int32_t(own.groups.size()), 0}, {std::int32_t(own.rigid.size()), 0}};
    aim_block(world, particles, clusters, b, h, own);
    block.groups.end = std::int32_t(own.groups.size()), block.rigid.end = std::int32_t(own.rigid.size());
  }
  team.barrier();
  if (team.rank() == 0) color_loose(world);
  if (team.rank() == team.size() - 1) color_rigid(world);
}

/// Makes the rows of a block of triangles. A triangle tests only those particles of the grids that can meet
/// the block.
void SheetContacts::aim_block(const World& world, std::span<const Sorted> particles,
                              const ClusterContacts& clusters, std::int64_t block, real h, Found& out) const {
  const Topology& topology = *world.topology;
  const std::size_t first = std::size_t(block * block_triangles);
  const std::size_t end = std::min(first + std::size_t(block_triangles), std::size_t(topology.facets()));
  Swept box;
  real thickest = 0;
  for (std::size_t t = first; t < end; ++t) {
    for (const std::int32_t i : topology.facet(std::int32_t(t))) box.add(world.particles, i);
    thickest = std::max(thickest, keep_of(world, t));
  }
  out.near.clear();
  for (const auto& [grid, stray] : particles)
    grid->for_box(box.low - (thickest + stray), box.high + (thickest + stray), [&](std::int32_t i) {
      if (box.meets(Swept(world.particles, i), real(1.1) * thickest)) out.near.push_back(i);
    });
  if (out.near.empty()) return;
  // Sorted by particle instead of cell. Duplicates are removed, because grains are in the grid of the fluids
  // too.
  std::sort(out.near.begin(), out.near.end());
  out.near.erase(std::unique(out.near.begin(), out.near.end()), out.near.end());
  for (std::size_t t = first; t < end; ++t) {
    const std::int32_t before = std::int32_t(out.loose.size());
    aim_triangle(world, clusters, t, h, out);
    if (const std::int32_t now = std::int32_t(out.loose.size()); now > before)
      out.groups.push_back({before, now});
  }
}

void SheetContacts::aim_triangle(const World& world, const ClusterContacts& clusters, std::size_t t, real h,
                                 Found& out) const {
  const Particles& particles = world.particles;
  const auto corners = world.topology->facet(std::int32_t(t));
  const real keep = keep_of(world, t), farthest = real(1.1) * keep;
  const double sheet_friction = material_of(world, corners[0]).friction,
               sheet_restitution = material_of(world, corners[0]).restitution;
  const bool flowed_around = world.topology->is_segment(std::int32_t(t)) &&
                             is_thin_rod(world, std::size_t(particles.object[std::size_t(corners[0])]));
  vec3 x[3], u[3];
  Swept box;
  for (int j = 0; j < 3; ++j) {
    const std::size_t i = std::size_t(corners[std::size_t(j)]);
    x[j] = vec3(particles.previous[i]), u[j] = vec3(particles.position[i]) - x[j];
    box.add(particles, corners[std::size_t(j)]);
  }
  for (const std::int32_t i : out.near) {
    if (flowed_around && world.topology->fluid.takes_part(i)) continue;
    if (!box.meets(Swept(particles, i), farthest) || !particles_touch(world, i, corners[0]) ||
        tied_.are_sewn(world, {&i, 1}, corners))
      continue;
    const vec3 from(particles.previous[std::size_t(i)]),
        step = vec3(particles.position[std::size_t(i)]) - from;
    const vec3 weight = nearest_weights(from, x), away = from - blend(x, weight);
    const real distance = glm::length(away);
    const vec3 across = glm::cross(x[1] - x[0], x[2] - x[0]);
    const real doubled = glm::length(across);
    SheetRow row{};
    if (distance > real(1e-6) * keep)
      row.normal = away / distance;
    else
      row.normal = doubled > real(0) ? across / doubled : vec3(0, 1, 0);
    const real nearer = glm::dot(row.normal, step - blend(u, weight));
    if (!(std::min(distance, distance + nearer) < farthest)) continue;
    row.grain = i;
    row.cluster = clusters.rigid_at(i);
    real w = particles.position[std::size_t(i)].w;
    for (int j = 0; j < 3; ++j) {
      row.points[j] = corners[std::size_t(j)];
      w += weight[j] * weight[j] * particles.position[std::size_t(row.points[j])].w;
    }
    if (!(w > real(0)) && row.cluster < 0) continue;
    row.weight = weight;
    row.gap =
        distance - std::min(keep, distance + real(world.settings.solver.contact->depenetration_speed) * h);
    row.friction = real(mixed_friction(material_of(world, i).friction, sheet_friction));
    row.restitution = real(mixed_restitution(material_of(world, i).restitution, sheet_restitution));
    row.approach = nearer;
    row.weigh(w);
    (row.cluster < 0 ? out.loose : out.rigid).push_back(row);
  }
}

void SheetContacts::color_loose(const World& world) {
  loose_.clear();
  for (const Block& block : blocks_) {
    Found& found = found_[std::size_t(block.list)];
    for (std::int32_t g = block.groups.first; g < block.groups.end; ++g) {
      const Run& run = found.groups[std::size_t(g)];
      loose_.emplace_back(found.loose.data() + run.first, std::size_t(run.end - run.first));
    }
  }
  used_loose_.assign(world.particles.position.size(), 0);
  loose_colors_.color.resize(loose_.size());
  for (std::size_t g = 0; g < loose_.size(); ++g)
    loose_colors_.color[g] = take_first_free_color([&](const auto& act) {
      for (const std::int32_t i : loose_[g].front().points) act(used_loose_[std::size_t(i)]);
      for (const SheetRow& row : loose_[g]) act(used_loose_[std::size_t(row.grain)]);
    });
  sort_by_color(loose_colors_.color, loose_colors_.order, loose_colors_.begin);
}

void SheetContacts::color_rigid(const World& world) {
  rigid_.clear(), clusters_.clear();
  for (const Block& block : blocks_) {
    Found& found = found_[std::size_t(block.list)];
    for (std::int32_t r = block.rigid.first; r < block.rigid.end; ++r) {
      SheetRow& row = found.rigid[std::size_t(r)];
      rigid_.push_back({row.cluster, std::int32_t(rigid_.size()), &row});
    }
  }
  std::sort(rigid_.begin(), rigid_.end(), [](const RigidRow& a, const RigidRow& b) {
    return a.cluster != b.cluster ? a.cluster < b.cluster : a.number < b.number;
  });
  for (std::size_t first = 0, end = 0; first < rigid_.size(); first = end) {
    while (end < rigid_.size() && rigid_[end].cluster == rigid_[first].cluster) ++end;
    clusters_.emplace_back(rigid_.data() + first, end - first);
  }
  used_rigid_.assign(world.particles.position.size(), 0);
  cluster_colors_.color.resize(clusters_.size());
  for (std::size_t g = 0; g < clusters_.size(); ++g)
    cluster_colors_.color[g] = take_first_free_color([&](const auto& act) {
      for (const RigidRow& rigid : clusters_[g])
        for (const std::int32_t i : rigid.row->points) act(used_rigid_[std::size_t(i)]);
    });
  sort_by_color(cluster_colors_.color, cluster_colors_.order, cluster_colors_.begin);
}

void SheetContacts::project(World& world, Team& team) {
  if (loose_.empty()) return;
  ColorTurns turns(team);
  for (int k = 0; k < sheet_sweeps; ++k)
    visit_by_color(Visited::sheets, 0, loose_colors_.begin, serial_sheet_groups, turns, [&](std::size_t g) {
      for (SheetRow& row : loose_[std::size_t(loose_colors_.order[g])])
        project_contact(row, true, loose_sides_of(row, world.particles));
    });
}

void SheetContacts::project_clusters(World& world, ClusterContacts& clusters, Team& team) {
  if (clusters_.empty()) return;
  team.barrier();  // all clusters must have moved
  ClusterMotion* const motion = clusters.motion();
  const Share own = team.share(std::int64_t(clusters_.size()));
  for (std::int64_t g = own.begin; g < own.end; ++g)
    for (const RigidRow& rigid : clusters_[std::size_t(g)]) {
      SheetRow& row = *rigid.row;
      row.arm = vec3(world.particles.position[std::size_t(row.grain)]) - motion[row.cluster].center;
      row.weigh(rigid_sides_of(row, world.particles, motion).inverse_mass_along(row.normal));
    }
  team.barrier();
  ColorTurns turns(team);
  for (int k = 0; k < sheet_sweeps; ++k)
    visit_by_color(Visited::sheets, 1, cluster_colors_.begin, 1, turns, [&](std::size_t g) {
      for (const RigidRow& rigid : clusters_[std::size_t(cluster_colors_.order[g])])
        project_contact(*rigid.row, true, rigid_sides_of(*rigid.row, world.particles, motion));
    });
  turns.finish();
  for (std::int64_t g = own.begin; g < own.end; ++g)
    clusters.carry(world, std::size_t(clusters_[std::size_t(g)].front().cluster));
}

void SheetContacts::bounce(World& world, ClusterContacts& clusters, real h, Team& team) {
  if (!any_bouncy(world) || (loose_.empty() && clusters_.empty())) return;
  const real g = real(glm::length(world.settings.solver.motion->gravity));
  Particles& particles = world.particles;
  const auto sheet = [&](const SheetRow& row) {
    return WeightedVelocity{{row.points, row.weight, particles}};
  };
  team.barrier();  // all threads must have set their velocities
  ColorTurns turns(team);
  visit_by_color(Visited::sheets, 0, loose_colors_.begin, serial_sheet_groups, turns, [&](std::size_t k) {
    const std::span<SheetRow> rows = loose_[std::size_t(loose_colors_.order[k])];
    bounce_group(
        h, g, [&](const auto& act) { std::for_each(rows.begin(), rows.end(), act); },
        [&](const SheetRow& row) {
          const std::size_t i = std::size_t(row.grain);
          return Sides{LooseVelocity{&particles.velocity[i], particles.position[i].w}, sheet(row)};
        });
  });
  if (clusters_.empty()) return;
  ClusterMotion* const motion = clusters.motion();
  turns.finish();
  clusters.take_velocities(world, team);
  team.barrier();
  visit_by_color(Visited::sheets, 1, cluster_colors_.begin, 1, turns, [&](std::size_t k) {
    const std::span<RigidRow> rows = clusters_[std::size_t(cluster_colors_.order[k])];
    bounce_group(
        h, g,
        [&](const auto& act) {
          for (const RigidRow& rigid : rows) act(*rigid.row);
        },
        [&](const SheetRow& row) {
          return Sides{FramePoint{motion[row.cluster].frame, row.arm}, sheet(row)};
        });
  });
  turns.finish();
  clusters.give_velocities(world, team);
}

void SheetContacts::tell_touched(TouchedParts& touched, const Team& team) const {
  if (std::size_t(team.rank()) >= found_.size()) return;
  const Found& own = found_[std::size_t(team.rank())];
  for (const std::vector<SheetRow>* rows : {&own.loose, &own.rigid})
    for (const SheetRow& row : *rows)
      if (row.lambda() != vec3(0))
        touched.join(touched.of_particle(row.grain), touched.of_particle(row.points[0]), team.rank());
}

std::int64_t SheetContacts::touching() const {
  std::int64_t count = 0;
  const auto pushed = [](const SheetRow& row) { return row.normal_lambda > real(0); };
  for (const Found& found : found_)
    count += std::count_if(found.loose.begin(), found.loose.end(), pushed) +
             std::count_if(found.rigid.begin(), found.rigid.end(), pushed);
  return count;
}

}}  // namespace limber::LIMBER_PRECISION
