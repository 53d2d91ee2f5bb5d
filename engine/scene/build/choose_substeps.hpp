// Chooses the number of substeps of a scene with `"substeps": "auto"`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct ObjectDesc;
struct ObjectGeometry;
struct SceneDesc;

/// The number of substeps that the objects of a scene need. Objects are added one by one while the scene is
/// built.
///
/// A sweep carries a force across one element in a substep of h. If an element oscillates fast compared with
/// h, its force is not carried in full, and thin tetrahedra invert and fly off. With the masses m_j of the
/// element's corners and the gradients b_j of its shape functions (rows of B, see constraints/tet.hpp), the
/// square of the highest angular frequency of its shear is at most
///
///   w^2 = 2 mu V sum_j |b_j|^2 / m_j
///
/// (the trace of M^-1 K of the element's shear). The largest h satisfies h^2 w^2 = `fastest` in all elements
/// of an object except its stiffest ones, a share `spared`. With k iterations h may be k times as long.
///
/// The bending of cloth has a criterion of its own (sheet_bending.hpp).
class SubstepChoice {
 public:
  static constexpr int fewest = 10, most = 40;
  static constexpr double fastest = 1.6;
  static constexpr double spared = 0.01;

  /// Takes one object into account. Only tetrahedra and stiff cloth need more than `fewest`.
  void add(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry);

  int substeps() const { return substeps_; }
  /// Message for the user: "solver.substeps auto: 40, for the tetrahedra of o"; "" for `fewest`.
  std::string fact() const;

 private:
  void raise(double wanted, const ObjectDesc& object, const char* what);

  int substeps_ = fewest;
  double wanted_ = fewest;  ///< before clamping to `most`
  std::string object_;      ///< the object that needs the most substeps
  const char* what_ = "";   ///< the property of that object, "the bending of "
};

/// Chooses the number of substeps and writes it into `scene`; `fact` gets the message for the user. Returns
/// the geometry of each object, in the order of the scene; only objects that the number depends on have one.
Expected<std::vector<std::optional<ObjectGeometry>>> choose_substeps(SceneDesc& scene, std::string& fact);

}  // namespace limber
