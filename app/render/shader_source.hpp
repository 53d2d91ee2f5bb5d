// Shader text from files, with #include, and compiler logs translated to file and line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

/// Text of one stage with all includes, and the origin of each line. Lines are counted here and not with
/// `#line`, because Mesa 22 forgets the file number in some messages.
struct ShaderSource {
  struct Line {
    std::size_t file;  ///< index into `files`
    int number;        ///< 1-based
  };
  std::string text;
  std::vector<std::string> files;  ///< the stage's own file first
  std::vector<Line> lines;         ///< one per line of the text
};

/// Reads `folder/name`. Replaces `#include "file"` by that file of the same folder, each once per stage.
/// Inserts `defines` (whole lines) right after `#version`. Fails on a missing file, with the including line.
Expected<ShaderSource> read_shader_source(const std::filesystem::path& folder, const std::string& name,
                                          std::string_view defines = {});

/// The first error in a driver's log, with file and line if the log has one of the usual forms: "0:12(5):
/// error: ...", "0(12) : error ...", "ERROR: 0:12: ...".
Error shader_error(const ShaderSource& source, std::string_view log);

}  // namespace limber
