// Contacts of particles with colliders that nothing pushes back (line 8 of Mueller et al. 2006), as half
// spaces found once per substep along the path x -> p. Colliders stand still or move as a function of time.
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
#include "engine/simd/row.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// C(p) = n.p - offset >= 0 for one particle: the collider's tangent plane where the path enters or else at
/// the point nearest to p, moved out by the particle's thickness.
struct StaticContact {
  std::int32_t particle, collider;
  real friction;
  vec3 normal;
  real offset;    ///< m
  vec3 slide;     ///< m, how far the surface here moves in the substep
  real approach;  ///< m, along the normal: how far the prediction moved away from the surface; negative
                  ///< towards it
  real restitution;
  real pushed;         ///< m, along the normal, how far it had to push in this substep
  bool taken = false;  ///< ClusterContacts solves it
  real load = 0;       ///< m, by how much more than its depth others have pressed the particle on it since
                       ///< project()
  // Multipliers of methods that keep what contacts did in an iteration, in m of the particle; of points of
  // rods in kg m, since their inverse mass is what the rod answers with.
  real normal_kept = 0, load_kept = 0;
  vec3 friction_kept{0};
};

/// The vertex in the user's hand is stopped as well, without friction; others of inverse mass zero follow
/// their prescribed motion.
///
/// Contacts per block of particles, so that threads fill and project them without talking to each other:
/// block b owns contacts [b * capacity, b * capacity + count[b]) and only its own particles.
///
/// Broad phase once a frame: the colliders within a particle's margin, the distance its speed takes it in the
/// frame and a bit. Narrow phase each substep over those; a particle that has left its margin since (pulled,
/// thrown) is tested against all colliders, so none is ever missed.
class StaticContacts {
 public:
  static constexpr std::int32_t most_per_particle = 4;

  /// Room for all particle blocks of `world`; allocates, so call it between steps.
  void reserve(const World& world);

  /// Computes the poses of moving colliders at the end of each substep, and puts them to their poses at
  /// world.time. Must be called on one thread, before the blocks' begin_frame().
  void begin_step(World& world, double dt);

  /// Broad phase of one block for a frame of dt seconds.
  void begin_frame(const World& world, std::int32_t block, real dt);

  /// Finds the contacts of one block for the paths from the previous to the predicted positions, seen from
  /// the colliders' frames as they move over the substep of h seconds, counted from 0. A particle that comes
  /// within thickness + reach of a collider gets one, the reach being the length of its path; at most
  /// `per_particle` of them, the deepest winning. The plane is that of the entry if the path could cross the
  /// surface (vectors ccd_segment_*), else the nearest to p (static_collision_sphere); one that starts inside
  /// comes out at most at the depenetration speed.
  void find(const World& world, std::int32_t block, real h, int substep = 0);

  /// Points of rods that are solved as a whole begin the substep with the friction of the last one: what a
  /// drum rubs along a rope is the sum over all that lies on it, and would be found anew, and too small, by
  /// the few sweeps of each substep. After find(); where others look at the points, positions show it.
  void warm_rods(World& world, std::int32_t block);
  /// Notes what holds them, for the next substep.
  void keep_rods(World& world, std::int32_t block) const;

  /// Projects the contacts of one block: out of the half space, then positional Coulomb friction, limited by
  /// the depth just removed and the load (Macklin 2014, eq. 24; vectors friction_positional_*), against the
  /// moving surface. With the velocity filter, without friction. Where the method keeps the impulses of
  /// contacts in an iteration, multipliers accumulate over the substep and any excess is taken back: the rest
  /// of a push would be a jump, and friction would end with the last depth, not with the whole load.
  void project(World& world, std::int32_t block);

  /// The contacts of the particles i alone for which takes(i).
  template <class Takes>
  void project(World& world, std::int32_t block, const Takes& takes) {
    StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
    const StaticContact* const end = contact + blocks_[std::size_t(block)].contacts;
    for (; contact != end; ++contact)
      if (takes(contact->particle)) project(world, *contact);
  }

  /// Lifts the grains and particles of solids of one block out of the half spaces in which they were at the
  /// start of the substep. Moves x and p alike, so that the lift gives no velocity. Before project().
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

  /// The contact of a particle that has pushed in this substep and is the most against a push along `n`, a
  /// unit vector; null if none is against it.
  StaticContact* support(std::int32_t particle, const vec3& n);

  /// The share of the straight way from its previous place to `to` that particle `i` can go in `substep`
  /// before it enters a collider; 1 if it can go all of it. Over all colliders.
  real free_share(const World& world, std::int32_t i, const vec3& to, int substep) const;

  /// Calls act(particle) for the contacts of one block that have pushed in this substep.
  template <class Act>
  void for_pushed(std::int32_t block, const Act& act) const {
    const StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
    for (const StaticContact* end = contact + blocks_[std::size_t(block)].contacts; contact != end; ++contact)
      if (contact->pushed > real(0) && !contact->taken) act(contact->particle);
  }

