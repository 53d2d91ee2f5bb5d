// Chooses the numbers of substeps and iterations of a scene with `"substeps": "auto"` or `"iterations":
// "auto"`.
#pragma once

#include <glm/vec3.hpp>
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

  /// The number of substeps that tetrahedra need if a substep has one iteration; not rounded or clamped.
  static double of_tets(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry);

 private:
  void raise(double wanted, const ObjectDesc& object, const char* what);

  int substeps_ = fewest;
  double wanted_ = fewest;  ///< before clamping to `most`
  std::string object_;      ///< the object that needs the most substeps
  const char* what_ = "";   ///< the property of that object, "the bending of "
};

/// The number of iterations that blocks of tetrahedra under heavy loads need.
///
/// A sweep that carries only part of a force across an element leaves the rest to the next substep, in which
/// gravity adds as much again. A block of n substeps and k iterations therefore yields farther than its
/// material does, by a share that falls with (n k)^2 and does not depend on the load. It shows only under
/// heavy loads. With n0 = SubstepChoice::of_tets(), n k = `sweeps` n0 leaves less than a tenth of the static
/// yield for loads up to `strong` times the block's mass. A heavier load sways, and needs more to stay
/// upright: in proportion to the root of the load (measured).
///
/// A soft solid of clusters gives a load back more energy than it took if one sweep compresses it while the
/// load hardly slows down: at 10 substeps and one iteration a load of 10 times its mass gains a fifth, one of
/// 20 times its mass ten times its energy. n k = `soft_steps` times the root of the load, as a multiple of
/// `soft_strong` times the solid's mass, gains none (measured).
class IterationChoice {
 public:
  static constexpr int fewest = 1, most = 20;
  static constexpr double sweeps = 4.0;
  static constexpr double heavy = 10.0, strong = 100.0;  ///< load as a multiple of the block's mass
  static constexpr double soft_steps = 10.0, soft_strong = 5.0;

  /// A body or a free block of tetrahedra: its mass in kg, and the middle of its box in m.
  void add_load(double mass, const glm::dvec3& middle) { loads_.push_back({mass, middle}); }
  /// All copies of a block of tetrahedra or of a soft solid. `among_loads`: blocks of tetrahedra load each
  /// other, if they are free.
  void add_blocks(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry,
                  bool among_loads);
  /// Chooses the number for this number of substeps. Loads count where their middle is above that of a block
  /// and within its box as seen from above.
  void choose(int substeps);

  bool has_blocks() const { return !blocks_.empty(); }
  int iterations() const { return iterations_; }
  /// Message for the user: "solver.iterations auto: 5, for o under 100 times its mass"; "" for `fewest`.
  std::string fact() const;

 private:
  struct Load {
    double mass;        ///< kg
    glm::dvec3 middle;  ///< m
  };
  struct Block {
    double mass;           ///< kg
    glm::dvec3 low, high;  ///< m, corners of its box
    double substeps;       ///< SubstepChoice::of_tets(); 0: a soft solid
    const ObjectDesc* object;
  };
  std::vector<Load> loads_;
  std::vector<Block> blocks_;
  int iterations_ = fewest;
  double wanted_ = fewest;  ///< before clamping to `most`
  double ratio_ = 0.0;      ///< load of the block that needs the most, as a multiple of its mass
  std::string object_;      ///< that block
  bool soft_ = false;       ///< it is a soft solid
};

/// Chooses those numbers of substeps and iterations that the scene leaves to the program, and writes them
/// into `scene`; `facts` gets the messages for the user. Returns the geometry of each object, in the order of
/// the scene; only objects that the numbers depend on have one.
Expected<std::vector<std::optional<ObjectGeometry>>> choose_steps(SceneDesc& scene,
                                                                  std::vector<std::string>& facts);

}  // namespace limber
