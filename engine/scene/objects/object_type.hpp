// Object types. A table of traits says what objects of each type consist of and how they behave. Code outside
// this folder asks the table and never compares types.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

struct ObjectDesc;
struct ObjectGeometry;
struct SceneDesc;

/// Types of objects, in the order of the table. Code outside this folder may create an object of a type
/// (`object.type = ObjectType::chain`); a comparison with an enumerator is an error of tests/rules.
enum class ObjectType : int { cloth, chain, points, cloud, grains, solid, tets, fluid, rod };

/// The quantity that gives an object its mass.
enum class Density {
  areal,       ///< kg/m^2, Material::density; a live setting
  volumetric,  ///< kg/m^3, ObjectDesc::density
  particle,    ///< kg, ObjectDesc::particle_mass for each particle
  listed,      ///< kg, given for each particle
};

/// Start offsets by `jitter`: of each vertex on its own, or of each copy as a rigid whole. Whole copies are
/// also rotated by `tumble`.
enum class Scatter { vertices, copies };

/// The functions of a type: static members of its struct, in its own files.
struct ObjectFunctions {
  /// The type's own settings and the shared ones it has, in the order of a scene file.
  std::span<const Field> (*fields)() = nullptr;
  /// True if a row of fields() applies to this object (a cloth with a mesh has no columns). Null: all rows
  /// apply.
  bool (*uses)(const ObjectDesc&, const Field&) = nullptr;
  /// Keys of the scene file that hold lists instead of settings.
  std::span<const std::string_view> lists{};
  /// Number of vertices of one copy; none if a file or the particle radius determines it.
  std::optional<long> (*vertex_count)(const ObjectDesc&) = nullptr;
  /// The vertices called `word` ("top_left"). Null: vertices have numbers and no names.
  Expected<std::vector<Index>> (*named)(const ObjectDesc&, std::string_view word) = nullptr;
  /// Checks conditions between settings, beyond the range of each. Null: nothing to check.
  Expected<void> (*check)(const ObjectDesc&) = nullptr;
  /// Builds one copy in its own frame, without attachments.
  Expected<void> (*build)(const SceneDesc&, const ObjectDesc&, ObjectGeometry&) = nullptr;
};

struct ObjectTraits {
  ObjectType type;
  std::string_view name;     ///< name in scene files
  std::string_view several;  ///< plural, for messages
  std::string_view meaning;  ///< part of the tooltip of `type`

  bool surface = false;    ///< has triangles, which collide with everything, each other included, and feel
                           ///< wind
  bool springs = false;    ///< may have springs, so that spring_action and tethers apply
  bool two_sided = false;  ///< is drawn with a back colour and a pattern
  bool particles = false;  ///< consists of balls of solver.particle_radius, which are drawn and collide as
                           ///< such
  bool touching = false;   ///< its particles collide with particles (ParticleMatter)
  bool fluid = false;      ///< its particles keep the density of a fluid together (FluidMatter)
  bool rod = false;        ///< its particles are the points of a rod and as thick as the rod (RodMatter)
  bool copies_are_particles = false;  ///< `copies` counts the particles of one object instead of objects
  bool keeps_lengths = false;  ///< its springs should keep their lengths, so that strain is an error of the
                               ///< solver
  Density density = Density::particle;
  Scatter scatter = Scatter::vertices;
  std::uint32_t material = 0;  ///< parts of the material's table that apply (material_part)
  ObjectFunctions does;

  /// True for a heap of loose grains.
  bool heaps() const { return touching && copies_are_particles; }
  /// True if solver.method solves its constraints. Particles that collide as balls are solved elsewhere.
  bool has_method() const { return !particles; }
};

/// The table, indexed by ObjectType.
std::span<const ObjectTraits> object_types();
const ObjectTraits& traits_of(const ObjectDesc& object);

/// True if any object has the trait: has_any(scene.objects, &ObjectTraits::surface).
bool has_any(std::span<const ObjectDesc> objects, bool ObjectTraits::*trait);
/// True if solver.method acts on any of the objects.
bool any_has_method(std::span<const ObjectDesc> objects);

/// Bits of scene_part for the types of the objects.
std::uint32_t parts_of(std::span<const ObjectDesc> objects);

/// Names in the order of ObjectType, for the choice `type`.
std::span<const std::string_view> object_type_names();

}  // namespace limber
