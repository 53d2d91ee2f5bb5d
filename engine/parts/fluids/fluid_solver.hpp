// Fluids in a step: neighbours, the density constraint, and forces that act on velocities afterwards.
#pragma once

#include <vector>

#include "engine/constraints/density.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/particles/neighbour_lists.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parts/bodies/body_solver.hpp"
#include "engine/parts/coupling/coupling.hpp"
#include "engine/parts/fluids/fluid_film.hpp"
#include "engine/parts/fluids/fluid_rods.hpp"
#include "engine/parts/fluids/fluid_sheets.hpp"
#include "engine/parts/fluids/fluid_wall.hpp"
#include "engine/parts/fluids/thick_fluid.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The density constraints of all fluids of a World (constraints/density.hpp), solved by Jacobi iterations
/// that keep their multipliers over substeps. Particles of grains and clusters displace fluid: they count as
/// its neighbours, and fluid pushes them, but they have no constraint of their own. Colliders, bodies and
/// sheets of triangles fill the part of a particle's support behind their surface, and the pressure of the
/// fluid acts on them. Contacts stop particles that still come too near.
class FluidSolver {
 public:
  explicit FluidSolver(const FluidKernels<real>& kernels) : kernels_(kernels), thick_fluid_(kernels) {}

  static bool enabled(const World& world) { return !world.topology->fluid.empty(); }

  void reserve(const World& world);  ///< allocates; call between steps

  // Must be called by every thread of the team.

  /// Finds neighbours. Must be called after all particles of a substep of h s were predicted.
  void begin_substep(World& world, real h, Team& team);

  /// The solvers of all objects that a fluid can touch in this substep; null: the scene has none.
  struct Walls {
    const StaticContacts* colliders;
    Coupling* coupling;
    BodySolver* bodies;
    TouchedParts* touched = nullptr;  ///< is told which clusters fluids push; may be null
  };
  /// Runs one iteration. The first one of a substep begins with a warm start by the kept pressure.
  void project(World& world, const Walls& walls, real h, Team& team);

  /// Whether a fluid is too viscous for the explicit step of end_substep() (most_viscosity()).
  bool thick() const { return thick_; }
  /// Solves the viscosity of thick fluids, including that at walls. Must be called before velocities are
  /// computed. Changes `moved`.
  void thicken(World& world, const Walls& walls, real h, Team& team);
  double viscosity_residual() const { return thick_fluid_.residual(); }  ///< see ThickFluid
  int viscosity_sweeps() const { return thick_fluid_.sweeps(); }

  /// Applies viscosity, vorticity, cohesion, adhesion, drag of sheets, and buoyancy and drag of thin rods,
  /// after velocities were computed. Stores the pressure for the next substep.
  void end_substep(World& world, const Walls& walls, real h, Team& team);

  /// The grid of fluid particles. Each particle is within stray() m of its position in the grid throughout
  /// the substep.
  const NeighbourSearch& grid() const { return lists_.search(); }
  const NeighbourLists& lists() const { return lists_; }
  real stray() const;

 private:
  struct Range {
    std::int64_t begin, end;  ///< sorted particles, whole slices
  };
  Range own(const Team& team) const;
  void list_members(const World& world);
  double load_matter(const World& world, real h, const Range& mine);
  vec4 seen(const World& world, std::size_t i) const;
  void load_points(const World& world, const Range& mine);
  void load_walls(const World& world, const Walls& walls, Team& team);
  void move(World& world, const Walls& walls, const FluidView<real>& now, const Range& mine, Team& team);
  void calm(World& world, real h, const Range& mine, Team& team);
  void add_gained(World& world, const Walls& walls, const Range& mine);
  void adhere(World& world, const Walls& walls, real h, const Range& mine, Team& team);
  void adhere_to_balls(World& world, const Walls& walls, real h, const Range& mine) const;
  FluidView<real> view(const World& world, real h);

  const FluidKernels<real>& kernels_;
  NeighbourLists lists_;
  std::vector<std::int32_t> members_;  ///< present fluid particles, then particles that displace fluid
  FluidSheets sheets_;
  FluidRods rods_;
  FluidFilm film_;
  ThickFluid thick_fluid_;
  // per particle
  std::vector<FluidWall> walls_;
  AlignedVector<real> pushed_;  ///< kg m^2, dl of an iteration

  // per sorted particle
  AlignedVector<vec4> points_, pressed_, moved_, push_, velocity_, matter_, curl_, slope_, gained_;
  AlignedVector<real> wall_, fluid_, density_, lambda_, vorticity_, spread_;
  std::vector<real> steps_;           ///< m, per thread: largest displacement of a particle in the substep
  std::vector<double> most_viscous_;  ///< per thread: largest ratio of viscosity and most_viscosity()
  bool thick_ = false;
  real pressed_step_ = 0;           ///< m, bound of the displacement by pressure
  real lightest_ = 0;               ///< kg, smallest mass of a fluid particle
  bool warm_ = false;               ///< the warm start of this substep is still to be done
  bool alike_ = true;               ///< all particles in the lists are fluid and have the same mass
  bool several_densities_ = false;  ///< particles of fluids have more than one mass
  bool viscous_ = false, smooth_ = false, limited_ = false, whirls_ = false, sticks_ = false,
       adheres_ = false;  ///< a fluid has this property
};

}}  // namespace limber::LIMBER_PRECISION
