#include "engine/state/world_finite.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "engine/state/constraint_set.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/number_walk.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

class FiniteWalk : public NumberWalk<FiniteWalk> {
 public:
  bool all() const { return (bits_ >> 63) == 0; }

  /// Adding one to an exponent of which all bits are set, as NaN and infinities have it, sets the sign.
  template <class T>
  void number(const T& number) {
    if constexpr (std::is_same_v<T, float>)
      bits_ |= std::uint64_t((std::bit_cast<std::uint32_t>(number) & 0x7fffffffu) + 0x00800000u) << 32;
    if constexpr (std::is_same_v<T, double>)
      bits_ |= (std::bit_cast<std::uint64_t>(number) & 0x7fffffffffffffffull) + 0x0010000000000000ull;
  }
  void length(std::size_t) {}

  using NumberWalk::add;
  /// Rows are most of a World: a loop over lanes.
  template <class Allocator>
  void add(const std::vector<vec4, Allocator>& list) {
    using Bits = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
    constexpr int mantissa = std::numeric_limits<real>::digits - 1;
    constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1), one = Bits(1) << mantissa;
    Bits any[4] = {};
    for (const vec4& row : list)
      for (int k = 0; k < 4; ++k) any[k] |= (std::bit_cast<Bits>(row[k]) & ~sign) + one;
    for (const Bits lane : any) bits_ |= std::uint64_t(lane) << (64 - 8 * sizeof(Bits));
  }
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
  std::uint64_t bits_ = 0;  ///< the sign is set if a number is not finite
};

}  // namespace

bool carries_finite_values(const World& world) {
  FiniteWalk walk;
  walk.add(world);
  return walk.all();
}

}}  // namespace limber::LIMBER_PRECISION
