// Contacts of particles with colliders, which nothing pushes back (line 8 of Mueller et al. 2006). Each
// contact is a half space, found once per substep along the path from the old position x to the prediction p.
// Colliders stand still or move as a function of time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/contact/colliders/posed_surface.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/core/aligned.hpp"
#include "engine/geometry/contact_mark.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/simd/row.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Half space C(p) = n.p - offset >= 0 for one particle: the collider's tangent plane, moved outwards by the
/// particle's thickness. The plane is taken where the path x -> p enters the collider, or at the point
/// nearest to p if the path does not enter it.
struct StaticContact {
  std::int32_t particle, collider;
  real friction;
  vec3 normal;
  real offset;  ///< m
  vec3 slide;   ///< m, displacement of the surface at the contact in the substep
  /// m, predicted displacement along the normal relative to the surface; negative: towards it.
  real approach;
  real restitution;
  real pushed;         ///< m, total push along the normal in this substep
  bool taken = false;  ///< true: ClusterContacts solves this contact
  /// m, impulses of others against the collider since project(), beyond the depth, as displacements.
  real load = 0;
  real pressed = 0;  ///< largest cosine between -normal and the directions in which bodies push the particle
  // Multipliers for methods that accumulate contacts, as displacements of the particle (m). For points of
  // rods they are in kg m, because the inverse mass of such a point changes with the response of the rod.
  real normal_kept = 0, load_kept = 0;
  vec3 friction_kept{0};
  /// Change of a kept multiplier per displacement by which the contact corrects its particle.
  real gain = 1;
  vec3 displaced{0};  ///< m, displacement by a contact with kept multipliers since the method last read it
};

/// Contacts are stored per block of particles, so that threads fill and project them independently: block b
/// owns the contacts from b * capacity on, at most `capacity` of them, and moves only its own particles.
///
/// The broad phase, once a frame, finds the colliders within a margin of each particle: a little more than
/// the distance that its speed takes it in the frame. The narrow phase tests these colliders in each substep.
/// A particle that has left its margin (because it was pulled or thrown) is tested against all colliders, so
/// that no contact is missed.
///
/// The vertex that the user drags is stopped too, without friction. All other particles of inverse mass zero
/// follow their prescribed motion.
class StaticContacts {
 public:
  static constexpr std::int32_t most_per_particle = 4;

  /// Allocates storage for all particle blocks of `world`. Must be called between steps.
  void reserve(const World& world);

  /// Computes the poses of moving colliders at the end of each substep, and sets their poses at world.time.
  /// Must be called on one thread, before begin_frame() of the blocks.
  void begin_step(World& world, double dt);

  /// Broad phase of one block for a frame of dt seconds.
  void begin_frame(const World& world, std::int32_t block, real dt);

  /// Finds the contacts of one block for the paths from the previous to the predicted positions, in the
  /// moving frames of the colliders. `substep` of h seconds is counted from 0. A particle gets a contact with
  /// a collider if it comes nearer than its thickness plus the length of its path; of more than
  /// most_per_particle contacts the deepest remain. The plane is taken at the entry if the path could cross
  /// the surface (test vectors ccd_segment_*), otherwise at the point nearest to p (static_collision_sphere).
  /// A particle that starts inside leaves at most at the depenetration speed.
  void find(const World& world, std::int32_t block, real h, int substep = 0);

  /// Warm start of friction for points of rods that are solved as a whole. Friction on a drum accumulates
  /// along the rope around it; without a warm start the few sweeps of a substep would find too little of it.
  /// Moves positions. Must be called after find().
  void warm_rods(World& world, std::int32_t block);
  /// Stores the friction of points of rods for the next substep.
  void keep_rods(World& world, std::int32_t block) const;

