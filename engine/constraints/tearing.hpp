// Traits of constraint types for tears of a surface: every type declares one.
#pragma once

#include <string_view>

namespace limber {

/// A tear divides a vertex among the parts of its triangles (state/split.hpp). The trait of a constraint type
/// decides about slots that name such a vertex:
///   on_edge        lies along an edge: goes with its triangle; an edge that opens gets a second slot
///   on_hinge       lies across an edge: retires when the edge opens, else goes with its triangles
///   on_triangle    has the corners of a triangle: goes with it
///   let_go         holds through the whole surface: the object's first tear lets go of all of them
///   refused        cannot tear: whoever asks for a tear of the object gets `cannot_tear` as an answer
enum class TearTrait { on_edge, on_hinge, on_triangle, let_go, refused };

inline constexpr std::string_view tets_cannot_tear =
    "a solid of tetrahedra cannot be torn or cut: only surfaces can";

/// The sentence of a type whose trait is `refused`; empty for every other.
template <class Type>
consteval std::string_view tearing_refusal() {
  if constexpr (Type::tearing == TearTrait::refused) return Type::cannot_tear;
  return {};
}

}  // namespace limber
