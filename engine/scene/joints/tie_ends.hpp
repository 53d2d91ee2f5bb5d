// Resolves the names at the ends of ties to objects, bodies and colliders.
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
  std::size_t copy = 0;    ///< copy number of the object or body
};

/// Resolves "name" or "name[3]". Objects take precedence over bodies and colliders of the same name.
Expected<TieTarget> find_tie_target(const SceneDesc& scene, const std::string& text);

}  // namespace limber
