// Pictures as PNG files.
#pragma once

#include <string>
#include <string_view>

#include "app/render/renderer.hpp"
#include "engine/core/expected.hpp"

namespace limber {

/// Writes `image` to `path`, completely or not at all: an old file is replaced only by a complete picture.
/// Fails, leaving the old file unchanged, if the name does not end in .png, the folder is missing, the file
/// cannot be written or the disk is full. `option` is the option that the error names. May be called
/// from any thread.
Expected<void> write_png(const Image& image, const std::string& path, std::string_view option = "screenshot");

/// The checks of write_png() that need no picture: extension, folder, permission.
Expected<void> check_png_path(const std::string& path, std::string_view option = "screenshot");

}  // namespace limber
