#include "engine/scene/build/choose_substeps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "engine/constraints/tet.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/bodies/body_source.hpp"
#include "engine/scene/build/sheet_bending.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/solid.hpp"

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
  raise(of_tets(scene, object, geometry) / scene.solver.step->iterations, object, "the tetrahedra of ");
}

double SubstepChoice::of_tets(const SceneDesc& scene, const ObjectDesc& object,
                              const ObjectGeometry& geometry) {
  std::vector<double> rates = shear_rates(geometry);
  const auto at = rates.begin() + std::ptrdiff_t((1.0 - spared) * double(rates.size() - 1));
  std::nth_element(rates.begin(), at, rates.end());
  const double mu = lame(object.material->youngs_modulus, object.material->poisson_ratio).mu;
  return scene.solver.step->dt * std::sqrt(2.0 * mu * *at / fastest);
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

void IterationChoice::add_blocks(const SceneDesc& scene, const ObjectDesc& object,
                                 const ObjectGeometry& geometry, bool among_loads) {
  const bool soft = !geometry.clusters.empty();
  if (geometry.tets.empty() && !soft) return;
  Block block{0.0, glm::dvec3(std::numeric_limits<double>::max()),
              glm::dvec3(std::numeric_limits<double>::lowest()),
              soft ? 0.0 : SubstepChoice::of_tets(scene, object, geometry), &object};
  const Placement pose{object.pose.position, rotation_matrix(object.pose)};
  bool free = true;
  for (std::size_t i = 0; i < geometry.positions.size(); ++i) {
    const glm::dvec3 x = pose.rotation * geometry.positions[i] + pose.position;
    block.low = glm::min(block.low, x), block.high = glm::max(block.high, x);
    block.mass += geometry.masses[i];
    free = free && geometry.masses[i] > 0.0;
  }
  const glm::ivec3 copies(glm::max(object.copies, glm::dvec3(1.0)));
  for (int z = 0; z < copies.z; ++z)
    for (int y = 0; y < copies.y; ++y)
      for (int x = 0; x < copies.x; ++x) {
        const glm::dvec3 offset =
            object.spacing * (glm::dvec3(x, y, z) - 0.5 * glm::dvec3(copies.x - 1, 0, copies.z - 1));
        Block copy = block;
        copy.low += offset, copy.high += offset;
        blocks_.push_back(copy);
        if (free && !soft && among_loads && geometry.attachments.empty())
          add_load(block.mass, 0.5 * (copy.low + copy.high));
      }
}

void IterationChoice::choose(int substeps) {
  for (const Block& block : blocks_) {
    double load = 0.0;
    for (const Load& above : loads_)
      if (above.middle.y > 0.5 * (block.low.y + block.high.y) && above.middle.x > block.low.x &&
          above.middle.x < block.high.x && above.middle.z > block.low.z && above.middle.z < block.high.z)
        load += above.mass;
    const double ratio = load / block.mass;
    const bool soft = block.substeps == 0.0;
    if (!(ratio >= (soft ? soft_strong : heavy))) continue;
    const double steps = soft ? soft_steps * std::sqrt(ratio / soft_strong)
                              : sweeps * block.substeps * std::sqrt(std::max(ratio / strong, 1.0));
    const double wanted = steps / substeps;
    if (!(wanted > wanted_)) continue;
    wanted_ = wanted, ratio_ = ratio, object_ = block.object->name, soft_ = soft;
  }
  iterations_ = int(std::clamp(std::ceil(wanted_), double(fewest), double(most)));
}

std::string IterationChoice::fact() const {
  if (iterations_ == fewest) return {};
  char text[200];
  std::snprintf(text, sizeof text,
                "solver.iterations auto: %d, for the %s of %.60s under %.3g times their mass", iterations_,
                soft_ ? "clusters" : "tetrahedra", object_.c_str(), ratio_);
  std::string out = text;
  if (wanted_ > most) {
    std::snprintf(text, sizeof text, " (they need %.0f, but at most %d are chosen)", std::ceil(wanted_),
                  most);
    out += text;
  }
  return out;
}

Expected<std::vector<std::optional<ObjectGeometry>>> choose_steps(SceneDesc& scene,
                                                                  std::vector<std::string>& facts) {
  std::vector<std::optional<ObjectGeometry>> made(scene.objects.size());
  StepSettings& step = *scene.solver.step;
  const bool swept = traits(scene.solver.method->kind).softness == Softness::compliance;
  SubstepChoice substeps;
  IterationChoice iterations;
  for (std::size_t o = 0; o < scene.objects.size(); ++o) {
    const ObjectDesc& object = scene.objects[o];
    const bool soft = object.solid->soft();
    if ((traits_of(object).material & (material_part::tets | material_part::bending)) == 0 && !soft) continue;
    Expected<ObjectGeometry> geometry = build_geometry(scene, object);
    if (!geometry) return geometry.error();
    if (step.automatic) substeps.add(scene, object, *geometry);
    if (swept) iterations.add_blocks(scene, object, *geometry, scene.solver.contact->cloth_collision);
    made[o] = std::move(*geometry);
  }
  if (step.automatic) {
    step.substeps = substeps.substeps();
    facts.push_back(substeps.fact());
  }
  if (!step.automatic_iterations || !iterations.has_blocks()) return made;
  std::uint64_t drawn = 0;
  for (const BodyDesc& body : scene.bodies) {
    if (body.fixed) continue;
    const Expected<BodyGeometry> geometry = build_body(scene, body);
    if (!geometry) return geometry.error();
    for (const Placement& place : body_placements(scene, body, drawn))
      iterations.add_load(geometry->mass, place.position);
  }
  iterations.choose(step.substeps);
  step.iterations = std::max(step.iterations, iterations.iterations());
  facts.push_back(iterations.fact());
  return made;
}

}  // namespace limber
