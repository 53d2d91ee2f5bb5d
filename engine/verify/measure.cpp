#include "engine/verify/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>

#include "engine/constraints/constraint_types.hpp"
#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/geometry/queries/triangle_intersection.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/soft_parts.hpp"
#include "engine/state/turns.hpp"
#include "engine/verify/body_measure.hpp"
#include "engine/verify/evaluated.hpp"
#include "engine/verify/fluid_measure.hpp"
#include "engine/verify/heat_measure.hpp"
#include "engine/verify/joint_measure.hpp"
#include "engine/verify/matter_measure.hpp"
#include "engine/verify/plastic_measure.hpp"
#include "engine/verify/rod_measure.hpp"
#include "engine/verify/soft_measure.hpp"
#include "engine/verify/tet_heat.hpp"
#include "engine/verify/tie_measure.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

bool finite_point(const vec4& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void add_particles(const World& world, const PosedColliders& posed, Measures& m) {
  const glm::dvec3 g = world.settings.solver.motion->gravity;
  m.bounds_min = glm::dvec3(std::numeric_limits<double>::max());
  m.bounds_max = -m.bounds_min;
  std::int64_t movable = 0;
  for (std::int32_t i = 0; i < world.particles.count; ++i) {
    if (world.topology->internal_to_external[std::size_t(i)] < 0) continue;  // in reserve
    if (is_parked(world.topology->fluid, world.matter.fluid, i)) continue;
    const vec4 &row = world.particles.position[std::size_t(i)],
               &velocity = world.particles.velocity[std::size_t(i)];
    if (!finite_point(row) || !finite_point(velocity)) {
      ++m.nonfinite;
      continue;
    }
    const glm::dvec3 x(row), v(velocity);
    m.bounds_min = glm::min(m.bounds_min, x);
    m.bounds_max = glm::max(m.bounds_max, x);
    if (row.w == real(0)) continue;
    double depth = 0.0;
    for (std::size_t c = 0; c < world.colliders.size(); ++c)
      if (particle_touches_collider(world, i, c))
        depth = std::max(depth, -double(closest(world.colliders[c], vec3(row)).distance));
    depth = std::max(depth, posed.depth(vec3(row)));
    m.penetration_max = std::max(m.penetration_max, depth);
    add_inside(world, i, depth, m);
    const double mass = 1.0 / double(row.w), speed = glm::length(v);
    m.kinetic_energy += 0.5 * mass * speed * speed;
    m.potential_energy -= mass * glm::dot(g, x);
    m.momentum += mass * v;
    m.angular_momentum += mass * glm::cross(x, v);
    m.mean_speed += speed;
    m.max_speed = std::max(m.max_speed, speed);
    ++movable;
  }
  for (std::int32_t t = 0; t < world.particles.turns; ++t) {  // rotation of segments of rods
    const std::size_t row = std::size_t(world.particles.padded() + t);
    if (world.particles.moved[row].w == real(0)) continue;
    const glm::dvec3 spin(world.particles.velocity[row]);
    const double inertia = 1.0 / double(world.particles.moved[row].w);
    m.kinetic_energy += 0.5 * inertia * glm::dot(spin, spin);
    m.angular_momentum += inertia * spin;
  }
  movable += add_bodies(world, posed, m);
  if (movable > 0) m.mean_speed /= double(movable);
  if (m.bounds_min.x > m.bounds_max.x) m.bounds_min = m.bounds_max = glm::dvec3(0.0);
}

/// Strains of all lengths and elements of a World, in total and per object.
class Strains {
 public:
  Strains(Measures& m, std::size_t objects) : m_(m), counts_(objects, 0) { m.object_strain.resize(objects); }
  void add(std::size_t object, double strain) {
    for (MeanMax* sum : {&m_.strain, &m_.object_strain[object]}) {
      sum->mean += strain;
      sum->max = std::max(sum->max, strain);
    }
    ++counts_[object];
  }
  void finish() {
    std::int64_t all = 0;
    for (std::size_t o = 0; o < counts_.size(); ++o) {
      if (counts_[o] > 0) m_.object_strain[o].mean /= double(counts_[o]);
      all += counts_[o];
    }
    if (all > 0) m_.strain.mean /= double(all);
    m_.measured.lengths = all > 0;
  }

 private:
  Measures& m_;
  std::vector<std::int64_t> counts_;
};

void add_constraints(const World& world, Measures& m) {
  const bool compliant = is_compliant(world.settings.solver.method->kind);
  const std::vector<std::int32_t>& sources = world.topology->object_source;
  const std::size_t objects =
      sources.empty() ? 0 : std::size_t(*std::max_element(sources.begin(), sources.end())) + 1;
  m.object_misfit.resize(objects, 0.0);
  m.object_length_misfit.resize(objects, 0.0);
  const double per_h2 = inverse_h_squared(world);
  Strains strains(m, objects);
  std::vector<std::int64_t> measured(objects, 0);  // number of distances per object
  std::vector<double> lengths(objects, 0.0);       // m, sum of these distances
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*world.topology->constraints);
    const auto& softness = std::get<type>(*world.matter.constraints).softness[0];
    const auto& lambda = std::get<type>(*world.matter.constraints).lambda[0];
    if (batch.constraints == 0) return;
    Residual residual{Type::name, {}};
    for (std::size_t s = 0; s < batch.id.size(); ++s) {
      if (batch.id[s] < 0) continue;
      const Evaluated<Type> c = evaluate(world, batch, s);
      if (!c.finite()) continue;
      const double misfit = c.misfit();
      residual.abs_c.mean += misfit;
      residual.abs_c.max = std::max(residual.abs_c.max, misfit);
      if (compliant && softness[s] > real(0)) m.elastic_energy += energy(element_at(world, batch, s, 0.0));
      if constexpr (std::is_same_v<Type, RodStretch>)
        strains.add(std::size_t(world.topology->object_source[std::size_t(batch.object[s])]),
                    std::abs(c.C[2]) / double(batch.rest[0][s]));
      if constexpr (std::is_same_v<Type, Distance> || std::is_same_v<Type, Rope>) {
        const double C = is_unilateral<Type>() ? std::min(c.C[0], 0.0) : c.C[0];
        const double rest = double(rest_row(batch, std::get<type>(*world.matter.constraints), 0)[s]);
        const double strain = rest > 0.0 ? misfit / rest : 0.0;
        const std::size_t source = std::size_t(world.topology->object_source[std::size_t(batch.object[s])]);
        strains.add(source, strain);
        const double give = compliant               ? per_h2 * double(softness[s]) * double(lambda[s])
                            : softness[s] < real(1) ? -C
                                                    : 0.0;
        if (strain > 0.0) m.object_misfit[source] += std::abs(C + give) / rest;
        if (strain > 0.0) m.object_length_misfit[source] += std::abs(C + give);
        lengths[source] += rest;
        ++measured[source];
      }
    }
    residual.abs_c.mean /= double(batch.constraints);
    m.residuals.push_back(residual);
  });
  for_each_tet_strain(world, [&](std::span<const std::int32_t> particles, double strain) {
    const std::int32_t object = world.particles.object[std::size_t(particles[0])];
    if (std::isfinite(strain))
      strains.add(std::size_t(world.topology->object_source[std::size_t(object)]), strain);
  });
  strains.finish();
  for (std::size_t o = 0; o < objects; ++o)
    if (measured[o] > 0) {
      m.object_misfit[o] /= double(measured[o]);
      m.object_length_misfit[o] /= std::max(lengths[o], std::numeric_limits<double>::min());
    }
}

