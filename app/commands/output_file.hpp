// A file that is either written whole or not at all.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

/// Collects text in a temporary file beside `path` and renames it over `path` on commit(). Opening it
/// before the work starts makes an unwritable path fail at once. Something that is no regular file
/// (/dev/stdout, a pipe) is written directly: a rename would replace the device.
class OutputFile {
 public:
  /// Fails if the folder is missing or `path` cannot be written; `option` names the option in the message.
  static Expected<OutputFile> create(const std::string& path, std::string_view option);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  ///< removes the temporary file unless committed

  void write(std::string_view text) { stream_.write(text.data(), std::streamsize(text.size())); }

  /// Puts the file in its place. Fails on a full disk; then nothing of the old file has changed.
  Expected<void> commit();

 private:
  OutputFile() = default;

  std::string path_;
  std::string temporary_;  ///< empty when `path_` is written directly, moved from or committed
  std::ofstream stream_;
};

/// Whether a file could be created at `path`, for writers that open it themselves later.
Expected<void> check_writable(const std::string& path, std::string_view option);

}  // namespace limber
