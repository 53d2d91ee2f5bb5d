// Settings: how the constraints of an iteration are solved. engine/core/methods.hpp describes the methods.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/core/methods.hpp"

namespace limber {

/// Order in which a sweep visits the constraints. Coloured: colour after colour, parallel, the stable
/// default. Sequential: exactly the order of the file or mesh (scheduled by dependency levels, so still
/// parallel). Alternating: that order and its reverse in turn, for teaching: constraints that cannot be
/// satisfied then never settle. Symmetric: colour after colour and back again in every iteration.
enum class Order : int { coloured, sequential, alternating, symmetric };

/// Whether a sweep visits the colours one after the other, which is the order of the World's slots.
constexpr bool is_coloured(Order order) { return order == Order::coloured || order == Order::symmetric; }

/// Difference formula for the past of a substep: bdf1, implicit Euler; bdf2, the backward difference formula
/// of second order (engine/parts/motion/bdf2.hpp).
enum class Integrator : int { bdf1, bdf2 };

/// Solver of rods: each rod as a whole, or the sweeps that solve all other constraints.
enum class RodSolve : int { direct, sweeps };
/// Nets of joints (parts/bodies/joints/joint_nets.hpp) are solved by sweeps, or as a whole as all other
/// joints.
enum class JointSolve : int { automatic, direct };

struct MethodSettings {
  SolverMethod kind = SolverMethod::xpbd;  ///< `solver.method` in scene files
  Order order = Order::coloured;
  Integrator integrator = Integrator::bdf1;
  RodSolve rods = RodSolve::direct;
  JointSolve joints = JointSolve::automatic;
  bool averaging = true;    ///< Jacobi: a constraint applies 1/n of its correction, n the largest number of
                            ///< constraints at one of its points
  double relaxation = 1.5;  ///< omega of Jacobi iterations, in (0, 2)
  double chebyshev_radius = 0.9;  ///< rho of chebyshev, in [0, 1)
  bool accelerated = true;        ///< of projective: local and global steps are extrapolated (Chebyshev)
  int colour_cap = 4;             ///< of hybrid: number of colours that are solved one after the other
  /// Smallest compliance in energies, in each type's own unit (m/N, 1/(N m), ...); smaller ones are raised to
  /// it
  double compliance_floor = 1e-8;
};

struct SolverSettings;

/// Whether a sweep goes through the colours and back again: with the symmetric order, and with BDF2 if a
/// substep has a single sweep. Let p be the share of an error that a sweep leaves; then BDF2 multiplies the
/// error by z with z^4 = p (8/3 z^3 - 22/9 z^2 + 8/9 z - 1/9). |z| <= 1 for all real p in [0, 1]. But a sweep
/// in one direction has complex p, which BDF2 damps far less than BDF1, and cloth in contact blows up. A
/// sweep there and back has real p.
bool sweeps_back(const SolverSettings& solver);

/// Fails if the method does not support the chosen order or integrator; the message names both.
Expected<void> check_method(const MethodSettings& settings);

}  // namespace limber
