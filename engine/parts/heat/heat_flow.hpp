// Conduction and exchange of heat, and the changes of phase that result.
#pragma once

#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/particles/neighbour_search.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parts/heat/body_warmth.hpp"
#include "engine/parts/heat/frozen_chunks.hpp"
#include "engine/state/heat_mesh.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Heat of all particles of a World, once a frame. Links between particles conduct; their conductances G in
/// W/K are symmetric, so that heat is conserved:
///
///   m_i dh_i/dt = sum_j G_ij (T_j - T_i) + sum over surroundings of G (T_outside - T_i).
///
/// Within sheets, tetrahedra and rods a link is an edge with the conductance of linear finite elements.
/// Particles of fluids, grains and clusters conduct as one medium (conductance_of()). Other particles of
/// different objects exchange heat if they touch. The surroundings of a particle are the air at its free
/// surface, and colliders and bodies that have a temperature. Integration is explicit, with heat substeps as
/// short as the most conductive particle needs. Every particle sums over its links in their order, so the
/// bits do not depend on the number of threads.
class HeatFlow {
 public:
  static bool enabled(const World& world);

  void reserve(const World& world);  ///< allocates; call between steps

  /// Joins frozen particles into chunks if that has not been done yet. Must be called by every thread of the
  /// team.
  void begin(World& world, Team& team);

  /// Computes one frame of dt s, at the final positions of particles. Must be called by every thread of the
  /// team. `contacts`: those of the last substep; null: there are no colliders.
  void run(World& world, const StaticContacts* contacts, double dt, Team& team);

 private:
  /// One end of a link, stored at the other end's particle.
  struct Link {
    std::int32_t to;
    double conductance;  ///< W/K; while rows are built: m, length of an edge
  };

  void search(World& world, Team& team);
  void link(const World& world);
  void note_surfaces(const World& world, const StaticContacts* contacts, const Share& mine);
  void conduct(const World& world, const Share& mine);
  void surround(const World& world, const Share& mine);
  double correction(std::size_t i, const glm::dvec3& n) const;
  double pair_conductance(const World& world, std::size_t a, std::size_t b) const;
  void exchange(World& world, double dt, Team& team);
  void change_phases(World& world, Team& team);

  std::vector<HeatMesh::Part> parts_;  ///< per particle
  std::vector<std::int32_t> members_;  ///< particles in the search
  std::vector<std::int32_t> phase_;    ///< per particle, for the search: particles of one sheet do not pair
  NeighbourSearch search_;
  real reach_ = 0;                  ///< m, reach of the search
  std::vector<glm::dvec3> places_;  ///< m, per particle
  double link_length_ = 0.0;        ///< m, length within which lumps are linked
  double volume_ = 0.0;             ///< m^3, volume of a lump
  double weight_ = 0.0;             ///< m, weight of links between lumps (conductance_of())
  double facing_ = 0.0;  ///< asymmetry at a plane surface of lumps, with which note_surfaces() compares
  std::vector<std::size_t> row_;  ///< per particle: its first link; and one more for the end
  std::vector<std::size_t> next_;
  std::vector<std::size_t>
      edges_of_;  ///< per particle: the number of edges among its links, which come first
  std::vector<Link> links_;
  std::vector<double> mass_;  ///< kg; 0: the particle keeps its temperature
  std::vector<double> outside_,
      warmth_;  ///< W/K to the surroundings of a particle; the same times their temperature, W
  std::vector<double> supplied_;       ///< J, heat supplied from outside in this frame
  std::vector<double> free_;           ///< m^2, free surface of a lump
  std::vector<double> spread_;         ///< correction() of a lump; 0: it depends on direction
  std::vector<std::int32_t> touched_;  ///< per particle: number of particles of other objects that touch it
  std::vector<double> limits_;         ///< s, per thread: longest stable step
  std::vector<std::int64_t> changed_;  ///< per thread: number of changes of phase
  FrozenGrouping grouping_;
  BodyWarmth bodies_;
  std::vector<BodyWarmth::Skin> skins_;  ///< per particle
  int substeps_ = 0;
  double step_ = 0.0;  ///< s
};

}}  // namespace limber::LIMBER_PRECISION
