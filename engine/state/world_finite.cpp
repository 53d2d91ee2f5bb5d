#include "engine/state/world_finite.hpp"

#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/number_walk.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

class FiniteWalk : public NumberWalk<FiniteWalk> {
 public:
  bool all() const { return all_; }

  template <class T>
  void number(const T& number) {
    if constexpr (std::is_floating_point_v<T>) all_ &= number - number == T(0);  // NaN for NaN and infinities
  }
  void length(std::size_t) {}

  using NumberWalk::add;
  /// Integers are finite, however many.
  template <class T, class Allocator>
  void add(const std::vector<T, Allocator>& list) requires(std::is_integral_v<T> || std::is_enum_v<T>) {
    (void)list;
  }
  /// Positions and velocities are left out: the stepper checks the velocities of each substep, and a position
  /// that is not finite gives such a velocity. The accelerations that predict paths are passed to the next
  /// frame unchecked.
  void add(const Particles& particles) {
    add(particles.acceleration), add(particles.lasting), add(particles.stray);
  }
  /// Multipliers are left out: they start anew in each frame, or they move particles, whose velocities are
  /// checked. Rest values after plastic flow are passed on.
  template <class Type>
  void add(const StencilState<Type>& state) {
    add(state.flowed);
  }
  // no step writes these; readers and builders of scenes refuse values that are not finite
  void add(const std::shared_ptr<const Topology>&) {}
  void add(const std::shared_ptr<const BodyParts>&) {}
  void add(const std::shared_ptr<const HeatMesh>&) {}
  void add(const Settings&) {}
  void add(const SoftLaw&) {}
  void add(const std::vector<Collider>&) {}
  void add(const Boxed<MaterialFields>&) {}
  void add(const Boxed<HeatState>& heat) { add(*heat); }

 private:
  bool all_ = true;
};

}  // namespace

bool carries_finite_values(const World& world) {
  FiniteWalk walk;
  walk.add(world);
  return walk.all();
}

}}  // namespace limber::LIMBER_PRECISION
