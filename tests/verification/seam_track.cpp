#include "tests/verification/seam_track.hpp"

#include <unistd.h>

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <glm/trigonometric.hpp>
#include <system_error>
#include <vector>

#include "engine/scene/colliders/collider_desc.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace seam_test {

const char* name(Mover mover) {
  constexpr const char* names[] = {"box", "sphere", "capsule", "cylinder", "hull", "compound"};
  return names[int(mover)];
}
const char* name(Ground ground) {
  constexpr const char* names[] = {"colliders", "bodies", "compound", "hulls", "mesh", "loose tiles"};
  return names[int(ground)];
}

namespace {

/// A folder of this process alone, gone with it: tests run beside each other.
const std::filesystem::path& own_folder() {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / ("limber_seams_" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace

std::string box_file(const std::string& name, const glm::dvec3& h) {
  const std::filesystem::path path = own_folder() / (name + ".obj");
  std::ofstream out(path);
  for (const double x : {-h.x, h.x})
    for (const double y : {-h.y, h.y})
      for (const double z : {-h.z, h.z}) out << "v " << x << ' ' << y << ' ' << z << '\n';
  out << "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
  return path.string();
}

BodyDesc mover_of(const Track& track) {
  const double r = track.scale * half;
  BodyDesc b;
  b.name = "mover";
  b.friction = track.friction;
  b.restitution = track.restitution;
  b.velocity = {track.speed, 0.0, track.across ? track.speed : 0.0};
  if (track.friction > 0.0) b.angular_velocity = {0.0, 0.0, -glm::degrees(track.speed / r)};
  b.pose.position = {track.ahead - track.scale * track.start(), r, track.across ? -track.scale * tile : 0.0};
  b.pose.rotation_degrees = {0.0, track.yaw, 0.0};
  b.half_extents = glm::dvec3(r);
  b.radius = b.half_length = r;
  switch (track.mover) {
    case Mover::box:
      b.shape = BodyShape::box;
      break;
    case Mover::sphere:
      b.shape = BodyShape::sphere;
      break;
    case Mover::capsule:
      b.shape = BodyShape::capsule;
      b.pose.rotation_degrees.x = 90.0;
      break;
    case Mover::cylinder:
      b.shape = BodyShape::cylinder;
      if (track.friction > 0.0) b.pose.rotation_degrees.x = 90.0;
      break;
    case Mover::hull:
      b.shape = BodyShape::hull;
      b.mesh = box_file("seam_cube", b.half_extents);
      break;
    case Mover::compound:
      b.shape = BodyShape::compound;
      for (const double x : {-0.5, 0.5}) {
        BodyPartDesc part;
        part.shape = BodyShape::box;
        part.half_extents = {0.5 * r, r, r};
        part.pose.position = {x * r, 0.0, 0.0};
        b.parts.push_back(part);
      }
      break;
  }
  return b;
}

namespace {

std::vector<glm::dvec3> tiles_of(const Track& track) {
  std::vector<glm::dvec3> places;
  for (int row = 0; row < (track.across ? track.tiles : 1); ++row)
    for (int k = 0; k < track.tiles; ++k)
      places.push_back(track.scale * glm::dvec3((2 * k - 1) * track.length,
                                                std::max(k, row) * track.step - depth,
                                                track.across ? (2 * row - 1) * tile : 0.0));
  return places;
}

}  // namespace

void add_ground(const Track& track, SceneDesc& scene) {
  const glm::dvec3 extents = track.scale * glm::dvec3(track.length, depth, tile);
  BodyDesc compound;
  if (track.ground == Ground::loose) {
    ColliderDesc floor;
    floor.name = "floor";
    floor.shape = ColliderShape::plane;
    floor.pose.position.y = -2.0 * track.scale * depth;
    floor.friction = track.friction;
    scene.colliders.push_back(floor);
  }
  for (const glm::dvec3& place : tiles_of(track)) {
    if (track.ground == Ground::colliders || track.ground == Ground::mesh) {
      ColliderDesc c;
      c.name = "tile" + std::to_string(scene.colliders.size());
      c.shape = track.ground == Ground::mesh ? ColliderShape::mesh : ColliderShape::box;
      if (track.ground == Ground::mesh) c.mesh = box_file("seam_tile", extents);
      c.half_extents = extents;
      c.pose.position = place;
      c.friction = track.friction;
      c.restitution = track.restitution;
      scene.colliders.push_back(c);
      continue;
    }
    BodyPartDesc part;
    part.shape = track.ground == Ground::hulls ? BodyShape::hull : BodyShape::box;
    part.half_extents = extents;
    if (track.ground == Ground::hulls) part.mesh = box_file("seam_tile", extents);
    part.pose.position = place;
    if (track.ground == Ground::compound) {
      compound.parts.push_back(part);
      continue;
    }
    BodyDesc b;
    static_cast<BodyPartDesc&>(b) = part;
    b.name = "tile" + std::to_string(scene.bodies.size());
    b.fixed = track.ground != Ground::loose;
    b.friction = track.friction;
    b.restitution = track.restitution;
    scene.bodies.push_back(b);
  }
  if (compound.parts.empty()) return;
  compound.name = "tiles";
  compound.shape = BodyShape::compound;
  compound.fixed = true;
  compound.friction = track.friction;
  compound.restitution = track.restitution;
  scene.bodies.push_back(compound);
}

}}}  // namespace limber::LIMBER_PRECISION::seam_test
