// The clusters of soft solids: poses and plastic strain.
#pragma once

#include <vector>

#include "engine/core/measures.hpp"
#include "engine/geometry/clusters/cluster_pose.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Sets `out` to the linear deformation of every cluster relative to its original shape.
void pose_clusters(const World& world, std::vector<ClusterPose>& out);

/// Adds the number of clusters and the largest plastic strain of a cluster.
void add_soft_solids(const World& world, Measures& m);

}}  // namespace limber::LIMBER_PRECISION
