#include "engine/parts/heat/tet_melting.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <memory>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/heat_law.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/split.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/tet_slots.hpp"
#include "engine/state/tet_split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Molten share at which a melt becomes fluid, as for frozen particles of fluids.
constexpr double melts_at = 0.6;

using Corners = std::array<std::int32_t, 4>;

Corners corners_of(const Topology& topology, const HeatMesh::MeltingTet& tet) {
  Corners out{};
  visit_type(tet.type, [&](auto type) {
    if constexpr (std::tuple_element_t<type, ConstraintTypes>::arity == 4)
      for (std::size_t k = 0; k < 4; ++k)
        out[k] = std::get<type>(*topology.constraints).vertices[k][std::size_t(tet.slot)];
  });
  return out;
}

std::span<const HeatMesh::MeltingTet> tets_of(const HeatMesh& mesh, const HeatMesh::Melt& melt) {
  return std::span(mesh.melting_tets).subspan(std::size_t(melt.first_tet), std::size_t(melt.tets));
}

/// Molten share of a melt, from the mean enthalpy of its corners.
double molten_share(const World& world, const HeatMesh& mesh, const HeatMesh::Melt& melt) {
  double mass = 0.0, heat = 0.0;
  std::int32_t any = 0;
  for (const HeatMesh::MeltingTet& tet : tets_of(mesh, melt))
    for (const std::int32_t i : corners_of(*world.topology, tet))
      mass += tet.mass, heat += tet.mass * world.heat->enthalpy[std::size_t(i)], any = i;
  return HeatLaw::of(material_of(world, any)).molten(heat / mass);
}

/// Mass, first moments of place and velocity, heat and kinetic energy of a melt.
struct Sums {
  double mass = 0.0, heat = 0.0, kinetic = 0.0;
  glm::dvec3 place{0.0}, momentum{0.0};
  void add(double m, const glm::dvec3& x, const glm::dvec3& v, double h) {
    mass += m, heat += m * h, kinetic += 0.5 * m * glm::dot(v, v);
    place += m * x, momentum += m * v;
  }
};

/// J, elastic energy of a tetrahedron under a method with compliances.
double energy_in(const World& world, const HeatMesh::MeltingTet& tet) {
  double out = 0.0;
  if (!is_compliant(world.settings.solver.method->kind)) return out;
  visit_type(tet.type, [&](auto type) {
    const auto& batch = std::get<type>(*world.topology->constraints);
    const double softness =
        double(std::get<type>(*world.matter.constraints).softness[0][std::size_t(tet.slot)]);
    if (softness > 0.0) out = energy(element_at(world, batch, std::size_t(tet.slot), 0.0));
  });
  return out;
}

/// Brings in the particles of a melt. Adds the masses that its vertices lose to `lost`, kg by particle.
void release(World& world, const HeatMesh& mesh, const HeatMesh::Melt& melt, std::vector<double>& lost) {
  HeatState& heat = *world.heat;
  Particles& particles = world.particles;
  struct Values {
    glm::dvec3 x, v;
    double h;
  };
  const auto values_at = [&](std::int32_t i) {
    return Values{place_of(particles, std::size_t(i)), glm::dvec3(particles.velocity[std::size_t(i)]),
                  heat.enthalpy[std::size_t(i)]};
  };
  Sums corners, drops;
  double elastic = 0.0;
  for (const HeatMesh::MeltingTet& tet : tets_of(mesh, melt)) {
    elastic += energy_in(world, tet);
    for (const std::int32_t i : corners_of(*world.topology, tet)) {
      const Values at = values_at(i);
      corners.add(0.25 * tet.mass, at.x, at.v, at.h);
      lost[std::size_t(i)] += 0.25 * tet.mass;
    }
  }
  const double mass = corners.mass / double(melt.drops);
  std::vector<Values> of_drops;
  for (std::int32_t d = 0; d < melt.drops; ++d) {
    const HeatMesh::Drop& drop = mesh.drops[std::size_t(melt.first_drop + d)];
    const Corners at = corners_of(*world.topology, mesh.melting_tets[std::size_t(drop.tet)]);
    Values sum{glm::dvec3(0.0), glm::dvec3(0.0), 0.0};
    for (std::size_t k = 0; k < 4; ++k) {
      const Values corner = values_at(at[k]);
      sum.x += drop.weights[k] * corner.x, sum.v += drop.weights[k] * corner.v;
      sum.h += drop.weights[k] * corner.h;
    }
    drops.add(mass, sum.x, sum.v, sum.h);
    of_drops.push_back(sum);
  }
  const glm::dvec3 shift = (corners.place - drops.place) / corners.mass,
                   faster = (corners.momentum - drops.momentum) / corners.mass;
  double kinetic = 0.0;
  for (Values& drop : of_drops) {
    drop.x += shift, drop.v += faster;
    kinetic += 0.5 * mass * glm::dot(drop.v, drop.v);
  }
  const double warmer = (corners.heat - drops.heat + corners.kinetic - kinetic + elastic) / corners.mass;
  FluidState& fluid = world.matter.fluid;
  for (std::int32_t d = 0; d < melt.drops; ++d) {
    const Values& drop = of_drops[std::size_t(d)];
    const std::size_t i = std::size_t(mesh.drops[std::size_t(melt.first_drop + d)].particle);
    put_particle(particles, i, vec4(vec3(drop.x), particles.inverse_mass[i]));
    particles.velocity[i] = vec4(vec3(drop.v), real(0));
    fluid.pressure[i] = 0, fluid.present[i] = 1;
    heat.enthalpy[i] = drop.h + warmer;
    heat.temperature[i] = HeatLaw::of(material_of(world, std::int32_t(i))).temperature(heat.enthalpy[i]);
    heat.frozen[i] = 0, heat.chunk[i] = -1;
    ++fluid.counts[std::size_t(particles.object[i])].emitted;
  }
  heat.changes += melt.drops;
}

