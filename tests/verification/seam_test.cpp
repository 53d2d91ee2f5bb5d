// Solids that slide and roll over the seams of neighbouring solids, and over real steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/seam_track.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace seam_test {
namespace {

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

/// Impacts at a seam are searched along the ground too: the side of a tile next to another tile is no wall,
/// for bouncing bodies either.
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
       {Ground::colliders, Ground::bodies, Ground::compound, Ground::hulls, Ground::mesh, Ground::loose})
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

/// The contact line of a rolling body is just before the next face at the start of a frame: the body must not
/// hit any other edge of that face.
TEST(Seams, RoundSolidsRollOnFromJustBeforeThem) {
  for (const Ground ground : {Ground::colliders, Ground::bodies, Ground::hulls, Ground::mesh})
    for (const Mover mover : {Mover::capsule, Mover::cylinder})
      for (const int substeps : {4, 8, 20})
        for (const double before : {1e-4, 2e-4, 4e-4, 6e-4, 1e-3})
          expect_smooth({.mover = mover,
                         .ground = ground,
                         .speed = 1.0,
                         .substeps = substeps,
                         .tiles = 2,
                         .friction = 0.5,
                         .ahead = -before});
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

/// A tile that lies on a floor tilts under a body that leaves it: with 4 substeps, a slow box loses 0.1 % of
/// its speed.
TEST(Seams, AllSolidsSlideOverLooseTiles) {
  for (const Mover mover : movers)
    for (const double speed : {0.5, 5.0})
      for (const int substeps : {8, 20})
        expect_smooth({.mover = mover, .ground = Ground::loose, .speed = speed, .substeps = substeps});
}

/// One or two substeps make contacts so soft that a box rocks at a seam and loses up to 0.2 % of its speed.
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

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::seam_test
