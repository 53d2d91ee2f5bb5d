// World: one value that holds everything about a running scene. A snapshot is a copy of it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/boxed.hpp"
#include "engine/core/members.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/geometry/mesh/collider_mesh.hpp"
#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"
#include "engine/state/air_load.hpp"
#include "engine/state/body_shapes.hpp"
#include "engine/state/change.hpp"
#include "engine/state/collider.hpp"
#include "engine/state/fluid_matter.hpp"
#include "engine/state/history.hpp"
#include "engine/state/joints.hpp"
#include "engine/state/particle_matter.hpp"
#include "engine/state/particles.hpp"
#include "engine/state/point_tie.hpp"
#include "engine/state/rods.hpp"
#include "engine/state/schedule.hpp"
#include "engine/state/settling.hpp"
#include "engine/state/sleep.hpp"
#include "engine/state/surface.hpp"
#include "engine/state/surface_contact.hpp"
#include "engine/state/tears.hpp"
#include "engine/state/touches.hpp"

namespace limber {
// defined in engine/core/settings/; sources that read them include those headers
struct WindSettings;
struct HeatSettings;
struct Material;
struct FieldSource;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

struct ConstraintSet;    // engine/state/constraint_set.hpp
struct ConstraintState;  // there too
struct HeatState;        // engine/state/heat_state.hpp
struct MaterialFields;   // engine/state/material_fields.hpp

/// A contiguous run of internal particle indices.
struct ParticleRange {
  std::int32_t first = 0, count = 0;
  std::int32_t end() const { return first + count; }
};

/// The part of a World that does not change while the scene runs, except by tears. Snapshots share it; a tear
/// makes a changed copy (own_topology).
struct Topology {
  std::vector<ParticleRange> objects;         ///< internal range of each object; external range is the same
  std::vector<std::int32_t> object_source;    ///< index in the scene's list; copies share one
  std::vector<Enclosure> enclosures;          ///< per object, at rest; volume 0 if its surface is not closed
  std::vector<Index> external_to_internal;    ///< vertex id outside -> particle index inside
  std::vector<Index> internal_to_external;    ///< the reverse; -1: in reserve
  std::vector<ColliderMesh> collider_meshes;  ///< per collider, in place of its distance field
  Boxed<ConstraintSet> constraints;
  Schedule schedule;
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< of all objects in their order; particle indices
  Surface surface;                                     ///< triangles and segments of rods, for contact
  std::vector<std::int32_t>
      corner_offset;  ///< triangles at particle i: corner_count[i] of corners from corner_offset[i] on
  std::vector<std::int32_t> corner_count;
  std::vector<std::int32_t> corners;              ///< triangle numbers, ascending per particle
  std::vector<std::array<std::int32_t, 4>> tets;  ///< of all objects in their order; particle indices
  std::vector<real> tet_volumes;                  ///< m^3, volume of each at rest
  ParticleMatter matter;
  FluidMatter fluid;
  RodMatter rods;
  std::vector<Joint> joints;
  /// Joints of body i: joint_at[joint_offset[i]] up to, without, joint_at[joint_offset[i + 1]]. Bodies that
  /// were added later have no joints.
  std::vector<std::int32_t> joint_offset;
  std::vector<std::int32_t> joint_at;
  TearRoom tears;
  /// Per particle, if an object has sources of fields, else empty: m, place in the object at rest; and the
  /// vertex colour, if a source asks for one.
  std::vector<vec3> field_places, field_colors;
  std::uint64_t edition = 0;               ///< identity for caches, changed by every tear; 0: untorn
  std::shared_ptr<const Topology> untorn;  ///< the topology before the first tear; null: this one is untorn

  using Self = Topology;
  static constexpr auto all_members =
      std::tuple(&Self::objects, &Self::object_source, &Self::enclosures, &Self::external_to_internal,
                 &Self::internal_to_external, &Self::collider_meshes, &Self::constraints, &Self::schedule,
                 &Self::triangles, &Self::surface, &Self::corner_offset, &Self::corner_count, &Self::corners,
                 &Self::tets, &Self::tet_volumes, &Self::matter, &Self::fluid, &Self::rods, &Self::joints,
                 &Self::joint_offset, &Self::joint_at, &Self::tears, &Self::field_places, &Self::field_colors,
                 &Self::edition, &Self::untorn);

