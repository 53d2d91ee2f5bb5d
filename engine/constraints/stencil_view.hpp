// The arrays of one constraint type as kernels take them, and the parameters of a sweep.
#pragma once

#include <cstdint>

#include "engine/constraints/nodes.hpp"
#include "engine/constraints/stencil_traits.hpp"

namespace limber {

/// Arrays of the constraints of one type as the kernels see them: one entry per slot, padded to lane_group. A
/// padding slot has points of inverse mass zero at all corners, so its projection writes back what it read.
template <class Type, class T>
struct StencilView {
  const std::int32_t* vertices[Type::arity];  ///< internal particle indices
  const T* rest[Type::rest_count];
  const T* softness[softness_numbers<Type>()];  ///< XPBD: compliance alpha; PBD: stiffness per iteration k'
  T* lambda[row_count<Type>()];                 ///< multipliers, accumulated over this substep
  const T* damping;                             ///< s, time of XPBD damping; null: no damping
};

/// Parameters common to all constraints of a sweep.
template <class T>
struct Sweep {
  bool compliant;               ///< true: XPBD; false: PBD
  bool first;                   ///< first iteration of the substep: lambda starts at zero
  T inverse_h_squared;          ///< 1/s^2
  bool backward = false;        ///< visit the phases in reverse
  const T* previous = nullptr;  ///< rows like the points: displacements at the start of the substep, from the
                                ///< same origins; for damping
  T inverse_h = 0;              ///< 1/s
  const T* origin = nullptr;    ///< rows: the origin of each point, from which its displacement is counted
  bool turns = true;            ///< visit types with turns too
};

/// Whether a sweep visits the constraints of a type.
template <class Type, class T>
bool takes(const Sweep<T>& sweep) {
  return sweep.turns || !has_turns<Type>();
}

/// Arrays to which a Jacobi iteration writes its corrections; the points gather them afterwards.
template <class Type, class T>
struct Corrections {
  const T* share;                         ///< per slot: factor on dlambda
  T* moment[3 * written_points<Type>()];  ///< per slot: x, y, z of grad_j C dlambda, corner after corner
};

}  // namespace limber
