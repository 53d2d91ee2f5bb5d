// PBD on a hierarchy of meshes, from coarse to fine (Mueller 2008).
#pragma once

#include "engine/method/gauss_seidel.hpp"
#include "engine/method/mesh_hierarchy.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A sweep over short edges carries a correction only a few edges far, so a large cloth stretches like
/// rubber. Here an iteration begins on the coarsest level, where edges are long. It projects the distance
/// limits of that level once. The displacements of the level's particles since the start of the iteration are
/// then passed to the particles that are only on the next finer level (dx = sum w_k dx_k over their parents).
/// The next finer level continues, down to the PBD sweep over all constraints. Limits act only against
/// stretch, so folds stay free. Contacts and tears act on the finest level; after a tear the levels are built
/// anew, which allocates.
class Hierarchical {
 public:
  explicit Hierarchical(const KernelTable<real>& kernels) : kernels_(kernels), finest_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World& world, const Team& team) const { finest_.store(world, team); }

  const ConstraintSet& constraints(const World& world) const { return finest_.constraints(world); }
  const Schedule& schedule(const World& world) const { return finest_.schedule(world); }
  const std::vector<HierarchyLevel>& levels() const { return levels_; }

 private:
  void weigh(const HierarchyLevel& level, World& world, const Team& team) const;
  void pull(HierarchyLevel& level, const real* origin, real* points, ColorTurns& turns);
  void follow(const HierarchyLevel& level, World& world, Team& team) const;

  const KernelTable<real>& kernels_;
  GaussSeidel finest_;
  std::vector<HierarchyLevel> levels_;
  std::uint64_t edition_ = 0;  ///< edition of the topology from which levels_ was built
  AlignedVector<vec4> start_;  ///< m, positions at the iteration's start
};

}}  // namespace limber::LIMBER_PRECISION
