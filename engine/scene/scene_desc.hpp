// A scene as plain structs: what a scene file says, what `--set` edits, what the builder turns into a World.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <glm/vec3.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/core/settings.hpp"
#include "engine/geometry/convex/body_shape.hpp"
#include "engine/geometry/joint_type.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"
#include "engine/geometry/queries/collider_shape.hpp"
#include "engine/scene/objects/chain.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/cloud.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/grains.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"

namespace limber {

/// Where a thing stands: scale, then rotation, then translation.
struct Pose {
  glm::dvec3 position{0.0};          ///< m
  glm::dvec3 rotation_degrees{0.0};  ///< Euler angles, applied about x, then y, then z
};

/// How the springs of an object act: both ways, only pulling, only pushing.
enum class SpringAction : int { spring, rope, strut };
/// Where the vertices of a cloth are at the start: in place, or with the mesh's shape taken from them.
enum class Start : int { rest, point, plane, random };
enum class Pattern : int { plain, border, stripes, checker };

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

  // Settings that several types share (objects/shared_rows.hpp)
  std::string mesh;       ///< path relative to the scene file, assets/ or the working folder; "" = none
  double size = 0.0;      ///< m, longest side after scaling a mesh; 0 keeps the file's units
  double pressure = 0.0;  ///< k_p: a closed mesh is held at k_p times its volume; 0: at none
  Start start = Start::rest;
  glm::dvec3 copies{1.0};      ///< whole numbers: copies, or particles of one object, along x, y, z ...
  glm::dvec3 spacing{1.5};     ///< ... m apart
  double particle_mass = 1.0;  ///< kg
  double density = 1500.0;     ///< kg/m^3
  double tumble = 0.0;         ///< deg, seeded random turn of every copy

  // Settings of all types
  Pose pose;
  double jitter = 0.0;           ///< m, seeded random offset of every vertex at the start
  glm::dvec3 velocity{0.0};      ///< m/s at the start
  std::vector<VertexName> pins;  ///< fixed vertices (short for an attachment without motion)
  std::vector<AttachmentDesc> attachments;
  SpringAction spring_action = SpringAction::spring;
  bool tethers = false;       ///< bind every vertex to its nearest fixed one
  double tether_slack = 1.0;  ///< length of a tether / way along the edges
  Material material;

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

/// An obstacle. Plane: through `position`, normal +y turned by the rotation. Capsule: axis y. It moves as a
/// pure function of time: position + t linear_velocity + amplitude s, turning steadily about its position and
/// by swing s about its pivot, with s = sin(2 pi (t / period + phase)); its parent carries all that along.
struct ColliderDesc {
  std::string name;
  ColliderShape shape = ColliderShape::sphere;
  Pose pose;
  double radius = 0.5;           ///< m, sphere and capsule
  glm::dvec3 half_extents{0.5};  ///< m, box
  double half_length = 0.5;      ///< m, capsule: half the distance between the cap centres
  std::string mesh;              ///< path of an OBJ, closed or a shell, searched as an object's
  double size = 0.0;             ///< m, longest side after scaling the mesh; 0 keeps the file's units
  std::string frames;        ///< "walk_*.obj": poses of the mesh, which changes its shape; empty: it does not
  double frame_rate = 24.0;  ///< 1/s
  bool loop = true;          ///< the first frame follows the last
  int resolution = 64;       ///< cells of the distance field along the mesh's longest side
  double shell = 0.0;        ///< m, thickness of a mesh that is a sheet; 0: a closed solid
  double friction = 0.3;     ///< Coulomb mu
  double restitution = 0.0;  ///< e: a bounce gives back e of the normal speed
  glm::dvec3 linear_velocity{0.0};   ///< m/s
  glm::dvec3 angular_velocity{0.0};  ///< deg/s, about an axis through the position
  glm::dvec3 amplitude{0.0};         ///< m
  glm::dvec3 swing{0.0};             ///< deg, farthest turn about the pivot; the vector is the axis
  glm::dvec3 pivot{0.0};             ///< m, where position is given: the joint at rest
  double period = 2.0;               ///< s
  double phase = 0.0;                ///< turns
  std::string parent;                ///< a collider above in the file whose motion from rest it shares
  bool drains = false;               ///< removes the fluid that touches it
  bool visible = true;
  bool glass = false;  ///< one sees through it
  glm::dvec3 color{0.45, 0.48, 0.52};
};
std::span<const Field> collider_fields();
/// Whether `field` of collider_fields() means anything for this shape (a plane has no radius).
bool applies(const ColliderDesc& collider, const Field& field);

/// A solid: one body, or a part of a compound one, placed in its frame.
struct BodyPartDesc {
  BodyShape shape = BodyShape::box;
  Pose pose;
  double radius = 0.5;           ///< m, sphere, capsule and cylinder
  glm::dvec3 half_extents{0.5};  ///< m, box
  double half_length =
      0.5;            ///< m, capsule: half the distance between the cap centres; cylinder: half as high
  std::string mesh;   ///< hull: path of an OBJ, searched as an object's
  double size = 0.0;  ///< m, longest side after scaling the mesh; 0 keeps the file's units
};
std::span<const Field> body_part_fields();

/// How the copies of a body stand: on a lattice, as a wall of which each layer has one less, or in a line.
enum class Arrangement : int { lattice, pyramid, line };

/// A rigid body, or many copies of one. It begins with its only part; a compound has a list of them.
struct BodyDesc : BodyPartDesc {
  BodyDesc();
  BodyDesc(const BodyDesc&);
  BodyDesc(BodyDesc&&) noexcept;
  BodyDesc& operator=(const BodyDesc&);
  BodyDesc& operator=(BodyDesc&&) noexcept;
  ~BodyDesc();

