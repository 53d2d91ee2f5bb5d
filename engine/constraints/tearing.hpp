// Trait of constraint types: the effect of a tear of a surface on a constraint. Every type declares one.
#pragma once

#include <string_view>

namespace limber {

/// A tear splits a vertex: the triangles around it are divided among the vertex and its copies
/// (state/split.hpp). The trait of a constraint type decides what happens to slots that name such a vertex:
///   on_edge        lies along an edge: stays with its triangle; an edge that opens gets a second slot
///   on_hinge       lies across an edge: retires when the edge opens, otherwise stays with its triangles
///   on_triangle    has the corners of a triangle: stays with it
///   let_go         spans the whole surface: the first tear of an object retires all of its slots
///   refused        cannot tear: a request to tear the object fails with the message `cannot_tear`
enum class TearTrait { on_edge, on_hinge, on_triangle, let_go, refused };

inline constexpr std::string_view tets_cannot_tear =
    "a solid of tetrahedra cannot be torn or cut: only surfaces can";

/// The message of a type whose trait is `refused`; empty for all other types.
template <class Type>
consteval std::string_view tearing_refusal() {
  if constexpr (Type::tearing == TearTrait::refused) return Type::cannot_tear;
  return {};
}

}  // namespace limber
