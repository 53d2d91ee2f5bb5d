// A contact of two rigid shapes, kept from frame to frame.
#pragma once

#include <cstdint>
#include <tuple>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/geometry/convex/convex_contact.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A contact manifold of two shapes with its multipliers. `a` is the number of a shape of a body; `b` is the
/// number of another shape or, from the number of shapes on, of a collider.
struct BodyContact {
  std::int32_t a = 0, b = 0;
  std::int32_t patch = 0;  ///< number of the manifold: a body can touch a mesh collider in several manifolds
  std::int32_t count = 0;  ///< number of points
  ContactAxis axis = ContactAxis::unknown;  ///< origin of the normal
  vec3 normal{0, 1, 0};
  vec3 place[4] = {};  ///< m, the points in the frame of shape a
  real push[4] = {};   ///< kg m, multipliers along the normal; times 1/h^2 a force
  vec3 friction{0};    ///< kg m, in the world
  vec3 rolling{0};     ///< kg m^2, in the world
  real twist = 0;      ///< kg m^2, about the normal

  static constexpr auto all_members =
      std::tuple(&BodyContact::a, &BodyContact::b, &BodyContact::patch, &BodyContact::count,
                 &BodyContact::axis, &BodyContact::normal, &BodyContact::place, &BodyContact::push,
                 &BodyContact::friction, &BodyContact::rolling, &BodyContact::twist);
};

}}  // namespace limber::LIMBER_PRECISION
