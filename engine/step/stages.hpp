// The vocabulary of the stage table (stepper.cpp): parts of a frame, subsystems, sharing of the work.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace limber {

/// Position of a stage in the frame: a frame is `frame_begin`, substeps, `frame_end`; a substep is
/// `substep_begin`, iterations, `substep_end`.
enum class FramePart { frame_begin, substep_begin, iteration, substep_end, frame_end };

/// Properties of a World on which stages depend. Decided once a frame (Stepper::subsystems_of).
enum class Subsystem {
  colliders,
  surfaces,        ///< cloth that touches itself and other cloth
  bodies,          ///< rigid ones
  coupling,        ///< bodies and particles
  particles,       ///< grains and clusters, which touch each other
  clusters,        ///< shape matching
  rigid_clusters,  ///< those of stiffness 1
  sheets,          ///< grains or clusters, and cloth
  pressure,
  compliance,  ///< constraints are soft by compliance, not by stiffness
  tearing,
  wind,
  rigid_damping,    ///< damping that leaves rigid motion alone
  velocity_filter,  ///< friction or restitution after the iterations
  watched,          ///< something looks at positions between the stages of a frame
  history,          ///< the integrator is BDF2
  fluids,           ///< position based
  spray,            ///< of fluids
  viscosity,        ///< of fluids
  spin,             ///< some connected part is free, whose momenta are kept
  settling,         ///< settings have changed, and constraints repay what the old ones left
  ties,             ///< points of anything held together
  rods,             ///< turns beside particles
  direct_rods,      ///< rods that are solved as a whole
  soft,             ///< solids of many clusters
  flow,             ///< some of them may yield
  heat,             ///< temperatures
  frozen,           ///< chunks of frozen particles may be there
  warm,             ///< fluids that warmth makes lighter
  yield,            ///< constraints whose rest values flow
  tet_tears,        ///< solids of tetrahedra that may tear
  breaking,         ///< soft solids that may break
  count
};
static_assert(int(Subsystem::count) <= 64, "Subsystems keeps each as a bit of 64");

/// A set of subsystems.
class Subsystems {
 public:
  constexpr Subsystems() = default;
  constexpr Subsystems(std::initializer_list<Subsystem> members) {
    for (const Subsystem member : members) add(member, true);
  }
  constexpr void add(Subsystem member, bool present) { bits_ |= std::uint64_t(present) << int(member); }
  constexpr bool has(Subsystem member) const { return (bits_ >> int(member) & 1u) != 0; }
  constexpr bool has_all(Subsystems others) const { return (bits_ & others.bits_) == others.bits_; }
  constexpr bool has_any(Subsystems others) const { return (bits_ & others.bits_) != 0; }

 private:
  std::uint64_t bits_ = 0;
};

/// Sharing of a stage's work among threads.
enum class Who {
  first,  ///< thread 0 alone, the others go on
  own,    ///< every thread its own particles, which no other thread reads before the next barrier
  team,   ///< all threads share out whatever the stage is about; it ends at a barrier
};

/// The times a StepReport tells.
enum class Clock : std::size_t { predict, contacts, project, guard, velocities, tear };
inline constexpr std::array<std::string_view, 6> clock_names{"predict", "contacts",   "project",
                                                             "guard",   "velocities", "tear"};

}  // namespace limber
