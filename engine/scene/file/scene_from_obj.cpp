#include <algorithm>
#include <filesystem>
#include <glm/common.hpp>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/pattern.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

constexpr double longest_side = 2.0;   // m, of the mesh, which becomes cloth
constexpr double sphere_radius = 0.6;  // m
constexpr double drop_height = 0.25;   // m, gap between the sphere and the lowest vertex

/// Position of the mesh: `drop_height` above the top of the sphere. The builder centres a mesh that it
/// scales.
glm::dvec3 start_position(const TriMesh& mesh) {
  glm::dvec3 low = mesh.positions.front(), high = low;
  for (const glm::dvec3& p : mesh.positions) {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  const glm::dvec3 extent = high - low;
  const double scale = longest_side / std::max({extent.x, extent.y, extent.z});
  return {0.0, 2.0 * sphere_radius + drop_height + 0.5 * scale * extent.y, 0.0};
}

ObjectDesc mesh_object(const std::string& path, const TriMesh& mesh) {
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.mesh = path;
  cloth.size = longest_side;
  cloth.pose.position = start_position(mesh);
  cloth.pattern = Pattern::plain;  // a border or stripes need a uv layout that few files have
  cloth.material->friction = 0.5;
  return cloth;
}

std::vector<ColliderDesc> sphere_on_ground() {
  ColliderDesc ball, floor;
  ball.name = "sphere";
  ball.pose.position = {0.0, sphere_radius, 0.0};
  ball.radius = sphere_radius;
  ball.friction = 0.5;
  floor.name = "ground";
  floor.shape = ColliderShape::plane;
  floor.friction = 0.6;
  return {ball, floor};
}

}  // namespace

Expected<SceneDesc> scene_from_obj(const std::string& path) {
  const Expected<ObjMesh> obj = read_obj(path);
  if (!obj) return obj.error();
  SceneDesc scene;
  scene.file = path;
  scene.name = std::filesystem::path(path).stem().string();
  scene.title = scene.name + " as cloth";
  scene.group = "Meshes";
  scene.look_for = "The surface as cloth falling onto a sphere: a closed one collapses like an empty bag.";
  scene.objects.push_back(mesh_object(std::filesystem::absolute(path).string(), obj->mesh));
  scene.colliders = sphere_on_ground();
  scene.camera = {{3.2, 2.6, 4.6}, {0.0, 0.9, 0.0}, 40.0};
  scene.camera_given = false;
  scene.solver.motion->damping = 0.2;
  scene.tunables = {"solver.substeps", "solver.damping", "objects.cloth.material.stretch_compliance",
                    "objects.cloth.material.bend_compliance", "objects.cloth.material.friction"};
  scene.expect.frames = 300;
  scene.expect.inside_min = {-10.0, -0.05, -10.0};
  scene.expect.inside_max = {10.0, 5.0, 10.0};
  return scene;
}

}  // namespace limber
