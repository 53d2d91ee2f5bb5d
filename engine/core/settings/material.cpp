#include "engine/core/settings/material.hpp"

#include <array>

#include "engine/core/methods.hpp"
#include "engine/core/tunable.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 3> bending_model_names{"dihedral", "isometric", "acos"};
constexpr std::array<std::string_view, 3> sheet_model_names{"springs", "stvk", "strain"};
constexpr std::array<std::string_view, 2> plane_names{"stress", "strain"};
constexpr std::array<std::string_view, 5> solid_model_names{"neo_hookean", "stvk", "corotated", "strain",
                                                            "volume"};
constexpr std::array<std::string_view, 6> preset_names{"custom", "silk",    "cotton",
                                                       "denim",  "leather", "rubber"};

/// Choosing a preset writes its numbers, each of which can then be changed.
constexpr Field preset_row() {
  Field row = choice<path_in<Material>, &Material::preset>(
      "preset", "Preset", preset_names,
      "Density, thickness, compliances and friction near those of measured fabrics. In a "
      "scene file, keys beside it override its numbers.");
  row.changed = [](void* settings) { apply_preset(*static_cast<Material*>(settings)); };
  return row;
}

// Rows in the order of the inspector; each names its part of a material (material_part).
constexpr std::array material_table{
    preset_row().in(material_part::fabric),
    number<path_in<Material>, &Material::density>(
        {"density", "Density", "kg/m^2", 1e-3, 100,
         "Areal: m_i = density * sum(A)/3 over a vertex's triangles. Silk 0.06, cotton 0.15, denim 0.3.",
         Effect::live, Scale::logarithmic})
        .in(material_part::fabric),
    number<path_in<Material>, &Material::thickness>(
        {"thickness", "Thickness", "m", 0, 0.1,
         "Distance kept from colliders, bodies and grains: C(p) = (p - q) . n - thickness >= 0. Two layers "
         "of cloth keep the mean of their thicknesses, each counted as at most half of the shortest edge "
         "there."})
        .about(Topic::collision)
        .in(material_part::thickness),
    number<path_in<Material>, &Material::stretch_compliance>(
        {"stretch_compliance", "Stretch compliance", "m/N", 0, 10,
         "XPBD. Of cloth 1/(E t): a strip of width w takes w e / this newtons at strain e, and grows thinner "
         "by 1/3 of e, the Poisson ratio of all springs. Other sheet models have compliances of their own. "
         "Each edge gets the share of the sheet that it stands for. Of ropes, chains and points: alpha of "
         "one spring, C = |p1 - p2| - rest; a weight m g stretches it by m g alpha. 0 is inextensible.",
         Effect::live, Scale::logarithmic})
        .with(compliant_methods)
        .in(material_part::stretch),
    number<path_in<Material>, &Material::bend_compliance>(
        {"bend_compliance", "Bend compliance", "1/(N m)", 0, 1e8,
         "XPBD: 1/B of a strip: bent to a curvature k, a strip of width w "
         "takes the moment w B k. B = E t^3/12 of a plate. Each hinge gets "
         "the share of the sheet that it stands for. 0 is rigid.",
         Effect::live, Scale::logarithmic})
        .with(compliant_methods)
        .in(material_part::bending),
    number<path_in<Material>, &Material::volume_compliance>(
        {"volume_compliance", "Volume compliance", "m^3/Pa", 0, 10,
         "XPBD: alpha of C = V - k_p V0 of an object with pressure; a pressure of p takes p alpha off its "
         "volume. 0 is incompressible.",
         Effect::live, Scale::logarithmic})
        .with(compliant_methods)
        .in(material_part::volume),
    choice<path_in<Material>, &Material::sheet_model>(
        "sheet_model", "Sheet model", sheet_model_names,
        "springs: distances along the edges. stvk: triangles of St. Venant-Kirchhoff material of the given "
        "Young's modulus, Poisson ratio and membrane thickness. strain: warp, weft and shear of each "
        "triangle, "
        "each with its own compliance (Mueller et al. 2014). Only springs tear by strain.",
        Effect::rebuild)
        .in(material_part::triangles),
    choice<path_in<Material>, &Material::plane>(
        "plane", "Plane", plane_names,
        "Of stvk sheets. stress: a thin sheet, free to grow thinner. strain: a slice of an infinitely thick "
        "body, stiffer by 1/(1 - nu^2).")
        .in(material_part::triangles),
    number<path_in<Material>, &Material::membrane_thickness>(
        {"membrane_thickness", "Membrane thickness", "m", 1e-6, 10,
         "Of stvk sheets: a strip of width w takes E t w e newtons at strain e. The distance that contacts "
         "keep is `thickness`.",
         Effect::live, Scale::logarithmic})
        .in(material_part::triangles),
    number<path_in<Material>, &Material::warp_compliance>(
        {"warp_compliance", "Warp compliance", "m/N", 0, 1,
         "Of strain sheets, along x of the mesh at rest: alpha = c/area, C = "
         "|f1| - 1; 1/c is the force that a "
         "metre of width takes per strain.",
         Effect::live, Scale::logarithmic})
        .with(compliant_methods)
        .in(material_part::triangles),
    number<path_in<Material>, &Material::weft_compliance>({"weft_compliance", "Weft compliance", "m/N", 0, 1,
                                                           "Of strain sheets, across the warp: C = |f2| - 1.",
                                                           Effect::live, Scale::logarithmic})
        .with(compliant_methods)
        .in(material_part::triangles),
    number<path_in<Material>, &Material::shear_compliance>(
        {"shear_compliance", "Shear compliance", "m/N", 0, 1,
         "Of strain sheets: C is the cosine between warp and weft. Woven cloth shears ten to a hundred times "
         "more easily than it stretches.",
         Effect::live, Scale::logarithmic})
        .with(compliant_methods)
        .in(material_part::triangles),
    choice<path_in<Material>, &Material::model>(
        "model", "Model", solid_model_names,
        "Constraint types of the tetrahedra; all have the given Young's modulus and Poisson ratio for small "
        "strains. neo_hookean: shape and volume as one block, for any deformation. stvk: linear in Green's "
        "strain. corotated: linear about the nearest rotation. strain: stretch and shear along the axes at "
        "rest. volume: the lengths of the six edges, and the volume of nearly flat elements.",
        Effect::rebuild)
        .in(material_part::tets),
    number<path_in<Material>, &Material::youngs_modulus>(
        {"youngs_modulus", "Young's modulus", "Pa", 1, 1e12,
         "E: stress over strain of a pulled bar. Jelly 1e4, flesh 5e4, foam 1e5, "
         "rubber 1e6 to 1e7, wood 1e10.",
         Effect::live, Scale::logarithmic})
        .in(material_part::elastic),
    number<path_in<Material>, &Material::poisson_ratio>(
        {"poisson_ratio", "Poisson ratio", "", 0, 0.49,
         "nu: how much thinner a pulled bar grows, per strain. Cork 0, metal 0.3, rubber and flesh near 0.5, "
         "at which the volume stays constant."})
        .in(material_part::elastic),
    number<path_in<Material>, &Material::damping_time>(
        {"damping_time", "Damping time", "s", 0, 10,
         "XPBD: Rayleigh damping in proportion to stiffness; a strain rate e adds the stress that the strain "
         "tau e would (Macklin et al. 2016, eq. 26). A spring swings freely at 0 and creeps back when tau is "
         "above its period."})
        .in(material_part::stretch | material_part::elastic),
    number<path_in<Material>, &Material::solid_stiffness>(
        {"solid_stiffness", "Solid stiffness", "", 0, 1, "PBD: k of the constraints of tetrahedra."})
        .with(stiff_methods)
        .in(material_part::tets),
    number<path_in<Material>, &Material::stretch_stiffness>(
        {"stretch_stiffness", "Stretch stiffness", "", 0, 1,
         "PBD: k of the distance constraint (Mueller et al. 2006, equations (10) and (11))."})
        .with(stiff_methods)
        .in(material_part::stretch),
    number<path_in<Material>, &Material::bend_stiffness>(
        {"bend_stiffness", "Bend stiffness", "", 0, 1,
         "PBD: k of the dihedral constraint (Mueller et al. 2006, section "
         "4.1); independent of the stretch stiffness."})
        .with(stiff_methods)
        .in(material_part::bending),
    number<path_in<Material>, &Material::volume_stiffness>(
        {"volume_stiffness", "Volume stiffness", "", 0, 1,
         "PBD: k of the volume constraint of an object with pressure "
         "(Mueller et al. 2006, equations (14) and (15))."})
        .with(stiff_methods)
        .in(material_part::volume),
    boolean<path_in<Material>, &Material::bending>(
        "bending", "Bending", "Build a bending constraint over every interior edge.", Effect::rebuild)
        .in(material_part::bending),
    choice<path_in<Material>, &Material::bending_model>(
        "bending_model", "Bending model", bending_model_names,
        "dihedral: the signed angle theta. isometric: quadratic in the positions, "
        "E = 3/(2A) |sum K_j x_j|^2 (Bergou et al. 2006). acos: appendix A "
        "of Mueller et al. 2006, blind near flat and to up or down.",
        Effect::rebuild)
        .in(material_part::bending),
    number<path_in<Material>, &Material::tear_strain>(
        {"tear_strain", "Tear strain", "", 0, 10,
         "An edge longer than (1 + this) rest lengths tears: one of its vertices splits across it. 0: never "
         "(cutting by hand always works)."})
        .about(Topic::tearing)
        .in(material_part::tearing),
    number<path_in<Material>, &Material::yield>(
        {"yield", "Yield stress", "Pa", 0, 1e12,
         "Von Mises stress beyond which tetrahedra flow: strain beyond it becomes part of their rest shape, "
         "at constant volume. Models neo_hookean, stvk and corotated. 0: never yields.",
         Effect::live, Scale::logarithmic})
        .in(material_part::tets),
    number<path_in<Material>, &Material::hardening>(
        {"hardening", "Hardening", "Pa", 0, 1e12,
         "Growth of the yield stress per unit of plastic strain. 0: perfectly plastic; a bar then necks "
         "where its mesh lets it. Of a rod: the bending moment grows as the stress in its surface does.",
         Effect::live, Scale::logarithmic})
        .in(material_part::tets | material_part::rod),
    number<path_in<Material>, &Material::max_plastic>(
        {"max_plastic", "Most plastic strain", "", 0, 10,
         "Largest strain (log lambda) by which the rest shape of a tetrahedron, or of a rod at its surface, "
         "departs from the initial one."})
        .in(material_part::tets | material_part::rod),
    number<path_in<Material>, &Material::strength>(
        {"strength", "Strength", "Pa", 0, 1e12,
         "Largest principal stress, averaged around a vertex, beyond which tetrahedra separate along the "
         "faces across it. 0: never. Solids that carry a mesh (fill embedded) do not tear.",
         Effect::live, Scale::logarithmic})
        .about(Topic::tearing)
        .in(material_part::tets),
    number<path_in<Material>, &Material::break_tension>(
        {"break_tension", "Breaks at tension", "N", 0, 1e12,
         "Tension at which a rod breaks, at a point between two segments: its strength in Pa times its "
         "cross-section. Compared in every substep; the rod parts once, at the end of the frame. 0: never "
         "(cutting by hand always works).",
         Effect::live, Scale::logarithmic})
        .about(Topic::tearing)
        .in(material_part::rod),
    number<path_in<Material>, &Material::break_curvature>(
        {"break_curvature", "Breaks at curvature", "1/m", 0, 1e9,
         "Deviation of a rod's curvature from the shape as built at which the rod breaks: breaking strain "
         "over radius. It parts in each of its overloaded stretches. Raw spaghetti 12. 0: never.",
         Effect::live, Scale::logarithmic})
        .about(Topic::tearing)
        .in(material_part::rod),
    number<path_in<Material>, &Material::break_twist>(
        {"break_twist", "Breaks at twist", "rad/m", 0, 1e9,
         "Deviation of a rod's twist per metre from the shape as built at which the rod breaks. 0: never.",
         Effect::live, Scale::logarithmic})
        .about(Topic::tearing)
        .in(material_part::rod),
    number<path_in<Material>, &Material::friction_curvature>(
        {"friction_curvature", "Internal friction", "1/m", 0, 1e6,
         "Of a cable whose strands slide on each other: the largest moment of this friction over E I, the "
         "curvature that would need the same moment without it. Bending has a hysteresis (Dahl's law): a "
         "swing of +-A takes 4 E I friction (A - slip tanh(A/slip)) of energy per metre. A strand of seven "
         "equal wires is 55/7 as stiff while all stick as while all slide (parallel wires, derived): at most "
         "48/7 of slip_curvature. Needs solver.rods direct. 0: none.",
         Effect::live, Scale::logarithmic})
        .in(material_part::rod),
    number<path_in<Material>, &Material::slip_curvature>(
        {"slip_curvature", "Slips after", "1/m", 1e-6, 1e6,
         "Change of curvature after which the strands of a cable slide. Before, the cable is stiffer than "
         "E I by the factor 1 + friction_curvature/slip_curvature. About mu sin(lay angle) times the wires' "
         "strain under tension over the radius of their layer, where Coulomb friction between wires gives "
         "way (Lehanneur 1949): 0.05 for mu 0.2, 15 degrees, strain 5e-4, 0.5 mm.",
         Effect::live, Scale::logarithmic})
        .in(material_part::rod),
    number<path_in<Material>, &Material::yield_curvature>(
        {"yield_curvature", "Yield curvature", "1/m", 0, 1e6,
         "Curvature beyond which a bend of a sheet or rod becomes permanent: a crease. The result is the "
         "same for any mesh that resolves the bend. Paper 100, foil 300; a wire yields at its yield stress "
         "over E times its radius. 0: never yields. Dihedral bending; a rod's twist counts with its bending.",
         Effect::live, Scale::logarithmic})
        .in(material_part::bending | material_part::rod),
    number<path_in<Material>, &Material::yield_strain>(
        {"yield_strain", "Yield strain", "", 0, 10,
         "Strain beyond which the deformation of springs and of the triangles of sheets becomes permanent. "
         "0: never yields."})
        .in(material_part::stretch | material_part::triangles),
    number<path_in<Material>, &Material::creep>({"creep", "Creep rate", "1/s", 0, 1e6,
                                                 "Rate at which deformation beyond yield becomes permanent: "
                                                 "63 % of it after 1/creep seconds. 1e6: at once.",
                                                 Effect::live, Scale::logarithmic})
        .in(material_part::tets | material_part::stretch | material_part::bending | material_part::triangles |
            material_part::rod),
    number<path_in<Material>, &Material::friction>(
        {"friction", "Friction", "", 0, 2,
         "Coulomb mu, combined with that of what it touches as sqrt(mu mu). An object slips if "
         "tan(slope) exceeds mu."})
        .about(Topic::collision),
    number<path_in<Material>, &Material::restitution>(
        {"restitution", "Restitution", "", 0, 1,
         "e: normal speed after a bounce over that before it; of two materials in contact the larger e acts. "
         "Zero below a speed of 2 g h, so that objects come to rest."})
        .about(Topic::collision),
    number<path_in<Material>, &Material::rolling_resistance>(
        {"rolling_resistance", "Rolling resistance", "", 0, 1,
         "Of grains: lever arm of the normal force against rolling, as a share of the radius. It stands for "
         "grains that are not quite round, and holds their heaps together."})
        .about(Topic::collision)
        .in(material_part::grain),
    number<path_in<Material>, &Material::viscosity>(
        {"viscosity", "Viscosity", "Pa s", 0, 1e6,
         "Of a fluid: shear stress over the gradient of speed. Water 0.001, oil 0.1, honey 10, pitch 1e5. "
         "Above rho H^2 / (60 h), H four particle radii, h a substep, it is solved implicitly. 0: xsph acts "
         "instead.",
         Effect::live, Scale::logarithmic})
        .in(material_part::fluid),
    number<path_in<Material>, &Material::xsph>(
        {"xsph", "XSPH", "", 0, 0.5,
         "c of XSPH: the share of its neighbours' velocity that a particle takes on in a substep, which acts "
         "like a viscosity of rho c H^2 / (22 h): 7 Pa s with 0.05 at 8 substeps. It keeps a fluid without a "
         "viscosity together; with a viscosity it does nothing."})
        .in(material_part::fluid),
    number<path_in<Material>, &Material::vorticity>(
        {"vorticity", "Vorticity", "", 0, 10,
         "epsilon of vorticity confinement, which restores vortices that the solver damps."})
        .in(material_part::fluid),
    number<path_in<Material>, &Material::surface_tension>(
        {"surface_tension", "Surface tension", "N/m", 0, 100,
         "Cohesion and curvature forces of Akinci et al. 2013; a free drop becomes round, has the pressure 2 "
         "sigma / R and oscillates with Rayleigh's period. Water 0.07, which is visible at millimetres only.",
         Effect::live, Scale::logarithmic})
        .in(material_part::fluid),
    number<path_in<Material>, &Material::adhesion>(
        {"adhesion", "Adhesion", "N/m", 0, 100,
         "How a fluid sticks to colliders, bodies, cloth, tetrahedra, grains and solids (Akinci et al. "
         "2013): "
         "the work per area that parts them. With friction and viscosity it holds goo to a wall.",
         Effect::live, Scale::logarithmic})
        .in(material_part::fluid),
    number<path_in<Material>, &Material::spray>(
        {"spray", "Spray", "1/s", 0, 200,
         "Spray, foam and bubbles that a particle of a fluid makes per second where it "
         "is fast and takes in air (Ihmsen et al. 2012). They are drawn, act on "
         "nothing, and are 20,000 at most."})
        .in(material_part::fluid),
    number<path_in<Material>, &Material::conductivity>(
        {"conductivity", "Conductivity", "W/(m K)", 0, 1000,
         "Heat through a square metre per kelvin a metre. Wax 0.25, water 0.6, "
         "ice 2.2, steel 50, copper 400. Acts where 'heat' is on.",
         Effect::live, Scale::logarithmic})
        .in(material_part::heat),
    number<path_in<Material>, &Material::heat_capacity>(
        {"heat_capacity", "Heat capacity", "J/(kg K)", 1, 20000,
         "Heat that warms a kilogram by a kelvin. Metals 130 to 900, wax 2500, water 4190.", Effect::rebuild,
         Scale::logarithmic})
        .in(material_part::heat),
    number<path_in<Material>, &Material::soft_from>(
        {"soft_from", "Softens from", "deg C", -273, 5000,
         "Up to this temperature stiffness, yield and strength have their full values. At most soft_to. "
         "Butter 5, wax 30, glass 550, iron 400."})
        .in(material_part::softening),
    number<path_in<Material>, &Material::soft_to>(
        {"soft_to", "Softens to", "deg C", -273, 5000,
         "From this temperature on the share 'soft_share' of them is left; in between their logarithm is "
         "linear in temperature. Butter 30, wax 50, glass 800, iron 1200."})
        .in(material_part::softening),
    number<path_in<Material>, &Material::soft_share>(
        {"soft_share", "Soft share", "", 1e-6, 1,
         "Share of stiffness, yield and strength that is left at soft_to, if 'heat' is on. 1: no softening. "
         "Acts with methods that use compliances.",
         Effect::live, Scale::logarithmic})
        .in(material_part::softening),
    boolean<path_in<Material>, &Material::melts>(
        "melts", "Melts",
        "Particles below the melting range are frozen, and those that hold together form a rigid chunk. "
        "Above it they are fluid. Tetrahedra release a fluid that names them (melt_of) as they melt.",
        Effect::rebuild)
        .in(material_part::melting),
    number<path_in<Material>, &Material::latent_heat>(
        {"latent_heat", "Latent heat", "J/kg", 0, 1e7,
         "Heat that melting takes in addition to warming. Ice 334000, wax 200000, tin 59000.",
         Effect::rebuild, Scale::logarithmic})
        .in(material_part::melting),
    number<path_in<Material>, &Material::solidus>(
        {"solidus", "Solidus", "deg C", -273, 5000, "Temperature at which melting begins.", Effect::rebuild})
        .in(material_part::melting),
    number<path_in<Material>, &Material::liquidus>(
        {"liquidus", "Liquidus", "deg C", -273, 5000, "Temperature at which melting ends.", Effect::rebuild})
        .in(material_part::melting),
    number<path_in<Material>, &Material::expansion>(
        {"expansion", "Expansion", "1/K", 0, 0.1,
         "beta: warm fluid is pushed up by beta (T - heat.ambient) g. Water 0.0002, "
         "oil 0.0007."})
        .in(material_part::fluid),
    number<path_in<Material>, &Material::thinning>(
        {"thinning", "Thinning", "K", 0, 1000,
         "`viscosity` is that at the liquidus. It falls to 1/e for each rise of temperature by this value, "
         "and grows likewise below the liquidus. 0: it is the same at all temperatures."})
        .in(material_part::fluid),
};