double tet_volume(const World& world, const std::array<std::int32_t, 4>& tet) {
  glm::dvec3 x[4];
  for (std::size_t j = 0; j < 4; ++j) x[j] = glm::dvec3(world.particles.position[std::size_t(tet[j])]);
  return glm::dot(glm::cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]) / 6.0;
}

void add_ratio(std::vector<VolumeRatio>& ratios, std::int32_t source, double ratio) {
  if (ratios.empty() || ratios.back().object != source)
    ratios.push_back({source, ratio});
  else if (std::abs(ratio - 1.0) > std::abs(ratios.back().ratio - 1.0))
    ratios.back().ratio = ratio;
}

void add_tets(const World& world, Measures& m) {
  const Topology& topology = *world.topology;
  m.tets = std::int64_t(topology.tets.size());
  for (std::size_t t = 0; t < topology.tets.size();) {  // tetrahedra are sorted by object
    const std::int32_t object = world.particles.object[std::size_t(topology.tets[t][0])];
    double now = 0.0, rest = 0.0;
    for (; t < topology.tets.size() && world.particles.object[std::size_t(topology.tets[t][0])] == object;
         ++t) {
      const double volume = tet_volume(world, topology.tets[t]);
      if (volume <= 0.0) ++m.inverted_tets;
      now += volume;
      rest += double(topology.tet_volumes[t]);
    }
    add_ratio(m.volume_ratios, topology.object_source[std::size_t(object)], now / rest);
  }
}

