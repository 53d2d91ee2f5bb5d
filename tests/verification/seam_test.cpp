// Sliding over the seams of neighbouring solids, and over real steps.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/field/sharp_surface.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/queries/primitives.hpp"
#include "engine/scene/body_desc.hpp"
#include "engine/scene/collider_desc.hpp"
#include "engine/scene/object_desc.hpp"
#include "engine/scene/scene_desc.hpp"
#include "tests/verification/rig.hpp"

namespace limber::inline LIMBER_PRECISION::seam_test {
namespace {

constexpr double g = 9.81;
constexpr double half = 0.1;  // m, of what slides: its size is twice that

enum class Mover { box, sphere, capsule, cylinder, hull, compound };
enum class Ground { colliders, bodies, compound, hulls, mesh, loose };

const char* name(Mover mover) {
  constexpr const char* names[] = {"box", "sphere", "capsule", "cylinder", "hull", "compound"};
  return names[int(mover)];
}
const char* name(Ground ground) {
  constexpr const char* names[] = {"colliders", "bodies", "compound", "hulls", "mesh", "loose tiles"};
  return names[int(ground)];
}

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

/// The file of a box of this half extents about the origin.
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

std::vector<glm::dvec3> tiles_of(const Track& track) {
  std::vector<glm::dvec3> places;
  for (int row = 0; row < (track.across ? track.tiles : 1); ++row)
    for (int k = 0; k < track.tiles; ++k)
      places.push_back(track.scale * glm::dvec3((2 * k - 1) * track.length,
                                                std::max(k, row) * track.step - depth,
                                                track.across ? (2 * row - 1) * tile : 0.0));
  return places;
}

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

struct Crossing {
  double kept = 1.0;      ///< share of the speed along the track in the slowest moment
  double lifted = 0.0;    ///< m, the highest above the start
  double farthest = 0.0;  ///< m along the track
};

Crossing cross(const Track& track) {
  SceneDesc scene;
  scene.solver.step->substeps = track.substeps;
  scene.solver.motion->damping = 0.0;
  scene.bodies = {mover_of(track)};
  add_ground(track, scene);
  Rig rig(scene);
  const int frames = int(track.way() / track.speed / scene.solver.step->dt);
  const auto& place = rig.world.bodies.position[0];
  const double start = double(place.y);
  Crossing out{.farthest = double(place.x)};
  for (int f = 0; f < frames; ++f) {
    rig.step();
    out.kept = std::min(out.kept, double(rig.world.bodies.velocity[0].x) / track.speed);
    out.lifted = std::max(out.lifted, double(place.y) - start);
    out.farthest = std::max(out.farthest, double(place.x));
  }
  return out;
}

/// The share of the speed that climbing `height` m leaves.
double left_of(double speed, double height) {
  return std::sqrt(1.0 - 2.0 * g * std::max(height, 0.0) / (speed * speed));
}

/// At every seam the body keeps 99.9 % of the speed that the height of the next tile leaves, and it is lifted
/// by that height only.
void expect_smooth(const Track& track) {
  const int seams = std::max(track.tiles - 1, 1);
  const double climbed = track.scale * std::max(track.step, 0.0) * seams;
  const Crossing c = cross(track);
  SCOPED_TRACE(testing::Message() << name(track.mover) << " over " << name(track.ground) << ", step "
                                  << track.step << " m, " << track.speed << " m/s, " << track.substeps
                                  << " substeps, across " << track.across << ", yaw " << track.yaw
                                  << ", scale " << track.scale << ", restitution " << track.restitution
                                  << ", tiles of " << track.length);
  EXPECT_GT(c.kept, left_of(track.speed, climbed) * std::pow(0.999, seams));
  EXPECT_LT(c.lifted, climbed + (track.restitution > 0.0 && track.mover == Mover::compound ? 8e-4 : 4e-4) *
                                    track.scale);
}

constexpr Mover movers[] = {Mover::box,      Mover::sphere, Mover::capsule,
                            Mover::cylinder, Mover::hull,   Mover::compound};
constexpr double steps[] = {0.0, -1e-3, 2e-4};  // m: level, lower, higher by a thousandth of what slides

TEST(Seams, AllSolidsSlideOverAllGrounds) {
  for (const Ground ground :
       {Ground::colliders, Ground::bodies, Ground::compound, Ground::hulls, Ground::mesh})
    for (const Mover mover : movers)
      for (const double step : steps)
        expect_smooth({.mover = mover, .ground = ground, .step = step, .speed = 5.0});
}

TEST(Seams, AllSolidsCrossTheCornersOfFourTiles) {
  for (const Mover mover : movers)
    for (const double step : steps)
      expect_smooth({.mover = mover, .step = step, .speed = 5.0, .across = true});
}

TEST(Seams, SlowSolidsSlideOverThem) {
  for (const Mover mover : movers)
    for (const double step : steps)
      expect_smooth({.mover = mover, .step = step, .speed = 0.5, .substeps = 4, .tiles = 2});
}

TEST(Seams, ABallKeepsItsSpeedOverTenSeams) {
  for (const Ground ground :
       {Ground::colliders, Ground::bodies, Ground::compound, Ground::hulls, Ground::mesh})
    expect_smooth({.mover = Mover::sphere, .ground = ground, .speed = 5.0, .tiles = 11});
}

TEST(Seams, SubstepsMakeNoDifference) {
  for (const double speed : {0.5, 5.0})
    for (const int substeps : {4, 20, 40})
      for (const Mover mover : {Mover::box, Mover::sphere, Mover::capsule})
        for (const double step : steps)
          expect_smooth({.mover = mover, .step = step, .speed = speed, .substeps = substeps, .tiles = 2});
}

/// An impact at a seam is looked for along the ground too: the side that a tile turns to the next one is no
/// wall for what bounces either.
TEST(Seams, BouncySolidsSlideOverThem) {
  for (const double restitution : {0.5, 1.0})
    for (const Ground ground :
         {Ground::colliders, Ground::bodies, Ground::compound, Ground::hulls, Ground::mesh})
      for (const Mover mover : movers)
        for (const double speed : {0.5, 5.0})
          if (mover != Mover::compound || ground != Ground::mesh)  // whose parts meet its rounded edges
            expect_smooth(
                {.mover = mover, .ground = ground, .speed = speed, .tiles = 2, .restitution = restitution});
}

/// The line of a cylinder, or the spot of a ball, begins a frame anywhere about a seam.
TEST(Seams, RoundSolidsRollOverThem) {
  for (const Ground ground :
       {Ground::colliders, Ground::bodies, Ground::compound, Ground::hulls, Ground::loose})
    for (const Mover mover : {Mover::sphere, Mover::capsule, Mover::cylinder})
      for (const int substeps : {4, 8, 20})
        for (int start = 0; start < 8; ++start)
          expect_smooth({.mover = mover,
                         .ground = ground,
                         .speed = 1.0,
                         .substeps = substeps,
                         .tiles = 2,
                         .friction = 0.5,
                         .ahead = 2e-3 * start});
}

/// Ten lengths of it on one mesh, whose contact points are found by descents.
TEST(Seams, RoundSolidsRollOnAMesh) {
  for (const Mover mover : {Mover::sphere, Mover::capsule, Mover::cylinder})
    for (const int substeps : {4, 8, 20})
      expect_smooth({.mover = mover,
                     .ground = Ground::mesh,
                     .speed = 1.0,
                     .substeps = substeps,
                     .tiles = 1,
                     .length = 1.0,
                     .friction = 0.5,
                     .ahead = -1.0});
}

/// A tile that lies on a floor tilts under what leaves it: with 4 substeps that costs a slow box 0.1 %.
TEST(Seams, AllSolidsSlideOverLooseTiles) {
  for (const Mover mover : movers)
    for (const double speed : {0.5, 5.0})
      for (const int substeps : {8, 20})
        expect_smooth({.mover = mover, .ground = Ground::loose, .speed = speed, .substeps = substeps});
}

/// With one or two substeps contacts are so soft that a box rocks at a seam: it loses up to 0.2 %.
TEST(Seams, FewSubstepsCostLittle) {
  for (const double speed : {0.5, 5.0})
    for (const int substeps : {1, 2})
      for (const Mover mover : {Mover::box, Mover::sphere, Mover::capsule})
        for (const double step : steps) {
          const Track track{.mover = mover, .step = step, .speed = speed, .substeps = substeps, .tiles = 2};
          EXPECT_GT(cross(track).kept, 0.996 * left_of(speed, std::max(step, 0.0)))
              << name(mover) << ' ' << speed << ' ' << substeps << ' ' << step;
        }
}

TEST(Seams, SizesAndDirectionsMakeNoDifference) {
  for (const Mover mover : movers)
    for (const double step : steps)
      for (const double speed : {0.5, 5.0}) {
        expect_smooth({.mover = mover, .step = step, .speed = speed, .tiles = 2, .yaw = 30.0});
        expect_smooth({.mover = mover, .step = step, .speed = speed, .tiles = 2, .length = 1.0});
        expect_smooth(
            {.mover = mover, .step = step, .speed = speed * std::sqrt(10.0), .tiles = 2, .scale = 10.0});
        if (step <= 0.0)  // stairs of nine, of which a body stands on three
          expect_smooth({.mover = mover, .step = step, .speed = speed, .tiles = 9, .length = 0.04});
      }
}

TEST(Seams, SolidsSlideOverMeshes) {
  for (const Mover mover : movers)
    for (const double speed : {0.5, 5.0})
      for (const double step : steps)
        for (const int substeps : {4, 8, 20})
          expect_smooth({.mover = mover,
                         .ground = Ground::mesh,
                         .step = step,
                         .speed = speed,
                         .substeps = substeps,
                         .tiles = 2});
}

/// The distance field of a mesh of 2 m has cells of 31 mm, over which it rounds edges.
TEST(Seams, SolidsSlideOverLargeMeshes) {
  for (const Mover mover : movers)
    for (const double speed : {0.5, 5.0})
      expect_smooth({.mover = mover, .ground = Ground::mesh, .speed = speed, .tiles = 2, .length = 1.0});
}

/// A wall that stands on the ground stands out of it.
TEST(Seams, AWallStopsWhatSlides) {
  for (const Ground ground : {Ground::colliders, Ground::bodies, Ground::hulls, Ground::mesh})
    for (const Mover mover : movers)
      for (const double speed : {0.5, 5.0}) {
        const Crossing c =
            cross({.mover = mover, .ground = ground, .step = 2.0 * half, .speed = speed, .tiles = 2});
        EXPECT_LT(c.farthest, -half + 5e-3) << name(mover) << ' ' << name(ground) << ' ' << speed;
        EXPECT_LT(c.kept, 1e-2) << name(mover) << ' ' << name(ground) << ' ' << speed;
      }
}

/// The impulse of an edge on a ball goes from the edge to the centre: of the speed v along the ground
/// v (1 - H/R) goes on along the tangent, of which the share 1 - H/R is along the ground again.
TEST(Seams, AStepCostsABallWhatItsImpactCosts) {
  constexpr double height = 0.04 * half, cosine = 1.0 - height / half;
  for (const Ground ground : {Ground::colliders, Ground::bodies, Ground::hulls})
    for (const double speed : {2.0, 5.0})
      for (const int substeps : {4, 8, 40}) {
        const Crossing c = cross({.mover = Mover::sphere,
                                  .ground = ground,
                                  .step = height,
                                  .speed = speed,
                                  .substeps = substeps,
                                  .tiles = 2});
        EXPECT_NEAR(c.kept, cosine * cosine, 0.02) << name(ground) << ' ' << speed << ' ' << substeps;
      }
}

/// A slow box does not pass. A fast one trips: it keeps its angular momentum m v (b - H) about the step's
/// edge, about which it turns from then on.
TEST(Seams, AStepStopsABox) {
  constexpr double height = 0.04 * half;
  for (const Mover mover : {Mover::box, Mover::hull})
    for (const Ground ground : {Ground::colliders, Ground::bodies, Ground::mesh})
      for (const int substeps : {2, 8, 40}) {
        const Crossing c = cross({.mover = mover,
                                  .ground = ground,
                                  .step = height,
                                  .speed = 0.5,
                                  .substeps = substeps,
                                  .tiles = 2});
        EXPECT_LT(c.farthest, -half + 6e-3) << name(mover) << ' ' << name(ground) << ' ' << substeps;
      }
  // an edge at (b, H - b) from the centre
  constexpr double arm = half - height,
                   inertia = 2.0 / 3.0 * half * half + half * half + arm * arm;  // m^2, about it, by mass
  EXPECT_NEAR(cross({.step = height, .speed = 5.0, .substeps = 40, .tiles = 2}).kept, arm * arm / inertia,
              0.01);
}

/// Particles at the height of their thickness over a floor, on their way along x.
SceneDesc particles_on(ObjectType kind, double speed, int substeps) {
  constexpr double radius = 0.02;
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.motion->damping = 0.0;
  scene.solver.contact->particle_radius = radius;
  ObjectDesc object;
  object.name = "mover";
  object.type = kind;
  object.velocity = {speed, 0.0, 0.0};
  object.material->friction = 0.0;
  if (kind == ObjectType::grains) object.copies = {3.0, 1.0, 3.0};
  object.spacing = glm::dvec3(2.5 * radius);
  object.fluid.extent = {6.0 * radius, 6.0 * radius, 6.0 * radius};
  object.cloth.columns = object.cloth.rows = 5;
  object.cloth.width = object.cloth.height = 0.16;
  object.pose.position = {-tile,
                          kind == ObjectType::cloth   ? object.material->thickness
                          : kind == ObjectType::fluid ? 4.0 * radius
                                                      : radius,
                          0.0};
  if (kind == ObjectType::cloth) object.pose.rotation_degrees = {90.0, 0.0, 0.0};
  scene.objects = {object};
  return scene;
}

struct Flow {
  double speed = 0.0;    ///< m/s, mean along the track
  double highest = 0.0;  ///< m, of all particles at all times
};

Flow flow(Rig& rig, double way, double speed) {
  Flow out{.highest = -1.0};
  const Particles& particles = rig.world.particles;
  for (int f = 0; f < int(way / speed / rig.world.settings.solver.step->dt); ++f) {
    rig.step();
    out.speed = 0.0;
    for (std::size_t i = 0; i < std::size_t(particles.count); ++i) {
      out.speed += double(particles.velocity[i].x) / particles.count;
      out.highest = std::max(out.highest, double(particles.position[i].y));
    }
  }
  return out;
}

/// Grains, a drop and a patch of cloth go over a row of boxes as over a plane; tiles that are lower turn the
/// height that is lost into speed. Single particles of a drop are thrown up here and there, so that its
/// height says little.
TEST(Seams, ParticlesFlowOverThem) {
  for (const auto& [kind, ground] :
       {std::pair(ObjectType::grains, Ground::colliders), std::pair(ObjectType::grains, Ground::bodies),
        std::pair(ObjectType::cloth, Ground::colliders), std::pair(ObjectType::fluid, Ground::colliders)})
    for (const double speed : {0.5, 5.0})
      for (const int substeps : {1, 2, 4, 8, 20, 40})
        for (const double step : {0.0, -1e-3}) {
          if (kind == ObjectType::fluid && substeps > 8) continue;
          SCOPED_TRACE(testing::Message() << name(ground));
          SceneDesc scene = particles_on(kind, speed, substeps), plane = scene;
          add_ground({.ground = ground, .step = step, .tiles = 3}, scene);
          ColliderDesc floor;
          floor.name = "floor";
          floor.shape = ColliderShape::plane;
          floor.friction = 0.0;
          plane.colliders = {floor};
          Rig rig(scene), even(plane);
          const Flow c = flow(rig, 4.0 * tile, speed), wanted = flow(even, 4.0 * tile, speed);
          const bool fluid = kind == ObjectType::fluid;
          const double fastest = std::sqrt(wanted.speed * wanted.speed - 4.0 * g * step);
          EXPECT_GT(c.speed, (fluid ? 0.99 : 0.998) * wanted.speed)
              << int(kind) << ' ' << speed << ' ' << substeps << ' ' << step;
          EXPECT_LT(c.speed, fastest + 2e-3 * speed)
              << int(kind) << ' ' << speed << ' ' << substeps << ' ' << step;
          if (fluid) continue;
          EXPECT_LT(c.highest, wanted.highest + 1e-4)
              << int(kind) << ' ' << speed << ' ' << substeps << ' ' << step;
        }
}

/// Rows along its edges hold cloth where faces end: none of them leans. It loses up to 0.4 %.
TEST(Seams, ClothCrossesThoseOfFixedBodies) {
  for (const Ground ground : {Ground::bodies, Ground::hulls})
    for (const double speed : {0.5, 5.0})
      for (const int substeps : {4, 8, 20, 40}) {
        SceneDesc scene = particles_on(ObjectType::cloth, speed, substeps);
        add_ground({.ground = ground, .tiles = 3}, scene);
        Rig rig(scene);
        EXPECT_NEAR(flow(rig, 4.0 * tile, speed).speed, speed, 0.01 * speed)
            << name(ground) << ' ' << speed << ' ' << substeps;
      }
}

/// Against the closed form of a box, also where the field is rounded: within a cell of the edges.
TEST(Seams, SharpSurfacesAreExact) {
  const glm::dvec3 h(0.5, 0.3, 0.2);
  const Expected<ObjMesh> obj = read_obj(box_file("seam_sharp", h));
  ASSERT_TRUE(obj);
  for (const bool inwards : {false, true}) {
    TriMesh mesh = obj->mesh;
    if (inwards)
      for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    Pool pool(1);
    const Expected<SignedDistanceField> field = build_distance_field(mesh, 16, pool);
    ASSERT_TRUE(field);
    const SharpSurface sharp(mesh, *field, 0.0);
    for (int k = 0; k < 2000; ++k) {
      const auto along = [&](double length, int prime) {  // within 8 cm of the box
        const double share = std::fmod(k * std::sqrt(double(prime)), 1.0);
        return (2.0 * share - 1.0) * (length + 0.08);
      };
      const glm::dvec3 p(along(h.x, 2), along(h.y, 3), along(h.z, 5));
      const SurfaceDistance<double> wanted = box_distance(p, h), found = sharp.at(p, field->at(p), 1.0);
      EXPECT_NEAR(found.d, wanted.d, 1e-12);
      if (std::abs(wanted.d) > 1e-3 && wanted.d > 0.0) {
        EXPECT_GT(glm::dot(found.n, wanted.n), 1.0 - 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION::seam_test
