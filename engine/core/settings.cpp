#include "engine/core/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

constexpr std::array<std::string_view, 4> order_names{"coloured", "sequential", "alternating", "symmetric"};
constexpr std::array<std::string_view, 2> integrator_names{"bdf1", "bdf2"};
constexpr std::array<std::string_view, 2> damping_law_names{"rigid_modes", "plain"};

constexpr std::array<std::string_view, 2> friction_model_names{"positional", "velocity_filter"};
constexpr std::array<std::string_view, 3> bending_model_names{"dihedral", "isometric", "acos"};
constexpr std::array<std::string_view, 3> sheet_model_names{"springs", "stvk", "strain"};
constexpr std::array<std::string_view, 2> plane_names{"stress", "strain"};
constexpr std::array<std::string_view, 5> solid_model_names{"neo_hookean", "stvk", "corotated", "strain",
                                                            "volume"};
constexpr std::array<std::string_view, 6> preset_names{"custom", "silk",    "cotton",
                                                       "denim",  "leather", "rubber"};

/// Choosing a preset writes its numbers, each of which can then be changed.
constexpr Field preset_row() {
  Field row = choice<&Material::preset>(
      "preset", "Preset", preset_names,
      "Typical density, thickness, compliances and friction, not measurements of one sheet. In a "
      "scene file, keys beside it override its numbers.");
  row.changed = [](void* settings) { apply_preset(*static_cast<Material*>(settings)); };
  return row;
}

