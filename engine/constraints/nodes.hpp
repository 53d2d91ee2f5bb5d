// The corners of a constraint as the kernels load them: points, and orientations of rod segments (turns).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/simd/points.hpp"
#include "engine/simd/turns.hpp"

namespace limber {

/// Kind of a corner of a stencil: a point, or a turn, which is the orientation of a rod segment
/// (state/turns.hpp). Points and turns are rows of four numbers in the same arrays: displacement and inverse
/// mass of a point, rotation vector and inverse moment of inertia of a turn.
enum class Node : std::uint8_t { point, turn };

template <class Type>
constexpr Node node_of(int corner) {
  if constexpr (requires { Type::nodes; }) return Type::nodes[std::size_t(corner)];
  return Node::point;
}
template <class Type>
consteval bool has_turns() {
  for (int j = 0; j < Type::arity; ++j)
    if (node_of<Type>(j) == Node::turn) return true;
  return false;
}
/// The first corner that is a point; 0 if there is none.
template <class Type>
consteval int first_point() {
  for (int j = 0; j < Type::arity; ++j)
    if (node_of<Type>(j) == Node::point) return j;
  return 0;
}

/// The points of one stencil per lane.
template <class L, int Arity>
struct StencilPoints {
  Vec3<L> p[Arity];       ///< m, relative to the origin of corner 0, so that numbers are small
  Point<L> moved[Arity];  ///< m, displacement of each from its own origin, and inverse mass
};

/// Loads p_j = (origin_j - origin_0) + (moved_j - moved_0): rounding is relative to the extent of the
/// stencil, not to its distance from the origin of the world.
template <int Arity, class L>
LIMBER_INLINE StencilPoints<L, Arity> load_stencil(const typename L::Real* origin,
                                                   const typename L::Real* points,
                                                   const std::int32_t* const (&vertices)[Arity],
                                                   std::int32_t s, L) {
  StencilPoints<L, Arity> at;
  at.moved[0] = load_points(points, vertices[0] + s, L());
  const Vec3<L> from = load_points(origin, vertices[0] + s, L()).p;
  const L zero(typename L::Real(0));
  at.p[0] = {zero, zero, zero};
  for (int j = 1; j < Arity; ++j) {
    at.moved[j] = load_points(points, vertices[j] + s, L());
    at.p[j] = (load_points(origin, vertices[j] + s, L()).p - from) + (at.moved[j].p - at.moved[0].p);
  }
  return at;
}

/// Points and orientations of one stencil per lane, for a type with turns. `p` is 0 at corners that are
/// turns.
template <class L, int Arity>
struct StencilNodes : StencilPoints<L, Arity> {
  Quaternion<L> q[Arity];  ///< orientations of the turns
};
template <class L, int Arity>
struct LoadedNodes : StencilNodes<L, Arity> {
  Quaternion<L> loose[Arity];  ///< `q` times a positive number, without a root and a division
};

/// Loads the corners of one stencil of `Type` per lane. For a turn, `origin` is the predicted orientation, a
/// unit quaternion, and `moved` the rotation vector since then.
template <class Type, class L>
LIMBER_INLINE auto load_nodes(const typename L::Real* origin, const typename L::Real* points,
                              const std::int32_t* const (&vertices)[Type::arity], std::int32_t s) {
  if constexpr (!has_turns<Type>()) {
    return load_stencil<Type::arity>(origin, points, vertices, s, L());
  } else {
    constexpr int first = first_point<Type>();
    const L zero(typename L::Real(0));
    LoadedNodes<L, Type::arity> at;
    Point<L> from[Type::arity];
    for (int j = 0; j < Type::arity; ++j) {
      at.moved[j] = load_points(points, vertices[j] + s, L());
      from[j] = load_points(origin, vertices[j] + s, L());
    }
    for (int j = 0; j < Type::arity; ++j) {
      if (node_of<Type>(j) == Node::turn) {
        at.p[j] = {zero, zero, zero};
        const Quaternion<L> start{from[j].p, from[j].w};
        at.q[j] = turned(start, at.moved[j].p), at.loose[j] = loosely_turned(start, at.moved[j].p);
      } else {
        at.p[j] = (from[j].p - from[first].p) + (at.moved[j].p - at.moved[first].p);
        at.q[j] = at.loose[j] = {{zero, zero, zero}, zero};
      }
    }
    return at;
  }
}

}  // namespace limber