  std::string name;
  std::vector<BodyPartDesc> parts;  ///< compound only
  double density = 1000.0;          ///< kg/m^3
  bool fixed = false;               ///< nothing moves it
  glm::dvec3 copies{1.0};           ///< whole numbers: copies along x, y, z ...
  glm::dvec3 spacing{1.5};          ///< ... m apart
  Arrangement arrangement = Arrangement::lattice;
  double jitter = 0.0;               ///< m, seeded random offset of every copy
  double yaw_jitter = 0.0;           ///< deg, seeded random turn about the vertical
  glm::dvec3 velocity{0.0};          ///< m/s at the start
  glm::dvec3 angular_velocity{0.0};  ///< deg/s at the start
  double friction = 0.5;             ///< Coulomb mu
  double restitution = 0.0;          ///< e: a bounce gives back e of the normal speed
  double rolling_resistance = 0.0;   ///< m, lever arm of the normal force against rolling
  glm::dvec3 color{0.42, 0.36, 0.30};
};
std::span<const Field> body_fields();  ///< those of its part and its own
/// Whether `field` of body_fields() means anything for this shape (a sphere has no half extents).
bool applies(const BodyPartDesc& body, const Field& field);

/// A joint of two bodies, or of a body and the world; with copies of a body one for each. Places and axes are
/// those of the world at the start, for the first copy; with another copy they move along.
struct JointDesc {
  std::string name;
  JointType type = JointType::ball;
  std::string a, b;                  ///< a body, or copy i of it as name[i]; b empty: the world
  bool chain = false;                ///< joins each copy of a to the next one
  glm::dvec3 at{0.0};                ///< m
  glm::dvec3 at_b{0.0};              ///< m, distance: the point of b
  glm::dvec3 axis{0.0, 1.0, 0.0};    ///< only the direction counts
  glm::dvec3 axis_b{1.0, 0.0, 0.0};  ///< universal: that of b
  bool collide = false;
  bool limited = false;
  double lower_degrees = -90.0, upper_degrees = 90.0;
  double lower = -0.5, upper = 0.5;  ///< m
  double cone_degrees = 180.0;
  double motor_speed = 0.0;      ///< deg/s
  double motor_torque = 0.0;     ///< N m
  double motor_velocity = 0.0;   ///< m/s
  double motor_force = 0.0;      ///< N
  double friction_torque = 0.0;  ///< N m
  double friction_force = 0.0;   ///< N
  double length = 0.0;           ///< m; 0: that of the start
  bool rope = false;
  double compliance = 0.0;          ///< m/N
  double angular_compliance = 0.0;  ///< rad/(N m)
  double damping = 0.0;             ///< N s/m
  double break_force = 0.0;         ///< N; 0: never
  double thickness = 0.02;          ///< m, distance: as it is drawn
  glm::dvec3 color{0.20, 0.17, 0.13};
};
std::span<const Field> joint_fields();
/// Whether `field` of joint_fields() means anything for this type of joint (a ball has no motor).
bool applies(const JointDesc& joint, const Field& field);

struct CameraDesc {
  glm::dvec3 position{2.5, 1.8, 4.0};  ///< m
  glm::dvec3 target{0.0, 0.8, 0.0};    ///< m
  double fov_degrees = 40.0;           ///< vertical
};
std::span<const Field> camera_fields();
/// Whether it looks anywhere: not from its own target.
Expected<void> check_camera(const CameraDesc& camera);

/// The picture that stands for the scene: `limber run SCENE --pictured --screenshot out.png`.
struct PictureDesc {
  double seconds = 2.0;              ///< simulated, when it is taken
  std::optional<CameraDesc> camera;  ///< none: the scene's own
};

/// Intervals [min, max] by the paths of numbers in the report ("strain.max", "residual.distance.mean").
using ReportBounds = std::map<std::string, std::array<double, 2>>;

/// What `limber check` demands of the first `frames` frames.
struct ExpectDesc {
  int frames = 120;
  ReportBounds bounds;          ///< after the last frame
  ReportBounds always;          ///< after every frame
  glm::dvec3 inside_min{-1e3};  ///< every particle stays in this box on the last frame
  glm::dvec3 inside_max{1e3};
};

struct SceneDesc {
  SceneDesc();
  SceneDesc(const SceneDesc&);
  SceneDesc(SceneDesc&&) noexcept;
  SceneDesc& operator=(const SceneDesc&);
  SceneDesc& operator=(SceneDesc&&) noexcept;
  ~SceneDesc();

