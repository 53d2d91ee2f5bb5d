// Measured numbers of a World: energies, residuals, penetration, volumes. Always in double; filled by
// verify/measure.cpp.
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

/// Volume of an object over its target volume: k_p V0 for an object with pressure, the rest volume for
/// tetrahedra. Of several copies, the ratio that is farthest from 1.
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

/// An emitter that lets no particles out, because the fluid in front of its mouth is under pressure.
struct WaitingMouth {
  std::int32_t object;  ///< in the scene's list
  double seconds;       ///< time for which it has waited so far
};

/// Force and torque that an end of a rod exerts on its attachment or clamp; the largest over the copies.
struct RodEndForce {
  std::int32_t object;  ///< in the scene's list
  bool last;            ///< true: the last end of the rod; false: the first
  double force = 0.0;   ///< N
  double torque = 0.0;  ///< N m, at a clamp
};

/// Depth (m) from which a particle counts as inside a collider; a shallower one rests on it.
inline constexpr double inside_depth = 1e-3;

/// Subjects that the scene has. A number about a subject that it lacks is reported as not measured, not as 0.
struct Measured {
  bool lengths = false;   ///< edges, springs, ropes or tetrahedra, for which a strain is defined
  bool pressure = false;  ///< closed skins with pressure
  bool bodies = false;    ///< movable bodies
  bool joints = false;    ///< unbroken joints without compliance
  bool ties = false;      ///< unbroken ties without compliance
  bool all_ties = false;  ///< unbroken ties of any compliance
  bool grains = false;
  bool fluids = false;
  bool heat = false;   ///< temperatures
  bool melts = false;  ///< fluids that can melt
  bool rods = false;
  bool rings = false;  ///< closed rods
  bool air = false;    ///< air is enabled
  bool skins = false;  ///< skins of soft solids
};

