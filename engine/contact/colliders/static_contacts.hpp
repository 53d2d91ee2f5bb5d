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

/// C(p) = n.p - offset >= 0 for one particle: the collider's tangent plane, moved out by the particle's
/// thickness. The plane is taken where the path x -> p enters the collider, or else at the point nearest to
/// p.
struct StaticContact {
  std::int32_t particle, collider;
  real friction;
  vec3 normal;
  real offset;    ///< m
  vec3 slide;     ///< m, how far the surface here moves in the substep
  real approach;  ///< m, predicted displacement along the normal, relative to the surface; negative: towards
                  ///< it
  real restitution;
  real pushed;         ///< m, total push along the normal in this substep
  bool taken = false;  ///< ClusterContacts solves it
  real load = 0;       ///< m, pushes of others against the collider since project(), beyond the depth
  // Multipliers for methods that accumulate contacts, in m of the particle. For points of rods in kg m,
  // because the inverse mass of such a point changes with the response of the rod.
  real normal_kept = 0, load_kept = 0;
  vec3 friction_kept{0};
};

/// Contacts are stored per block of particles, so that threads fill and project them independently: block b
/// owns contacts [b * capacity, b * capacity + count[b]) and moves only its own particles.
///
/// The broad phase, once a frame, finds the colliders within a margin of each particle: a little more than
/// the distance that its speed takes it in the frame. The narrow phase tests these in each substep. A
/// particle that has left its margin (because it was pulled or thrown) is tested against all colliders, so
/// none is missed.
///
/// The vertex in the user's hand is stopped too, without friction. Other particles of inverse mass zero
/// follow their prescribed motion.
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

  /// Finds the contacts of one block for the paths from the previous to the predicted positions, in the
  /// moving frames of the colliders. `substep` of h seconds is counted from 0. A particle gets a contact with
  /// a collider if it comes nearer than its thickness plus the length of its path; of more than
  /// `per_particle` contacts the deepest remain. The plane is taken at the entry if the path could cross the
  /// surface (vectors ccd_segment_*), else at the point nearest to p (static_collision_sphere). A particle
  /// that starts inside comes out at most at the depenetration speed.
  void find(const World& world, std::int32_t block, real h, int substep = 0);

  /// Warm start of friction for points of rods that are solved as a whole. The friction of a drum adds up
  /// along the rope on it; without a warm start the few sweeps of a substep would find too little of it.
  /// Moves positions. Must be called after find().
  void warm_rods(World& world, std::int32_t block);
  /// Keeps the friction of points of rods for the next substep.
  void keep_rods(World& world, std::int32_t block) const;

  /// Projects the contacts of one block: pushes particles out of their half spaces, then applies positional
  /// Coulomb friction against the moving surface, limited by the depth just removed and the load (Macklin
  /// 2014, eq. 24; vectors friction_positional_*). There is no friction here with the velocity filter. For
  /// methods that accumulate contacts, multipliers are kept over the substep and an excess is taken back;
  /// otherwise friction would be limited by the last depth instead of the whole load.
  void project(World& world, std::int32_t block);

  /// Projects only the contacts of the particles i for which takes(i) is true.
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

  /// The contact of a particle that opposes a push along the unit vector `n` most, among those that have
  /// pushed in this substep; null if none opposes it.
  StaticContact* support(std::int32_t particle, const vec3& n);

  /// Share of the straight path from its previous position to `to` that particle `i` can go in `substep`
  /// before it enters any collider; 1 for the whole path.
  real free_share(const World& world, std::int32_t i, const vec3& to, int substep) const;

  /// Calls act(particle) for the contacts of one block that have pushed in this substep.
  template <class Act>
  void for_pushed(std::int32_t block, const Act& act) const {
    const StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
    for (const StaticContact* end = contact + blocks_[std::size_t(block)].contacts; contact != end; ++contact)
      if (contact->pushed > real(0) && !contact->taken) act(contact->particle);
  }

  /// Stops particles, after the iterations, that other constraints or a second contact took through a
  /// surface: they stay where their path came within half their thickness. Tests the candidates of find().
  void stop_crossings(World& world, std::int32_t block, int substep = 0, TouchedParts* touched = nullptr);

  /// Tells `touched` which particles of a block were pushed in this substep, except by pushes that
  /// known_push() gives. stop_crossings() tells of the particles that it stops.
  void tell_touched(const World& world, std::int32_t block, TouchedParts& touched) const {
    for (const StaticContact& contact : of_block(block))
      if (contact.pushed > real(0) && !known_push(world, contact)) touched.touch_particle(contact.particle);
  }

  /// An impulse times h, and a point of the line on which it acts.
  struct Push {
    glm::dvec3 impulse;  ///< kg m
    glm::dvec3 place;    ///< m
  };
  /// The push of a contact with a plane, sphere or capsule that stands still, without friction or
  /// restitution. A push of a sphere acts through its centre, that of a capsule through its axis beside the
  /// particle. Nothing for other contacts.
  std::optional<Push> known_push(const World& world, const StaticContact& contact) const;

  /// Whether a collider had a contact with a particle of the block in this frame, or stopped one.
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
    const PosedSurface* surface = nullptr;  ///< of a collider that changes its shape; else null
    int moment = 0;                         ///< of `surface`, the end of the substep
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
    bool test_all = false;  ///< the candidates are incomplete: all colliders must be tested
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