  std::string name;  ///< file name without folder and extension, or the mesh's
  std::string title;
  std::string group;     ///< menu group
  std::string look_for;  ///< one or two sentences: what to look for
  std::string file;      ///< where it was read from; meshes are searched beside it
  std::string assets;    ///< folder of the shipped meshes, searched next; "" = none
  std::uint64_t seed = 1;
  /// Told, on the thread that builds the scene, how far a slow part of that is, from 0 to 1. It returns false
  /// to give the build up, which then fails. May be empty.
  std::function<bool(const std::string& what, double share)> progress;

  SolverSettings solver;
  WindSettings wind;
  std::vector<ObjectDesc> objects;
  std::vector<ColliderDesc> colliders;
  std::vector<BodyDesc> bodies;
  std::vector<JointDesc> joints;
  CameraDesc camera;
  bool camera_given = true;  ///< false: of the camera only direction and angle count, the view fits itself
  PictureDesc picture;
  bool ground = true;                 ///< draw a plane collider at y = 0 to the horizon
  std::vector<std::string> tunables;  ///< paths shown first in the inspector
  ExpectDesc expect;
};

/// One value of a scene that a path names: `solver.substeps`, `objects.cloth.material.bend_compliance`, ...
struct Setting {
  std::string path;
  const Field* field = nullptr;
  void* settings = nullptr;  ///< the struct inside the SceneDesc that holds the member
};

/// Every setting of the scene that means something there, in file order. Pointers are valid until objects or
/// colliders are added.
std::vector<Setting> list_settings(SceneDesc& scene);

/// The setting called `path`, or an Error naming the nearest one. Those of other shapes and types are found
/// too, to be set before the shape is.
Expected<Setting> find_setting(SceneDesc& scene, std::string_view path);

/// Fails where find_setting() does, and where the shape or type that the owner has now makes no use of it.
Expected<void> check_setting_applies(SceneDesc& scene, std::string_view path);

}  // namespace limber
