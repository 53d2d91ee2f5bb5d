// `collides_with`: names of the objects, bodies and colliders with which an object, body or collider
// collides.
#pragma once

#include <span>
#include <string_view>

#include "engine/core/expected.hpp"
#include "engine/state/touches.hpp"

namespace limber {

struct SceneDesc;

inline constexpr std::string_view collides_with_tip =
    "Objects, bodies and colliders that it touches: names separated by commas; all, none, or all but some "
    "(\"-ball\"). Two things touch if each names the other. A thing touches itself and its copies if it "
    "names itself.";

/// Fails, with the path of the setting in place of a file, on a name that is no object, body or collider of
/// the scene, and on more names than a mask has bits.
Expected<void> check_touches(const SceneDesc& scene);

/// Builds the collision masks of a scene that passed check_touches(). `object_source`: index in scene.objects
/// of each object of the World.
Touches make_touches(const SceneDesc& scene, std::span<const std::int32_t> object_source);

}  // namespace limber