struct Measures {
  Measured measured;
  double kinetic_energy = 0.0;  ///< J
  double potential_energy =
      0.0;  ///< J: gravity, which is 0 at y = 0, plus the elastic energy of compliant constraints
  glm::dvec3 momentum{0.0};          ///< kg m/s
  glm::dvec3 angular_momentum{0.0};  ///< kg m^2/s about the origin
  MeanMax strain;  ///< |length/rest - 1| of distances and ropes, |s - 1| of the stretches s of tetrahedra
  std::vector<MeanMax> object_strain;  ///< the same strain per object of the scene, over all its copies
  std::vector<double> object_misfit;   ///< per object: mean |C + alpha lambda / h^2| / rest of its distances
                                      ///< and ropes, the strain that their compliance does not explain. Under
                                      ///< PBD only constraints of stiffness 1 count
  /// Per object: sum of |C + alpha lambda / h^2| over the sum of rest lengths. Edges far shorter than others
  /// hardly count here, unlike in the mean.
  std::vector<double> object_length_misfit;
  std::vector<Residual> residuals;
  std::vector<VolumeRatio> volume_ratios;  ///< objects with pressure, then tetrahedra, in the scene's order
  double volume_error_max = 0.0;           ///< largest |V / (k_p V0) - 1|
  double spin_max = 0.0;                   ///< deg/s, fastest rotation of a body
  double penetration_max = 0.0;  ///< m, deepest penetration of a particle or body in a collider, body or
                                 ///< grain, of pairs that contacts can move (thickness not counted)
  /// Objects with particles inside colliders or bodies, in the scene's order
  std::vector<InsideObject> inside;
  double grain_slope = 0.0;  ///< degrees, slope of the heap that the grains form (slope_of_grains)
  MeanMax density_error;     ///< max(0, density / rest density - 1) of fluid particles
  double fluid_gap = 0.0;    ///< mean distance of a fluid particle to its nearest neighbour, in particle
                             ///< diameters; distances count as at most 2
  std::int64_t fluid_particles = 0;             ///< in the scene
  std::int64_t spray = 0;                       ///< diffuse particles
  std::vector<WaitingMouth> waiting_mouths;     ///< emitters that waited in the last frame
  std::int64_t emitted = 0;                     ///< fluid particles that emitters have let out
  std::int64_t drained = 0;                     ///< fluid particles that draining colliders have removed
  std::int64_t lost = 0;                        ///< fluid particles that left the world
  double mean_speed = 0.0;                      ///< m/s over movable particles
  double max_speed = 0.0;                       ///< m/s
  glm::dvec3 bounds_min{0.0}, bounds_max{0.0};  ///< m
  double joint_error_max = 0.0;                 ///< m, largest gap of a joint without compliance
  int joint_farthest_apart = -1;  ///< scene index of the joint with joint_error_max; -1: no joint has a gap
  std::int64_t broken_joints = 0;
  std::int64_t swept_joints = 0;  ///< joints of nets that sweeps solved in the last frame
  std::vector<double> tie_force;  ///< N, per tie of the scene: sum of the forces of its points on its end a
  double tie_force_max = 0.0;     ///< N, largest of tie_force
  double tie_gap_max = 0.0;       ///< m, between the ends of ties without compliance
  std::int64_t broken_ties = 0;
  std::int64_t rod_segments = 0;
  double rod_tension_max = 0.0;                              ///< N, largest tension of a segment
  double rod_bend_energy = 0.0, rod_twist_energy = 0.0;      ///< J
  std::vector<RodEndForce> rod_ends;                         ///< in the scene's order
  double end_force_max = 0.0;                                ///< N, largest of rod_ends
  double end_torque_max = 0.0;                               ///< N m, largest of rod_ends
  double rod_link = 0.0, rod_twist = 0.0, rod_writhe = 0.0;  ///< turns, of the first closed rod
  std::int64_t sleeping_bodies = 0;
  double elastic_energy = 0.0;     ///< J, of constraints of finite compliance
  std::int64_t tets = 0;           ///< tetrahedra
  std::int64_t inverted_tets = 0;  ///< tetrahedra that are inside out
  std::int64_t clusters = 0;       ///< clusters of soft solids
  /// Largest strain of the rest shape of a cluster or tetrahedron against its initial shape
  double plastic_strain_max = 0.0;
  /// Largest depth of a vertex of a soft solid's skin in a collider or body, as a share of the solid's size
  double skin_depth = 0.0;
  double heat = 0.0;  ///< J, enthalpy of particles and bodies above that of frozen matter at 0 degrees C
  double heat_supplied = 0.0;      ///< J, from the air, colliders, held particles and brushes
  MeanMax temperature;             ///< degrees C; the mean is weighted with heat capacity
  double molten_share = 0.0;       ///< molten share of the mass of fluids that can melt
  std::int64_t chunks = 0;         ///< rigid chunks of frozen particles
  std::int64_t phase_changes = 0;  ///< times that a particle has melted or frozen
  std::int64_t heat_substeps = 0;  ///< in the last frame
  double heat_reached = 1.0;       ///< share of the last frame that the heat substeps covered
  glm::dvec3 air_force{0.0};       ///< N, force of the air on everything at the end of the last frame
  double drag = 0.0;  ///< N, sum over plates, segments and bodies of the forces along their own relative wind
  double lift = 0.0;  ///< N, length of the sum of the forces perpendicular to their relative wind
  std::int64_t tears = 0;  ///< vertices that tears and cuts have made, and particles that have left clusters
  std::int64_t nonfinite = 0;  ///< particles with a non-finite position or velocity
};

/// Counters of one frame or of all frames so far that cannot be recomputed from the state after a frame.
struct FrameCounts {
  /// Largest number of intersecting pairs of triangles in any frame in which they were counted; empty: never
  /// counted.
  std::optional<std::int64_t> intersections;
  /// s, simulated time of the last frame with an intersection; 0: there was none
  double last_intersection = 0.0;
  /// Particles in impact zones in the last frame, summed over its substeps: contacts did not keep their
  /// features apart.
  double in_zones = 0.0;
  /// Frames with a result that was not finite; they were undone, so the state does not show it
  std::int64_t nonfinite_frames = 0;
};

}  // namespace limber
