// An output file that is written completely or not at all.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

/// Collects text in a temporary file beside `path` and renames it over `path` on commit(). Open it before the
/// work starts, so that an unwritable path fails at once. Anything but a regular file (/dev/stdout, a pipe)
/// is written directly, because renaming would replace the device.
class OutputFile {
 public:
  /// Fails if the folder is missing or `path` cannot be written; `option` names the option in the message.
  static Expected<OutputFile> create(const std::string& path, std::string_view option);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  ///< removes the temporary file unless committed

  void write(std::string_view text) { stream_.write(text.data(), std::streamsize(text.size())); }

  /// Moves the file into place. Fails on a full disk; an old file is then unchanged.
  Expected<void> commit();

 private:
  OutputFile() = default;

  std::string path_;
  std::string temporary_;  ///< empty if `path_` is written directly, moved from or committed
  std::ofstream stream_;
};

/// Fails if no file can be created at `path`. For writers that open it themselves later.
Expected<void> check_writable(const std::string& path, std::string_view option);

}  // namespace limber
