#include "engine/core/settings/solver.hpp"

#include <array>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/fluid.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/scene_part.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/tunable.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 4> order_names{"coloured", "sequential", "alternating", "symmetric"};
constexpr std::array<std::string_view, 2> integrator_names{"bdf1", "bdf2"};
constexpr std::array<std::string_view, 2> rod_solve_names{"direct", "sweeps"};
constexpr std::array<std::string_view, 2> joint_solve_names{"automatic", "direct"};
constexpr std::array<std::string_view, 2> damping_law_names{"rigid_modes", "plain"};
constexpr std::array<std::string_view, 2> density_law_names{"one_sided", "two_sided"};
constexpr std::array<std::string_view, 2> friction_model_names{"positional", "velocity_filter"};

constexpr ActsWith ordered_methods =
    methods_that("PBD and XPBD", [](SolverMethod method) { return traits(method).ordered; });
constexpr ActsWith relaxed_methods =
    methods_that("Jacobi", [](SolverMethod method) { return traits(method).relaxed; });
constexpr ActsWith chebyshev_methods =
    methods_that("Chebyshev", [](SolverMethod method) { return traits(method).chebyshev; });
constexpr ActsWith energy_methods = methods_that(
    "Newton and its like", [](SolverMethod method) { return traits(method).softness == Softness::energy; });
constexpr ActsWith projective_method = methods_that(
    "Projective Dynamics", [](SolverMethod method) { return method == SolverMethod::projective; });
constexpr ActsWith hybrid_method =
    methods_that("Hybrid", [](SolverMethod method) { return method == SolverMethod::hybrid; });

