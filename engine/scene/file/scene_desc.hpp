// A scene as plain structs. Scene files are read into them, `--set` edits them, build_world() makes a World
// of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <glm/vec3.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/boxed.hpp"
#include "engine/core/expected.hpp"
#include "engine/core/settings/solver.hpp"

namespace limber {

struct Field;
// Each struct has a header of its own (object_desc.hpp, ...), which only sources that use its members
// include.
struct ObjectDesc;
struct ColliderDesc;
struct BodyDesc;
struct JointDesc;
struct TieDesc;
struct ViewDesc;
struct WindSettings;  // engine/core/settings/wind.hpp
struct HeatSettings;  // engine/core/settings/heat.hpp

struct CameraDesc {
  glm::dvec3 position{2.5, 1.8, 4.0};  ///< m
  glm::dvec3 target{0.0, 0.8, 0.0};    ///< m
  double fov_degrees = 40.0;           ///< vertical
  bool fit = true;  ///< position and target give only the direction; the distance is chosen so that
                    ///< everything that moves is in view
};
std::span<const Field> camera_fields();
/// Fails if position and target coincide.
Expected<void> check_camera(const CameraDesc& camera);

/// The picture that represents the scene: `limber run SCENE --pictured --screenshot out.png`.
struct PictureDesc {
  double seconds = 2.0;              ///< s, simulated time of the picture
  std::optional<CameraDesc> camera;  ///< none: the scene's camera
};

/// Bounds [min, max] of numbers of the report, by their paths ("strain.max", "residual.distance.mean").
using ReportBounds = std::map<std::string, std::array<double, 2>>;

/// Bounds that `limber check` tests in the first `frames` frames.
struct ExpectDesc {
  int frames = 120;
  ReportBounds bounds;          ///< after the last frame
  ReportBounds always;          ///< after every frame
  ReportBounds mean;            ///< means over the last half of the frames: of what changes from frame to frame
  glm::dvec3 inside_min{-1e3};  ///< every particle must be inside this box after the last frame
  glm::dvec3 inside_max{1e3};
};

struct SceneDesc {
  SceneDesc();
  SceneDesc(const SceneDesc&);
  SceneDesc(SceneDesc&&) noexcept;
  SceneDesc& operator=(const SceneDesc&);
  SceneDesc& operator=(SceneDesc&&) noexcept;
  ~SceneDesc();

  std::string name;  ///< name of the scene file or mesh, without folder and extension
  std::string title;
  std::string group;     ///< menu group
  std::string look_for;  ///< one or two sentences on the effect to watch
  std::string file;      ///< scene file or mesh that was read; relative paths of meshes are searched in its
                         ///< folder first
  std::string assets;    ///< folder of the shipped meshes, searched later (find_mesh()); "" = none
  std::uint64_t seed = 1;
  /// Called on the building thread during slow parts of the build: `what` names the part, `share` is its
  /// progress from 0 to 1. Returns false to cancel the build, which then fails. May be empty.
  std::function<bool(const std::string& what, double share)> progress;

  SolverSettings solver;
  Boxed<WindSettings> wind;
  Boxed<HeatSettings> heat;
  std::vector<ObjectDesc> objects;
  std::vector<ColliderDesc> colliders;
  std::vector<BodyDesc> bodies;
  std::vector<JointDesc> joints;
  std::vector<TieDesc> ties;
  CameraDesc camera;
  bool camera_given = true;  ///< false: the file gives no camera and this one is a default
  PictureDesc picture;
  Boxed<ViewDesc> view;
  bool ground = true;                 ///< draw a plane collider at y = 0 to the horizon
  std::vector<std::string> tunables;  ///< paths shown first in the inspector
  ExpectDesc expect;
};

/// A value of a scene with its path: `solver.substeps`, `objects.cloth.material.bend_compliance`, ...
struct Setting {
  std::string path;
  const Field* field = nullptr;
  void* settings = nullptr;  ///< the struct inside the SceneDesc that holds the member
};

/// Every setting of the scene that applies to its owner's type or shape, in file order. Pointers are valid
/// until objects or colliders are added.
std::vector<Setting> list_settings(SceneDesc& scene);

/// The setting called `path`, or an Error naming the nearest one. Also finds settings of other shapes and
/// types, so that they can be set before the shape is.
Expected<Setting> find_setting(SceneDesc& scene, std::string_view path);

/// Fails if find_setting() does, or if the setting has no meaning for its owner's present shape or type.
Expected<void> check_setting_applies(SceneDesc& scene, std::string_view path);

}  // namespace limber