constexpr std::array solver_table{
    choice<&SolverSettings::method>(
        "method", "Method", method_names,
        "pbd: every iteration removes the share k' of each error, k' = 1-(1-k)^(1/n) (Mueller et al. 2006, "
        "3.3). xpbd: compliance alpha with alpha~ = alpha/h^2, the same softness for any step and iteration "
        "count. jacobi: all constraints at once with that compliance, averaged; slower to converge. "
        "chebyshev: jacobi, each iteration carried on beyond its end (Wang 2015). hybrid: the first colours "
        "as xpbd, the others as jacobi. hierarchical: pbd, first on ever coarser meshes (Mueller 2008). "
        "projective: Projective Dynamics, a local step and a constant matrix. newton, descent: minimise the "
        "same function by Newton's method or gradient descent. fast_projection: a direct solve of all "
        "constraints (Goldenthal 2007). forces: symplectic Euler with forces, unstable where h is too long."),
    choice<&SolverSettings::integrator>(
        "integrator", "Integrator", integrator_names,
        "bdf1: implicit Euler, v = (x - x_n)/h, which damps what moves fast. bdf2: of second order, "
        "v = (3/2 x - 2 x_n + 1/2 x_n-1)/h, hardly damped; what contacts meet takes a step of bdf1 "
        "(English and Bridson 2008)."),
    choice<&SolverSettings::order>(
        "order", "Order", order_names,
        "Order of the Gauss-Seidel sweep. coloured: colour after colour, in parallel. sequential: exactly "
        "the order of the file or mesh, as in the paper's hand examples. alternating: that order and its "
        "reverse in turn; over-constrained systems then oscillate. symmetric: colour after colour and back "
        "again, at twice the cost. Sequential and alternating feed energy into fine cloth: they are for "
        "small scenes. Of pbd, xpbd and hierarchical."),
    boolean<&SolverSettings::averaging>(
        "averaging", "Averaging",
        "Jacobi iterations: each constraint does its share, 1/n of what it asks where n constraints meet. "
        "Off: "
        "all of it, which diverges where constraints ask for the same (lambda_max(D^-1 A) >= 2)."),
    number<&SolverSettings::relaxation>(
        {"relaxation", "Relaxation", "", 0.05, 1.95,
         "Jacobi iterations: omega, how much farther than the average of its constraints asks a particle "
         "goes; converges below 2 (Macklin et al. 2014)."}),
    number<&SolverSettings::chebyshev_radius>(
        {"chebyshev_radius", "Chebyshev radius", "", 0.0, 0.9999,
         "chebyshev, projective: rho, the guessed share of the error that a plain iteration leaves. 0 does "
         "not "
         "accelerate; stiff cloth wants 0.999, but too near to 1 it overshoots when there are few iterations "
         "(Wang 2015)."}),
    integer<&SolverSettings::colour_cap>(
        {"colour_cap", "Colour cap", "", 0, 64,
         "hybrid: so many colours of each part of an object are solved one after the other; the constraints "
         "of the others at once (Fratarcangeli and Pellacini 2015)."}),
    number<&SolverSettings::compliance_floor>(
        {"compliance_floor", "Compliance floor", "m/N", 1e-14, 1e-2,
         "A rigid constraint has no finite energy. Methods that minimise energies, and the objective of a "
         "trace, take this for any smaller compliance, E = C^2/(2 alpha), in each type's own unit. "
         "Projections do not.",
         Effect::live, Scale::logarithmic}),
    integer<&SolverSettings::substeps>({"substeps", "Substeps", "", 1, 1000,
                                        "Slices of a frame, h = dt/substeps. The error of a substep falls "
                                        "with h^2, so substeps stiffen more than as "
                                        "many iterations (Macklin et al. 2019).",
                                        Effect::live, Scale::logarithmic}),
    integer<&SolverSettings::iterations>(
        {"iterations", "Iterations", "", 1, 1000,
         "Sweeps over all constraints in each substep, lines (8)-(12) of the paper.", Effect::live,
         Scale::logarithmic}),
    number<&SolverSettings::dt>({"dt", "Frame time", "s", 1e-4, 0.1,
                                 "Simulated time per shown frame; real time is 1/60 s on most displays.",
                                 Effect::live, Scale::logarithmic}),
    vector<&SolverSettings::gravity>({"gravity", "Gravity", "m/s^2", -100, 100,
                                      "External acceleration, line (5): v += h g. Earth: 0, -9.81, 0."}),
    choice<&SolverSettings::damping_law>("damping_law", "Damping law", damping_law_names,
                                         "rigid_modes: damps only the deviation from the rigid motion, v_i "
                                         "+= k (v_cm + omega x r_i - v_i) (section 3.5). "
                                         "plain: v -= k v, which also slows free fall."),
    number<&SolverSettings::damping>({"damping", "Damping", "1/s", 0, 1,
                                      "Share of the damped velocity lost in one second; a substep of h loses "
                                      "k = 1-(1-damping)^(h/1 s). 1 stops it "
                                      "at once."}),
    boolean<&SolverSettings::cloth_collision>(
        "cloth_collision", "Cloth collision",
        "Cloth touches itself and other cloth: pairs of features keep the mean of their thicknesses, and "
        "what "
        "would cross moves as one. Starts free of intersections stay so.")
        .about(Topic::collision),
    number<&SolverSettings::untangle_speed>(
        {"untangle_speed", "Untangle speed", "m/s", 0, 10,
         "Cloth that crosses itself or other cloth at the start is drawn back through at this speed until "
         "nothing intersects. 0: it stays as it is."})
        .about(Topic::collision),
    choice<&SolverSettings::friction_model>(
        "friction_model", "Friction model", friction_model_names,
        "positional: moves particles on colliders back by up to mu times the depth just removed. "
        "velocity_filter: line (16) of the paper, takes up to mu times the normal speed just removed. "
        "Both slip when tan(slope) exceeds mu.")
        .about(Topic::collision),
    number<&SolverSettings::contact_margin>(
        {"contact_margin", "Contact margin", "m", 0, 1,
         "Contacts are made this much farther from colliders than a particle's own motion takes it, for "
         "constraints that pull it there."})
        .about(Topic::collision),
    number<&SolverSettings::depenetration_speed>(
        {"depenetration_speed", "Depenetration speed", "m/s", 0, 1000,
         "What starts a substep inside a collider comes out at most this fast, so that overlaps at the start "
         "resolve calmly."})
        .about(Topic::collision),
    number<&SolverSettings::particle_radius>(
        {"particle_radius", "Particle radius", "m", 1e-3, 1,
         "Of all grains and of the particles that fill solids; they touch at a distance of 2 r.",
         Effect::rebuild, Scale::logarithmic}),
    boolean<&SolverSettings::keep_momentum>("keep_momentum", "Keep momentum",
                                            "Takes off what rounding in float did to the momentum of cloth "
                                            "that nothing outside touched in a frame. "
                                            "Off to compare methods as they are."),
    number<&SolverSettings::max_speed>(
        {"max_speed", "Speed limit", "m/s", 0.1, 1000,
         "Particles are slowed to this speed after every substep, which keeps any input finite.",
         Effect::live, Scale::logarithmic}),
    boolean<&SolverSettings::sleeping>("sleeping", "Sleeping",
                                       "Rigid bodies that touch and have all been at rest are left out of "
                                       "the step, at almost no cost, until "
                                       "something reaches them or a setting changes."),
    number<&SolverSettings::sleep_speed>(
        {"sleep_speed", "Sleep speed", "m/s", 1e-4, 1,
         "A body is at rest that gets no farther than at this speed within the "
         "sleep time.",
         Effect::live, Scale::logarithmic}),
    number<&SolverSettings::sleep_time>({"sleep_time", "Sleep time", "s", 0.05, 100,
                                         "How long bodies have to be at rest before they fall asleep.",
                                         Effect::live, Scale::logarithmic}),
};

