#include "engine/verify/posed_colliders.hpp"

#include <algorithm>
#include <utility>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real deepest = real(0.1);  // m, largest depth that is measured

}  // namespace

PosedColliders::Posed PosedColliders::take(const std::shared_ptr<const PoseSequence>& poses, double shell,
                                           std::vector<Posed>& earlier) {
  const auto same = std::find_if(earlier.begin(), earlier.end(), [&](const Posed& other) {
    return other.poses == poses && other.shell == shell;
  });
  if (same == earlier.end()) {
    ++made_;
    return {poses, PosedSurface(*poses, shell), shell, vec3(0), mat3(1)};
  }
  Posed taken = std::move(*same);
  same->poses.reset();
  return taken;
}

void PosedColliders::follow(const World& world) {
  std::vector<Posed> earlier = std::exchange(posed_, {});
  const auto& meshes = world.topology->collider_meshes;
  for (std::size_t c = 0; c < std::min(world.colliders.size(), meshes.size()); ++c) {
    if (!meshes[c].poses) continue;
    posed_.push_back(take(meshes[c].poses, meshes[c].shell, earlier));
    posed_.back().position = world.colliders[c].position;
    posed_.back().rotation = world.colliders[c].rotation;
    posed_.back().surface.place(world.time, 0.0, 0);
  }
}

double PosedColliders::depth(const vec3& p) const {
  double depth = 0.0;
  for (const Posed& posed : posed_)
    depth = std::max(depth, -double(posed.surface.at(0, (p - posed.position) * posed.rotation, deepest).d));
  return depth;
}

double PosedColliders::overlap(const ConvexShape& shape, const Placed& at) const {
  double depth = 0.0;
  for (const Posed& posed : posed_) {
    Manifold patches[field_manifolds_max];
    const int count =
        collide_skin(shape, at, posed.surface, {posed.position, posed.rotation}, real(0), patches);
    for (int k = 0; k < count; ++k) depth = std::max(depth, double(patches[k].depth()));
  }
  return depth;
}

}}  // namespace limber::LIMBER_PRECISION
