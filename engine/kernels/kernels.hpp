// The kernels of one instruction set as a table of functions, chosen once at start-up.
#pragma once

#include <cstdint>
#include <tuple>

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/density.hpp"
#include "engine/constraints/local_step.hpp"
#include "engine/constraints/momentum.hpp"
#include "engine/constraints/shape_matching.hpp"
#include "engine/constraints/stencil_view.hpp"
#include "engine/contact/bodies/body_contact.hpp"
#include "engine/contact/cloth/surface_leaf.hpp"
#include "engine/contact/cloth/surface_pair.hpp"
#include "engine/contact/particles/particle_pair.hpp"
#include "engine/kernels/air_plates.hpp"
#include "engine/kernels/body_motion.hpp"
#include "engine/kernels/joint_net_rows.hpp"
#include "engine/kernels/joint_tree.hpp"
#include "engine/kernels/rod_system.hpp"
#include "engine/kernels/turn_motion.hpp"

namespace limber {

template <class Type, class T>
using CorrectFunction = void (*)(const StencilView<Type, T>& batch, std::int32_t begin, std::int32_t end,
                                 const T* points, const Sweep<T>& sweep, const Corrections<Type, T>& out);
template <class Type, class T>
using ProjectFunction = void (*)(const StencilView<Type, T>& batch, std::int32_t begin, std::int32_t end,
                                 T* points, const Sweep<T>& sweep);

template <class Type, class T>
using LocalStepFunction = void (*)(const StencilView<Type, T>& batch, std::int32_t begin, std::int32_t end,
                                   const T* origin, const T* points, const LocalStep<Type, T>& out);

/// All kernels over lanes. Particle arrays are flat, with four numbers per particle; `begin` and `end` count
/// numbers, and are multiples of 4 * lane_group.
template <class T>
struct KernelTable {
  template <class Type>
  using Project = ProjectFunction<Type, T>;
  template <class Type>
  using Correct = CorrectFunction<Type, T>;
  template <class Type>
  using Local = LocalStepFunction<Type, T>;
  PerType<Project> project;
  PerType<Correct> correct;
  PerType<Local> local_step;
  SurfacePairKernels<T> pairs;
  SurfaceLeafKernels<T> leaves;
  BodyContactKernels<T> contacts;
  BodyMotionKernels<T> motion;
  ParticlePairKernels<T> particles;
  ShapeMatchingKernels<T> matching;
  FluidKernels<T> fluid;
  MomentumKernels<T> momentum;
  void (*solve_rods)(const RodGroupView<T>& group, const RodSweep<T>& sweep);
  void (*measure_rods)(const RodGroupView<T>& group, const RodSweep<T>& sweep);
  TreeKernels<T> joints;
  NetKernels<T> nets;
  AirKernels<T> air;

  /// Lines (6), plain damping, and (5): v <- keep v + dv, with the same four numbers dv for every particle.
  /// Damping comes first, because damping the velocity that gravity has just added would reduce every weight
  /// by the factor `keep`.
  void (*accelerate)(T* velocity, std::int64_t begin, std::int64_t end, const T dv[4], T keep);
  /// Line (13), v <- (p - x) / h, computed as v + (p - (x + h v)) / h with the v and the prediction x + h v
  /// of line (7), so that a particle that nothing moved keeps its velocity bit for bit. `moved` and
  /// `predicted` are displacements from the same origin. Returns false if a component is not finite or
  /// exceeds `limit`.
  bool (*update_velocities)(const T* moved, const T* predicted, T* velocity, std::int64_t begin,
                            std::int64_t end, T h, T limit);
  /// Area vectors of triangles, of twice their area (volume.hpp); `begin` and `end` are multiples of
  /// lane_group.
  void (*area_vectors)(const T* origin, const T* points, const std::int32_t* const corners[3],
                       std::int32_t begin, std::int32_t end, T* out);
  /// predict_turns() of turn_motion.hpp.
  void (*predict_turns)(const TurnRows<T>& rows, std::int64_t begin, std::int64_t end, T h, T keep, T most);
};

/// The tables; null if this build has no such instance. simd_choice.cpp checks what the processor supports.
const KernelTable<float>* kernels_scalar();
const KernelTable<float>* kernels_sse2();
const KernelTable<float>* kernels_avx2();
const KernelTable<float>* kernels_avx512();
const KernelTable<double>* kernels_double();

}  // namespace limber