constexpr std::array wind_table{
    boolean<&WindSettings::enabled>("enabled", "Air", "Air acts on every triangle; still air only brakes."),
    vector<&WindSettings::velocity>(
        {"velocity", "Wind", "m/s", -60, 60, "Velocity of the air, before gusts."}),
    number<&WindSettings::gust_amplitude>({"gust_amplitude", "Gusts", "", 0, 2,
                                           "a in velocity * (1 + a sin(2 pi t / period)): the share by which "
                                           "the wind swells and drops."}),
    number<&WindSettings::gust_period>({"gust_period", "Gust period", "s", 0.05, 100,
                                        "Time from one gust to the next.", Effect::live, Scale::logarithmic}),
    number<&WindSettings::air_density>(
        {"air_density", "Air density", "kg/m^3", 0, 20, "1.225 at sea level; forces grow with it."}),
    number<&WindSettings::drag>({"drag", "Drag", "", 0, 4,
                                 "C_D: a triangle of area A at angle s = n.v/|v| is dragged by "
                                 "1/2 rho C_D A |v|^2 s along the relative wind v."}),
    number<&WindSettings::lift>(
        {"lift", "Lift", "", 0, 4,
         "C_L: lifted by 1/2 rho C_L A |v|^2 s sqrt(1-s^2) across the relative wind."}),
};

