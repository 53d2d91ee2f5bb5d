// The vocabulary of the stage table (stepper.cpp): the parts of a frame, what a World has, who does the work.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace limber {

/// Where in a frame a stage stands: a frame is `frame_begin`, substeps, `frame_end`; a substep is
/// `substep_begin`, iterations, `substep_end`.
enum class FramePart { frame_begin, substep_begin, iteration, substep_end, frame_end };

/// What a World has that some stages are for. Decided once a frame (Stepper::subsystems_of).
enum class Subsystem : std::uint32_t {
  colliders = 1u << 0,
  surfaces = 1u << 1,        ///< cloth that touches itself and other cloth
  bodies = 1u << 2,          ///< rigid ones
  coupling = 1u << 3,        ///< bodies and particles
  particles = 1u << 4,       ///< grains and clusters, which touch each other
  clusters = 1u << 5,        ///< shape matching
  rigid_clusters = 1u << 6,  ///< those of stiffness 1
  sheets = 1u << 7,          ///< grains or clusters, and cloth
  pressure = 1u << 8,
  compliance = 1u << 9,  ///< constraints are soft by compliance, not by stiffness
  tearing = 1u << 10,
  wind = 1u << 11,
  rigid_damping = 1u << 12,    ///< damping that leaves rigid motion alone
  velocity_filter = 1u << 13,  ///< friction or restitution after the iterations
  watched = 1u << 14,          ///< something looks at positions between the stages of a frame
  history = 1u << 15,          ///< the integrator is BDF2
  fluids = 1u << 16,           ///< position based
  spray = 1u << 17,            ///< of fluids
  viscosity = 1u << 18,        ///< of fluids
  spin = 1u << 19,             ///< some connected part is free, whose momenta are kept
  settling = 1u << 20,         ///< settings have changed, and constraints repay what the old ones left
  ties = 1u << 21,             ///< points of anything held together
  rods = 1u << 22,             ///< turns beside particles
  direct_rods = 1u << 23,      ///< rods that are solved as a whole
  soft = 1u << 24,             ///< solids of many clusters
  flow = 1u << 25,             ///< some of them may yield
  heat = 1u << 26,             ///< temperatures
  frozen = 1u << 27,           ///< chunks of frozen particles may be there
  warm = 1u << 28,             ///< fluids that warmth makes lighter
  yield = 1u << 29,            ///< constraints whose rest values flow
  tet_tears = 1u << 30,        ///< solids of tetrahedra that may tear
  breaking = 1u << 31,         ///< soft solids that may break
};

/// A set of them.
class Subsystems {
 public:
  constexpr Subsystems() = default;
  constexpr Subsystems(std::initializer_list<Subsystem> members) {
    for (const Subsystem member : members) bits_ |= std::uint32_t(member);
  }
  constexpr void add(Subsystem member, bool present) { bits_ |= present ? std::uint32_t(member) : 0u; }
  constexpr bool has(Subsystem member) const {
    return (bits_ & std::uint32_t(member)) == std::uint32_t(member);
  }
  constexpr bool has_all(Subsystems others) const { return (bits_ & others.bits_) == others.bits_; }
  constexpr bool has_any(Subsystems others) const { return (bits_ & others.bits_) != 0; }

 private:
  std::uint32_t bits_ = 0;
};

/// Which thread does what in a stage.
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