  /// Number of facets: first the triangles, then the segments of rods, which are triangles whose last two
  /// corners are equal.
  std::int32_t facets() const { return std::int32_t(triangles.size() + rods.segments.size()); }
  bool is_segment(std::int32_t facet) const { return std::size_t(facet) >= triangles.size(); }
  std::array<std::int32_t, 3> facet(std::int32_t facet) const {
    if (!is_segment(facet)) return triangles[std::size_t(facet)];
    const auto [a, b] = rods.segments[std::size_t(facet) - triangles.size()].points;
    return {a, b, b};
  }

  std::span<const std::int32_t> triangles_at(std::int32_t particle) const {
    const std::size_t i = std::size_t(particle);
    return {corners.data() + corner_offset[i], std::size_t(corner_count[i])};
  }
};

/// A particle of inverse mass zero with a prescribed motion: rest + amplitude sin(2 pi t / period), or the
/// motion of its carrier.
struct Attachment {
  std::int32_t particle;
  glm::dvec3 rest;  ///< m, in the world or in the collider's frame
  glm::dvec3 amplitude{0.0};
  double period = 1.0;         ///< s
  std::int32_t collider = -1;  ///< carrier: a collider; -1: none
  std::int32_t body = -1;      ///< carrier: a body, in whose frame `rest` is then; -1: none

  using Self = Attachment;
  static constexpr auto all_members =
      std::tuple(&Self::particle, &Self::rest, &Self::amplitude, &Self::period, &Self::collider, &Self::body);
};

/// A two-way tie of a particle to a point of a rigid body.
struct BodyTie {
  std::int32_t particle, body;
  vec3 own;             ///< m, the point in the body's frame
  real compliance = 0;  ///< m/N

  using Self = BodyTie;
  static constexpr auto all_members = std::tuple(&Self::particle, &Self::body, &Self::own, &Self::compliance);
};

/// The vertex that the user holds; its inverse mass is zero meanwhile.
struct Grab {
  std::int32_t particle;
  glm::dvec3 target;  ///< m

  static constexpr auto all_members = std::tuple(&Grab::particle, &Grab::target);
};

/// The body that the user drags: its point `own` is pulled towards the target.
struct BodyGrab {
  std::int32_t body;
  vec3 own{0};        ///< m, the point in the body's frame
  glm::dvec3 target;  ///< m

  static constexpr auto all_members = std::tuple(&BodyGrab::body, &BodyGrab::own, &BodyGrab::target);
};

/// The turn that the user rotates about the rod; its inverse moment of inertia is zero meanwhile.
struct TurnGrab {
  std::int32_t turn;  ///< number of the turn
  glm::dvec4 rest;    ///< unit quaternion when the user took it
  /// rad, rotation from `rest` about its third axis: at the start of the frame, and wanted
  double angle, target;

  static constexpr auto all_members =
      std::tuple(&TurnGrab::turn, &TurnGrab::rest, &TurnGrab::angle, &TurnGrab::target);
};

/// A ball that the user moves. It is the last of the colliders: it pushes things, and nothing pushes it.
struct HandBall {
  glm::dvec3 position;  ///< m, at the start of the frame
  glm::dvec3 target;    ///< m
  double radius;        ///< m

  static constexpr auto all_members = std::tuple(&HandBall::position, &HandBall::target, &HandBall::radius);
};

/// Constraint on the volume of an object: C = V - volume.
struct VolumeGoal {
  real volume = 0;    ///< m^3; 0: no constraint
  real softness = 0;  ///< XPBD: compliance in m^3/Pa, PBD: stiffness per iteration
  real target = 0;    ///< m^3, k_p V0, approached by `volume`

  static constexpr auto all_members =
      std::tuple(&VolumeGoal::volume, &VolumeGoal::softness, &VolumeGoal::target);
};

// A World consists of the following groups. Each lists its members once (core/members.hpp); copies,
// snapshots, the undo of a frame, byte_count() and world_hash() use only these lists.

/// All settings, in the units of the scene file.
struct Settings {
  SolverSettings solver;
  Boxed<WindSettings> wind;
  Boxed<HeatSettings> heat;
  std::vector<Material> materials;               ///< per object
  std::vector<std::vector<FieldSource>> fields;  ///< per object
  std::vector<BodyMaterial> body_materials;      ///< per body of the scene's list, then per body added later
  std::vector<JointMaterial> joint_materials;    ///< per joint of the scene's list
  std::vector<TieMaterial> tie_materials;        ///< per tie of the scene's list
  Touches touches;

