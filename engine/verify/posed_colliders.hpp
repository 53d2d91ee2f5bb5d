// Penetration of points into colliders that change their shape.
#pragma once

#include <memory>
#include <vector>

#include "engine/contact/bodies/manifold.hpp"
#include "engine/contact/colliders/posed_surface.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Surfaces of colliders that change their shape. They are kept between measurements, because building a tree
/// of boxes takes far longer than refitting it.
class PosedColliders {
 public:
  /// Places the surfaces at the World's time.
  void follow(const World& world);

  /// m, deepest penetration of a point; 0 outside all colliders, and also deeper than 0.1 m inside, where the
  /// search ends.
  double depth(const vec3& p) const;

  /// m, deepest penetration of a convex shape.
  double overlap(const ConvexShape& shape, const Placed& at) const;

  /// Number of trees built so far.
  int made() const { return made_; }

 private:
  struct Posed {
    std::shared_ptr<const PoseSequence> poses;  ///< keeps the sequence alive to which `surface` refers
    PosedSurface surface;
    double shell;  ///< m
    vec3 position;
    mat3 rotation;
  };
  Posed take(const std::shared_ptr<const PoseSequence>& poses, double shell, std::vector<Posed>& earlier);

  std::vector<Posed> posed_;
  int made_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
