// Particles, ropes and cloth against rigid bodies in a step, both ways; their edges and faces against thin
// colliders.
#pragma once

#include <vector>

#include "engine/contact/cloth/impact_zones.hpp"
#include "engine/contact/coupling/coupling_row.hpp"
#include "engine/contact/coupling/coupling_search.hpp"
#include "engine/contact/particles/cluster_contacts.hpp"
#include "engine/geometry/contact_mark.hpp"
#include "engine/parallel/color_visits.hpp"
#include "engine/parts/bodies/body_solver.hpp"
#include "engine/parts/fluids/fluid_film.hpp"
#include "engine/parts/fluids/fluid_wall.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Rows (contact/coupling/coupling_row.hpp) between particles and bodies, made anew in each substep. An
/// iteration solves them after the contacts among particles, before the contacts among bodies, and again
/// after these. The second time is necessary because an error in these rows becomes speed (towers of two
/// boxes on cloth would rock for ever), while an error in a contact between bodies does not
/// (body_contact.hpp). A body may have hundreds of rows. All rows of a body are one group, which one thread
/// solves in a fixed order; groups that share a movable particle have different colours. Nothing depends on
/// the number of threads.
class Coupling {
 public:
  bool enabled(const World& world) const {
    return (world.bodies.count() > 0 || search_.meets_colliders()) && world.particles.count > 0;
  }

  void reserve(const World& world);

  /// Notes where thin colliders are, after statics.begin_step(). Serial.
  void begin_step(const World& world, const StaticContacts& statics) {
    search_.place_colliders(world, statics, 0);
  }

  // Must be called by every thread of the team.

  /// Finds the pairs for a frame of dt s. Wakes bodies that particles approach faster than a sleeper may
  /// move.
  void begin_frame(World& world, real dt, Team& team);

  /// Applies one-sided attachments, and makes the rows of a substep of h s from the predicted paths of
  /// particles and bodies; `remaining` s of the frame are left after it. `substep` counts from 0.
  void aim(World& world, BodySolver& bodies, const StaticContacts& statics, int substep, real h,
           real remaining, Team& team);

  /// Finds the particles that colliders hold against bodies, after `contacts` were projected in this substep.
  void support(World& world, BodySolver& bodies, StaticContacts& contacts, Team& team);

  /// Projects all rows. Rigid clusters move as wholes, and their particles follow at the end.
  void project(World& world, BodySolver& bodies, ClusterContacts& clusters, Team& team) {
    project(world, bodies, clusters, {}, team);
  }
  /// Projects the rows of bodies that touch an object whose entry in the span is not zero. Empty span: all
  /// rows.
  void project(World& world, BodySolver& bodies, ClusterContacts& clusters,
               std::span<const std::uint8_t> objects, Team& team);

  /// Lists the half spaces outside bodies, for impact zones. Serial, after BodySolver::move().
  std::span<BodyWall> list_walls(BodySolver& bodies);
  std::span<BodyWall> walls() { return walls_; }

  /// Moves the particles that bodies carry, after BodySolver::move(), and keeps the friction of rods.
  void carry(World& world, BodySolver& bodies, const Team& team);

  /// Whether the settings ask for restitution or for friction of velocities.
  static bool filters(const World& world);
  /// Line (16), after velocities were taken in a substep of h s: restitution and, if chosen, friction.
  void filter_velocities(World& world, BodySolver& bodies, ClusterContacts& clusters, real h, Team& team);

  /// Applies the attraction between bodies and fluids that stick to them, after velocities were taken in a
  /// substep of h s.
  void adhere(World& world, BodySolver& bodies, real h, Team& team);

  /// Applies the drag between viscous fluids and bodies (fluid_drag.hpp), after velocities were taken.
  void drag(World& world, BodySolver& bodies, real h, Team& team);

  /// Wakes bodies whose load by particles has changed since they fell asleep.
  void end_frame(World& world, const Team& team);

  /// Adds the share that bodies fill around particles of fluids, at the present positions, to `walls`, per
  /// particle.
  void fill(const World& world, const BodySolver& bodies, real support, const FluidFilm& film,
            std::span<FluidWall> walls, Team& team);

  /// Applies the pressure of fluids to bodies: `pushed` has dl (kg m^2) per particle, `walls` the result of
  /// fill(). The fluid applies the reaction to its particles.
  void press(const World& world, BodySolver& bodies, std::span<const FluidWall> walls,
             std::span<const real> pushed, const Team& team);

  /// Tells `touched`, at the end of a substep, which parts of particles and bodies pushed each other. A body
  /// near a fluid counts as pushed by it. Each thread tells of its share.
  void tell_touched(const World& world, TouchedParts& touched, const Team& team) const;
  /// Whether bodies may move the particle in this substep.
  bool moves(const World& world, std::int32_t particle) const;
  /// Calls act(particle) for the particles that bodies may move, except those of clusters.
  template <class Act>
  void for_moved(const Act& act) const {
    for (const std::int32_t i : may_move_) act(i);
  }

