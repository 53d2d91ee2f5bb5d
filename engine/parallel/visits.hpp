// Loops over what an iteration solves tell here what they visit: the one place from which a frame can be
// written down.
#pragma once

#include <cstdint>

namespace limber {

/// Items of a run. `kind` and `group` of a Visit mean:
enum class Visited : std::uint8_t {
  constraints,    ///< slots of the constraint type `kind`
  level_limits,   ///< slots of the distance limits of a level of a hierarchy
  surface_pairs,  ///< slots of the batch `kind` of the pairs of part `group`
  grain_pairs,    ///< slots of pairs between particles; `kind`: 0 to 2, grains before clusters
  body_contacts,  ///< slots of contacts between bodies; `kind` 1: both sides can move
  joints,         ///< numbers of joints, solved in the order in which they are told
  clusters,       ///< places in the coloured list of rigid clusters
  sheets,         ///< places in the coloured list of grains (`kind` 0) or clusters (1) at sheets
  coupling,       ///< coloured groups of rows between a body and particles
  ties,           ///< coloured rows of ties
  colliders,      ///< rows of contacts with colliders, of the block `group` of particles
  soft_clusters,  ///< numbers of overlapping clusters; `kind`: step of Chebyshev's iteration, from 1
  skins,          ///< numbers of soft solids with a skin; `kind`: round
  fluids,         ///< sorted particles of fluids
  volumes,        ///< numbers of closed surfaces; `kind` 1: all threads share each
  rods,           ///< groups of rods that are solved as a whole; `kind`: RodSolver::Pass
  elements,       ///< slots of the constraint type `kind`, whose energy or gradient a minimizer evaluates
};

/// A run of slots that a thread visits in one go. Its order in a phase is the order of the calls of a thread.
struct Visit {
  Visited what;
  int kind;
  std::int64_t group;
  std::int64_t begin, end;
};

/// Is told of each run before it is visited, by the thread that visits it.
class VisitObserver {
 public:
  virtual ~VisitObserver() = default;
  virtual void see(const Visit& visit) = 0;
};

/// The observer of this thread; null: none. Stepper::set_observer() sets it for the time of a step.
inline thread_local VisitObserver* visit_observer = nullptr;

[[gnu::noinline, gnu::cold]] inline void tell_observer(const Visit& visit) {
  if (visit.begin < visit.end) visit_observer->see(visit);
}

/// Tells the observer of a run. A loop calls it once for all slots that a kernel gets, not once for each.
inline void tell_visit(Visited what, int kind, std::int64_t group, std::int64_t begin, std::int64_t end) {
  if (visit_observer != nullptr) [[unlikely]]
    tell_observer({what, kind, group, begin, end});
}

}  // namespace limber
