// Pictures as PNG files.
#pragma once

#include <string>
#include <string_view>

#include "app/render/renderer.hpp"
#include "engine/core/expected.hpp"

namespace limber {

/// Writes `image` to `path`, whole or not at all: a file of that name is replaced only by a complete picture.
/// Fails, and leaves the old file as it was, when the name does not end in .png, the folder is missing, the
/// file cannot be written or the disk is full. `option` begins the message. Any thread.
Expected<void> write_png(const Image& image, const std::string& path, std::string_view option = "screenshot");

/// The part of that which can be known before there is a picture: extension, folder, permission.
Expected<void> check_png_path(const std::string& path, std::string_view option = "screenshot");

}  // namespace limber