// In the order of the inspector; each says in which part of a material it is (material_part).
constexpr std::array material_table{
    preset_row().in(material_part::fabric),
    number<&Material::density>(
        {"density", "Density", "kg/m^2", 1e-3, 100,
         "Areal: m_i = density * sum(A)/3 over a vertex's triangles. Silk 0.06, cotton 0.2, denim 0.4.",
         Effect::live, Scale::logarithmic})
        .in(material_part::fabric),
    number<&Material::thickness>({"thickness", "Thickness", "m", 0, 0.1,
                                  "Distance kept from colliders, bodies and grains: C(p) = (p - q) . n - "
                                  "thickness >= 0. Two layers of cloth keep the mean of theirs, of each at "
                                  "most half the shortest edge there."})
        .about(Topic::collision)
        .in(material_part::thickness),
    number<&Material::stretch_compliance>({"stretch_compliance", "Stretch compliance", "m/N", 0, 10,
                                           "XPBD: alpha of every edge, C = |p1 - p2| - rest; a weight m g "
                                           "stretches one edge by m g alpha. 0 is inextensible.",
                                           Effect::live, Scale::logarithmic})
        .in(material_part::stretch),
    number<&Material::bend_compliance>({"bend_compliance", "Bend compliance", "1/(N m)", 0, 1e8,
                                        "XPBD: alpha of the signed dihedral angle, C = theta - rest angle; "
                                        "the inverse of flexural rigidity. 0 is rigid.",
                                        Effect::live, Scale::logarithmic})
        .in(material_part::bending),
    number<&Material::volume_compliance>(
        {"volume_compliance", "Volume compliance", "m^3/Pa", 0, 10,
         "XPBD: alpha of C = V - k_p V0 of an object with pressure; a pressure of p takes p alpha off its "
         "volume. 0 is incompressible.",
         Effect::live, Scale::logarithmic})
        .in(material_part::volume),
    choice<&Material::sheet_model>(
        "sheet_model", "Sheet model", sheet_model_names,
        "springs: distances along the edges. stvk: triangles of St. Venant-Kirchhoff material of the given "
        "Young's modulus, Poisson ratio and membrane thickness. strain: warp, weft and shear of each "
        "triangle, "
        "each with its own compliance (Mueller et al. 2014). Only springs tear by strain.",
        Effect::rebuild)
        .in(material_part::triangles),
    choice<&Material::plane>(
        "plane", "Plane", plane_names,
        "Of stvk sheets. stress: a thin sheet, free to grow thinner. strain: a slice of a "
        "body that goes on for ever, stiffer by 1/(1 - nu^2).")
        .in(material_part::triangles),
    number<&Material::membrane_thickness>(
        {"membrane_thickness", "Membrane thickness", "m", 1e-6, 10,
         "Of stvk sheets: a strip of width w takes E t w e newtons at strain e. What contacts keep apart is "
         "`thickness`.",
         Effect::live, Scale::logarithmic})
        .in(material_part::triangles),
    number<&Material::warp_compliance>({"warp_compliance", "Warp compliance", "m/N", 0, 1,
                                        "Of strain sheets, along x of the mesh at rest: alpha = c/area, C = "
                                        "|f1| - 1; 1/c is the force that a "
                                        "metre of width takes per strain.",
                                        Effect::live, Scale::logarithmic})
        .in(material_part::triangles),
    number<&Material::weft_compliance>({"weft_compliance", "Weft compliance", "m/N", 0, 1,
                                        "Of strain sheets, across the warp: C = |f2| - 1.", Effect::live,
                                        Scale::logarithmic})
        .in(material_part::triangles),
    number<&Material::shear_compliance>(
        {"shear_compliance", "Shear compliance", "m/N", 0, 1,
         "Of strain sheets: C is the cosine between warp and weft. Woven cloth shears ten to a hundred times "
         "more easily than it stretches.",
         Effect::live, Scale::logarithmic})
        .in(material_part::triangles),
    choice<&Material::model>("model", "Model", solid_model_names,
                             "Constraint types of the tetrahedra. neo_hookean: shape and volume as one "
                             "block, for any deformation. "
                             "stvk: linear in Green's strain. corotated: linear about the nearest rotation. "
                             "strain: stretch and shear "
                             "along the axes at rest. volume: edges and volumes, the cheapest.",
                             Effect::rebuild)
        .in(material_part::tets),
    number<&Material::youngs_modulus>(
        {"youngs_modulus", "Young's modulus", "Pa", 1, 1e12,
         "E: stress over strain of a pulled bar. Jelly 1e4, flesh 5e4, foam 1e5, "
         "rubber 1e6 to 1e7, wood 1e10.",
         Effect::live, Scale::logarithmic})
        .in(material_part::elastic),
    number<&Material::poisson_ratio>(
        {"poisson_ratio", "Poisson ratio", "", 0, 0.49,
         "nu: how much thinner a pulled bar grows, per strain. Cork 0, metal 0.3, "
         "rubber and flesh near 0.5, where the volume stays."})
        .in(material_part::elastic),
    number<&Material::damping_time>(
        {"damping_time", "Damping time", "s", 0, 10,
         "XPBD: Rayleigh damping in proportion to stiffness; a strain rate e adds the stress that the strain "
         "tau e would (Macklin et al. 2016, eq. 26). A spring swings freely at 0 and creeps back when tau is "
         "above its period."})
        .in(material_part::stretch | material_part::elastic),
    number<&Material::solid_stiffness>(
        {"solid_stiffness", "Solid stiffness", "", 0, 1, "PBD: k of the constraints of tetrahedra."})
        .in(material_part::tets),
    number<&Material::stretch_stiffness>({"stretch_stiffness", "Stretch stiffness", "", 0, 1,
                                          "PBD: k of the distance constraint, equations (10) and (11)."})
        .in(material_part::stretch),
    number<&Material::bend_stiffness>(
        {"bend_stiffness", "Bend stiffness", "", 0, 1,
         "PBD: k of the dihedral constraint, section 4.1; independent of the stretch stiffness."})
        .in(material_part::bending),
    number<&Material::volume_stiffness>(
        {"volume_stiffness", "Volume stiffness", "", 0, 1,
         "PBD: k of the volume constraint of an object with pressure, equations (14) and (15)."})
        .in(material_part::volume),
    boolean<&Material::bending>("bending", "Bending", "Build a bending constraint over every interior edge.",
                                Effect::rebuild)
        .in(material_part::bending),
    choice<&Material::bending_model>(
        "bending_model", "Bending model", bending_model_names,
        "dihedral: the signed angle theta. isometric: quadratic in the positions, "
        "E = 3/(2A) |sum K_j x_j|^2 (Bergou et al. 2006). acos: the paper's "
        "appendix A, blind near flat and to up or down.",
        Effect::rebuild)
        .in(material_part::bending),
    number<&Material::tear_strain>(
        {"tear_strain", "Tear strain", "", 0, 10,
         "An edge longer than (1 + this) rest lengths tears: one of its vertices splits across it. 0: never "
         "(cutting by hand always works)."})
        .about(Topic::tearing)
        .in(material_part::tearing),
    number<&Material::friction>({"friction", "Friction", "", 0, 2,
                                 "Coulomb mu against colliders, combined as sqrt(mu_cloth mu_collider); it "
                                 "slips when tan(slope) exceeds mu."})
        .about(Topic::collision),
    number<&Material::restitution>(
        {"restitution", "Restitution", "", 0, 1,
         "e: the normal speed after a bounce over that before it; of two that touch the larger one acts. Off "
         "below 2 g h, so that they come to rest."})
        .about(Topic::collision),
    number<&Material::rolling_resistance>(
        {"rolling_resistance", "Rolling resistance", "", 0, 1,
         "Of grains: lever arm of the normal force against rolling, as a share of the radius. It stands for "
         "grains that are not quite round, and holds their heaps together."})
        .about(Topic::collision)
        .in(material_part::grain),
    number<&Material::viscosity>(
        {"viscosity", "Viscosity", "Pa s", 0, 1000,
         "Of a fluid: shear stress over the gradient of speed. Water 0.001, oil 0.1, "
         "honey 10.",
         Effect::live, Scale::logarithmic})
        .in(material_part::fluid),
    number<&Material::xsph>({"xsph", "XSPH", "", 0, 0.5,
                             "c of XSPH: the share of its neighbours' velocity that a particle takes on in a "
                             "substep. It keeps a fluid that is not viscous together."})
        .in(material_part::fluid),
    number<&Material::vorticity>({"vorticity", "Vorticity", "", 0, 10,
                                  "epsilon of vorticity confinement: whirls get back what the solver takes "
                                  "from them."})
        .in(material_part::fluid),
    number<&Material::surface_tension>({"surface_tension", "Surface tension", "N/m", 0, 100,
                                        "Cohesion and curvature forces of Akinci et al. 2013; a free drop "
                                        "becomes round. Water 0.07, which shows at millimetres only.",
                                        Effect::live, Scale::logarithmic})
        .in(material_part::fluid),
};

