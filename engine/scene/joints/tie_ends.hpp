// Names at the ends of ties: an object, a body or a collider.
#pragma once

#include <cstddef>
#include <string>

#include "engine/core/expected.hpp"

namespace limber {

struct SceneDesc;

struct TieTarget {
  enum class Kind { object, body, collider };
  Kind kind = Kind::object;
  std::size_t number = 0;  ///< in the scene's list
  std::size_t copy = 0;    ///< of it
};

/// "name" or "name[3]"; a body or a collider only where no object has the name.
Expected<TieTarget> find_tie_target(const SceneDesc& scene, const std::string& text);

}  // namespace limber
