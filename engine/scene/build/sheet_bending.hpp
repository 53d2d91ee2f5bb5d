// Sag of a sheet of hinges beyond what its material says, because sweeps do not carry its bending.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <span>

namespace limber {

struct ObjectDesc;
struct ObjectGeometry;
struct SceneDesc;

/// One sweep in a substep of h leaves of a stiff hinge what a softer one would leave: a sheet acts as one of
/// compliance
///
///   alpha + softening r h^2 / k,   r = w sum_j |grad_j theta|^2 / m_j   of a hinge in the middle of all
///
/// with k iterations (measured: 0.72 to 0.88 of r h^2 with one, less than with h^2/k with more). A strip as
/// long as the sheet is, held at one end, sags under its weight by the share f(G) of its length, G = rho g
/// L^3/B; f = G/(8^p + G^p)^(1/p), p = 3/2, is within 4 % of the elastica (G = 1: 0.12, 10: 0.70, 100: 0.98).
/// Much compliance changes little where weight bends it anyway.
class SheetBending {
 public:
  /// For one copy of `object` as it is built: L is its longest side.
  SheetBending(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry);

  /// The same, with its geometry built for this; none where that fails.
  static std::optional<SheetBending> of(const SceneDesc& scene, const ObjectDesc& object);

  /// Whether one substep a frame would do for an object that is now at `positions`, m.
  static bool limp(const SceneDesc& scene, const ObjectDesc& object, std::span<const glm::dvec3> positions);

  /// Sag of the strip with that many substeps beyond the right one, as a share of what it should; 0 where
  /// nothing bends or falls.
  double excess(double substeps) const;
  /// The least number of substeps with which that is at most `tolerated`.
  double substeps() const;

  static constexpr double tolerated = 0.2;
  static constexpr double softening = 0.8;

 private:
  double load_ = 0.0;        ///< rho g L^3, N m
  double compliance_ = 0.0;  ///< 1/(N m)
  double left_ = 0.0;        ///< softening r dt^2 / k, 1/(N m): the compliance of one substep
};

}  // namespace limber
