#include "engine/scene/build/choose_substeps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "engine/constraints/tet.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/sheet_bending.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {
namespace {

/// V sum_j |b_j|^2 / m_j of each tetrahedron, m/kg; see SubstepChoice.
std::vector<double> shear_rates(const ObjectGeometry& geometry) {
  std::vector<double> rates;
  rates.reserve(geometry.tets.size());
  for (const Tet& tet : geometry.tets) {
    std::array<glm::dvec3, 4> x;
    for (std::size_t j = 0; j < 4; ++j) x[j] = geometry.positions[std::size_t(tet[j])];
    const auto rest = TetStencil::rest_of(x);
    std::array<glm::dvec3, 4> b{};
    for (std::size_t j = 1; j < 4; ++j) {
      b[j] = {rest[3 * j - 3], rest[3 * j - 2], rest[3 * j - 1]};
      b[0] -= b[j];
    }
    double sum = 0.0;
    for (std::size_t j = 0; j < 4; ++j)
      if (const double mass = geometry.masses[std::size_t(tet[j])]; mass > 0.0)
        sum += glm::dot(b[j], b[j]) / mass;
    rates.push_back(sum * TetStencil::volume_of(x));
  }
  return rates;
}

}  // namespace

void SubstepChoice::add(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry) {
  if (!geometry.hinges.empty())
    raise(SheetBending(scene, object, geometry).substeps(), object, "the bending of ");
  const bool swept = traits(scene.solver.method->kind).softness == Softness::compliance;
  if (geometry.tets.empty() || !swept) return;
  std::vector<double> rates = shear_rates(geometry);
  const auto at = rates.begin() + std::ptrdiff_t((1.0 - spared) * double(rates.size() - 1));
  std::nth_element(rates.begin(), at, rates.end());
  const double mu = lame(object.material->youngs_modulus, object.material->poisson_ratio).mu;
  const double wanted =
      scene.solver.step->dt * std::sqrt(2.0 * mu * *at / fastest) / scene.solver.step->iterations;
  raise(wanted, object, "the tetrahedra of ");
}

void SubstepChoice::raise(double wanted, const ObjectDesc& object, const char* what) {
  if (!(wanted > wanted_)) return;
  wanted_ = wanted;
  what_ = what;
  substeps_ = int(std::clamp(std::ceil(wanted), double(fewest), double(most)));
  object_ = object.name;
}

std::string SubstepChoice::fact() const {
  if (substeps_ == fewest) return {};
  char text[200];
  std::snprintf(text, sizeof text, "solver.substeps auto: %d, for %s%.60s, which %s stiff and small",
                substeps_, what_, object_.c_str(), what_[4] == 't' ? "are" : "is");
  std::string out = text;
  if (wanted_ > most) {
    std::snprintf(text, sizeof text, " (it needs %.0f, but at most %d are chosen)", std::ceil(wanted_), most);
    out += text;
  }
  return out;
}

Expected<std::vector<std::optional<ObjectGeometry>>> choose_substeps(SceneDesc& scene, std::string& fact) {
  std::vector<std::optional<ObjectGeometry>> made(scene.objects.size());
  SubstepChoice choice;
  for (std::size_t o = 0; o < scene.objects.size(); ++o) {
    const ObjectDesc& object = scene.objects[o];
    if ((traits_of(object).material & (material_part::tets | material_part::bending)) == 0) continue;
    Expected<ObjectGeometry> geometry = build_geometry(scene, object);
    if (!geometry) return geometry.error();
    choice.add(scene, object, *geometry);
    made[o] = std::move(*geometry);
  }
  scene.solver.step->substeps = choice.substeps();
  fact = choice.fact();
  return made;
}

}  // namespace limber