constexpr std::array solver_table{
    choice<&SolverSettings::method, &MethodSettings::kind>(
        "method", "Method", method_names,
        "pbd: every iteration removes the share k' of each error, k' = 1-(1-k)^(1/n) (Mueller et al. 2006, "
        "3.3). xpbd: compliance alpha with alpha~ = alpha/h^2, the same softness for any step and iteration "
        "count. jacobi: all constraints at once with that compliance, averaged; slower to converge. "
        "chebyshev: jacobi with Chebyshev acceleration (Wang 2015). hybrid: the first colours as xpbd, the "
        "others as jacobi. hierarchical: pbd, first on ever coarser meshes (Mueller 2008). projective: "
        "Projective Dynamics, a local step and a constant matrix. newton, descent: minimise the same "
        "function by Newton's method or gradient descent. fast_projection: a direct solve of all constraints "
        "(Goldenthal 2007). forces: symplectic Euler with forces, unstable where h is too long.")
        .needing(scene_part::swept),
    choice<&SolverSettings::method, &MethodSettings::integrator>(
        "integrator", "Integrator", integrator_names,
        "bdf1: implicit Euler, v = (x - x_n)/h, which damps fast motion. bdf2: of second order, v = (3/2 x - "
        "2 x_n + 1/2 x_n-1)/h, with little damping; particles in contact take a step of bdf1 (English and "
        "Bridson 2008).")
        .needing(scene_part::swept),
    choice<&SolverSettings::method, &MethodSettings::order>(
        "order", "Order", order_names,
        "Order of the Gauss-Seidel sweep. coloured: colour after colour, in parallel. sequential: exactly "
        "the order of the file or mesh, as in examples to follow by hand. alternating: that order and its "
        "reverse in turn; over-constrained systems then oscillate. symmetric: colour after colour and back "
        "again, at twice the cost. Sequential and alternating feed energy into fine cloth: they are for "
        "small scenes. Acts with pbd, xpbd and hierarchical.")
        .needing(scene_part::swept)
        .with(ordered_methods),
    choice<&SolverSettings::method, &MethodSettings::rods>(
        "rods", "Rods", rod_solve_names,
        "direct (methods xpbd and jacobi): every iteration solves each whole rod by one Newton step, "
        "whatever its stiffness and the masses at its ends. sweeps (always under pbd, whose stiffness is a "
        "share): its segments are swept like all other constraints; a stiff wire then needs thousands of "
        "iterations.")
        .needing(scene_part::rods),
    choice<&SolverSettings::method, &MethodSettings::joints>(
        "joints", "Joints", joint_solve_names,
        "automatic: chains, trees and small loops of joints are solved as a whole, exactly; nets, in which a "
        "whole solution fills in by more than six blocks a joint, by sweeps. Their error falls with the "
        "substeps. direct: nets as a whole too, at a cost that grows much faster than they do.")
        .needing(scene_part::bodies),
    boolean<&SolverSettings::method, &MethodSettings::averaging>(
        "averaging", "Averaging",
        "Jacobi iterations: a constraint applies 1/n of its correction, n the largest number of constraints "
        "at one of its particles. Off: all of it, which diverges where constraints make the same correction "
        "(lambda_max(D^-1 A) >= 2).")
        .needing(scene_part::swept)
        .with(relaxed_methods),
    number<&SolverSettings::method, &MethodSettings::relaxation>(
        {"relaxation", "Relaxation", "", 0.05, 1.95,
         "Jacobi iterations: omega, factor on all corrections; converges below 2 (Macklin et al. 2014)."})
        .needing(scene_part::swept)
        .with(relaxed_methods),
    number<&SolverSettings::method, &MethodSettings::chebyshev_radius>(
        {"chebyshev_radius", "Chebyshev radius", "", 0.0, 0.9999,
         "chebyshev: rho, the guessed share of the error that a plain iteration leaves. 0 does not "
         "accelerate; stiff cloth wants 0.999, but too near to 1 it overshoots when there are few iterations "
         "(Wang 2015)."})
        .needing(scene_part::swept)
        .with(chebyshev_methods),
    boolean<&SolverSettings::method, &MethodSettings::accelerated>(
        "accelerated", "Accelerated",
        "projective: iterations are extrapolated by Chebyshev polynomials of the fourth kind, which reach in "
        "n iterations what n^2 plain ones do, at no cost. Off: plain iterations, each of which lowers the "
        "objective.")
        .needing(scene_part::swept)
        .with(projective_method),
    integer<&SolverSettings::method, &MethodSettings::colour_cap>(
        {"colour_cap", "Colour cap", "", 0, 64,
         "hybrid: number of colours of each part of an object that are solved one after the other; all other "
         "constraints are solved at once (Fratarcangeli and Pellacini 2015)."})
        .needing(scene_part::swept)
        .with(hybrid_method),
    number<&SolverSettings::method, &MethodSettings::compliance_floor>(
        {"compliance_floor", "Compliance floor", "m/N", 1e-14, 1e-2,
         "A rigid constraint has no finite energy. Methods that minimise energies, and the objective of a "
         "trace, take this for any smaller compliance, E = C^2/(2 alpha), in each type's own unit. "
         "Projections do not.",
         Effect::live, Scale::logarithmic})
        .needing(scene_part::swept)
        .with(energy_methods),
    or_automatic<&SolverSettings::step, &StepSettings::automatic>(
        integer<&SolverSettings::step, &StepSettings::substeps>(
            {"substeps", "Substeps", "", 1, 1000,
             "Slices of a frame, h = dt/substeps. The error of a substep falls with h^2, so n substeps "
             "converge farther than n iterations (Macklin et al. 2019). auto, the value of scenes that set "
             "none: 10, or more where thin tetrahedra need it, chosen once when the scene is loaded.",
             Effect::live, Scale::logarithmic})),
    or_automatic<&SolverSettings::step,
                 &StepSettings::automatic_iterations>(integer<&SolverSettings::step,
                                                              &StepSettings::iterations>(
        {"iterations", "Iterations", "", 1, 1000,
         "Sweeps over all constraints in each substep, lines (8) to (12) of Mueller et al. 2006. auto, the "
         "value of scenes that set none: 1, or more where tetrahedra carry a load ten times their mass or "
         "a soft solid five times its mass, chosen once when the scene is loaded.",
         Effect::live, Scale::logarithmic})),
    number<&SolverSettings::step, &StepSettings::dt>(
        {"dt", "Frame time", "s", 1e-4, 0.1,
         "Simulated time per shown frame; real time is 1/60 s on most displays.", Effect::live,
         Scale::logarithmic}),
    vector<&SolverSettings::motion, &MotionSettings::gravity>(
        {"gravity", "Gravity", "m/s^2", -100, 100, "External acceleration: v += h g. Earth: 0, -9.81, 0."}),
    choice<&SolverSettings::motion, &MotionSettings::damping_law>(
        "damping_law", "Damping law", damping_law_names,
        "rigid_modes: damps only the deviation from the rigid motion, v_i "
        "+= k (v_cm + omega x r_i - v_i) (Mueller et al. 2006, section 3.5). "
        "plain: v -= k v, which also slows free fall."),
    number<&SolverSettings::motion, &MotionSettings::damping>(
        {"damping", "Damping", "1/s", 0, 1,
         "Share of the damped velocity lost in one second; a substep of h loses k = 1-(1-damping)^(h/1 s). 1 "
         "removes it at once."}),
    boolean<&SolverSettings::contact, &ContactSettings::cloth_collision>(
        "cloth_collision", "Cloth collision",
        "Cloth, skins of solids and rods touch themselves and each other: pairs of features keep the mean of "
        "their thicknesses as distance, and features that would cross move as one. A start without "
        "intersections stays without.")
        .about(Topic::collision)
        .needing(scene_part::surfaces),
    number<&SolverSettings::contact, &ContactSettings::untangle_speed>(
        {"untangle_speed", "Untangle speed", "m/s", 0, 10,
         "Cloth that crosses itself or other cloth at the start is drawn back through at this speed until "
         "nothing intersects. 0: it stays as it is."})
        .about(Topic::collision)
        .needing(scene_part::surfaces),
    choice<&SolverSettings::contact, &ContactSettings::friction_model>(
        "friction_model", "Friction model", friction_model_names,
        "positional: moves particles on colliders back by up to mu times the depth just removed. "
        "velocity_filter: as line (16) of Mueller et al. 2006, takes up to mu times the normal speed just "
        "removed. "
        "Both slip when tan(slope) exceeds mu. Bodies, cloth on cloth, and grains and clusters with anything "
        "but colliders keep positional friction.")
        .about(Topic::collision)
        .needing(scene_part::objects),
    number<&SolverSettings::contact, &ContactSettings::contact_margin>(
        {"contact_margin", "Contact margin", "m", 0, 1,
         "Contacts with colliders are made this much farther away than a particle's own motion reaches, "
         "because constraints may pull it there."})
        .about(Topic::collision),
    number<&SolverSettings::contact, &ContactSettings::depenetration_speed>(
        {"depenetration_speed", "Depenetration speed", "m/s", 0, 1000,
         "A particle that starts a substep inside a collider comes out at most this fast, so that overlaps "
         "at the start resolve calmly."})
        .about(Topic::collision),
    number<&SolverSettings::contact, &ContactSettings::particle_radius>(
        {"particle_radius", "Particle radius", "m", 1e-3, 1,
         "Radius of all grains and of the particles that fill solids; two of them touch at a distance of 2 "
         "r.",
         Effect::rebuild, Scale::logarithmic})
        .needing(scene_part::particles),
    choice<&SolverSettings::fluid, &FluidSettings::density_law>(
        "density_law", "Density law", density_law_names,
        "Of fluids. one_sided: pressure only pushes, C <= 0. two_sided: C = 0, as Macklin and Mueller 2013 "
        "print "
        "it: particles at a free surface, which miss neighbours, pull each other together and clump where "
        "s_corr does not keep them apart.")
        .needing(scene_part::fluids),
    number<&SolverSettings::fluid, &FluidSettings::s_corr_k>(
        {"s_corr_k", "s_corr k", "", 0, 0.1,
         "Of fluids: strength of the artificial pressure that keeps particles apart (s_corr of Macklin and "
         "Mueller 2013), as a share of H^2 m: H is four particle radii, m a particle's mass. It moves pairs "
         "by "
         "the same way in every substep, so it stiffens the fluid and feeds energy into it, by more the "
         "shorter substeps are. 0: none; the one_sided law needs none."})
        .needing(scene_part::fluids),
    number<&SolverSettings::fluid, &FluidSettings::s_corr_dq>(
        {"s_corr_dq", "s_corr dq", "", 0, 0.9,
         "Of fluids: the distance, as a share of the support H, at which s_corr is as strong as its k says; "
         "0.1 to 0.3 in Macklin and Mueller 2013."})
        .needing(scene_part::fluids),
    integer<&SolverSettings::fluid, &FluidSettings::s_corr_n>(
        {"s_corr_n", "s_corr n", "", 1, 8,
         "Of fluids: exponent of s_corr, (W(r) / W(dq))^n; 4 in Macklin and Mueller 2013. A larger exponent "
         "reaches less far."})
        .needing(scene_part::fluids),
    number<&SolverSettings::fluid, &FluidSettings::epsilon>(
        {"epsilon", "Density epsilon", "", 0, 10,
         "Of fluids: relaxation of the density constraint, eps = this / H^2. It keeps particles with few "
         "neighbours from making large steps; a larger value makes the fluid softer."})
        .needing(scene_part::fluids),
    boolean<&SolverSettings::motion, &MotionSettings::keep_spin>(
        "keep_spin", "Keep spin",
        "With v = (p - x)/h, a part that rotates at w loses about the share (h w)^2 of its angular momentum "
        "in a substep. Connected parts that nothing outside touched in a substep get it back as a rigid "
        "motion. Off: the plain loop of Mueller et al. 2006."),
    number<&SolverSettings::motion, &MotionSettings::max_speed>(
        {"max_speed", "Speed limit", "m/s", 0.1, 1000,
         "Particles are slowed to this speed after every substep, which keeps any input finite.",
         Effect::live, Scale::logarithmic}),
    boolean<&SolverSettings::sleep, &SleepSettings::sleeping>(
        "sleeping", "Sleeping",
        "Rigid bodies that touch and have all been at rest are left out of "
        "the step, at almost no cost, until "
        "something reaches them or a setting changes.")
        .needing(scene_part::bodies),
    number<&SolverSettings::sleep, &SleepSettings::sleep_speed>(
        {"sleep_speed", "Sleep speed", "m/s", 1e-4, 1,
         "A body is at rest if it gets no farther within the sleep time than at this speed.", Effect::live,
         Scale::logarithmic})
        .needing(scene_part::bodies),
    number<&SolverSettings::sleep, &SleepSettings::sleep_time>(
        {"sleep_time", "Sleep time", "s", 0.05, 100,
         "How long bodies have to be at rest before they fall asleep.", Effect::live, Scale::logarithmic})
        .needing(scene_part::bodies),
};

}  // namespace

SolverSettings::SolverSettings() = default;
SolverSettings::SolverSettings(const SolverSettings&) = default;
SolverSettings::SolverSettings(SolverSettings&&) noexcept = default;
SolverSettings& SolverSettings::operator=(const SolverSettings&) = default;
SolverSettings& SolverSettings::operator=(SolverSettings&&) noexcept = default;
SolverSettings::~SolverSettings() = default;

std::span<const Field> solver_fields() { return solver_table; }

bool sweeps_back(const SolverSettings& solver) {
  const MethodSettings& method = *solver.method;
  const bool swept = method.kind == SolverMethod::pbd || method.kind == SolverMethod::xpbd;
  return method.order == Order::symmetric ||
         (swept && method.order == Order::coloured && method.integrator == Integrator::bdf2 &&
          solver.step->iterations == 1);
}

Expected<void> check_method(const MethodSettings& settings) {
  const MethodTraits& method = traits(settings.kind);
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

}  // namespace limber
