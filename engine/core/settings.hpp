// Settings structs: plain values in SI units, with one Tunable table each (settings.cpp).
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <string>

#include "engine/core/tunable.hpp"

namespace limber {

/// How a constraint's softness acts: PBD stiffness k in [0,1] or XPBD compliance in the inverse unit of stiffness.
enum class Method : int { pbd, xpbd };

/// In which order a sweep visits the constraints. Coloured: colour after colour, parallel, the stable default.
/// Sequential: exactly the order of the file or mesh (scheduled by dependency levels, so still parallel).
enum class Order : int { coloured, sequential };

/// Damping of line (6): rigid-mode preserving (section 3.5 of the paper) or plain v -= k v.
enum class DampingLaw : int { rigid_modes, plain };

struct SolverSettings {
  Method method = Method::xpbd;
  Order order = Order::coloured;
  int substeps = 10;
  int iterations = 1;
  double dt = 1.0 / 60.0;                 ///< s, one frame
  glm::dvec3 gravity{0.0, -9.81, 0.0};    ///< m/s^2
  DampingLaw damping_law = DampingLaw::plain;
  double damping = 0.1;                   ///< 1/s as a rate: fraction lost per second, see damping_per_substep
  double max_speed = 200.0;               ///< m/s, a bound that keeps any input finite
};
std::span<const Field> solver_fields();

/// Material of a deformable object. Compliances act in XPBD, stiffnesses in PBD.
struct Material {
  double density = 0.2;              ///< kg/m^2, areal
  double thickness = 0.005;          ///< m, distance kept from colliders
  double stretch_compliance = 0.0;   ///< m/N
  double bend_compliance = 1e4;      ///< 1/(N m), inverse flexural rigidity
  double stretch_stiffness = 1.0;    ///< PBD k
  double bend_stiffness = 0.1;       ///< PBD k
  bool bending = true;               ///< build dihedral constraints
  double friction = 0.3;             ///< Coulomb mu against colliders (combined with the collider's by product root)
};
std::span<const Field> material_fields();

/// 1-(1-k)^(h/1 s): the share of a velocity deviation removed in one substep of h seconds at `rate` per second.
double damping_per_substep(double rate, double h);

/// k' = 1-(1-k)^(1/n): the stiffness per iteration that leaves the same error (1-k) after n iterations.
double stiffness_per_iteration(double k, int iterations);

}  // namespace limber
