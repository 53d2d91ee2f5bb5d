// Contacts of the skins of soft solids with colliders and bodies.
//
// The balls of a soft solid lie inside its skin and cannot fill its thin features, so contacts of balls alone
// let the skin sink in. Here a vertex of the skin is a contact point s = sum w_i p_i (SoftSkin):
//
//   C = n . (sum w_i (p_i - x_i) - u) + gap >= 0,   w = sum w_i^2 / m_i + that of the body
//
// with u the displacement of the collider's or body's surface. The weights add up to one and the impulse acts
// at s, so every row conserves linear and angular momentum. The rows obey contact/law.hpp; their multipliers
// start at zero in every substep.
//
// Colliders whose mesh changes shape and vertices that are not bound have no rows: balls keep them apart.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/law.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parts/bodies/body_solver.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct SkinRow : ContactRow {
  std::int32_t vertex = 0;
  std::int32_t other = 0;  ///< collider, or body
  vec3 slide{0};           ///< m, displacement of a collider's surface in the substep
  vec3 arm{0};             ///< m, from the body's centre of mass to the vertex at the substep's start
};

/// A skin vertex as a side of a contact: the weighted sum of its particles. `after` - `before` is its
/// displacement (m), or `after` its velocity (m/s) if `before` is null.
struct SkinPoint {
  const SoftSkin& skin;
  std::int32_t vertex;
  const vec4* mass;  ///< all particles: w is the inverse mass, 1/kg
  vec4* after;
  const vec4* before;

  vec3 moved() const {
    vec3 sum(0);
    visit([&](std::size_t i, real w) { sum += w * (before ? vec3(after[i] - before[i]) : vec3(after[i])); });
    return sum;
  }
  real inverse_mass_along(const vec3&) const {
    real sum = 0;
    visit([&](std::size_t i, real w) { sum += w * w * mass[i].w; });
    return sum;
  }
  void push(const vec3& impulse) const {
    visit([&](std::size_t i, real w) { after[i] += vec4(mass[i].w * w * impulse, real(0)); });
  }

 private:
  template <class Act>
  void visit(const Act& act) const {
    const std::int32_t end = skin.vertex_entry[std::size_t(vertex) + 1];
    for (std::int32_t k = skin.vertex_entry[std::size_t(vertex)]; k < end; ++k)
      act(std::size_t(skin.particle[std::size_t(k)]), skin.weight[std::size_t(k)]);
  }
};

/// Rows with colliders are solved solid by solid, each by one thread; rows with bodies afterwards by thread 0
/// in the order of the solids. Both orders are independent of the number of threads.
class SkinContacts {
 public:
  static bool enabled(const World& world) {
    return !world.topology->matter.soft.skin.empty() &&
           (!world.colliders.empty() || world.bodies.count() > 0);
  }
  /// Allocates; the other functions do not.
  void reserve(const World& world);

  // Must be called by every thread of the team. Positions and velocities of all threads must be visible at
  // the start.

  /// Finds the vertices that can touch colliders or bodies in a frame of dt s.
  void begin_frame(const World& world, const StaticContacts& colliders, real dt, const Team& team);
  /// Makes the rows of substep number `substep` of h s.
  void aim(const World& world, const StaticContacts& colliders, const BodySolver& bodies, real h, int substep,
           const Team& team);
  /// Projects all rows, until the vertices of each solid are out of their half spaces or a bound on the
  /// sweeps is reached. Contains a barrier if there are bodies.
  void project(World& world, BodySolver& bodies, Team& team);
  /// Restitution, and friction if it acts on velocities, after velocities were taken.
  void filter_velocities(World& world, BodySolver& bodies, real h, Team& team);
  void tell_touched(const World& world, TouchedParts& touched, const Team& team) const;

 private:
  static constexpr std::int32_t rows_per_vertex = 2;

  /// Ranges of one solid.
  struct Own {
    std::int32_t candidates = 0, pairs = 0;  ///< numbers
    std::int32_t rows = 0, body_rows = 0;
  };
  void find_near(const World& world, const StaticContacts& colliders, std::size_t solid, real dt);
  void find_strays(const World& world, std::size_t solid);
  void find_shapes(const World& world, std::size_t solid, const vec3& low, const vec3& high, real reach,
                   real dt);
  void aim_collider(const World& world, const StaticContacts& colliders, std::size_t solid, real h,
                    int substep, std::int32_t vertex);
  void aim_body(const World& world, const vec4* bodies, std::size_t solid, real h, std::int32_t vertex,
                std::int32_t shape);
  void project_bodies(World& world, BodySolver& bodies);
  std::int32_t first_vertex(const World& world, std::size_t solid) const {
    return world.topology->matter.soft.skin.solid_vertex[solid];
  }
  SkinRow* rows_of(const World& world, std::size_t solid) {
    return rows_.data() + rows_per_vertex * std::size_t(first_vertex(world, solid));
  }
  SkinRow* body_rows_of(const World& world, std::size_t solid) {
    return body_rows_.data() + rows_per_vertex * std::size_t(first_vertex(world, solid));
  }

  std::vector<Own> own_;                  ///< per solid
  std::vector<std::int32_t> candidates_;  ///< per solid from its first vertex on: vertices near colliders
  std::vector<vec4> places_;              ///< m, per vertex at the frame's start; w: m/s, speed
  /// m, per vertex that is no candidate: its way to colliders from its place; otherwise 0.
  std::vector<real> slack_;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;  ///< vertex and shape of a body
  std::vector<SkinRow> rows_, body_rows_;
};

}}  // namespace limber::LIMBER_PRECISION
