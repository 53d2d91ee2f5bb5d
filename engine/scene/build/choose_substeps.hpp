// The number of substeps of a scene that leaves it to the program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct ObjectDesc;
struct ObjectGeometry;
struct SceneDesc;

/// The number of substeps that the matter of a scene asks for, found object by object while the scene is
/// built.
///
/// One sweep in a substep of h carries a force across one element. An element whose own oscillations are fast
/// beside h gets only part of its force then, and thin tetrahedra are turned over and thrown. With the masses
/// m_j of its corners and the gradients b_j of its shape functions (rows of B, see constraints/tet.hpp), the
/// square of the fastest shear oscillation of an element is at most
///
///   w^2 = 2 mu V sum_j |b_j|^2 / m_j
///
/// (the trace of M^-1 K of its shear), and the largest h is where h^2 w^2 = `fastest` in all elements but the
/// stiffest `spared` of an object. k iterations count as k^2 in h^2.
///
/// Cloth asks for as many as its bending needs (sheet_bending.hpp).
class SubstepChoice {
 public:
  static constexpr int fewest = 10, most = 40;
  static constexpr double fastest = 1.6;
  static constexpr double spared = 0.01;

  /// Looks at one object. Only tetrahedra and stiff cloth ask for more than `fewest`.
  void add(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry);

  int substeps() const { return substeps_; }
  /// For the user: "solver.substeps auto: 40, for the tetrahedra of o"; "" where it is `fewest`.
  std::string fact() const;

 private:
  void raise(double wanted, const ObjectDesc& object, const char* what);

  int substeps_ = fewest;
  double wanted_ = fewest;  ///< unbounded
  std::string object_;      ///< that asks for the most
  const char* what_ = "";   ///< of the object asks for it
};

/// The geometry of every object whose matter says how many substeps the scene needs, in the place of the
/// object; others have none yet. Writes that number into `scene` and tells it.
Expected<std::vector<std::optional<ObjectGeometry>>> choose_substeps(SceneDesc& scene, std::string& fact);

}  // namespace limber