  /// Stops, after the iterations, particles that other constraints or a second contact took through a
  /// surface, where their paths came within half their thickness. Tests the candidates of find().
  void stop_crossings(World& world, std::int32_t block, int substep = 0, TouchedParts* touched = nullptr);

  /// Tells which particles of a block were pushed in this substep, but for those whose push is known; see
  /// known_push(). stop_crossings() tells of its own.
  void tell_touched(const World& world, std::int32_t block, TouchedParts& touched) const {
    for (const StaticContact& contact : of_block(block))
      if (contact.pushed > real(0) && !known_push(world, contact)) touched.touch_particle(contact.particle);
  }

  /// An impulse times h, and a point of the line on which it acts.
  struct Push {
    glm::dvec3 impulse;  ///< kg m
    glm::dvec3 place;    ///< m
  };
  /// The push of a contact without friction or restitution with a plane, a sphere or a capsule that stands
  /// still: pushes of a sphere go through its centre, of a capsule through its axis beside the particle.
  std::optional<Push> known_push(const World& world, const StaticContact& contact) const;

  /// Whether in this frame a collider had a contact with one of the block, or stopped it.
  bool met(const World& world, std::int32_t block) const {
    return !world.colliders.empty() && blocks_[std::size_t(block)].met;
  }

  /// Whether some blocks may cost far more than others: a collider changes its shape.
  bool uneven(const World& world) const {
    for (std::size_t c = 0; c < world.colliders.size(); ++c)
      if (surface(c)) return true;
    return false;
  }

  /// Whether velocities change at contacts, so that filter_velocities() is needed.
  bool filters(const World& world) const;

  /// Line (16) for one block after a substep of h seconds: restitution and, if chosen, friction, relative to
  /// the surface: see filter_velocity(). Approaches slower than 2 g h do not bounce.
  void filter_velocities(World& world, std::int32_t block, real h) const;

  /// Adds the contacts that pushed in the last substep, in the order of the particles.
  void read_contacts(const World& world, std::vector<ContactMark>& out) const;

  /// Position at the end of `substep` of the point at `local` in the frame of collider `c`.
  vec3 carried(const World& world, int substep, std::size_t c, const vec3& local) const;

  /// A collider's frame at the end of a substep, and how it changed in it.
  struct Pose {
    vec3 position;
    mat3 rotation;
    vec3 shift;
    mat3 turn;
    const PosedSurface* surface = nullptr;  ///< of one that changes its shape ...
    int moment = 0;                         ///< ... at the end of the substep
    mat3 rotation_in_substep() const { return rotation * glm::transpose(rotation - turn); }
  };
  /// The pose of collider `c` in `substep`, or null: it stands still.
  const Pose* pose(const World& world, int substep, std::size_t c) const {
    return poses_.empty() || !moves_[c] ? nullptr
                                        : &poses_[std::size_t(substep) * world.colliders.size() + c];
  }

  /// The surface of collider `c` if it changes its shape, or null.
  const PosedSurface* surface(std::size_t c) const {
    return c < surfaces_.size() ? surfaces_[c].get() : nullptr;
  }

  /// Whether collider `c` moves, which keeps bodies that touch it awake.
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
    bool test_all = false;  ///< more candidates than there was room for, or none were looked for
    real thinnest = 0;      ///< m, the smallest thickness of its particles
    bool strayed = false;   ///< in this substep a particle was outside its neighbourhood
    bool met = false;       ///< in this frame a contact was found, or a crossing stopped
    bool clear = false;     ///< no collider can be met from within the box [low, high]
    Row<real> low, high;    ///< m
  };
  /// Bound of the displacement of a collider's points in a frame: shift + turn * distance from the position.
  struct Travel {
    real shift = 0, turn = 0;
  };
  class Collector;

  /// Calls act(particle, collider index) for all pairs of a block that can meet in this substep; true if they
  /// are more than the candidates.
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

/// Line (16): the normal speed becomes -e v_before (m/s, along the normal before the solve, negative towards
/// the surface) if it is less, and the tangential velocity loses the share `friction` (vectors
/// velocity_filter_friction_restitution).
vec3 filter_velocity(vec3 velocity, vec3 normal, real before, real restitution, real friction);

/// Spin of a grain, which shares the correction of friction.
struct GrainRoll {
  vec3 roll;        ///< m, turn in the substep times the radius
  real resistance;  ///< against rolling, as a share of the radius
};

/// Like friction_correction(), for a grain, which begins to roll: 2/7 of the sliding of its surface is taken
/// from its displacement, the rest from its spin.
vec3 rolling_correction(vec3 moved, vec3 normal, real depth, real friction, GrainRoll& grain);

/// Positional friction for a displacement `moved` of the particle against the surface over this substep: the
/// correction to add. `depth` is the penetration that the normal projection removed.
vec3 friction_correction(vec3 moved, vec3 normal, real depth, real friction);

}}  // namespace limber::LIMBER_PRECISION