/// What a preset sets: areal density, 1/(E t) of the membrane as stretch, 1/B of the flexural rigidity as
/// bend. Woven cloth: typical values inside the ranges that KES-F instruments give (Kawabata 1980): B of silk
/// 0.02-0.05, shirting cotton 0.05-0.1, denim 0.5-1 (1 gf cm^2/cm = 9.81e-5 N m); E t at small strain 1 to 10
/// kN/m. Leather and rubber are plates, E t and B = E t^3/(12 (1-nu^2)): leather E = 15 MPa, t = 1.2 mm, nu =
/// 0.4, 860 kg/m^3; rubber E = 1.5 MPa, t = 1 mm, nu = 0.5, 1100 kg/m^3. None of the stiffnesses was compared
/// with a published table of one named cloth; the densities are within a factor of two of those in the
/// reference of Unreal Engine's Chaos Cloth (kg/m^2: silk 0.1, cotton 0.2, denim 0.4, light to heavy leather
/// 0.3 to 0.6), leather thicker. The thickness is the distance kept at contacts, wider than the sheets' own
/// 0.2 to 1.2 mm, which the edges of a mesh would cut through.
struct PresetRow {
  Preset preset;
  double density;             ///< kg/m^2
  double thickness;           ///< m
  double stretch_compliance;  ///< m/N
  double bend_compliance;     ///< 1/(N m)
  double friction;            ///< on smooth wood; of rubber, on anything dry
};
constexpr std::array presets{
    PresetRow{Preset::silk, 0.06, 0.003, 1.0 / 2e3, 1.0 / 3e-6, 0.2},
    PresetRow{Preset::cotton, 0.15, 0.004, 1.0 / 4e3, 1.0 / 8e-6, 0.4},
    PresetRow{Preset::denim, 0.40, 0.005, 1.0 / 1e4, 1.0 / 7e-5, 0.5},
    PresetRow{Preset::leather, 1.03, 0.006, 1.0 / 1.8e4, 1.0 / 2.6e-3, 0.6},
    PresetRow{Preset::rubber, 1.10, 0.006, 1.0 / 1.5e3, 1.0 / 1.7e-4, 0.9},
};

