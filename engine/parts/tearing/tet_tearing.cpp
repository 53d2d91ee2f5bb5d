#include "engine/parts/tearing/tet_tearing.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <optional>
#include <tuple>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/local_material.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/plastic_laws.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/tet_slots.hpp"
#include "engine/state/tet_split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Largest number of splits per object and frame: fewest_splits, or a share of its particles if that is more.
/// A cascade takes several frames.
constexpr std::int32_t fewest_splits = 4, particles_per_split = 400;

/// A split relieves the vertices around it. A vertex whose stress is more than this many times the strength
/// splits all the same: otherwise the last ligament of a solid is drawn out while its vertices wait for each
/// other, and its recoil turns tetrahedra inside out.
constexpr double overstressed = 3.0;

/// Pa, Cauchy stress of a tetrahedron by its energy; empty if its type has no such energy or the element is
/// inverted.
std::optional<glm::dmat3> stress_in(const World& world, std::int32_t type, std::size_t slot) {
  std::optional<glm::dmat3> out;
  visit_type(type, [&](auto t) {
    using Type = std::tuple_element_t<t, ConstraintTypes>;
    if constexpr (flows_as<Type>() == FlowTrait::volume) {
      const auto& batch = std::get<t>(*world.topology->constraints);
      const auto& state = std::get<t>(*world.matter.constraints);
      std::array<double, 10> rest;
      for (std::size_t r = 0; r < 10; ++r) rest[r] = double(rest_row(batch, state, r)[slot]);
      glm::dvec3 x[4];
      for (std::size_t j = 0; j < 4; ++j)
        x[j] = place_of(world.particles, std::size_t(batch.vertices[j][slot]));
      const glm::dmat3 F = glm::dmat3(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * rest_matrix(rest);
      const double J = glm::determinant(F);
      if (!(J > TetStencil::least_ratio)) return;
      const SymmetricEigen square = eigen_symmetric(F * glm::transpose(F));
      const Material& material = world.settings.materials[std::size_t(batch.object[slot])];
      const double modulus =
          material.youngs_modulus * field_over(world, MaterialField::stiffness, nodes_of(batch, slot));
      const glm::dvec3 tau =
          principal_stress(Type(), stretches(square), lame(modulus, material.poisson_ratio));
      glm::dmat3 stress(0.0);
      for (int k = 0; k < 3; ++k)
        stress += glm::outerProduct(tau[k] / J * square.vectors[k], square.vectors[k]);
      out = stress;
    }
  });
  return out;
}

double largest(const SymmetricEigen& of) { return std::max({of.values.x, of.values.y, of.values.z}); }

}  // namespace

bool TetTearing::enabled(const World& world) {
  const auto& materials = world.settings.materials;
  return !world.topology->tets.empty() && !world.topology->tears.empty() &&
         std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.strength > 0.0; });
}

void TetTearing::reserve(const World& world) {
  if (!enabled(world)) return;
  find_tet_slots(*world.topology, type_, slot_);
  over_.assign(type_.size(), 0);
}

void TetTearing::look(const World& world, const Team& team) {
  const Share tets = team.share(std::int64_t(over_.size()), 64);
  for (std::int64_t k = tets.begin; k < tets.end; ++k) {
    const std::size_t t = std::size_t(k);
    over_[t] = 0;
    const std::size_t object = std::size_t(world.particles.object[std::size_t(world.topology->tets[t][0])]);
    const double strength = world.settings.materials[object].strength;
    if (!(strength > 0.0) || slot_[t] < 0) continue;
    if (const auto stress = stress_in(world, type_[t], std::size_t(slot_[t])))
      over_[t] = largest(eigen_symmetric(*stress)) > strength;
  }
}

/// Vertices of tetrahedra that exceed their strength, if the mean stress around the vertex exceeds it too;
/// the most stressed first.
std::vector<TetTearing::Stressed> TetTearing::candidates(const World& world) const {
  const Topology& topology = *world.topology;
  std::vector<std::int32_t> seen;
  for (std::size_t t = 0; t < over_.size(); ++t)
    if (over_[t]) seen.insert(seen.end(), topology.tets[t].begin(), topology.tets[t].end());
  if (seen.empty()) return {};
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  std::vector<glm::dmat3> sum(seen.size(), glm::dmat3(0.0));
  std::vector<double> volume(seen.size(), 0.0);
  for (std::size_t t = 0; t < topology.tets.size(); ++t) {
    std::optional<glm::dmat3> stress;
    for (const std::int32_t i : topology.tets[t]) {
      const auto at = std::lower_bound(seen.begin(), seen.end(), i);
      if (at == seen.end() || *at != i) continue;
      if (!stress) stress = slot_[t] < 0 ? std::nullopt : stress_in(world, type_[t], std::size_t(slot_[t]));
      if (!stress) break;
      const std::size_t k = std::size_t(at - seen.begin());
      sum[k] += double(topology.tet_volumes[t]) * *stress;
      volume[k] += double(topology.tet_volumes[t]);
    }
  }
  std::vector<Stressed> out;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const std::size_t i = std::size_t(seen[k]);
    const double strength = world.settings.materials[std::size_t(world.particles.object[i])].strength;
    if (!(volume[k] > 0.0) || !(world.particles.position[i].w > real(0))) continue;
    const SymmetricEigen axes = eigen_symmetric(sum[k] / volume[k]);
    const double stress = largest(axes);
    if (!(stress > strength)) continue;
    for (int axis = 0; axis < 3; ++axis)
      if (axes.values[axis] == stress) {
        out.push_back({stress / strength, seen[k], axes.vectors[axis]});
        break;
      }
  }
  const auto id = [&](const Stressed& s) { return topology.internal_to_external[std::size_t(s.particle)]; };
  std::sort(out.begin(), out.end(), [&](const Stressed& a, const Stressed& b) {
    return std::tuple(-a.stress, id(a)) < std::tuple(-b.stress, id(b));
  });
  return out;
}

bool TetTearing::tear(World& world) {
  const std::vector<Stressed> stressed = candidates(world);
  if (stressed.empty()) return false;
  TetSplitter splitter(world);
  std::vector<std::int32_t> relieved;
  std::vector<std::int32_t> left;
  for (const ParticleRange& object : world.topology->objects)
    left.push_back(std::max(fewest_splits, object.count / particles_per_split));
  int made = 0;
  for (const Stressed& at : stressed) {
    std::int32_t& more = left[std::size_t(world.particles.object[std::size_t(at.particle)])];
    if (more == 0) continue;
    if (at.stress < overstressed &&
        std::find(relieved.begin(), relieved.end(), at.particle) != relieved.end())
      continue;
    std::vector<std::int32_t> around;
    for (const std::int32_t t : splitter.star(at.particle))
      around.insert(around.end(), world.topology->tets[std::size_t(t)].begin(),
                    world.topology->tets[std::size_t(t)].end());
    const int split = splitter.split_across(at.particle, at.along);
    if (split == 0) continue;
    relieved.insert(relieved.end(), around.begin(), around.end());
    made += split, --more;
  }
  splitter.finish();
  return made > 0;
}

}}  // namespace limber::LIMBER_PRECISION
