// `collides_with`: the lists of names by which objects, bodies and colliders choose what they touch.
#pragma once

#include <span>
#include <string_view>

#include "engine/core/expected.hpp"
#include "engine/state/touches.hpp"

namespace limber {

struct SceneDesc;

inline constexpr std::string_view collides_with_tip =
    "What it touches: names of objects, bodies and colliders between commas; all, none, or all but some "
    "(\"-ball\"). Two things touch if each names the other; whatever touches itself, or its copies, names "
    "itself.";

/// Fails, with the setting's path as the file, on a name that is no object, body or collider of the scene,
/// and where more kinds are named than a mask can tell apart.
Expected<void> check_touches(const SceneDesc& scene);

/// Masks of a scene that check_touches() passed. `object_source`: for each object of the World its number in
/// the scene's list.
Touches make_touches(const SceneDesc& scene, std::span<const std::int32_t> object_source);

}  // namespace limber
