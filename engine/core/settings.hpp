// Settings structs: plain values in SI units, with one Tunable table each (settings.cpp).
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <string>

#include "engine/core/methods.hpp"
#include "engine/core/tunable.hpp"

namespace limber {

/// In which order a sweep visits the constraints. Coloured: colour after colour, parallel, the stable
/// default. Sequential: exactly the order of the file or mesh (scheduled by dependency levels, so still
/// parallel). Alternating: that order and its reverse in turn, for teaching: what cannot be satisfied then
/// never settles. Symmetric: colour after colour and back again in every iteration.
enum class Order : int { coloured, sequential, alternating, symmetric };

/// Whether a sweep goes by colours, in the slots that the World has.
constexpr bool is_coloured(Order order) { return order == Order::coloured || order == Order::symmetric; }

/// How the past enters a substep: bdf1, implicit Euler; bdf2, the backward difference formula of second order
/// (engine/solver/bdf2.hpp).
enum class Integrator : int { bdf1, bdf2 };

/// Damping of line (6): rigid-mode preserving (section 3.5 of the paper) or plain v -= k v.
enum class DampingLaw : int { rigid_modes, plain };

/// How colliders slow what slides on them. Positional: inside the iterations, limited by the depth just
/// removed (Macklin et al. 2014, eq. 24). Velocity filter: once after them, line (16) of the 2006 paper.
enum class FrictionModel : int { positional, velocity_filter };

struct SolverSettings {
  SolverMethod method = SolverMethod::xpbd;
  Order order = Order::coloured;
  Integrator integrator = Integrator::bdf1;
  bool averaging = true;          ///< Jacobi iterations divide by the number of constraints
  double relaxation = 1.5;        ///< omega of Jacobi iterations, in (0, 2)
  double chebyshev_radius = 0.9;  ///< rho of chebyshev, in [0, 1)
  int colour_cap = 4;             ///< of hybrid: colours that are solved one after the other
  /// In the unit of each compliance (m/N, 1/(N m), ...): a smaller one counts as this where energies are
  /// asked for
  double compliance_floor = 1e-8;
  int substeps = 10;
  int iterations = 1;
  double dt = 1.0 / 60.0;               ///< s, one frame
  glm::dvec3 gravity{0.0, -9.81, 0.0};  ///< m/s^2
  DampingLaw damping_law = DampingLaw::plain;
  double damping = 0.1;          ///< 1/s as a rate: fraction lost per second, see damping_per_substep
  bool cloth_collision = false;  ///< cloth touches itself and other cloth
  double untangle_speed = 0.5;   ///< m/s, at which cloth that has crossed other cloth is let back; 0: never
  FrictionModel friction_model = FrictionModel::positional;
  double contact_margin = 0.0;       ///< m, how much farther than needed contacts with colliders are made
  double depenetration_speed = 1.0;  ///< m/s, at which what starts inside a collider comes out
  double particle_radius = 0.02;     ///< m, of every grain and particle of a solid
  bool keep_momentum = true;         ///< rounding is taken off the momentum of what flies free
  double max_speed = 200.0;          ///< m/s, a bound that keeps any input finite
  bool sleeping = false;             ///< rigid bodies at rest are left out until something reaches them
  double sleep_speed = 0.02;         ///< m/s, how far what is at rest gets within sleep_time
  double sleep_time = 0.5;           ///< s, for which it has been
};
std::span<const Field> solver_fields();

/// Fails where the method has no use for a choice, naming both.
Expected<void> check_method(const SolverSettings& settings);

/// Moving air around every cloth: flat plates with lift and drag (engine/solver/wind.hpp).
struct WindSettings {
  bool enabled = false;
  glm::dvec3 velocity{0.0};     ///< m/s, everywhere the same
  double gust_amplitude = 0.0;  ///< share of the velocity: v (1 + a sin(2 pi t / period))
  double gust_period = 2.0;     ///< s
  double air_density = 1.225;   ///< kg/m^3
  double drag = 1.0;            ///< C_D of a flat plate across the wind
  double lift = 0.8;            ///< C_L
};
std::span<const Field> wind_fields();

/// How a hinge resists folding: see bending.hpp, isometric_bending.hpp, acos_bending.hpp.
enum class BendingModel : int { dihedral, isometric, acos };

/// How a sheet resists stretching: springs along its edges (distance.hpp), or its triangles (triangle.hpp).
enum class SheetModel : int { springs, stvk, strain };
/// What a triangle of St. Venant-Kirchhoff material stands for: a thin sheet, free to grow thinner, or a
/// slice of a body that goes on for ever.
enum class PlaneState : int { stress, strain };
/// The constraint types of a solid of tetrahedra.
enum class SolidModel : int { neo_hookean, stvk, corotated, strain, volume };

/// Rows of the table of known materials in settings.cpp; `custom` has none.
enum class Preset : int { custom, silk, cotton, denim, leather, rubber };

/// Material of a deformable object. Compliances act in XPBD, stiffnesses in PBD.
struct Material {
  double density = 0.2;             ///< kg/m^2, areal
  double thickness = 0.005;         ///< m, distance kept from whatever it touches
  double stretch_compliance = 0.0;  ///< m/N
  double bend_compliance = 1e4;     ///< 1/(N m), inverse flexural rigidity
  double volume_compliance = 0.0;   ///< m^3/Pa, of what `pressure` holds
  double damping_time = 0.0;        ///< s, XPBD: a strain rate e adds the stress of the strain damping_time e
  SheetModel sheet_model = SheetModel::springs;
  PlaneState plane = PlaneState::stress;
  double membrane_thickness = 0.001;  ///< m, of sheets of stvk
  double warp_compliance = 1e-4;      ///< m/N, of sheets of strain
  double weft_compliance = 1e-4;      ///< m/N
  double shear_compliance = 1e-3;     ///< m/N
  SolidModel model = SolidModel::neo_hookean;
  double youngs_modulus = 1e5;     ///< Pa, of tetrahedra and of sheets of stvk
  double poisson_ratio = 0.3;      ///< the same
  double solid_stiffness = 1.0;    ///< PBD k of tetrahedra
  double stretch_stiffness = 1.0;  ///< PBD k
  double bend_stiffness = 0.1;     ///< PBD k
  double volume_stiffness = 1.0;   ///< PBD k
  bool bending = true;             ///< build bending constraints
  BendingModel bending_model = BendingModel::dihedral;
  Preset preset = Preset::custom;  ///< the last one chosen; its numbers may have been changed since
  double tear_strain = 0.0;        ///< an edge tears beyond (1 + this) of its rest length; 0: never
  double friction = 0.3;     ///< Coulomb mu against colliders (combined with the collider's by product root)
  double restitution = 0.0;  ///< e of grains
  /// Of grains: lever arm of the normal force, as a share of the radius. It stands for grains that
  /// are not quite round; with none, balls that nothing roughens under them roll away from each other.
  double rolling_resistance = 0.15;
  // of fluids (constraints/density.hpp)
  double viscosity = 0.0;        ///< Pa s
  double xsph = 0.05;            ///< c, share of the neighbours' velocity taken on in a substep
  double vorticity = 0.0;        ///< epsilon of vorticity confinement
  double surface_tension = 0.0;  ///< N/m
};
std::span<const Field> material_fields();

/// Parts of the table of materials, as bits of Field::part. The traits of an object type list the parts that
/// apply to it (scene/objects/object_types.cpp); a row without a part applies to every type.
namespace material_part {
inline constexpr std::uint32_t fabric = 1, thickness = 2, stretch = 4, bending = 8, volume = 16, tearing = 32,
                               grain = 64, elastic = 128, triangles = 256, tets = 512, fluid = 1024;
inline constexpr std::uint32_t sheet = fabric | thickness | stretch | bending | volume | tearing;
}  // namespace material_part

/// Writes the numbers of `material.preset` into the material; custom leaves it alone.
void apply_preset(Material& material);

/// 1-(1-k)^(h/1 s): the share of a velocity deviation removed in one substep of h seconds at `rate` per
/// second.
double damping_per_substep(double rate, double h);

/// k' = 1-(1-k)^(1/n): the stiffness per iteration that leaves the same error (1-k) after n iterations.
double stiffness_per_iteration(double k, int iterations);

}  // namespace limber
