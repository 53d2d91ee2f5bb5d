#include "engine/state/world_finite.hpp"

#include "engine/state/heat_state.hpp"
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
  /// Places and velocities are left out: the stepper looks at the velocities of each substep, and a place
  /// that is not finite gives one. The accelerations that predict paths, by contrast, outlive the frame unseen.
  void add(const Particles& particles) {
    add(particles.acceleration), add(particles.lasting), add(particles.stray);
  }
  /// Multipliers begin anew in each frame or move particles, whose velocities tell. Rest values that have
  /// flowed stay.
  template <class Type>
  void add(const StencilState<Type>& state) {
    add(state.flowed);
  }
  // Shared and not written by a step; readers and builders of scenes refuse what is not finite.
  void add(const std::shared_ptr<const Topology>&) {}
  void add(const std::shared_ptr<const BodyParts>&) {}
  void add(const std::shared_ptr<const HeatMesh>&) {}
  void add(const Settings&) {}
  void add(const SoftLaw&) {}
  void add(const std::vector<Collider>&) {}
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
