#include "app/validation/method_facts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <limits>

#include "app/validation/experiment.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/tets/tet_shapes.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/tets.hpp"

namespace limber {
namespace {

/// Whether the method factors a matrix in each iteration, so that few iterations suffice.
bool is_direct(SolverMethod method) {
  return method == SolverMethod::newton || method == SolverMethod::fast_projection;
}

/// A scene with enough iterations for every method to converge nearly. `forces` gets enough substeps for
/// stability.
SceneDesc scene_for(SolverMethod method, int substeps, int iterations) {
  SceneDesc scene;
  scene.name = "methods";
  scene.solver.method->kind = method;
  scene.solver.step->substeps = traits(method).iterates ? substeps : 60;
  scene.solver.step->iterations = is_direct(method) ? 2 : iterations;
  scene.solver.motion->damping = 0.999;
  return scene;
}

SceneDesc cloth(SolverMethod method, int count, int substeps, int iterations) {
  SceneDesc scene = scene_for(method, substeps, iterations);
  ObjectDesc object;
  object.name = "cloth";
  object.cloth->columns = object.cloth->rows = count;
  object.cloth->width = object.cloth->height = 1.0;
  object.pins = {std::string("top_left"), std::string("top_right")};
  object.material->stretch_compliance = 1e-2;
  object.material->bend_compliance = 100.0;
  object.material->bending_model = BendingModel::isometric;
  scene.objects.push_back(object);
  return scene;
}

constexpr int frames_to_rest = 90;
constexpr glm::ivec3 bar_cells{5, 1, 1};

SceneDesc bar(SolverMethod method) {
  SceneDesc scene = scene_for(method, 2, 10);
  ObjectDesc object;
  object.name = "bar";
  object.type = ObjectType::tets;
  object.tets->shape = TetShape::bar;
  object.tets->dimensions = {1.0, 0.2, 0.2}, object.tets->cells = glm::dvec3(bar_cells);
  object.density = 300.0;
  object.pins = {std::string("left")};
  object.material->model = SolidModel::corotated;  // ARAP: supported by all methods
  object.material->youngs_modulus = 5e4, object.material->poisson_ratio = 0.0;
  scene.objects.push_back(object);
  return scene;
}

struct Rest {
  std::vector<glm::dvec3> from, to;
  std::vector<Index> fixed;
  bool finite = true;
  Measures measures;
};

Rest come_to_rest(SceneDesc scene, int frames) {
  const auto simulation = start(std::move(scene));
  Rest out{positions_of(*simulation), {}, {}, true, {}};
  simulation->read(reading::Fixed{out.fixed});
  for (int i = 0; i < frames; ++i) out.finite = out.finite && !simulation->step().nonfinite;
  out.to = positions_of(*simulation);
  out.measures = simulation->measure();
  return out;
}

double rms(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
  double squares = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += glm::dot(a[i] - b[i], a[i] - b[i]);
  return std::sqrt(squares / double(a.size()));
}

double sag(const Rest& rest) {
  double sum = 0.0;
  const auto right = *bar_vertices("right", bar_cells);
  for (const Index v : right) sum += rest.from[std::size_t(v)].y - rest.to[std::size_t(v)].y;
  return sum / double(right.size());
}

void find_tears(MethodFacts& facts) {
  SceneDesc scene = cloth(facts.method, 8, 2, 4);
  scene.objects[0].material->tear_strain = 0.02;
  scene.objects[0].material->density = 1.0;
  const Rest torn = come_to_rest(std::move(scene), 8);
  facts.tears = torn.finite && torn.measures.tears > 0;
}

/// Distance that a small cloth slides in a second on a plane whose slope has the tangent `share` times mu.
double slid(MethodFacts& facts, double share) {
  constexpr double friction = 0.3, thickness = 0.005;
  SceneDesc scene = cloth(facts.method, 4, 2, 6);
  const double slope = share * friction, gravity = g / std::sqrt(1.0 + slope * slope);
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = {gravity * slope, -gravity, 0.0};
  ObjectDesc& object = scene.objects[0];
  object.cloth->upright = false;
  object.cloth->width = object.cloth->height = 0.4;
  object.pins.clear();
  object.pose.position = {0.0, 1.2 * thickness, 0.0};
  object.material->thickness = thickness, object.material->friction = friction;
  ColliderDesc plane;
  plane.name = "plane", plane.shape = ColliderShape::plane, plane.friction = friction;
  scene.colliders.push_back(plane);
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 20);
  const double from = positions_of(*simulation)[0].x;
  run_frames(*simulation, 40);
  for (const glm::dvec3& x : positions_of(*simulation)) facts.depth = std::max(facts.depth, thickness - x.y);
  return positions_of(*simulation)[0].x - from;
}

void find_contact(MethodFacts& facts) {
  facts.rests = std::abs(slid(facts, 0.9)) < 1e-3;
  const double slope = std::atan(1.1 * 0.3), a = g * (std::sin(slope) - 0.3 * std::cos(slope));
  facts.slides = slid(facts, 1.1) > 0.25 * 0.5 * a * (1.0 - 1.0 / 9.0);
}

std::vector<IterationTrace> trace_of(SolverMethod method, int iterations) {
  SceneDesc scene = cloth(method, 8, 1, iterations);
  scene.solver.step->iterations = iterations;
  scene.objects[0].velocity = {0.0, 0.0, 3.0};
  const auto simulation = start(std::move(scene));
  std::vector<IterationTrace> trace;
  simulation->step(nullptr, &trace);
  return trace;
}

/// Measures convergence of F - min F for methods that minimise F, of the residual for the others.
void find_convergence(MethodFacts& facts, double least) {
  if (!traits(facts.method).iterates) return;
  const bool minimises = traits(facts.method).softness == Softness::energy;
  const auto trace = trace_of(facts.method, is_direct(facts.method) ? 20 : MethodFacts::most_iterations);
  const auto left = [&](const IterationTrace& row) {
    return minimises ? row.state.objective - least : row.state.residual;
  };
  for (const IterationTrace& row : trace)
    if (row.iteration > 0 && left(row) <= 0.1 * left(trace.front())) {
      facts.to_a_tenth = row.iteration;
      return;
    }
}

/// Time, s, of an iteration over a cloth of 24 x 24: the minimum of several.
double time_of(SolverMethod method) {
  constexpr int repeats = 4, sweeps = 4;
  const auto simulation = start(cloth(method, 24, 1, sweeps));
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < repeats; ++k) least = std::min(least, simulation->time_sweeps(sweeps) / sweeps);
  return least;
}