  /// Starts the contacts of methods that accumulate them with the forces that they had at the end of the last
  /// substep. The method adds the multipliers to its objective; no particle is moved. Must be called after
  /// find().
  void warm_kept(const World& world, std::int32_t block);
  /// Stores these forces for the next substep; of several contacts of a particle, the largest.
  void keep_forces(World& world, std::int32_t block) const;
  /// Allocates the storage for these forces if the World's method accumulates contacts. Must be called
  /// between steps after a change of settings.
  static void reserve_kept(World& world);
  /// Whether a contact has multipliers that accumulate in the objective of the method.
  static bool keeps(const World& world, const StaticContact& contact);

  /// Projects the contacts of one block: pushes particles out of their half spaces, then applies positional
  /// Coulomb friction against the moving surface, bounded by mu times the depth just removed plus the load
  /// (Macklin 2014, eq. 24; test vectors friction_positional_*). With the velocity filter there is no
  /// friction here. Methods that accumulate contacts keep multipliers over the substep, and an excess is
  /// taken back; otherwise friction would be limited by the depth of the last sweep instead of the whole
  /// load.
  void project(World& world, std::int32_t block);

  /// Projects only the contacts of the particles i for which takes(i) is true.
  template <class Takes>
  void project(World& world, std::int32_t block, const Takes& takes) {
    StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
    const StaticContact* const end = contact + blocks_[std::size_t(block)].contacts;
    tell_visit(Visited::colliders, 0, block, 0, end - contact);
    for (; contact != end; ++contact)
      if (takes(contact->particle)) project(world, *contact);
  }

  /// Moves the grains and the particles of clusters of one block out of the half spaces in which they were at
  /// the start of the substep. Moves x and p alike, so that this gives no velocity. Must be called before
  /// project().
  void lift(World& world, std::int32_t block) const;

  /// Contacts of one block, ascending by particle.
  std::span<StaticContact> of_block(std::int32_t block) {
    return {contacts_.data() + std::int64_t(block) * particle_block * per_particle_,
            std::size_t(blocks_[std::size_t(block)].contacts)};
  }

  std::span<const StaticContact> of_block(std::int32_t block) const {
    return {contacts_.data() + std::int64_t(block) * particle_block * per_particle_,
            std::size_t(blocks_[std::size_t(block)].contacts)};
  }

  /// Contacts of one particle.
  std::span<const StaticContact> of_particle(std::int32_t particle) const;

  /// The contact of a particle that opposes an impulse along the unit vector `n` most, among the contacts
  /// that have pushed in this substep; null if none opposes it.
  StaticContact* support(std::int32_t particle, const vec3& n);

  /// Notes that a body pushes a particle along the unit vector `n`: against the contact that opposes `n`
  /// most. May be called by several threads for one particle.
  void press(std::int32_t particle, const vec3& n);
  /// The contact against which bodies press a particle most, after press() was called for all its rows; null
  /// if there is none. It is one contact for all rows of the particle, so that all of them use one inverse
  /// mass.
  StaticContact* pressed(std::int32_t particle);

  /// Share of the straight path from the previous position of particle `i` to `to` before the path enters a
  /// collider in `substep`; 1 if it enters none.
  real free_share(const World& world, std::int32_t i, const vec3& to, int substep) const;

  /// Calls act(particle) for the contacts of one block that have pushed in this substep.
  template <class Act>
  void for_pushed(std::int32_t block, const Act& act) const {
    const StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
    for (const StaticContact* end = contact + blocks_[std::size_t(block)].contacts; contact != end; ++contact)
      if (contact->pushed > real(0) && !contact->taken) act(contact->particle);
  }

  /// Stops particles, after the iterations, that other constraints or a second contact took through a
  /// surface: they are set to the point of their path at which they were half their thickness away. Tests the
  /// candidates of find(). `touched` (may be null) is told about these particles.
  void stop_crossings(World& world, std::int32_t block, int substep = 0, TouchedParts* touched = nullptr);