/// Numbers of a preset: areal density, stretch compliance 1/(E t) and bend compliance 1/B of a strip, with
/// their sources.
///
/// - silk: 0.06 kg/m^2, a habotai of 16 momme. B: median of the 15 fabrics of 0.05 to 0.07 kg/m^2 in Feng,
///   Huang, Xu and Wang 2022 (mean of warp and weft; half of them within 2.6e-6 to 4.2e-6 N m).
/// - cotton: 0.15 kg/m^2, a shirting. B: median of their 22 fabrics of 0.13 to 0.17 kg/m^2 (half of them
///   within 7e-6 to 2.2e-5 N m).
/// - denim: the 11 oz black denim of Wang, O'Brien and Ramamoorthi 2011: density, and B and E t along the
///   warp (1.01e3 N/m; the weft has a fifth).
/// - E t of silk and cotton: 2.0e3 N/m, measured by Wang et al. for two other woven fabrics (0.128 and 0.22
///   kg/m^2). Cloth hardens with strain: one number holds for a per cent or two.
/// - leather: a plate of E = 15 MPa, t = 1.2 mm, 860 kg/m^3; rubber: of E = 1.5 MPa, t = 1 mm, 1100 kg/m^3;
///   E t and B = E t^3/12. Both moduli are in the middle of the ranges in handbooks (leather 5 to 50 MPa,
///   soft rubber 1 to 5) and belong to no particular sheet.
///
/// Springs have Poisson ratio 1/3 whatever the material's is. `thickness`, the distance kept at contacts, is
/// larger than the sheets' own 0.2 to 1.2 mm, because edges of a mesh would cut through such thin layers.
/// `friction` is a usual value on smooth wood, for rubber on anything dry. Neither was measured.
struct PresetRow {
  Preset preset;
  double density;             ///< kg/m^2
  double thickness;           ///< m
  double stretch_compliance;  ///< m/N
  double bend_compliance;     ///< 1/(N m)
  double friction;            ///< on smooth wood; of rubber, on anything dry
};
constexpr std::array presets{
    PresetRow{Preset::silk, 0.06, 0.003, 1.0 / 2e3, 1.0 / 3.2e-6, 0.2},
    PresetRow{Preset::cotton, 0.15, 0.004, 1.0 / 2e3, 1.0 / 1.2e-5, 0.4},
    PresetRow{Preset::denim, 0.324, 0.005, 1.0 / 1.01e3, 1.0 / 6.4e-5, 0.5},
    PresetRow{Preset::leather, 1.03, 0.006, 1.0 / 1.8e4, 1.0 / 2.16e-3, 0.6},
    PresetRow{Preset::rubber, 1.10, 0.006, 1.0 / 1.5e3, 1.0 / 1.25e-4, 0.9},
};

}  // namespace

std::span<const Field> material_fields() { return material_table; }

void apply_preset(Material& material) {
  for (const PresetRow& row : presets) {
    if (row.preset != material.preset) continue;
    material.density = row.density;
    material.thickness = row.thickness;
    material.stretch_compliance = row.stretch_compliance;
    material.bend_compliance = row.bend_compliance;
    material.friction = row.friction;
  }
}

}  // namespace limber
