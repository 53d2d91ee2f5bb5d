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
#include "engine/scene/objects/chain.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"

namespace limber {

struct Material;  // engine/core/settings/material.hpp

/// How the springs of an object act: both ways, only pulling, only pushing.
enum class SpringAction : int { spring, rope, strut };
/// Where the vertices of a cloth are at the start: in place, or with the mesh's shape taken from them.
enum class Start : int { rest, point, plane, random };

/// A vertex named in a scene file: a mesh vertex index (of the welded mesh) or a grid corner/edge
/// ("top_left", "top_right", "bottom_left", "bottom_right", "top", "bottom", "left", "right", "all").
using VertexName = std::variant<long, std::string>;

/// Vertices whose inverse mass is zero; they follow rest + amplitude * sin(2 pi t / period), or a collider.
struct AttachmentDesc {
  std::vector<VertexName> vertices;
  glm::dvec3 amplitude{0.0};  ///< m; zero: fixed where they start
  double period = 2.0;        ///< s
  /// A collider, or a rigid body ("name", "name[3]"): they keep their place in its frame instead.
  std::string attach_to;
  bool two_way = true;      ///< a body: the vertices stay free and pull it as much as it pulls them
  double compliance = 0.0;  ///< m/N, of each two-way attachment
};
std::span<const Field> attachment_fields();

/// One deformable object of the scene.
struct ObjectDesc {
  ObjectDesc();
  ObjectDesc(const ObjectDesc&);
  ObjectDesc(ObjectDesc&&) noexcept;
  ObjectDesc& operator=(const ObjectDesc&);
  ObjectDesc& operator=(ObjectDesc&&) noexcept;
  ~ObjectDesc();

  std::string name;
  ObjectType type = ObjectType::cloth;

  // Settings of one type alone. All types keep theirs whatever `type` is, where a variant would forget them:
  // files and --set may give them before the type, and a user may switch the type there and back.
  ClothDesc cloth;
  ChainDesc chain;
  PointsDesc points;
  SolidDesc solid;
  TetsDesc tets;
  FluidDesc fluid;
  RodDesc rod;

  // Settings that several types share (objects/shared_rows.hpp)
  std::string mesh;           ///< path relative to the scene file, assets/ or the working folder; "" = none
  double size = 0.0;          ///< m, longest side after scaling a mesh; 0 keeps the file's units
  double pressure = 0.0;      ///< k_p: a closed mesh is held at k_p times its volume; 0: at none
  double gas_density = -1.0;  ///< kg/m^3, of what fills it under pressure; below 0: as the air
  Start start = Start::rest;
  glm::dvec3 copies{1.0};      ///< whole numbers: copies, or particles of one object, along x, y, z ...
  glm::dvec3 spacing{1.5};     ///< ... m apart
  double particle_mass = 1.0;  ///< kg
  double density = 1500.0;     ///< kg/m^3
  double tumble = 0.0;         ///< deg, seeded random turn of every copy
  double temperature = 20.0;   ///< degrees C at the start, where heat is on

  // Settings of all types
  Pose pose;
  double jitter = 0.0;               ///< m, seeded random offset of every vertex at the start
  glm::dvec3 velocity{0.0};          ///< m/s at the start
  glm::dvec3 angular_velocity{0.0};  ///< deg/s at the start, about the centre of mass of each copy
  std::vector<VertexName> pins;      ///< fixed vertices (short for an attachment without motion)
  std::vector<AttachmentDesc> attachments;
  std::string collides_with = "all";  ///< names between commas (scene/touch_lists.hpp)
  SpringAction spring_action = SpringAction::spring;
  bool tethers = false;       ///< bind every vertex to its nearest fixed one
  double tether_slack = 1.0;  ///< length of a tether / way along the edges
  Boxed<Material> material;

  glm::dvec3 color{0.70, 0.09, 0.13};       ///< linear RGB, front
  glm::dvec3 back_color{0.80, 0.62, 0.32};  ///< linear RGB, back
  Pattern pattern = Pattern::border;
};
/// The scalar members of all types; pins, attachments, points, springs and material are nested.
std::span<const Field> object_fields();
/// Whether `field` of object_fields() means anything for this object (a cloth has no links, a mesh no
/// columns).
bool applies(const ObjectDesc& object, const Field& field);
/// The setting called `name`, or null where the object has no use for one.
const Field* field_of(const ObjectDesc& object, std::string_view name);
/// What to say about a key of an object for which it means nothing.
std::string misplaced(const ObjectDesc& object, std::string_view key);
/// False if `key` is a list of other types than that of `object`.
bool has_list(const ObjectDesc& object, std::string_view key);
/// Whether `field` of material_fields() means anything for this object.
bool applies_to_material(const ObjectDesc& object, const Field& field);

}  // namespace limber
