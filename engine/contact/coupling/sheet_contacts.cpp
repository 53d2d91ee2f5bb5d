#include "engine/contact/coupling/sheet_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/contact/mix.hpp"
#include "engine/core/settings.hpp"
#include "engine/geometry/queries/closest_features.hpp"
#include "engine/simd/lanes.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// Per iteration: grains beside each other push the same vertices.
constexpr int sheet_sweeps = 4;

using One = Lanes<real, 1>;

/// Weights of the point of triangle `x` nearest to q.
vec3 nearest_weights(const vec3& q, const vec3 (&x)[3]) {
  const auto lanes = [](const vec3& v) { return Vec3<One>{One(v.x), One(v.y), One(v.z)}; };
  const Vec3<One> corners[3] = {lanes(x[0]), lanes(x[1]), lanes(x[2])};
  const TriangleWeights<One> nearest = closest_on_triangle(lanes(q), corners);
  return {nearest.b[0].v, nearest.b[1].v, nearest.b[2].v};
}

vec3 blend(const vec3 (&v)[3], const vec3& b) { return b.x * v[0] + b.y * v[1] + b.z * v[2]; }

/// The two sides of a row of a grain, or of a particle of a rigid solid.
auto loose_sides_of(const SheetRow& row, Particles& particles) {
  const std::size_t i = std::size_t(row.grain);
  return Sides{LoosePoint{&particles.position[i], &particles.previous[i]},
               WeightedPoint{row.points, row.weight, particles.position.data(), particles.previous.data()}};
}
auto rigid_sides_of(const SheetRow& row, Particles& particles, SolidMotion* solids) {
  const std::size_t i = std::size_t(row.grain);
  return Sides{CarriedPoint{{solids[row.solid].frame, row.arm},
                            vec3(particles.position[i]) - vec3(particles.previous[i])},
               WeightedPoint{row.points, row.weight, particles.position.data(), particles.previous.data()}};
}

}  // namespace

void SheetContacts::aim(const World& world, const NeighbourSearch& grid, const SolidContacts& solids,
                        real stray, real h, Team& team) {
  if (team.rank() == 0) list_per_thread(rows_, team);
  team.barrier();
  Rows& own = rows_[std::size_t(team.rank())];
  own.clear();
  const Share mine = team.share(std::int64_t(world.topology->triangles.size()));
  for (std::int64_t t = mine.begin; t < mine.end; ++t)
    aim_triangle(world, grid, solids, std::size_t(t), stray, h, own);
  team.barrier();
}

void SheetContacts::aim_triangle(const World& world, const NeighbourSearch& grid, const SolidContacts& solids,
                                 std::size_t t, real stray, real h, Rows& out) const {
  const Particles& particles = world.particles;
  const auto& corners = world.topology->triangles[t];
  const auto material_of = [&](std::int32_t i) -> const Material& {
    return world.materials[std::size_t(particles.object[std::size_t(i)])];
  };
  const Material& sheet = material_of(corners[0]);
  const real keep = real(world.settings->particle_radius) + real(sheet.thickness);
  vec3 x[3], u[3], low(particles.position[std::size_t(corners[0])]), high = low;
  for (int j = 0; j < 3; ++j) {
    const std::size_t i = std::size_t(corners[std::size_t(j)]);
    const vec3 p(particles.position[i]);
    x[j] = vec3(particles.previous[i]), u[j] = p - x[j];
    low = glm::min(low, glm::min(x[j], p)), high = glm::max(high, glm::max(x[j], p));
  }
  const vec3 reach(keep + stray);
  grid.for_box(low - reach, high + reach, [&](std::int32_t i) {
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
    if (!(std::min(distance, distance + nearer) < real(1.1) * keep)) return;
    row.grain = i;
    row.solid = solids.rigid_at(i);
    real w = particles.position[std::size_t(i)].w;
    for (int j = 0; j < 3; ++j) {
      row.points[j] = corners[std::size_t(j)];
      w += weight[j] * weight[j] * particles.position[std::size_t(row.points[j])].w;
    }
    if (!(w > real(0)) && row.solid < 0) return;
    row.weight = weight;
    row.gap = distance - std::min(keep, distance + real(world.settings->depenetration_speed) * h);
    row.friction = real(mixed_friction(material_of(i).friction, sheet.friction));
    row.weigh(w);
    (row.solid < 0 ? out.loose : out.rigid).push_back(row);
  });
}

void SheetContacts::project(World& world, Team& team) {
  if (team.rank() == 0)
    for (int k = 0; k < sheet_sweeps; ++k)
      for (Rows& rows : rows_)
        for (SheetRow& row : rows.loose) project_contact(row, true, loose_sides_of(row, world.particles));
  team.barrier();
}

void SheetContacts::project_solids(World& world, SolidContacts& solids, Team& team) {
  if (team.rank() == 0) {
    SolidMotion* const motion = solids.motion();
    met_solids_.clear();
    for (Rows& rows : rows_)
      for (SheetRow& row : rows.rigid) {
        row.arm = vec3(world.particles.position[std::size_t(row.grain)]) - motion[row.solid].center;
        row.weigh(rigid_sides_of(row, world.particles, motion).inverse_mass_along(row.normal));
        met_solids_.push_back(row.solid);
      }
    for (int k = 0; k < sheet_sweeps; ++k)
      for (Rows& rows : rows_)
        for (SheetRow& row : rows.rigid)
          project_contact(row, true, rigid_sides_of(row, world.particles, motion));
    std::sort(met_solids_.begin(), met_solids_.end());
    met_solids_.erase(std::unique(met_solids_.begin(), met_solids_.end()), met_solids_.end());
    for (const std::int32_t s : met_solids_) solids.carry(world, std::size_t(s));
  }
  team.barrier();
}

std::int64_t SheetContacts::touching() const {
  std::int64_t count = 0;
  const auto pushed = [](const SheetRow& row) { return row.normal_lambda > real(0); };
  for (const Rows& rows : rows_)
    count += std::count_if(rows.loose.begin(), rows.loose.end(), pushed) +
             std::count_if(rows.rigid.begin(), rows.rigid.end(), pushed);
  return count;
}

}  // namespace limber::inline LIMBER_PRECISION
