#include "engine/scene/build/sheet_bending.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/constraints/bending.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"

namespace limber {
namespace {

/// Least sag, as a share of the length, relative to which an error is measured. Smaller sags are invisible.
constexpr double least_sag = 0.02;

/// f(G) of SheetBending.
double sag_of(double load) {
  const double p = 1.5;
  return load / std::pow(std::pow(8.0, p) + std::pow(load, p), 1.0 / p);
}

/// True if compliant hinges, solved in sweeps, are all that holds the sheet against gravity. An object under
/// pressure has its shape from the pressure.
bool sags(const SceneDesc& scene, const ObjectDesc& object) {
  const MethodTraits& method = traits(scene.solver.method->kind);
  return object.material->bending && object.pressure == 0.0 && method.softness == Softness::compliance &&
         method.damps && glm::length(scene.solver.motion->gravity) > 0.0;
}

/// Weight of the sheet, N/m^2, times the cube of its length: rho g L^3 of SheetBending, N m.
double load_of(const SceneDesc& scene, const ObjectDesc& object, double extent) {
  return object.material->density * glm::length(scene.solver.motion->gravity) * extent * extent * extent;
}

/// r of SheetBending for every hinge, 1/(kg m^2).
std::vector<double> hinge_rates(const ObjectGeometry& geometry) {
  using L = Lanes<double, 1>;
  std::vector<double> rates;
  rates.reserve(geometry.hinges.size());
  for (const HingeGeometry& hinge : geometry.hinges) {
    Vec3<L> p[4];
    for (std::size_t j = 0; j < 4; ++j) {
      const glm::dvec3& x = geometry.positions[std::size_t(hinge.vertices[j])];
      p[j] = {x.x, x.y, x.z};
    }
    const L rest[1] = {hinge.rest_angle};
    const Gradient<L, 4> g = Bending::evaluate(p, rest);
    double sum = 0.0;
    for (std::size_t j = 0; j < 4; ++j)
      if (const double mass = geometry.masses[std::size_t(hinge.vertices[j])]; mass > 0.0)
        sum += dot(g.grad[j], g.grad[j]).v / mass;
    rates.push_back(sum / hinge.compliance_scale);
  }
  return rates;
}

}  // namespace

SheetBending::SheetBending(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry) {
  if (!sags(scene, object) || geometry.hinges.empty()) return;
  std::vector<double> rates = hinge_rates(geometry);
  const auto middle = rates.begin() + std::ptrdiff_t(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  const StepSettings& step = *scene.solver.step;
  load_ = load_of(scene, object, longest_extent(geometry.positions));
  compliance_ = object.material->bend_compliance;
  left_ = softening * *middle * step.dt * step.dt / step.iterations;
}

std::optional<SheetBending> SheetBending::of(const SceneDesc& scene, const ObjectDesc& object) {
  const Expected<ObjectGeometry> geometry = build_geometry(scene, object);
  if (!geometry) return std::nullopt;
  return SheetBending(scene, object, *geometry);
}

bool SheetBending::limp(const SceneDesc& scene, const ObjectDesc& object,
                        std::span<const glm::dvec3> positions) {
  if (!sags(scene, object)) return true;
  const double load = load_of(scene, object, longest_extent(positions));
  const double sag = sag_of(load * object.material->bend_compliance);
  return 1.0 - sag <= tolerated * std::max(sag, least_sag);
}

double SheetBending::excess(double substeps) const {
  const double sag = sag_of(load_ * compliance_);
  const double more = sag_of(load_ * (compliance_ + left_ / (substeps * substeps)));
  return (more - sag) / std::max(sag, least_sag);
}

double SheetBending::substeps() const {
  double low = 1.0, high = 1.0;
  while (excess(high) > tolerated) low = high, high *= 2.0;
  for (int k = 0; k < 20 && high > low; ++k) {
    const double middle = 0.5 * (low + high);
    (excess(middle) > tolerated ? low : high) = middle;
  }
  return std::ceil(high);
}

}  // namespace limber
