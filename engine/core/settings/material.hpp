// Settings: the material of a deformable object, cluster, heap of grains or fluid.
#pragma once

#include <cstdint>
#include <span>

namespace limber {

struct Field;

/// Model of a hinge's resistance to folding: see bending.hpp, isometric_bending.hpp, acos_bending.hpp.
enum class BendingModel : int { dihedral, isometric, acos };

/// Model of a sheet's resistance to stretching: springs along its edges (distance.hpp), or its triangles
/// (triangle.hpp).
enum class SheetModel : int { springs, stvk, strain };
/// Plane state of a triangle of St. Venant-Kirchhoff material: a thin sheet, free to grow thinner, or a slice
/// of an infinitely thick body.
enum class PlaneState : int { stress, strain };
/// The constraint types of a solid of tetrahedra.
enum class SolidModel : int { neo_hookean, stvk, corotated, strain, volume };

/// Rows of the table of known materials in material.cpp; `custom` has none.
enum class Preset : int { custom, silk, cotton, denim, leather, rubber };

// Material has one base struct per kind of matter. Each row of its table has bits (material_part), which
// divide the table more finely than the structs; an object type lists the bits of the rows that it uses.
// Compliances act in XPBD, stiffnesses in PBD.

/// Cloth, ropes, chains and points: springs, hinges and elastic triangles.
struct SheetMaterial {
  Preset preset = Preset::custom;   ///< the preset chosen last; its numbers may have been changed since
  double density = 0.2;             ///< kg/m^2, areal
  double stretch_compliance = 0.0;  ///< m/N; of cloth 1/(E t), otherwise of one spring
  double bend_compliance = 4e3;     ///< 1/(N m), inverse bending rigidity of a strip
  double volume_compliance = 0.0;   ///< m^3/Pa, of the volume that `pressure` holds
  double stretch_stiffness = 1.0;   ///< PBD k
  double bend_stiffness = 0.1;      ///< PBD k
  double volume_stiffness = 1.0;    ///< PBD k
  bool bending = true;              ///< build bending constraints
  BendingModel bending_model = BendingModel::dihedral;
  SheetModel sheet_model = SheetModel::springs;
  PlaneState plane = PlaneState::stress;
  double membrane_thickness = 0.001;  ///< m, of stvk sheets
  double warp_compliance = 1e-4;      ///< m/N, of strain sheets
  double weft_compliance = 1e-4;      ///< m/N
  double shear_compliance = 1e-3;     ///< m/N
  double tear_strain = 0.0;           ///< an edge tears beyond (1 + this) of its rest length; 0: never
  double yield_curvature = 0.0;       ///< 1/m, of hinges and rods; 0: never yields
  double yield_strain = 0.0;          ///< of springs and triangles of sheets; 0: never yields
};

/// Elastic constants of tetrahedra, of stvk sheets and of rods, and the plasticity and strength of
/// tetrahedra.
struct ElasticMaterial {
  SolidModel model = SolidModel::neo_hookean;
  double youngs_modulus = 1e5;  ///< Pa
  double poisson_ratio = 0.3;
  double solid_stiffness = 1.0;  ///< PBD k of tetrahedra
  double yield = 0.0;            ///< Pa, von Mises stress; 0: never yields
  double hardening = 0.0;        ///< Pa, growth of the yield stress with plastic strain
  double max_plastic = 1.0;      ///< largest plastic strain of the rest shape against the initial one
  double strength = 0.0;         ///< Pa, principal stress at which tetrahedra separate; 0: never
};

/// Loads at which a rod breaks (0: never), and the internal friction of a cable.
struct RodMaterial {
  double break_tension = 0.0;       ///< N
  double break_curvature = 0.0;     ///< 1/m, deviation from the curvature as built
  double break_twist = 0.0;         ///< rad/m, deviation from the twist as built
  double friction_curvature = 0.0;  ///< 1/m, largest moment of internal friction over E I; 0: none
  double slip_curvature = 0.1;      ///< 1/m, change of curvature after which strands slide
};

struct GrainMaterial {
  /// Lever arm of the normal force, as a share of the radius. It represents grains that are not quite round:
  /// without it, balls on a smooth ground roll away from each other.
  double rolling_resistance = 0.15;
};

/// Fluids (constraints/density.hpp).
struct FluidMaterial {
  double viscosity = 0.0;  ///< Pa s
  /// c, share of the neighbours' mean velocity taken on in a substep; acts if viscosity is 0
  double xsph = 0.05;
  double vorticity = 0.0;        ///< epsilon of vorticity confinement
  double surface_tension = 0.0;  ///< N/m
  double adhesion = 0.0;         ///< N/m, to colliders and bodies
  double spray = 0.0;            ///< 1/s, diffuse particles that a fluid particle makes where the fluid foams
  /// K, rise of temperature that reduces the viscosity to 1/e; 0: viscosity is constant
  double thinning = 0.0;

  /// The c that acts: 0 if the fluid has a viscosity.
  double smoothing() const { return viscosity > 0.0 ? 0.0 : xsph; }
};

/// Heat (core/heat_law.hpp); unused if `heat` is off.
struct ThermalMaterial {
  double conductivity = 0.5;    ///< W/(m K)
  double heat_capacity = 2000;  ///< J/(kg K)
  bool melts = false;           ///< of a fluid: it is frozen below its melting range
  double latent_heat = 2e5;     ///< J/kg
  double solidus = 0.0;         ///< degrees C, begin of melting
  double liquidus = 1.0;        ///< degrees C, end of melting
  double expansion = 0.0;       ///< 1/K, thermal expansion: warm fluid is lighter
  double soft_from = 20.0;      ///< degrees C, begin of softening (core/softening.hpp)
  double soft_to = 60.0;        ///< degrees C, end of softening
  double soft_share = 1.0;      ///< share of stiffness, yield and strength that is left at soft_to
};

/// Material of a deformable object, a cluster, a heap of grains or a fluid: all of the above, and the
/// settings that several kinds of matter have.
struct Material : SheetMaterial, ElasticMaterial, RodMaterial, GrainMaterial, FluidMaterial, ThermalMaterial {
  double thickness = 0.005;  ///< m, distance kept from colliders, bodies and other surfaces
  double friction = 0.3;  ///< Coulomb mu against colliders, combined with the collider's as sqrt(mu_1 mu_2)
  double restitution = 0.0;   ///< e, speed after a bounce over the approach speed
  double damping_time = 0.0;  ///< s, XPBD: a strain rate e adds the stress of the strain damping_time * e
  double creep = 1e6;         ///< 1/s, rate at which strain beyond yield flows
};
std::span<const Field> material_fields();

/// Parts of the table of materials, as bits of Field::part. The traits of an object type list the parts that
/// apply to it (scene/objects/object_types.cpp); a row without a part applies to every type.
namespace material_part {
inline constexpr std::uint32_t fabric = 1, thickness = 2, stretch = 4, bending = 8, volume = 16, tearing = 32,
                               grain = 64, elastic = 128, triangles = 256, tets = 512, fluid = 1024,
                               melting = 2048, heat = 4096, rod = 8192, softening = 16384;
inline constexpr std::uint32_t sheet = fabric | thickness | stretch | bending | volume | tearing;
}  // namespace material_part

/// Writes the numbers of `material.preset` into the material; custom leaves it alone.
void apply_preset(Material& material);

}  // namespace limber