// log and exp from basic arithmetic only: IEEE 754 rounds +, -, *, / alike everywhere, while each libm rounds
// its own way, and the state hash must be the same on every machine.
constexpr double ln2 = 0.69314718055994530942;

/// log(1 - k) for k in [0, 1). Relative error below 1e-15: 1 - k = m 2^e with m in [sqrt(1/2), sqrt(2)), then
/// log m = 2 artanh((m-1)/(m+1)), whose series in s^2 <= 0.0295 is cut after s^23 (next term < 1e-19 of the
/// first).
double log_one_minus(double k) {
  int exponent = 0;
  double m = std::frexp(1.0 - k, &exponent);  // exact; m in [1/2, 1)
  if (m < 0.70710678118654752440) {
    m *= 2.0;
    --exponent;
  }
  // Near 1 the numerator is taken from k itself: 1 - k has already lost its low bits.
  const double s = exponent == 0 ? -k / (2.0 - k) : (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double series = 0.0;
  for (int n = 23; n >= 1; n -= 2) series = series * s2 + 1.0 / n;
  return 2.0 * s * series + exponent * ln2;
}

/// 1 - exp(y) for y <= 0. Relative error below 1e-15 : y = n ln2 + r with |r| <= ln2/2, Taylor to r^17
/// (next term < 1e-23).
double one_minus_exp(double y) {
  const double n = std::floor(std::max(y, -1e4) / ln2 + 0.5);  // below -1e4, exp(y) is 0 in double anyway
  const double r = std::max(y, -1e4) - n * ln2;
  double tail = 0.0;  // (exp(r) - 1) / r by Horner
  for (int i = 17; i >= 1; --i) tail = (tail * r + 1.0) / i;
  const double exp_minus_one = tail * r;
  if (n == 0.0) return -exp_minus_one;  // keeps full relative precision as y -> 0
  return 1.0 - std::ldexp(1.0 + exp_minus_one, static_cast<int>(n));
}

/// 1 - (1-k)^exponent with k clamped to [0, 1] and exponent > 0.
double complement_of_power(double k, double exponent) {
  if (!(k > 0.0)) return 0.0;
  if (k >= 1.0) return 1.0;
  return one_minus_exp(exponent * log_one_minus(k));
}

}  // namespace

std::span<const Field> solver_fields() { return solver_table; }

Expected<void> check_method(const SolverSettings& settings) {
  const MethodTraits& method = traits(settings.method);
  const auto refuse = [&](bool MethodTraits::*honoured, std::string_view what, const std::string& instead) {
    std::string others;
    for (const MethodTraits& other : method_table)
      if (other.*honoured) others += (others.empty() ? "" : ", ") + std::string(other.name);
    return Error{"solver.method " + std::string(method.name) + std::string(what),
                 {},
                 0,
                 "set " + instead + ", or solver.method to one of " + others};
  };
  if (!method.ordered && settings.order != Order::coloured)
    return refuse(&MethodTraits::ordered,
                  " has no order of its constraints, but solver.order is " +
                      std::string(order_names[std::size_t(settings.order)]),
                  "solver.order to coloured");
  if (!method.bdf2 && settings.integrator == Integrator::bdf2)
    return refuse(&MethodTraits::bdf2, " takes steps of first order only, but solver.integrator is bdf2",
                  "solver.integrator to bdf1");
  return {};
}
std::span<const Field> wind_fields() { return wind_table; }
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

double damping_per_substep(double rate, double h) { return complement_of_power(rate, h); }

double stiffness_per_iteration(double k, int iterations) {
  if (iterations <= 1) return std::clamp(k, 0.0, 1.0);
  return complement_of_power(k, 1.0 / iterations);
}

}  // namespace limber