/// Retires the slot of a constraint, as padding: all its corners are a particle without mass.
void retire(World& world, Topology& own, const HeatMesh::MeltingTet& tet) {
  visit_type(tet.type, [&](auto type) {
    auto& batch = std::get<type>(*own.constraints);
    const std::size_t slot = std::size_t(tet.slot);
    for (auto& row : batch.vertices) row[slot] = world.particles.count;
    for (auto& row : batch.rest) row[slot] = 0;
    auto& flowed = std::get<type>(*world.matter.constraints).flowed;
    if (!flowed.empty())
      for (auto& row : flowed.rest) row[slot] = 0;
    batch.id[slot] = batch.object[slot] = -1;
    --batch.constraints;
  });
}

/// Takes the lost mass off the vertices. Those without a tetrahedron leave the scene, as waiting particles of
/// fluids are out of it.
void lighten(World& world, Topology& own, const std::vector<double>& lost) {
  std::vector<char> used(lost.size(), 0);
  for (const auto& tet : own.tets)
    for (const std::int32_t i : tet) used[std::size_t(i)] = 1;
  Particles& particles = world.particles;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    if (!(lost[i] > 0.0)) continue;
    if (used[i]) {
      particles.inverse_mass[i] = real(1.0 / (1.0 / double(particles.inverse_mass[i]) - lost[i]));
      if (particles.position[i].w > real(0)) set_weight(particles, i, particles.inverse_mass[i]);
      continue;
    }
    particles.inverse_mass[i] = 0;
    set_weight(particles, i, real(0));
    particles.velocity[i] = vec4(0);
    std::erase_if(world.user.attachments,
                  [&](const Attachment& attachment) { return attachment.particle == std::int32_t(i); });
    auto& members = own.fluid.members_by_particle;
    members.resize(std::max(members.size(), i + 1), 0);
    world.matter.fluid.present.resize(members.size(), 0);
    world.matter.fluid.pressure.resize(members.size(), real(0));
    members[i] = 1;
  }
}

/// Lists the triangles anew: those that are still faces keep their order, and faces that have opened follow
/// the triangles of their object.
void open_faces(const World& world, Topology& own, std::span<const Corners> gone) {
  using Face = std::array<std::int32_t, 3>;
  const auto sorted = [](Face face) {
    std::sort(face.begin(), face.end());
    return face;
  };
  std::vector<Tet> tets;
  for (const auto& [a, b, c, d] : own.tets) tets.push_back({Index(a), Index(b), Index(c), Index(d)});
  const std::vector<TetFace> faces = sorted_tet_faces(tets);
  std::map<Face, Face> border;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (f + 1 < faces.size() && faces[f + 1].key == faces[f].key) {
      ++f;
      continue;
    }
    const auto& tet = own.tets[std::size_t(faces[f].tet)];
    const auto& corner = tet_faces[std::size_t(faces[f].corner)];
    const Face face{tet[corner[0]], tet[corner[1]], tet[corner[2]]};
    border.emplace(sorted(face), face);
  }
  const auto object_of = [&](const Face& face) { return world.particles.object[std::size_t(face[0])]; };
  std::vector<char> solid(own.objects.size(), 0);
  for (const Corners& tet : gone) solid[std::size_t(world.particles.object[std::size_t(tet[0])])] = 1;
  std::vector<Face> triangles;
  std::vector<std::int32_t> old_number;
  std::vector<std::vector<Face>> kept(own.objects.size()), opened(own.objects.size());
  std::vector<std::vector<std::int32_t>> numbers(own.objects.size());
  for (std::size_t t = 0; t < own.triangles.size(); ++t) {
    const std::size_t o = std::size_t(object_of(own.triangles[t]));
    const auto at = border.find(sorted(own.triangles[t]));
    if (solid[o] && at == border.end()) continue;
    if (at != border.end()) border.erase(at);
    kept[o].push_back(own.triangles[t]), numbers[o].push_back(std::int32_t(t));
  }
  for (const auto& [key, face] : border)
    if (solid[std::size_t(object_of(face))]) opened[std::size_t(object_of(face))].push_back(face);
  const std::size_t before = own.triangles.size();
  for (std::size_t o = 0; o < kept.size(); ++o) {
    triangles.insert(triangles.end(), kept[o].begin(), kept[o].end());
    old_number.insert(old_number.end(), numbers[o].begin(), numbers[o].end());
    triangles.insert(triangles.end(), opened[o].begin(), opened[o].end());
    old_number.insert(old_number.end(), opened[o].size(), -1);
  }
  own.triangles.assign(triangles.begin(), triangles.end());
  follow_triangles(own, before, old_number);
}

