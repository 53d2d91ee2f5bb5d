// Storage of all constraints: per type one batch of slots.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/stencil_view.hpp"
#include "engine/core/aligned.hpp"
#include "engine/core/members.hpp"
#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The immutable part of one type's constraints, a row per slot (structure of arrays).
template <class Type>
struct StencilBatch {
  std::array<AlignedVector<std::int32_t>, Type::arity> vertices;  ///< internal particle indices
  std::array<AlignedVector<real>, Type::rest_count> rest;
  AlignedVector<std::int32_t> id;  ///< number of the constraint in its raw list; -1 for padding
  /// Object of the constraint, whose material gives the softness; -1: padding
  AlignedVector<std::int32_t> object;
  AlignedVector<real> compliance_scale;  ///< factor on the compliance (for cloth see SheetWeights)
  std::int32_t constraints = 0;          ///< without padding
  int colors = 0;  ///< largest number of colours in a patch, in an object or across patches

  std::int32_t slots() const { return std::int32_t(id.size()); }

  static constexpr auto all_members =
      std::tuple(&StencilBatch::vertices, &StencilBatch::rest, &StencilBatch::id, &StencilBatch::object,
                 &StencilBatch::compliance_scale, &StencilBatch::constraints, &StencilBatch::colors);
};

/// Rest values of a type's slots that plastic flow may change (state/plastic_laws.hpp); empty: nothing
/// yields.
template <class Type>
struct FlowedRest {
  std::array<AlignedVector<real>, Type::rest_count> rest;
  AlignedVector<real> strain;  ///< per slot: sum of the plastic strain of all steps
  AlignedVector<real> width;   ///< m, per slot: width of the strip that a hinge bends; 0 for other types
  /// Internal friction of cables (parts/rods/rod_friction.hpp), per slot: z about the two axes of the
  /// section, and the rotation in rad at which it was z. Empty: no friction.
  std::array<AlignedVector<real>, 4> friction;

  bool empty() const { return strain.empty(); }
  static constexpr auto all_members =
      std::tuple(&FlowedRest::rest, &FlowedRest::strain, &FlowedRest::width, &FlowedRest::friction);
  void resize(std::size_t slots) {
    for (auto& row : rest) row.resize(slots, real(0));
    strain.resize(slots, real(0)), width.resize(slots, real(0));
    if (!friction[0].empty())
      for (auto& row : friction) row.resize(slots, real(0));
  }
  void copy_slot(std::size_t from, std::size_t to) {
    for (auto& row : rest) row[to] = row[from];
    strain[to] = strain[from], width[to] = width[from];
    if (!friction[0].empty())
      for (auto& row : friction) row[to] = row[from];
  }
};

/// The mutable part: written by steps and by changes of settings.
template <class Type>
struct StencilState {
  /// Per slot: XPBD compliance, or PBD stiffness per iteration; see softness_of().
  std::array<AlignedVector<real>, softness_numbers<Type>()> softness;
  std::array<AlignedVector<real>, row_count<Type>()> lambda;  ///< per slot: multipliers of the last substep
  AlignedVector<real> damping;  ///< s, per slot: time of XPBD damping; empty: nothing is damped
  FlowedRest<Type> flowed;

  static constexpr auto all_members = std::tuple(&StencilState::softness, &StencilState::lambda,
                                                 &StencilState::damping, &StencilState::flowed);

  void resize(std::size_t slots) {
    for (auto& row : softness) row.resize(slots, real(0));
    for (auto& row : lambda) row.resize(slots, real(0));
    if (!damping.empty()) damping.resize(slots, real(0));
    if (!flowed.empty()) flowed.resize(slots);
  }
};

/// Structs instead of aliases, so that the World is compiled without the list of types.
struct ConstraintSet : PerType<StencilBatch> {};
struct ConstraintState : PerType<StencilState> {};

/// Rest values of row r, after plastic flow.
template <class Type>
const AlignedVector<real>& rest_row(const StencilBatch<Type>& batch, const StencilState<Type>& state,
                                    std::size_t r) {
  return state.flowed.empty() ? batch.rest[r] : state.flowed.rest[r];
}

/// The arrays of one type as its kernels take them.
template <class Type>
StencilView<Type, real> view(const StencilBatch<Type>& batch, StencilState<Type>& state) {
  StencilView<Type, real> v{};
  for (int j = 0; j < Type::arity; ++j) v.vertices[j] = batch.vertices[std::size_t(j)].data();
  for (int r = 0; r < Type::rest_count; ++r) v.rest[r] = rest_row(batch, state, std::size_t(r)).data();
  for (int k = 0; k < softness_numbers<Type>(); ++k) v.softness[k] = state.softness[std::size_t(k)].data();
  for (int k = 0; k < row_count<Type>(); ++k) v.lambda[k] = state.lambda[std::size_t(k)].data();
  v.damping = state.damping.empty() ? nullptr : state.damping.data();
  return v;
}

}}  // namespace limber::LIMBER_PRECISION