/// Volumes by the sum over triangles of Mueller et al. 2006, eq. 14, which the solver does not use.
void add_volumes(const World& world, Measures& m) {
  const Topology& topology = *world.topology;
  const auto held = [&](std::size_t o) {
    return world.matter.volume_goals[o].volume > real(0) && !topology.tears.is_torn(o);
  };
  std::vector<double> volume(topology.objects.size(), 0.0);
  for (const auto& [a, b, c] : topology.triangles) {
    const std::size_t o = std::size_t(world.particles.object[std::size_t(a)]);
    if (!held(o)) continue;
    const auto at = [&](std::int32_t i) { return glm::dvec3(world.particles.position[std::size_t(i)]); };
    const glm::dvec3 origin = at(topology.objects[o].first);
    volume[o] += glm::dot(glm::cross(at(a) - origin, at(b) - origin), at(c) - origin) / 6.0;
  }
  Residual residual{"volume", {}};
  int count = 0;
  for (std::size_t o = 0; o < volume.size(); ++o) {
    if (!held(o)) continue;
    const double goal = double(world.matter.volume_goals[o].volume),
                 softness = double(world.matter.volume_goals[o].softness);
    const double C = volume[o] - goal, ratio = volume[o] / goal;
    residual.abs_c.mean += std::abs(C);
    residual.abs_c.max = std::max(residual.abs_c.max, std::abs(C));
    if (is_compliant(world.settings.solver.method->kind) && softness > 0.0)
      m.potential_energy += 0.5 * C * C / softness;
    m.volume_error_max = std::max(m.volume_error_max, std::abs(ratio - 1.0));
    add_ratio(m.volume_ratios, topology.object_source[o], ratio);
    ++count;
  }
  m.measured.pressure = count > 0;
  if (count == 0) return;
  residual.abs_c.mean /= count;
  m.residuals.push_back(residual);
}

}  // namespace

Measures measure(const World& world) {
  PosedColliders posed;
  return measure(world, posed);
}

Measures measure(const World& world, PosedColliders& posed) {
  Measures m;
  posed.follow(world);
  add_particles(world, posed, m);
  add_constraints(world, m);
  for (const TearRoom::Object& object : world.topology->tears.objects) m.tears += object.used;
  m.tears += entries_left(world.topology->matter.soft);
  add_volumes(world, m);
  m.potential_energy += m.elastic_energy;
  add_tets(world, m);
  add_soft_solids(world, m);
  add_plastic(world, m);
  if (!world.topology->matter.empty()) {
    m.penetration_max = std::max(m.penetration_max, deepest_particle_overlap(world));
    const std::optional<double> slope = slope_of_grains(world);
    m.measured.grains = slope.has_value();
    m.grain_slope = slope.value_or(0.0);
  }
  if (!world.topology->fluid.empty()) add_fluids(world, m);
  add_heat(world, m);
  m.measured.air = world.settings.wind->enabled;
  m.air_force = world.air.force;
  m.drag = world.air.drag;
  m.lift = glm::length(world.air.lift);
  add_joints(world, m);
  add_ties(world, m);
  add_rods(world, m);
  return m;
}

std::vector<TrianglePair> find_intersections(const World& world) {
  const std::vector<glm::dvec3> positions(world.particles.position.begin(),
                                          world.particles.position.begin() + world.particles.count);
  std::vector<TrianglePair> pairs = limber::find_intersections(world.topology->triangles, positions);
  if (world.settings.touches.all) return pairs;
  const auto corner = [&](std::int32_t t) { return world.topology->triangles[std::size_t(t)][0]; };
  std::erase_if(pairs, [&](const TrianglePair& pair) {
    return !particles_touch(world, corner(pair[0]), corner(pair[1]));
  });
  return pairs;
}

std::int64_t count_intersections(const World& world) {
  return std::int64_t(find_intersections(world).size());
}

std::uint64_t state_hash(const World& world) {
  std::uint64_t hash = 14695981039346656037ull;
  const auto mix = [&](const vec4& row) {
    unsigned char bytes[3 * sizeof(real)];
    std::memcpy(bytes, &row.x, sizeof bytes);
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ull;
  };
  for (Index particle : world.topology->external_to_internal) {
    mix(world.particles.position[std::size_t(particle)]);
    mix(world.particles.velocity[std::size_t(particle)]);
  }
  for (std::int32_t t = 0; t < world.particles.turns; ++t) {
    const std::size_t row = std::size_t(world.particles.padded() + t);
    const glm::dvec4 q = orientation_of(world.particles, row);
    mix(vec4(q));
    mix(vec4(real(q.w)));
    mix(world.particles.velocity[row]);
  }
  for (std::size_t i = 0; i < world.bodies.position.size(); ++i) {
    mix(world.bodies.position[i]);
    mix(world.bodies.orientation[i]);
    mix(vec4(world.bodies.orientation[i].w));
    mix(world.bodies.velocity[i]);
    mix(world.bodies.angular_momentum[i]);
  }
  return hash;
}

}}  // namespace limber::LIMBER_PRECISION