  std::int64_t touching() const;  ///< contacts that pushed in the last substep
  void read_contacts(const World& world, std::vector<ContactMark>& out) const;

 private:
  /// Pairs that one thread looks at, of one body; their rows begin at two per pair.
  struct Chunk {
    std::int32_t first, count, rows;
  };
  struct Group {
    /// body: or bodies.count() plus the number of a collider
    std::int32_t body, first_chunk, end_chunk, first_tie, end_tie;
    bool settled = true;  ///< rows hardly changed in the last sweep
  };
  static constexpr std::int32_t chunk_pairs_ = 64;
  /// A colour of fewer groups runs on one thread, because that costs less than a barrier.
  static constexpr std::int32_t serial_groups_ = 4;

  /// Calls act(row) for the rows of a group.
  template <class Act>
  void for_rows_of(const Group& group, const Act& act) {
    for (std::int32_t c = group.first_chunk; c < group.end_chunk; ++c)
      for (std::int32_t k = 0; k < chunks_[std::size_t(c)].rows; ++k)
        act(rows_[2 * std::size_t(chunks_[std::size_t(c)].first) + std::size_t(k)]);
  }
  /// Calls act(row) for the rows of a group whose vertex is a particle of a fluid.
  template <class Act>
  void for_fluid_rows(const Group& group, const World& world, const Act& act) {
    for_rows_of(group, [&](CouplingRow& row) {
      if (row.weight.x == real(1) && world.topology->fluid.takes_part(row.points[0])) act(row);
    });
  }

  /// The frame of a row's or group's body or collider.
  vec4* frame_of(BodySolver& bodies, std::int32_t body) {
    return search_.is_collider(body) ? search_.collider_frame(body)
                                     : bodies.rows_of_bodies() + body_rows * body;
  }
  const vec4* frame_of(const BodySolver& bodies, std::int32_t body) const {
    return search_.is_collider(body) ? search_.collider_frame(body)
                                     : bodies.rows_of_bodies() + body_rows * body;
  }
  vec3 place_before(const World& world, std::size_t i, const CouplingPair& pair) const;
  void group(const World& world);
  void color(const World& world);
  template <class PlaceOf>
  static void place_carried(World& world, const Team& team, const PlaceOf& place_of);
  static real filled_share(real support, const ConvexShape& shape, const Placed& at, const vec3& x,
                           real distance);
  void aim_chunk(const World& world, const BodySolver& bodies, real h, Chunk& chunk);
  int aim_pair(const World& world, const BodySolver& bodies, const CouplingPair& pair, const Placed& at,
               real h, CouplingRow* out) const;
  void aim_tie(const World& world, std::size_t tie, real h);
  void take_grips(World& world);
  void keep_grips(World& world, BodySolver& bodies);
  void wake_approached(World& world);
  void feel_sleepers(const World& world);
  void list_clusters(const World& world);
  void note_moved(const World& world);
  void aim_clusters(const World& world, const BodySolver& bodies, ClusterContacts& clusters,
                    const Team& team);
  bool meets(const World& world, const Group& group, std::span<const std::uint8_t> objects) const;
  void project_group(World& world, BodySolver& bodies, ClusterContacts& clusters, Group& group);
  void filter_group(World& world, BodySolver& bodies, ClusterContacts& clusters, const Group& group, real h);
  void filter_collider(World& world, const vec4* collider, const Group& group, real h);
  /// Visits the groups, colour after colour.
  template <class Visit>
  void visit_groups(ColorTurns& turns, const Visit& visit) {
    visit_by_color(Visited::coupling, 0, color_begin_, serial_groups_, turns,
                   [&](std::size_t k) { visit(groups_[k]); });
  }

  CouplingSearch search_;
  std::vector<Chunk> chunks_;
  std::vector<Group> groups_;  ///< by colour, then by the number of the body
  std::vector<std::int32_t> color_begin_;
  std::vector<std::int32_t> color_of_, order_;  ///< per group; groups by colour
  std::vector<Group> unsorted_;
  std::vector<std::uint64_t> used_;     ///< per particle, then per cluster: colours
  std::vector<std::int32_t> clusters_;  ///< those that bodies may touch in this frame, ascending
  std::vector<std::uint8_t> moved_;     ///< per particle: 1 if it is in may_move_
  std::vector<std::int32_t> may_move_;  ///< particles that have pairs or ties
  std::vector<CouplingRow> rows_;
  std::vector<TieRow> ties_;
  std::vector<std::int32_t> woken_;
  std::vector<real> shares_;  ///< per particle: shares of all rows in its kept friction
  std::vector<BodyWall> walls_;
  AlignedVector<vec4> felt_;  ///< kg m, per body that sleeps: multipliers summed over the frame's substeps
  real elapsed_ = 0;          ///< s, since the last search
  real settled_ = 0;          ///< m, change of a row by a sweep below which the row has settled
};

}}  // namespace limber::LIMBER_PRECISION
