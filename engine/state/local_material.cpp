#include "engine/state/local_material.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/rates.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/softening.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/flowed_rest.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/rod_split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Whether temperatures act on the stiffness of an object.
bool is_warm(const World& world, std::size_t object) {
  return !world.heat->enthalpy.empty() && softens(world.settings.materials[object]);
}

double mean_temperature(const World& world, std::span<const std::int32_t> particles) {
  double sum = 0.0;
  for (const std::int32_t i : particles) sum += world.heat->temperature[std::size_t(i)];
  return sum / double(particles.size());
}

/// Softness and damping of the constraints of one type of an object.
template <class Type>
class OwnNumbers {
 public:
  OwnNumbers(const World& world, std::size_t object)
      : material_(world.settings.materials[object]),
        compliant_(is_compliant(world.settings.solver.method->kind)),
        varies_(varies(world, object)) {
    const bool twice = sweeps_back(world.settings.solver) || strains_skin(world, object);
    visits_ = (twice ? 2 : 1) * world.settings.solver.step->iterations;
    if (!varies_ && !compliant_) stiffness_ = stiffness_per_iteration(Type::stiffness(material_), visits_);
  }

  void put(const World& world, const StencilBatch<Type>& batch, std::size_t s,
           StencilState<Type>& state) const {
    if (!varies_) return put(material_, stiffness_, batch, s, state);
    const Material own = local_material(world, std::size_t(batch.object[s]), nodes_of(batch, s));
    put(own, compliant_ ? 0.0 : stiffness_per_iteration(Type::stiffness(own), visits_), batch, s, state);
  }

 private:
  void put(const Material& material, double stiffness, const StencilBatch<Type>& batch, std::size_t s,
           StencilState<Type>& state) const {
    const auto fill = [&](const auto& numbers) {
      for (std::size_t k = 0; k < numbers.size(); ++k) state.softness[k][s] = real(numbers[k]);
    };
    compliant_ ? fill(softness_of<Type>(material, batch.compliance_scale[s]))
               : fill(stiffness_numbers<Type>(stiffness));
    if (!state.damping.empty()) state.damping[s] = real(damping_time<Type>(material));
  }

  const Material& material_;
  bool compliant_, varies_;
  int visits_ = 1;
  double stiffness_ = 0.0;  ///< PBD: k' if no slot differs from another
};

}  // namespace

bool any_softens(const World& world) {
  return !world.heat->empty() &&
         std::any_of(world.settings.materials.begin(), world.settings.materials.end(), softens);
}

bool varies(const World& world, std::size_t object) {
  return world.fields->has(MaterialField::stiffness) || world.fields->has(MaterialField::damping) ||
         is_warm(world, object);
}

const Material& object_material(const World& world, std::size_t object) {
  return world.settings.materials[object];
}

Material local_material(const World& world, std::size_t object, std::span<const std::int32_t> nodes) {
  Material material = world.settings.materials[object];
  if (is_warm(world, object))
    material = softened(material, softened_share(material, mean_temperature(world, nodes)));
  if (world.fields->has(MaterialField::stiffness))
    material = stiffened(material, field_over(world, MaterialField::stiffness, nodes));
  material.damping_time *= field_over(world, MaterialField::damping, nodes);
  return material;
}

void refresh_softness(World& world) {
  const bool compliant = is_compliant(world.settings.solver.method->kind);
  for (std::size_t o = 0; o < world.matter.volume_goals.size(); ++o)
    world.matter.volume_goals[o].softness =
        real(compliant ? world.settings.materials[o].volume_compliance
                       : stiffness_per_iteration(world.settings.materials[o].volume_stiffness,
                                                 world.settings.solver.step->iterations));
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*world.topology->constraints);
    auto& state = std::get<type>(*world.matter.constraints);
    const std::size_t objects = world.settings.materials.size();
    bool damped = false;
    for (const Material& material : world.settings.materials) damped |= damping_time<Type>(material) > 0.0;
    damped &= compliant;
    state.damping.assign(damped ? std::size_t(batch.slots()) : 0, real(0));
    std::vector<OwnNumbers<Type>> own;
    for (std::size_t o = 0; o < objects; ++o) own.emplace_back(world, o);
    for (std::size_t s = 0; s < std::size_t(batch.slots()); ++s) {
      if (batch.object[s] < 0) {  // padding, or a retired bend constraint of a broken rod
        if constexpr (std::is_same_v<Type, RodBend>)
          for (auto& numbers : state.softness) numbers[s] = no_stiffness(compliant);
        continue;
      }
      own[std::size_t(batch.object[s])].put(world, batch, s, state);
    }
  });
  begin_flow(world);
}

void soften(World& world, int rank, int count) {
  constexpr std::size_t block = 256;
  if (!any_softens(world)) return;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*world.topology->constraints);
    auto& state = std::get<type>(*world.matter.constraints);
    const std::size_t slots = std::size_t(batch.slots());
    for (std::size_t from = block * std::size_t(rank); from < slots; from += block * std::size_t(count))
      for (std::size_t s = from; s < std::min(from + block, slots); ++s)
        if (batch.object[s] >= 0 && is_warm(world, std::size_t(batch.object[s])))
          OwnNumbers<Type>(world, std::size_t(batch.object[s])).put(world, batch, s, state);
  });
}

}}  // namespace limber::LIMBER_PRECISION
