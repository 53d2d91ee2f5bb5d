// Estimates how far a simulated sheet sags beyond the true sag of its material. Sweeps correct stiff hinges
// too little, so the sheet is softer than its material.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <span>

namespace limber {

struct ObjectDesc;
struct ObjectGeometry;
struct SceneDesc;

/// A sweep in a substep of h corrects a stiff hinge no farther than a softer one, so a sheet behaves like one
/// of compliance
///
///   alpha + softening r h^2 / k,   r = w sum_j |grad_j theta|^2 / m_j   (median over the hinges)
///
/// with k iterations; w is the weight of the hinge (SheetWeights). Measured: the added compliance is 0.72 to
/// 0.88 of r h^2 with one iteration, and less than r h^2 / k with more.
///
/// A strip as long as the sheet, clamped at one end, sags under its weight by the share f(G) of its length,
/// with G = rho g L^3/B. f = G/(8^p + G^p)^(1/p), p = 3/2, is within 4 % of the elastica (G = 1: 0.12, 10:
/// 0.70, 100: 0.98). The added compliance changes little in a sheet that its weight bends anyway.
class SheetBending {
 public:
  /// Measures one copy of `object` as built; its longest side is L.
  SheetBending(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry);

  /// Like the constructor, but builds the object's geometry first; none if that fails.
  static std::optional<SheetBending> of(const SceneDesc& scene, const ObjectDesc& object);

  /// True if a single substep per frame is enough for an object that is now at `positions`, m.
  static bool limp(const SceneDesc& scene, const ObjectDesc& object, std::span<const glm::dvec3> positions);

  /// Excess of the strip's sag with `substeps` substeps over its true sag, as a share of the true sag; 0 if
  /// nothing bends or gravity is 0.
  double excess(double substeps) const;
  /// The least number of substeps for which excess() is at most `tolerated`.
  double substeps() const;

  static constexpr double tolerated = 0.2;
  static constexpr double softening = 0.8;

 private:
  double load_ = 0.0;        ///< rho g L^3, N m
  double compliance_ = 0.0;  ///< 1/(N m)
  double left_ = 0.0;        ///< softening r dt^2 / k, 1/(N m): compliance added with one substep
};

}  // namespace limber
