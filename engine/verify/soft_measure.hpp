// The clusters of soft solids: poses, energy, plastic strain, heat maps.
#pragma once

#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/geometry/clusters/cluster_pose.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Sets `out` to the linear deformation of every cluster relative to its original shape.
void pose_clusters(const World& world, std::vector<ClusterPose>& out);

/// Sets `out` to the positions, m, of the skin vertices of all soft solids; w: 0 for a vertex that is not
/// bound to particles.
void place_skins(const World& world, std::vector<glm::vec4>& out);

/// Adds the number of clusters, the largest plastic strain of a cluster, and to the elastic and the potential
/// energy that of clusters with Young's modulus. Shape matching with a stiffness k has no energy.
void add_soft_solids(const World& world, Measures& m);

/// Writes, by external id, a number between 0 and 1 for each vertex of a cluster: numbers of neighbouring
/// clusters lie far apart, and a vertex of several takes their mean, weighted by its place in them (1 in the
/// middle of a cluster, 0 at its rim). Other entries stay unchanged.
void write_cluster_numbers(const World& world, std::span<float> out);
/// Writes the largest plastic strain of the clusters of each vertex.
void write_cluster_plastic(const World& world, std::span<float> out);

}}  // namespace limber::LIMBER_PRECISION