  /// Tells `touched` which particles of a block were pushed in this substep, except by impulses that
  /// known_push() returns. stop_crossings() reports the particles that it stops.
  void tell_touched(const World& world, std::int32_t block, TouchedParts& touched) const {
    for (const StaticContact& contact : of_block(block))
      if (contact.pushed > real(0) && !known_push(world, contact)) touched.touch_particle(contact.particle);
  }

  /// An impulse times h, and a point on its line of action.
  struct Push {
    glm::dvec3 impulse;  ///< kg m
    glm::dvec3 place;    ///< m
  };
  /// The impulse of a contact with a plane, sphere or capsule that stands still, if it has neither friction
  /// nor restitution. The impulse of a sphere acts through its centre, that of a capsule through the point of
  /// its axis nearest to the particle. Empty for all other contacts.
  std::optional<Push> known_push(const World& world, const StaticContact& contact) const;

  /// Whether in this frame a collider had a contact with a particle of the block, or stopped one.
  bool met(const World& world, std::int32_t block) const {
    return !world.colliders.empty() && blocks_[std::size_t(block)].met;
  }

  /// Whether some blocks may cost far more than others: a collider changes its shape.
  bool uneven(const World& world) const {
    for (std::size_t c = 0; c < world.colliders.size(); ++c)
      if (surface(c)) return true;
    return false;
  }

  /// Whether contacts change velocities, so that filter_velocities() is needed.
  bool filters(const World& world) const;

  /// Line (16) for one block after a substep of h seconds: restitution and, if chosen, friction, relative to
  /// the velocity of the surface (see filter_velocity()). Approaches slower than 2 g h do not bounce.
  void filter_velocities(World& world, std::int32_t block, real h) const;

  /// Adds the contacts that pushed in the last substep, in the order of the particles.
  void read_contacts(const World& world, std::vector<ContactMark>& out) const;

  /// Position at the end of `substep` of the point at `local` in the frame of collider `c`.
  vec3 carried(const World& world, int substep, std::size_t c, const vec3& local) const;

  /// A collider's pose at the end of a substep, and the change of the pose in that substep.
  struct Pose {
    vec3 position;
    mat3 rotation;
    vec3 shift;
    mat3 turn;
    const PosedSurface* surface = nullptr;  ///< of a collider that changes its shape; else null
    int moment = 0;                         ///< of `surface`, the end of the substep
    mat3 rotation_in_substep() const { return rotation * glm::transpose(rotation - turn); }
  };
  /// The pose of collider `c` at the end of `substep`; null if it stands still.
  const Pose* pose(const World& world, int substep, std::size_t c) const {
    return poses_.empty() || !moves_[c] ? nullptr
                                        : &poses_[std::size_t(substep) * world.colliders.size() + c];
  }

  /// The surface of collider `c` if it changes its shape, or null.
  const PosedSurface* surface(std::size_t c) const {
    return c < surfaces_.size() ? surfaces_[c].get() : nullptr;
  }

  /// Sets row_shift and row_turn of a frame (frame_rows.hpp) to the motion of collider `c` in `substep`, if
  /// it moves.
  void take_motion(const World& world, int substep, std::size_t c, vec4* frame) const;
  /// m, bound of the displacement in the frame of points of collider `c` within `reach` m of its position.
  real travel(std::size_t c, real reach) const {
    return poses_.empty() || !moves_[c] ? real(0) : travel_[c].shift + travel_[c].turn * reach;
  }

  /// Whether collider `c` moves, so that bodies that touch it must stay awake.
  bool disturbs(std::size_t c) const { return !poses_.empty() && moves_[c]; }

  std::int64_t total() const;

 private:
  static void project(World& world, StaticContact& contact);
  static void project_kept(World& world, StaticContact& contact);
  static void project_rod(World& world, StaticContact& contact);
  static bool is_of_rod(const World& world, std::int32_t particle) {
    return world.contacts.rod_step > real(0) &&
           world.topology->surface.segments_at[std::size_t(particle)][0] >= 0;
  }
  static void begin_rods(World& world, real h);
  static constexpr std::int32_t per_particle_ = most_per_particle;

