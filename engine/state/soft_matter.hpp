// Solids of many overlapping clusters: their constant part and their state.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/members.hpp"
#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Parameters of the clusters of a soft solid.
struct SoftLaw {
  real stiffness = 1;     ///< k of shape matching per iteration, used if `young` is 0
  real linear = 0;        ///< 0..1, how far goals follow the linear deformation (beta)
  real quadratic = 0;     ///< 0..1, how far goals follow the quadratic deformation
  real young = 0;         ///< Pa
  real poisson = 0;       ///< nu
  real damping = 0;       ///< s
  real yield = 0;         ///< strain; 0: elastic
  real creep = 0;         ///< 1/s
  real hardening = 0;     ///< increase of the yield strain per plastic strain
  real most_plastic = 0;  ///< largest plastic strain of the rest shape
  real break_strain = 0;  ///< largest difference of goals as a share of the clusters' size; 0: no limit
  real size = 0;          ///< m, size of the clusters
};

/// The ranges of clusters, members and particles of one soft solid.
struct SoftSolid {
  std::int32_t first_cluster = 0, clusters = 0;
  std::int32_t first_member = 0, members = 0;
  std::int32_t first_particle = 0;  ///< internal index; particles are consecutive
  real density = 1;                 ///< kg/m^3
};

/// The vertices of the skins of soft solids. Each is a weighted sum of particles whose weights add up to one
/// and reproduce linear functions (bind_points()), so that an impulse at the vertex, distributed by the same
/// weights, keeps both momenta. A vertex without particles is not bound: its solid is one layer thick.
struct SoftSkin {
  std::vector<std::int32_t> solid_vertex;  ///< per solid: its first vertex; one more number at the end
  std::vector<std::int32_t> vertex_entry;  ///< per vertex: its first particle; one more number at the end
  std::vector<std::int32_t> particle;      ///< of all vertices
  std::vector<real> weight;                ///< of all vertices
  std::vector<vec3> rest;                  ///< m, per vertex: from the solid's centre at rest
  std::vector<real> size;                  ///< m, per solid: longest side of the box of its skin at rest
  bool empty() const { return particle.empty(); }
  std::size_t vertices() const { return rest.size(); }

  static constexpr auto all_members =
      std::tuple(&SoftSkin::solid_vertex, &SoftSkin::vertex_entry, &SoftSkin::particle, &SoftSkin::weight,
                 &SoftSkin::rest, &SoftSkin::size);
};

/// An *entry* is the membership of one particle in one cluster. A *member* is a particle that belongs to any
/// cluster.
struct SoftMatter {
  std::vector<SoftSolid> solids;
  std::vector<std::int32_t> cluster_entry;  ///< per cluster: its first entry; one more number at the end
  std::vector<std::int32_t> cluster_solid;  ///< per cluster
  std::vector<real> cluster_mass;  ///< kg, sum of m_i / n_i, with n_i the number of clusters of particle i
  std::vector<vec3> cluster_rest;  ///< m, centre of mass of the cluster in the solid at rest
  std::vector<std::int32_t> entry_particle;  ///< per entry
  std::vector<std::int32_t> entry_cluster;   ///< per entry
  AlignedVector<vec4> entry_rest;  ///< m, position from the cluster's centre of mass; w: m_i / n_i in kg
  std::vector<std::int32_t> member_particle;  ///< per member
  std::vector<std::int32_t> member_solid;     ///< per member
  /// Per member: its first place in member_entries; one more number at the end
  std::vector<std::int32_t> member_entry;
  std::vector<std::int32_t> member_entries;  ///< entries, ascending
  SoftSkin skin;
  bool empty() const { return solids.empty(); }
  std::size_t clusters() const { return cluster_solid.size(); }

  using Self = SoftMatter;
  static constexpr auto all_members = std::tuple(
      &Self::solids, &Self::cluster_entry, &Self::cluster_solid, &Self::cluster_mass, &Self::cluster_rest,
      &Self::entry_particle, &Self::entry_cluster, &Self::entry_rest, &Self::member_particle,
      &Self::member_solid, &Self::member_entry, &Self::member_entries, &Self::skin);
};

/// A symmetric 3 x 3 matrix of a cluster.
struct SoftMoment {
  vec3 diagonal{0};  ///< xx, yy, zz
  vec3 beside{0};    ///< yz, xz, xy

  mat3 matrix() const {
    return {vec3(diagonal.x, beside.z, beside.y), vec3(beside.z, diagonal.y, beside.x),
            vec3(beside.y, beside.x, diagonal.z)};
  }
  static constexpr auto all_members = std::tuple(&SoftMoment::diagonal, &SoftMoment::beside);
};

/// State of a cluster.
struct SoftCluster {
  vec4 rotation{0, 0, 0, 1};  ///< unit quaternion, from the rest orientation
  SoftMoment moment;          ///< kg m^2, sum w q q^T
  SoftMoment inverse;         ///< inverse of `moment`; for a flat cluster, on its remaining axes
  real stiffest = 0;          ///< 1/(kg m^2), largest eigenvalue of the inverse
  real flat = 0;              ///< 1: the points lie in a plane or on a line
  real flowed = 0;            ///< sum of the plastic strain of all steps
  real bending = 0;  ///< stiffness against displacements that F does not describe, as a share of that against
                     ///< strain (take_moment)

  static constexpr auto all_members =
      std::tuple(&SoftCluster::rotation, &SoftCluster::moment, &SoftCluster::inverse, &SoftCluster::stiffest,
                 &SoftCluster::flat, &SoftCluster::flowed, &SoftCluster::bending);
};

struct SoftState {
  std::vector<SoftLaw> laws;  ///< per solid
  AlignedVector<vec4> rest;   ///< per entry, as SoftMatter::entry_rest, if shapes may flow; else empty
  std::vector<SoftCluster> clusters;
  /// Two rows per entry, of which six numbers count: its quadratic modes (take_modes()); empty if no solid
  /// has quadratic modes.
  AlignedVector<vec4> modes;

  bool empty() const { return clusters.empty(); }
  static constexpr auto all_members =
      std::tuple(&SoftState::laws, &SoftState::rest, &SoftState::clusters, &SoftState::modes);
};

/// Rest positions of the entries, after plastic flow.
inline const AlignedVector<vec4>& rest_of(const SoftMatter& matter, const SoftState& state) {
  return state.rest.empty() ? matter.entry_rest : state.rest;
}

/// Computes the moments of a cluster from the rest positions of its entries, and its bending stiffness. A bar
/// that is bent to the curvature k displaces points by (-k x y, k x^2 / 2), which F does not describe, and
/// stores E k^2 y^2 / 2 per volume. `bending` is chosen so that this energy is right for the sum over all
/// axes.
void take_moment(const vec4* rest, std::int32_t entries, SoftCluster& cluster);

inline constexpr int quadratic_modes = 6;
/// Computes the quadratic modes u_a of the entries of a cluster: the parts of xx, yy, zz, yz, xz, xy of the
/// rest positions that no linear function describes, orthonormal for the weights: sum w u_a u_b = delta_ab.
/// Writes two rows per entry. Returns the number of modes; the others are zero, because the points do not
/// determine them: a cluster needs ten points that lie on no quadric.
int take_modes(const vec4* rest, std::int32_t entries, vec4* modes);
/// Computes the modes of cluster `c` from its present rest positions, if `state` has modes.
void retake_modes(const SoftMatter& matter, SoftState& state, std::size_t c);

}}  // namespace limber::LIMBER_PRECISION
