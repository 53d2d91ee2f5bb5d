// The scene that the window begins with.
#pragma once

#include <chrono>
#include <functional>
#include <future>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

using FirstScene = std::shared_future<Expected<SceneDesc>>;

/// Calls `read` on a thread of its own. A scene known to be bad within `patience` is an error, so that the
/// program ends before there is a window; one that takes longer, as a mesh of a million vertices does, is
/// still under way.
Expected<FirstScene> read_first(std::function<Expected<SceneDesc>()> read,
                                std::chrono::milliseconds patience);

/// Whether it is known by now to be bad.
bool has_failed(const FirstScene& scene);

}  // namespace limber
