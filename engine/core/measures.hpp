// Numbers that say whether a state is right; precision-neutral, filled by measure.cpp.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace limber {

struct MeanMax {
  double mean = 0.0, max = 0.0;
};

struct Residual {
  std::string_view type;  ///< constraint type name
  MeanMax abs_c;          ///< |C| in the unit of C
};

/// The volume of an object with pressure over its goal, V / (k_p V0), and of tetrahedra over that at rest: of
/// the copy farthest from 1.
struct VolumeRatio {
  std::int32_t object;  ///< in the scene's list
  double ratio;
};

/// Penetration of one object: its particles deeper than `inside_depth` in a collider or body.
struct InsideObject {
  std::int32_t object;         ///< in the scene's list; all its copies together
  std::int64_t particles = 0;  ///< movable ones
  double depth = 0.0;          ///< m, of the deepest
};

/// A mouth that lets nothing out because the fluid about it is under pressure.
struct WaitingMouth {
  std::int32_t object;  ///< in the scene's list
  double seconds;       ///< for which it has waited so far
};

/// Force and torque with which an end of a rod pulls at its support; of several copies the largest.
struct RodEndForce {
  std::int32_t object;  ///< in the scene's list
  bool last;            ///< its last end, else its first
  double force = 0.0;   ///< N
  double torque = 0.0;  ///< N m, of a clamp
};

/// Shallower than that, a particle rests on a collider. m
inline constexpr double inside_depth = 1e-3;

/// Subjects that not every scene has: a number about an absent subject would be a 0 that was never measured.
struct Measured {
  bool lengths = false;   ///< edges, springs, ropes or tetrahedra with a strain
  bool pressure = false;  ///< closed skins that are held at a volume
  bool bodies = false;    ///< movable ones
  bool joints = false;    ///< whole ones without compliance
  bool ties = false;      ///< the same
  bool all_ties = false;  ///< whole ones
  bool grains = false;
  bool fluids = false;
  bool heat = false;   ///< temperatures
  bool melts = false;  ///< fluids that do
  bool rods = false;
  bool rings = false;  ///< closed rods
  bool air = false;    ///< that acts
};

struct Measures {
  Measured measured;
  double kinetic_energy = 0.0;  ///< J
  double potential_energy =
      0.0;                   ///< J, gravity against y = 0 ... and the elastic energy of compliant constraints
  glm::dvec3 momentum{0.0};  ///< kg m/s
  glm::dvec3 angular_momentum{0.0};    ///< kg m^2/s about the origin
  MeanMax strain;                      ///< |len/rest - 1| of distances, |s - 1| of tetrahedra
  std::vector<MeanMax> object_strain;  ///< the same for each object of the scene, all its copies together
  std::vector<double> object_misfit;  ///< of each object: mean |C + alpha lambda / h^2| / rest over the same,
                                      ///< strain that no compliance explains (of PBD: of stiffness 1 only)
  /// The same deviations over all rest lengths: unlike the mean it hardly counts edges far shorter than
  /// others.
  std::vector<double> object_length_misfit;
  std::vector<Residual> residuals;
  std::vector<VolumeRatio>
      volume_ratios;                 ///< of objects with pressure, then of tetrahedra, in the scene's order
  double volume_error_max = 0.0;     ///< largest |V / (k_p V0) - 1|
  double spin_max = 0.0;             ///< deg/s, of the body that turns fastest
  double penetration_max = 0.0;      ///< m, deepest particle inside a collider (thickness not counted)
  std::vector<InsideObject> inside;  ///< of the objects that have any, in the scene's order
  double grain_slope = 0.0;          ///< degrees, of the heap that grains are (slope_of_grains)
  MeanMax density_error;             ///< max(0, density / rest density - 1) of fluid particles
  double fluid_gap =
      0.0;  ///< mean distance of a fluid particle to the nearest one, at most 2, over a diameter
  std::int64_t fluid_particles = 0;             ///< in the scene
  std::int64_t spray = 0;                       ///< diffuse particles
  std::vector<WaitingMouth> waiting_mouths;     ///< of those that waited in the last frame
  std::int64_t emitted = 0;                     ///< fluid particles, by emitters
  std::int64_t drained = 0;                     ///< fluid particles, by colliders that drain
  std::int64_t lost = 0;                        ///< fluid particles that left the world
  double mean_speed = 0.0;                      ///< m/s over movable particles
  double max_speed = 0.0;                       ///< m/s
  glm::dvec3 bounds_min{0.0}, bounds_max{0.0};  ///< m
  double joint_error_max = 0.0;                 ///< m, of joints without compliance
  int joint_farthest_apart = -1;  ///< of the scene's, the one of joint_error_max; -1: none is apart
  std::int64_t broken_joints = 0;
  std::vector<double> tie_force;  ///< N, per tie of the scene: sum of its points' forces on a
  double tie_force_max = 0.0;     ///< N, of them
  double tie_gap_max = 0.0;       ///< m, between the ends of ties without compliance
  std::int64_t broken_ties = 0;
  std::int64_t rod_segments = 0;
  double rod_tension_max = 0.0;                              ///< N, pull along a segment
  double rod_bend_energy = 0.0, rod_twist_energy = 0.0;      ///< J
  std::vector<RodEndForce> rod_ends;                         ///< in the scene's order
  double end_force_max = 0.0;                                ///< N, of them
  double end_torque_max = 0.0;                               ///< N m
  double rod_link = 0.0, rod_twist = 0.0, rod_writhe = 0.0;  ///< turns, of the first ring
  std::int64_t sleeping_bodies = 0;
  double elastic_energy = 0.0;      ///< J, of constraints of finite compliance
  std::int64_t tets = 0;            ///< tetrahedra
  std::int64_t inverted_tets = 0;   ///< of them, inside out
  std::int64_t clusters = 0;        ///< of soft solids
  double plastic_strain_max = 0.0;  ///< of a cluster or tetrahedron: how far its shape is from its first one
  double heat = 0.0;                ///< J, enthalpy above that at 0 degrees C of particles
  double heat_supplied = 0.0;       ///< J, from air, colliders and held particles
  MeanMax temperature;              ///< degrees C; the mean by heat capacity
  double molten_share = 0.0;        ///< of the mass of what melts
  std::int64_t chunks = 0;          ///< of frozen particles
  std::int64_t phase_changes = 0;   ///< particles that have melted or frozen
  std::int64_t heat_substeps = 0;   ///< in the last frame
  double heat_reached = 1.0;        ///< share of the last frame's time that they covered
  glm::dvec3 air_force{0.0};        ///< N, of the air on everything, at the end of the last frame
  double drag = 0.0;                ///< N, of it what acts against the wind that each part has
  double lift = 0.0;                ///< N, what acts across it, summed as vectors
  std::int64_t tears = 0;           ///< vertices that tears and cuts have made
  std::int64_t nonfinite = 0;       ///< particles with a non-finite position or velocity
};

/// Per-frame counters that cannot be recomputed from the state after the frame: of all frames so far, or of
/// one.
struct FrameCounts {
  /// Pairs of triangles that cross, the most in any frame in which they were counted; none: they never were.
  std::optional<std::int64_t> intersections;
  double last_intersection = 0.0;  ///< s, after the last frame that had any; 0: none had
  /// Particles in impact zones in the last frame, summed over its substeps: those that contacts did not keep
  /// apart.
  double in_zones = 0.0;
  std::int64_t nonfinite_frames = 0;  ///< undone, so that the state alone looks healthy
};

}  // namespace limber