  struct Candidate {
    std::int32_t particle, collider;
  };
  struct Block {
    std::int32_t contacts = 0;
    std::int32_t candidates = 0;
    bool test_all = false;  ///< the candidates are incomplete: all colliders must be tested
    real thinnest = 0;      ///< m, the smallest thickness of its particles
    bool strayed = false;   ///< in this substep a particle was outside its neighbourhood
    bool met = false;       ///< in this frame a contact was found, or a crossing stopped
    bool clear = false;     ///< while the block stays within [low, high] it meets no collider
    Row<real> low, high;    ///< m
  };
  /// Bound of the displacement of a collider's points in a frame: shift + turn * (distance from the
  /// collider's position).
  struct Travel {
    real shift = 0, turn = 0;
  };
  class Collector;

  /// Calls act(particle, collider index) for all pairs of a block that can meet in this substep. Returns true
  /// if some of them are no candidates.
  template <class Act>
  bool for_pairs(const World& world, std::int32_t block, const Act& act) const;

  real height(const World& world, std::int32_t c, int substep, const vec3& origin, const vec3& along) const;
  bool covers(const World& world, int substep, const StaticContact& support, const StaticContact& contact,
              const vec3& x, real thickness) const;
  bool covers_beside(const World& world, int substep, const StaticContact& support,
                     const StaticContact& contact, const vec3& x, real within, real thickness) const;
  SurfaceDistance<real> sharp_at(const World& world, std::int32_t c, int substep, const vec3& p,
                                 real within) const;
  StaticContact* drop_covered(const World& world, int substep, StaticContact* first,
                              StaticContact* end) const;
  bool is_clear(const World& world, std::int32_t block, real dt);
  bool within(const World& world, std::int32_t block) const;
  real reach(const World& world, std::size_t c, const vec3& x, real margin) const;
  real distance(const World& world, std::size_t c, const vec3& x) const;
  static vec3 apply_friction(World& world, const StaticContact& contact, const vec3& moved, real depth);
  bool stop_crossing(World& world, std::int32_t i, std::size_t c, int substep) const;
  real entry_share(const World& world, std::int32_t i, std::size_t c, const vec3& to, int substep) const;

  std::vector<StaticContact> contacts_;
  std::vector<Candidate> candidates_;  ///< per block, sorted by particle
  /// Per particle: its position at the broad phase and, in w, the distance up to which its candidates are
  /// complete.
  AlignedVector<vec4> neighbourhoods_;
  std::vector<Block> blocks_;
  std::vector<std::unique_ptr<PosedSurface>>
      surfaces_;             ///< per collider of the scene; null: it keeps its shape
  std::vector<Pose> poses_;  ///< per substep, then collider; empty while none moves
  std::vector<Travel> travel_;
  std::vector<char> moves_;
  bool bouncy_ = false;
};

/// Line (16) for one velocity: the normal velocity becomes at least -e `before` (m/s, along the normal before
/// the solve, negative towards the surface), and the tangential velocity loses the share `friction` (test
/// vectors velocity_filter_friction_restitution).
vec3 filter_velocity(vec3 velocity, vec3 normal, real before, real restitution, real friction);

/// Rotation of a grain, which takes part in the correction by friction.
struct GrainRoll {
  vec3 roll;        ///< m, rotation vector of the substep times the radius
  real resistance;  ///< against rolling, as a share of the radius
};

/// Like friction_correction(), for a grain that can roll: 2/7 of the sliding of its surface is removed by its
/// displacement, the rest by its rotation.
vec3 rolling_correction(vec3 moved, vec3 normal, real depth, real friction, GrainRoll& grain);

/// Positional friction for a displacement `moved` of the particle relative to the surface over this substep.
/// Returns the correction to add to the position. `depth`: m, penetration that the normal projection removed.
vec3 friction_correction(vec3 moved, vec3 normal, real depth, real friction);

}}  // namespace limber::LIMBER_PRECISION
