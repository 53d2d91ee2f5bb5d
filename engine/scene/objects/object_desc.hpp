// A deformable object of a scene, as plain structs.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/boxed.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/colliders/pose.hpp"
#include "engine/scene/file/pattern.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct Material;     // engine/core/settings/material.hpp
struct FieldSource;  // engine/core/material_field.hpp
// The settings of single types, each in the header of its type
struct ClothDesc;
struct ChainDesc;
struct PointsDesc;
struct SolidDesc;
struct TetsDesc;
struct FluidDesc;
struct RodDesc;

/// Springs of an object: both ways, only pulling (rope), only pushing (strut).
enum class SpringAction : int { spring, rope, strut };
/// Start positions of the vertices of a cloth: at rest, or with the shape destroyed (start_positions.hpp).
enum class Start : int { rest, point, plane, random };

/// A vertex named in a scene file: an index into the welded mesh, or a name that the type of object knows
/// ("top_left", "front", "first", "all").
using VertexName = std::variant<long, std::string>;

/// Vertices that follow rest + amplitude * sin(2 pi t / period), a collider or a body, with inverse mass
/// zero. A two-way attachment to a body is a tie instead, and its vertices keep their mass.
struct AttachmentDesc {
  std::vector<VertexName> vertices;
  glm::dvec3 amplitude{0.0};  ///< m; zero: fixed where they start
  double period = 2.0;        ///< s
  /// A collider, or a rigid body ("name", "name[3]"): the vertices keep their places in its frame. Empty:
  /// none.
  std::string attach_to;
  bool two_way = true;      ///< attach_to is a body: the vertices keep their mass and act on the body
  double compliance = 0.0;  ///< m/N, of each two-way attachment
};
std::span<const Field> attachment_fields();

/// A deformable object of the scene.
struct ObjectDesc {
  ObjectDesc();
  ObjectDesc(const ObjectDesc&);
  ObjectDesc(ObjectDesc&&) noexcept;
  ObjectDesc& operator=(const ObjectDesc&);
  ObjectDesc& operator=(ObjectDesc&&) noexcept;
  ~ObjectDesc();

  std::string name;
  ObjectType type = ObjectType::cloth;

  // Settings of a single type. An object has the settings of all types: files and --set may give them before
  // the type, and a user may switch the type back and forth without losing them.
  Boxed<ClothDesc> cloth;
  Boxed<ChainDesc> chain;
  Boxed<PointsDesc> points;
  Boxed<SolidDesc> solid;
  Boxed<TetsDesc> tets;
  Boxed<FluidDesc> fluid;
  Boxed<RodDesc> rod;

  // Settings that several types share (objects/shared_rows.hpp)
  std::string mesh;           ///< path, see find_mesh(); "" = none
  double size = 0.0;          ///< m, longest side after scaling a mesh; 0 keeps the file's units
  double pressure = 0.0;      ///< k_p: the volume of a closed mesh is held at k_p times its rest volume; 0:
                              ///< not held
  double gas_density = -1.0;  ///< kg/m^3 of the gas in an object under pressure; below 0: that of the air
  Start start = Start::rest;
  glm::dvec3 copies{1.0};      ///< whole numbers: copies along x, y, z (for grains and clouds, particles)
  glm::dvec3 spacing{1.5};     ///< m, distance of the copies along x, y, z
  double particle_mass = 1.0;  ///< kg
  double density = 1500.0;     ///< kg/m^3
  double tumble = 0.0;         ///< deg, seeded random rotation of every copy
  double temperature = 20.0;   ///< degrees C at the start, if heat is on

  // Settings of all types
  Pose pose;
  double jitter = 0.0;               ///< m, seeded random offset of every vertex at the start
  glm::dvec3 velocity{0.0};          ///< m/s at the start
  glm::dvec3 angular_velocity{0.0};  ///< deg/s at the start, about the centre of mass of each copy
  std::vector<VertexName> pins;      ///< fixed vertices: an attachment without motion
  std::vector<AttachmentDesc> attachments;
  std::string collides_with = "all";  ///< names, separated by commas (scene/build/touch_lists.hpp)
  SpringAction spring_action = SpringAction::spring;
  bool tethers = false;       ///< binds every vertex to the nearest fixed one
  double tether_slack = 1.0;  ///< rest length of a tether / length of the path along the edges
  Boxed<Material> material;
  std::vector<FieldSource> fields;  ///< factors of the material that vary over the object

  glm::dvec3 color{0.70, 0.09, 0.13};       ///< linear RGB, front
  glm::dvec3 back_color{0.80, 0.62, 0.32};  ///< linear RGB, back
  Pattern pattern = Pattern::border;
};
/// Rows of the scalar members of all types. Pins, attachments, points, springs and material are nested.
std::span<const Field> object_fields();
/// True if `field` of object_fields() has a meaning for this object (a cloth has no links, a mesh no
/// columns).
bool applies(const ObjectDesc& object, const Field& field);
/// The setting called `name`, or null if it does not apply to the object.
const Field* field_of(const ObjectDesc& object, std::string_view name);
/// Message about a key that has no meaning for the object.
std::string misplaced(const ObjectDesc& object, std::string_view key);
/// False if `key` is a list that the type of `object` does not have.
bool has_list(const ObjectDesc& object, std::string_view key);
/// True if `field` of material_fields() has a meaning for this object.
bool applies_to_material(const ObjectDesc& object, const Field& field);

}  // namespace limber
