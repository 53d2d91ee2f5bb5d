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
#include <string_view>
#include <vector>

#include "engine/core/boxed.hpp"
#include "engine/core/expected.hpp"
#include "engine/core/settings/solver.hpp"

namespace limber {

struct Field;
// Each has a header of its name, which a source includes that reads it: object_desc.hpp, ...
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
  bool fit = true;  ///< position and target are a direction: the view fits itself to what moves
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
  Boxed<WindSettings> wind;
  Boxed<HeatSettings> heat;
  std::vector<ObjectDesc> objects;
  std::vector<ColliderDesc> colliders;
  std::vector<BodyDesc> bodies;
  std::vector<JointDesc> joints;
  std::vector<TieDesc> ties;
  CameraDesc camera;
  bool camera_given = true;  ///< false: nobody has chosen the one that is there
  PictureDesc picture;
  Boxed<ViewDesc> view;
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
