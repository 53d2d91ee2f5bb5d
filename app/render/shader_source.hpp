// Shader text from files: #include for what stages share, and compiler logs that name file and line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

/// One stage's text with everything included, and where each of its lines came from. The lines are counted
/// here and not with `#line`: Mesa 22 forgets the file number in some messages.
struct ShaderSource {
  struct Line {
    std::size_t file;  ///< place in `files`
    int number;        ///< 1-based
  };
  std::string text;
  std::vector<std::string> files;  ///< the stage's own file first
  std::vector<Line> lines;         ///< one per line of the text
};

/// Reads `folder/name`. `#include "file"` is replaced by that file of the same folder, each once per stage.
/// `defines` (whole lines) go right behind `#version`. Fails on a missing file with the including line.
Expected<ShaderSource> read_shader_source(const std::filesystem::path& folder, const std::string& name,
                                          std::string_view defines = {});

/// The first complaint in a driver's log, with its file and line where the log names them in one of the
/// usual forms: "0:12(5): error: ...", "0(12) : error ...", "ERROR: 0:12: ...".
Error shader_error(const ShaderSource& source, std::string_view log);

}  // namespace limber
