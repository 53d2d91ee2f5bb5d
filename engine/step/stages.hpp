// Types of the stage table in order.hpp: parts of a frame, subsystems, sharing of the work.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace limber {

/// Position of a stage in the frame: a frame is `frame_begin`, substeps, `frame_end`; a substep is
/// `substep_begin`, iterations, `substep_end`.
enum class FramePart { frame_begin, substep_begin, iteration, substep_end, frame_end };

/// Properties of a World on which stages depend. Determined once a frame (Stepper::subsystems_of).
enum class Subsystem {
  colliders,
  surfaces,        ///< deformable surfaces and rods that touch themselves and each other
  bodies,          ///< rigid bodies
  coupling,        ///< contacts and ties between bodies and particles
  particles,       ///< grains and clusters, which touch each other
  clusters,        ///< shape matching of clusters
  rigid_clusters,  ///< clusters of stiffness 1
  sheets,          ///< contacts of grains, clusters or fluids with surfaces
  pressure,
  compliance,  ///< constraints are soft by compliance, not by stiffness
  tearing,
  wind,
  rigid_damping,    ///< damping that leaves rigid motion alone
  velocity_filter,  ///< friction or restitution in velocities at colliders, after the iterations
  coupling_filter,  ///< friction or restitution in velocities between particles and bodies
  restitution,      ///< particles that bounce off each other, or clusters that bounce off colliders
  watched,          ///< a stage within the frame reads positions
  history,          ///< the integrator is BDF2
  fluids,           ///< position based fluids
  spray,            ///< diffuse particles of fluids
  viscosity,        ///< viscosity of fluids
  spin,             ///< a connected part is free, so that its momenta are conserved
  settling,         ///< settings have changed; errors of the old settings are being corrected
  ties,             ///< ties between points of objects, bodies or colliders
  rods,             ///< rods, whose segments have orientations
  direct_rods,      ///< rods that are solved as a whole
  soft,             ///< soft solids of many clusters
  skins,            ///< skins of soft solids that can touch colliders or bodies
  flow,             ///< soft solids that may yield
  heat,             ///< temperatures
  frozen,           ///< chunks of frozen particles may exist
  warm,             ///< fluids that become lighter when warm
  yield,            ///< constraints whose rest values can flow
  tet_tears,        ///< tetrahedra that may tear
  breaking,         ///< soft solids that may break
  rod_breaks,       ///< rods that may break
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
  constexpr bool operator==(const Subsystems&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

/// Threads that do the work of a stage, and when they keep to their own shares. A stage neither begins nor
/// ends at a barrier that it always needs: barriers between stages follow from the uses (uses.hpp). Barriers
/// inside a stage are its own; before the first and behind the last of them it may use less than it declares.
enum class Who {
  first,      ///< thread 0 alone; the others continue
  all,        ///< all threads; they may use anybody's share from the start to the end
  own_start,  ///< all threads; before the first barrier inside each keeps to its own share
  own_end,    ///< all threads; behind the last barrier inside each keeps to its own share
  own_ends,   ///< both
};
constexpr bool starts_own(Who who) { return who == Who::own_start || who == Who::own_ends; }
constexpr bool ends_own(Who who) { return who == Who::own_end || who == Who::own_ends; }

/// Names of the times in a StepReport.
enum class Clock : std::size_t { predict, contacts, project, guard, velocities, tear };
inline constexpr std::array<std::string_view, 6> clock_names{"predict", "contacts",   "project",
                                                             "guard",   "velocities", "tear"};

}  // namespace limber