  static constexpr auto all_members = std::tuple(
      &Settings::solver, &Settings::wind, &Settings::heat, &Settings::materials, &Settings::fields,
      &Settings::body_materials, &Settings::joint_materials, &Settings::tie_materials, &Settings::touches);
};

/// State of deformable objects, clusters, grains and fluids besides their particles.
struct Matter {
  Boxed<ConstraintState> constraints;
  std::vector<VolumeGoal> volume_goals;  ///< per object
  AlignedVector<vec4>
      cluster_rotations;  ///< per cluster of Topology::matter: unit quaternion, from the rest orientation
  std::vector<real> cluster_stiffness;  ///< per cluster: k of shape matching per iteration
  AlignedVector<vec4>
      grain_rolls;  ///< m, per particle if there are grains or clusters: rotation in a substep times r
  FluidState fluid;
  SoftState soft;

  static constexpr auto all_members =
      std::tuple(&Matter::constraints, &Matter::volume_goals, &Matter::cluster_rotations,
                 &Matter::cluster_stiffness, &Matter::grain_rolls, &Matter::fluid, &Matter::soft);
};

/// Contacts of the last frame, whose multipliers warm start the next frame, and the state of surfaces.
struct ContactState {
  std::vector<BodyContact> bodies;         ///< ascending by a, b and patch
  real body_step = 0;                      ///< s, substep that their multipliers belong to
  std::vector<ParticleContact> particles;  ///< ascending by a
  real particle_step = 0;                  ///< s, substep that their multipliers belong to
  std::vector<SurfaceContact> surfaces;    ///< pairs of features of surfaces
  real surface_step = 0;                   ///< s, substep that their multipliers belong to
  /// Per particle if rods are solved directly or the method keeps contacts, else empty: friction in x, y, z
  /// and normal in w of a collider's contact, multipliers in kg m of points of rods, else forces in N; and
  /// the number of that collider, -1: none. A body is -2 minus its number.
  AlignedVector<vec4> rod_holds;
  std::vector<std::int32_t> rod_holders;
  real rod_step = 0;  ///< s, substep that these multipliers belong to

  /// Number of frames in which intersections of surfaces are still searched; 0: there are none. Must be set
  /// to first_look after anything other than a step has moved or joined vertices.
  static constexpr std::int32_t first_look = 1;
  std::int32_t tangle_watch = first_look;
  /// Per object: number of frames for which it still counts as intersecting. Empty: no search has been made.
  std::vector<std::int32_t> untangling;
  /// Vertices have been split, and contact between surfaces has not checked the copies yet. `previous` holds
  /// all positions before the copies were moved apart.
  bool parted = false;

  using Self = ContactState;
  static constexpr auto all_members =
      std::tuple(&Self::bodies, &Self::body_step, &Self::particles, &Self::particle_step, &Self::surfaces,
                 &Self::surface_step, &Self::rod_holds, &Self::rod_holders, &Self::rod_step,
                 &Self::tangle_watch, &Self::untangling, &Self::parted);
};

/// Attachments and ties of the scene, and what the user holds, moves or cuts at the moment.
struct User {
  std::vector<Attachment> attachments;  ///< sorted by particle
  std::vector<BodyTie> ties;            ///< sorted by body
  std::vector<PointTie> point_ties;
  std::optional<Grab> grab;
  std::optional<BodyGrab> body_grab;
  std::optional<TurnGrab> turn_grab;
  std::optional<HandBall> ball;
  CutPath cut;  ///< by hand

  static constexpr auto all_members =
      std::tuple(&User::attachments, &User::ties, &User::point_ties, &User::grab, &User::body_grab,
                 &User::turn_grab, &User::ball, &User::cut);
};

struct World {
  // defined in world.cpp, so that not every source compiles them again
  World();
  World(const World&);
  World(World&&) noexcept;
  World& operator=(const World&);
  World& operator=(World&&) noexcept;
  ~World();

