// A rigid body of a scene, as plain structs.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

#include "engine/geometry/convex/body_shape.hpp"
#include "engine/scene/colliders/look.hpp"
#include "engine/scene/colliders/pose.hpp"

namespace limber {

struct Field;

/// Axis of a box or hull that is the chord of its airfoil.
enum class AirfoilChord : int { none, x, y, z };

/// A convex shape placed in the frame of its body: the only part of a simple body, or one part of a compound.
struct BodyPartDesc {
  BodyShape shape = BodyShape::box;
  Pose pose;
  double radius = 0.5;                        ///< m, sphere, capsule and cylinder
  glm::dvec3 half_extents{0.5};               ///< m, box
  AirfoilChord airfoil = AirfoilChord::none;  ///< box and hull
  double half_length =
      0.5;            ///< m, capsule: half the distance between the cap centres; cylinder: half as high
  std::string mesh;   ///< hull: path of an OBJ, searched like an object's mesh
  double size = 0.0;  ///< m, longest side after scaling the mesh; 0 keeps the file's units
};
std::span<const Field> body_part_fields();

/// Arrangement of a body's copies: on a lattice, as a wall in which each layer has one body less, or in a
/// line.
enum class Arrangement : int { lattice, pyramid, line };

/// A rigid body, or many copies of one. A simple body is its own only part; a compound lists its parts.
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
  bool fixed = false;               ///< inverse mass zero: neither gravity nor contacts move it
  glm::dvec3 copies{1.0};           ///< whole numbers, copies along x, y, z
  glm::dvec3 spacing{1.5};          ///< m, distance of the copies along x, y, z
  Arrangement arrangement = Arrangement::lattice;
  double jitter = 0.0;                ///< m, seeded random offset of every copy
  double yaw_jitter = 0.0;            ///< deg, seeded random rotation about the vertical
  glm::dvec3 velocity{0.0};           ///< m/s at the start
  glm::dvec3 angular_velocity{0.0};   ///< deg/s at the start
  double friction = 0.5;              ///< Coulomb mu
  double restitution = 0.0;           ///< e: a bounce returns e times the normal speed
  double rolling_resistance = 0.0;    ///< m, lever arm of the normal force against rolling
  double temperature = -300.0;        ///< degrees C at the start; below -273: exchanges no heat
  double conductivity = 0.5;          ///< W/(m K)
  double heat_capacity = 2000.0;      ///< J/(kg K)
  std::string collides_with = "all";  ///< names, separated by commas (scene/build/touch_lists.hpp)
  glm::dvec3 color{0.42, 0.36, 0.30};
  Look look = Look::plain;
};
std::span<const Field> body_fields();  ///< the rows of BodyPartDesc, then those of BodyDesc
/// True if `field` of body_fields() has a meaning for this shape (a sphere has no half extents).
bool applies(const BodyPartDesc& body, const Field& field);

}  // namespace limber
