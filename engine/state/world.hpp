// World: one value that holds everything about a running scene. A snapshot is a copy of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/settings.hpp"
#include "engine/geometry/collider_mesh.hpp"
#include "engine/geometry/enclosure.hpp"
#include "engine/geometry/tri_mesh.hpp"
#include "engine/state/collider.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/particles.hpp"
#include "engine/state/surface.hpp"

namespace limber::inline LIMBER_PRECISION {

/// A contiguous run of internal particle indices.
struct ParticleRange {
  std::int32_t first = 0, count = 0;
  std::int32_t end() const { return first + count; }
};

/// What does not change while the scene runs; shared between snapshots.
struct Topology {
  std::vector<ParticleRange> objects;       ///< internal range of each object; external range is the same
  std::vector<std::int32_t> object_source;  ///< index in the scene's list; copies share one
  std::vector<Enclosure> enclosures;        ///< per object, at rest; volume 0 where its surface is not closed
  std::vector<Index> external_to_internal;  ///< vertex id outside -> particle index inside
  std::vector<Index> internal_to_external;
  std::vector<ColliderMesh> collider_meshes;  ///< per collider, in place of its distance field
  ConstraintSet constraints;
  Schedule schedule;
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< of all objects, particle indices, in their order
  Surface surface;                                     ///< the same, as what can touch itself
  std::vector<std::int32_t>
      corner_offset;                  ///< triangles at particle i: corners[corner_offset[i] ... [i + 1])
  std::vector<std::int32_t> corners;  ///< triangle numbers, ascending per particle
};

/// A particle of inverse mass zero and where it goes: rest + amplitude sin(2 pi t / period).
struct Attachment {
  std::int32_t particle;
  glm::dvec3 rest;
  glm::dvec3 amplitude{0.0};
  double period = 1.0;  ///< s
};

/// The vertex in the user's hand: inverse mass zero while held.
struct Grab {
  std::int32_t particle;
  glm::dvec3 target;  ///< m
};

/// What the volume of an object is held at: C = V - volume.
struct VolumeGoal {
  real volume = 0;    ///< m^3, k_p V0; 0: nothing holds it
  real softness = 0;  ///< XPBD: compliance in m^3/Pa, PBD: stiffness per iteration
};

struct World {
  std::shared_ptr<const Topology> topology;

  SolverSettings settings;
  WindSettings wind;
  std::vector<Material> materials;       ///< per object
  std::vector<VolumeGoal> volume_goals;  ///< per object
  std::vector<Collider> colliders;

  Particles particles;
  ConstraintState constraint_state;
  std::vector<Attachment> attachments;  ///< sorted by particle
  std::optional<Grab> grab;

  double time = 0.0;  ///< s
  std::int64_t frame = 0;
};

/// Fixes particle `i` (inverse mass zero, velocity zero).
void fix_particle(World& world, std::int32_t i);

/// Gives particle `i` its mass back unless an attachment still holds it.
void free_particle(World& world, std::int32_t i);

/// Whether an attachment holds particle `i`.
bool is_attached(const World& world, std::int32_t i);

/// Writes every softness from the materials, the method and the number of iterations: XPBD compliance times
/// its geometric scale, or k' = 1-(1-k)^(1/n). Call after any of them changed.
void refresh_softness(World& world);

}  // namespace limber::inline LIMBER_PRECISION
