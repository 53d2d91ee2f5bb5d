// Tracks of neighbouring solids, and bodies that slide or roll over their seams.
#pragma once

#include <algorithm>
#include <glm/vec3.hpp>
#include <string>

#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace seam_test {

constexpr double g = 9.81;    // m/s^2
constexpr double half = 0.1;  // m, of what slides: its size is twice that

enum class Mover { box, sphere, capsule, cylinder, hull, compound };
enum class Ground { colliders, bodies, compound, hulls, mesh, loose };

const char* name(Mover mover);
const char* name(Ground ground);

constexpr double tile = 0.25;  // m, half the length of a tile along x and z
constexpr double depth = 0.2;  // m, half of its height

/// A row of tiles along x from -2 tile on, with seams at x = 0, 2 tile, ..., and a mover in the middle of the
/// first. With `across` there are two rows, with a seam at z = 0.
struct Track {
  Mover mover = Mover::box;
  Ground ground = Ground::colliders;
  double step = 0.0;   ///< m, by which each next tile is higher
  double speed = 0.5;  ///< m/s
  int substeps = 8;
  int tiles = 3;
  bool across = false;       ///< the mover goes over the corners of four tiles, along the diagonal
  double yaw = 0.0;          ///< degrees, of the mover about the vertical
  double scale = 1.0;        ///< of all lengths above
  double length = tile;      ///< m, half the length of a tile along x
  double restitution = 0.0;  ///< of all
  double friction = 0.0;     ///< of all; what has any rolls, its axis across the track
  double ahead = 0.0;        ///< m, of the middle of the first tile, where the mover starts

  double start() const { return std::min(tile, length); }  ///< m, from the mover to the first seam
  double way() const {
    return scale * (tiles > 1 ? start() + length * (2 * tiles - 3) : length);
  }  ///< m, to the last tile's middle, or half of the only one
};

/// The path of a file of a box of these half extents about the origin, in a folder that goes with the
/// process.
std::string box_file(const std::string& name, const glm::dvec3& h);

BodyDesc mover_of(const Track& track);

/// Adds the tiles to a scene.
void add_ground(const Track& track, SceneDesc& scene);

}}}  // namespace limber::LIMBER_PRECISION::seam_test