/// Removes the links of molten tetrahedra, and gives vertices the areas of the present surface, at rest.
void follow_heat(const World& world, const Topology& own, HeatMesh& mesh,
                 std::span<const HeatMesh::MeltingTet> gone, std::span<const Corners> corners) {
  const auto before = [](const HeatMesh::Edge& edge, const std::pair<std::int32_t, std::int32_t>& ends) {
    return std::pair(edge.a, edge.b) < ends;
  };
  for (std::size_t t = 0; t < gone.size(); ++t) {
    std::size_t link = 0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b, ++link) {
        const std::pair<std::int32_t, std::int32_t> ends = std::minmax(corners[t][a], corners[t][b]);
        const auto at = std::lower_bound(mesh.edges.begin(), mesh.edges.end(), ends, before);
        if (at != mesh.edges.end() && at->a == ends.first && at->b == ends.second)
          at->length -= gone[t].links[link];
      }
  }
  const auto is_gone = [&](std::int32_t i) {
    return is_parked(own.fluid, world.matter.fluid, i) &&
           !(world.particles.inverse_mass[std::size_t(i)] > real(0));
  };
  std::erase_if(mesh.edges, [&](const HeatMesh::Edge& edge) { return is_gone(edge.a) || is_gone(edge.b); });
  std::vector<char> solid(own.objects.size(), 0);
  for (const Corners& tet : corners) solid[std::size_t(world.particles.object[std::size_t(tet[0])])] = 1;
  for (std::size_t i = 0; i < mesh.parts.size(); ++i)
    if (solid[std::size_t(world.particles.object[i])]) mesh.parts[i].free_area = mesh.parts[i].touching = 0.0;
  for (const auto& triangle : own.triangles) {
    if (!solid[std::size_t(world.particles.object[std::size_t(triangle[0])])]) continue;
    const auto rest = [&](std::size_t k) { return glm::dvec3(own.surface.rest[std::size_t(triangle[k])]); };
    const double sixth = glm::length(glm::cross(rest(1) - rest(0), rest(2) - rest(0))) / 6.0;
    for (const std::int32_t i : triangle)
      mesh.parts[std::size_t(i)].free_area += sixth, mesh.parts[std::size_t(i)].touching += sixth;
  }
}

}  // namespace

bool melt_tets(World& world) {
  HeatState& heat = *world.heat;
  if (!heat.mesh || heat.mesh->melts.empty()) return false;
  const std::shared_ptr<const HeatMesh> mesh = heat.mesh;
  std::vector<HeatMesh::MeltingTet> gone;
  std::vector<Corners> corners;
  std::vector<double> lost;
  for (std::size_t m = 0; m < mesh->melts.size(); ++m) {
    const HeatMesh::Melt& melt = mesh->melts[m];
    if (heat.melted[m] || molten_share(world, *mesh, melt) < melts_at) continue;
    heat.melted[m] = 1;
    lost.resize(std::size_t(world.particles.count), 0.0);
    release(world, *mesh, melt, lost);
    for (const HeatMesh::MeltingTet& tet : tets_of(*mesh, melt))
      gone.push_back(tet), corners.push_back(corners_of(*world.topology, tet));
  }
  if (gone.empty()) return false;
  Topology& own = own_topology(world);
  std::vector<Corners> keys = corners;
  for (Corners& key : keys) std::sort(key.begin(), key.end());
  std::sort(keys.begin(), keys.end());
  std::size_t kept = 0;
  for (std::size_t t = 0; t < own.tets.size(); ++t) {
    auto key = own.tets[t];
    std::sort(key.begin(), key.end());
    if (std::binary_search(keys.begin(), keys.end(), Corners(key))) continue;
    own.tets[kept] = own.tets[t], own.tet_volumes[kept++] = own.tet_volumes[t];
  }
  own.tets.resize(kept), own.tet_volumes.resize(kept);
  for (const HeatMesh::MeltingTet& tet : gone) retire(world, own, tet);
  lighten(world, own, lost);
  open_faces(world, own, corners);
  HeatMesh after = *mesh;
  follow_heat(world, own, after, gone, corners);
  heat.mesh = std::make_shared<const HeatMesh>(std::move(after));
  world.contacts.tangle_watch = std::max(world.contacts.tangle_watch, ContactState::first_look);
  world.user.cut = {};
  return true;
}

}}  // namespace limber::LIMBER_PRECISION
