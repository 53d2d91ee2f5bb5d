// Settings: how the constraints of an iteration are solved. See engine/core/methods.hpp for what each method
// is.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/core/methods.hpp"

namespace limber {

/// In which order a sweep visits the constraints. Coloured: colour after colour, parallel, the stable
/// default. Sequential: exactly the order of the file or mesh (scheduled by dependency levels, so still
/// parallel). Alternating: that order and its reverse in turn, for teaching: what cannot be satisfied then
/// never settles. Symmetric: colour after colour and back again in every iteration.
enum class Order : int { coloured, sequential, alternating, symmetric };

/// Whether a sweep goes by colours, in the slots that the World has.
constexpr bool is_coloured(Order order) { return order == Order::coloured || order == Order::symmetric; }

/// How the past enters a substep: bdf1, implicit Euler; bdf2, the backward difference formula of second order
/// (engine/parts/motion/bdf2.hpp).
enum class Integrator : int { bdf1, bdf2 };

/// Rods are solved each as a whole, or by sweeps as all other constraints are.
enum class RodSolve : int { direct, sweeps };

struct MethodSettings {
  SolverMethod kind = SolverMethod::xpbd;  ///< `solver.method` in scene files
  Order order = Order::coloured;
  Integrator integrator = Integrator::bdf1;
  RodSolve rods = RodSolve::direct;
  bool averaging = true;          ///< Jacobi iterations divide by the number of constraints
  double relaxation = 1.5;        ///< omega of Jacobi iterations, in (0, 2)
  double chebyshev_radius = 0.9;  ///< rho of chebyshev, in [0, 1)
  bool accelerated = true;        ///< local and global steps are carried on
  int colour_cap = 4;             ///< of hybrid: colours that are solved one after the other
  /// In the unit of each compliance (m/N, 1/(N m), ...): a smaller one counts as this where energies are
  /// asked for
  double compliance_floor = 1e-8;
};

struct SolverSettings;

/// Whether a sweep goes through the colours and back again: with the symmetric order, and by itself where
/// BDF2 has one sweep in a substep. An error that the sweep leaves the share p of becomes z^4 = p (8/3 z^3 -
/// 22/9 z^2 + 8/9 z - 1/9) times itself: |z| <= 1 of all p in [0, 1], but of complex p, which a sweep in one
/// direction has, BDF2 damps far less than BDF1, and cloth that touches anything blows up. Back again p is
/// real.
bool sweeps_back(const SolverSettings& solver);

/// Fails where the method has no use for a choice, naming both.
Expected<void> check_method(const MethodSettings& settings);

}  // namespace limber