  std::shared_ptr<const Topology> topology;
  Settings settings;
  std::vector<Collider> colliders;  ///< at their places at `time`
  Particles particles;
  Bodies bodies;
  Matter matter;
  Boxed<HeatState> heat;
  Boxed<MaterialFields> fields;
  ContactState contacts;
  User user;
  History history;
  Settling settling;
  AirLoad air;
  double time = 0.0;  ///< s
  std::int64_t frame = 0;
  Changes changes;

  /// Must be called by whatever changes the World other than a step: the next step, or Stepper::follow(),
  /// sizes its arrays anew.
  void changed(Change change) { changes.add(change); }

  static constexpr auto all_members = std::tuple(
      &World::topology, &World::settings, &World::colliders, &World::particles, &World::bodies,
      &World::matter, &World::heat, &World::fields, &World::contacts, &World::user, &World::history,
      &World::settling, &World::air, &World::time, &World::frame, &World::changes);
};

/// The material of the object that particle `i` belongs to.
const Material& material_of(const World& world, std::int32_t i);
/// Whether an object has a volume constraint: it is a closed, untorn skin under pressure.
bool holds_volume(const World& world, std::size_t object);
/// Whether the goal volume differs from the rest volume. The edges of the skin and the volume constraint then
/// contradict each other.
bool strains_skin(const World& world, std::size_t object);
/// Whether the object of particle i has a volume constraint.
bool is_under_pressure(const World& world, std::int32_t i);

/// Additional distance (m) within which contacts of particle `i` are searched: for a fluid its support.
real fluid_reach(const World& world, std::int32_t i);

/// Fixes particle `i` (inverse mass zero, velocity zero).
void fix_particle(World& world, std::int32_t i);

/// Restores the inverse mass of particle `i` unless an attachment still holds it.
void free_particle(World& world, std::int32_t i);

/// Whether an attachment holds particle `i`.
bool is_attached(const World& world, std::int32_t i);

/// Whether particle `i` is the vertex in the user's hand.
inline bool is_in_hand(const World& world, std::int32_t i) {
  return world.user.grab && world.user.grab->particle == i;
}

/// Whether two bodies do not collide because a joint connects them.
bool joined(const World& world, std::int32_t body, std::int32_t other);

// Whether the collision masks of the scene (Touches) allow two things, given by their numbers, to touch.
inline TouchMask mask_of_particle(const World& world, std::int32_t i) {
  return Touches::at(world.settings.touches.objects, std::size_t(world.particles.object[std::size_t(i)]));
}
inline TouchMask mask_of_body(const World& world, std::int32_t body) {
  return Touches::at(world.settings.touches.bodies,
                     std::size_t(world.bodies.parts->source[std::size_t(body)]));
}
inline bool particles_touch(const World& world, std::int32_t i, std::int32_t j) {
  return world.settings.touches.all || touch(mask_of_particle(world, i), mask_of_particle(world, j));
}
inline bool bodies_touch(const World& world, std::int32_t a, std::int32_t b) {
  return world.settings.touches.all || touch(mask_of_body(world, a), mask_of_body(world, b));
}
inline bool particle_touches_body(const World& world, std::int32_t i, std::int32_t body) {
  return world.settings.touches.all || touch(mask_of_particle(world, i), mask_of_body(world, body));
}
/// The ball in the hand, which has no mask, touches everything.
inline bool collider_touches(const World& world, std::size_t collider, const TouchMask& other) {
  const std::vector<TouchMask>& colliders = world.settings.touches.colliders;
  return collider >= colliders.size() || touch(colliders[collider], other);
}
inline bool particle_touches_collider(const World& world, std::int32_t i, std::size_t collider) {
  return world.settings.touches.all || collider_touches(world, collider, mask_of_particle(world, i));
}
inline bool body_touches_collider(const World& world, std::int32_t body, std::size_t collider) {
  return world.settings.touches.all || collider_touches(world, collider, mask_of_body(world, body));
}

/// 1/h^2 of the substep, 1/s^2: a compliance alpha acts as alpha/h^2.
double inverse_h_squared(const World& world);

/// Whether XPBD damping acts on any constraint.
bool is_damped(const World& world);

/// Computes the softness of all constraints from local materials (local_material.hpp), method and number of
/// iterations: XPBD compliance times its geometric factor, or k' = 1-(1-k)^(1/n). Gives constraints that may
/// yield their mutable rest values. Must be called after any of these changed.
void refresh_softness(World& world);

}}  // namespace limber::LIMBER_PRECISION