std::string text(const char* format, double value) {
  char out[48];
  std::snprintf(out, sizeof out, format, value);
  return out;
}

const char* softness_name(Softness softness) {
  constexpr const char* names[] = {"stiffness", "compliance", "energy"};
  return names[std::size_t(softness)];
}

/// Describes an iteration of the method.
const char* iteration_of(SolverMethod method) {
  switch (method) {
    case SolverMethod::pbd:
    case SolverMethod::xpbd:
      return "a sweep, colours in parallel";
    case SolverMethod::jacobi:
    case SolverMethod::chebyshev:
      return "all constraints at once, two barriers";
    case SolverMethod::hybrid:
      return "`colour_cap` colours, then all others at once";
    case SolverMethod::hierarchical:
      return "a sweep on each level; levels anew after a tear";
    case SolverMethod::projective:
      return "local step, two substitutions; factored anew where K changes";
    case SolverMethod::newton:
      return "Hessians, a factorisation, a line search";
    case SolverMethod::descent:
      return "gradient, a line search";
    case SolverMethod::fast_projection:
      return "a factorisation over constraints";
    case SolverMethod::forces:
      return "forces, once a substep";
  }
  return "";
}

}  // namespace

std::vector<MethodFacts> method_facts() {
  const auto newton_trace = trace_of(SolverMethod::newton, 30);
  const double least = newton_trace.back().state.objective, sweep = time_of(SolverMethod::xpbd);
  const Rest still_cloth = come_to_rest(cloth(SolverMethod::newton, 8, 2, 2), frames_to_rest);
  const double true_sag = sag(come_to_rest(bar(SolverMethod::newton), frames_to_rest / 2));
  std::vector<MethodFacts> all;
  for (std::size_t m = 0; m < method_table.size(); ++m) {
    MethodFacts facts{SolverMethod(m)};
    const Rest hung = come_to_rest(cloth(facts.method, 8, 2, 20), frames_to_rest);
    facts.whole = hung.finite && hung.measures.mean_speed < 0.05;
    facts.cloth = rms(hung.to, still_cloth.to);
    for (const Index v : hung.fixed)
      facts.held = std::max(facts.held, glm::distance(hung.from[std::size_t(v)], hung.to[std::size_t(v)]));
    const Rest bent = come_to_rest(bar(facts.method), frames_to_rest / 2);
    facts.right_side_out = bent.finite && bent.measures.inverted_tets == 0;
    facts.bar = std::abs(sag(bent) / true_sag - 1.0);
    find_tears(facts);
    find_contact(facts);
    find_convergence(facts, least);
    facts.cost = time_of(facts.method) / sweep;
    all.push_back(facts);
  }
  return all;
}

const char* const method_table_header =
    "| method | softness | cloth at rest, from Newton's | tets: tip, from Newton's | held | tears | contact "
    "| has F | to a tenth | an iteration | its cost |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|";

std::vector<std::string> method_lines(const std::vector<MethodFacts>& all) {
  std::vector<std::string> lines;
  for (const MethodFacts& facts : all) {
    const MethodTraits& method = traits(facts.method);
    std::string contact = facts.rests && facts.slides ? "rests, slides"
                          : facts.rests               ? "does not slide"
                                                      : "creeps";
    if (facts.depth > 1e-5) contact += text(", enters %.1g mm", 1e3 * facts.depth);
    const auto yes = [](bool is) { return std::string(is ? "yes" : "no"); };
    const std::string cells[] = {std::string(method.name),
                                 softness_name(method.softness),
                                 facts.whole ? text("%.1f mm", 1e3 * facts.cloth) : "does not rest",
                                 facts.right_side_out ? text("%.1f %%", 1e2 * facts.bar) : "inverted",
                                 yes(facts.held == 0.0),
                                 yes(facts.tears),
                                 contact,
                                 yes(method.objective),
                                 !method.iterates ? "-"
                                 : facts.to_a_tenth == 0
                                     ? text("more than %.0f", MethodFacts::most_iterations)
                                     : text("%.0f", facts.to_a_tenth),
                                 iteration_of(facts.method),
                                 text(facts.cost < 3.0 ? "%.1f" : "%.0f", facts.cost)};
    std::string line = "|";
    for (const std::string& cell : cells) line += " " + cell + " |";
    lines.push_back(line);
  }
  return lines;
}

}  // namespace limber
