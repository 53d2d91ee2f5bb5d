// Reads the first scene of the window.
#pragma once

#include <chrono>
#include <functional>
#include <future>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

using FirstScene = std::shared_future<Expected<SceneDesc>>;

/// Calls `read` on a thread of its own. If that fails within `patience`, returns the error, so that the
/// program can end before a window opens. Reading a mesh of a million vertices takes longer; the result then
/// holds the read under way.
Expected<FirstScene> read_first(std::function<Expected<SceneDesc>()> read,
                                std::chrono::milliseconds patience);

/// Whether the scene has been read and found invalid by now.
bool has_failed(const FirstScene& scene);

}  // namespace limber
