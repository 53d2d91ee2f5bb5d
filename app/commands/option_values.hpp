// Values of options of the command line, read from their text. An error says what was expected, with a
// suggestion.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "app/commands/commands.hpp"

namespace limber {

/// Reads all of `text` as a T. False if anything is left over.
template <class T>
bool read_number(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

Expected<void> read_precision(const std::string& text, Precision& precision);
Expected<void> read_simd(const std::string& text, Simd& simd);
Expected<void> read_heat_map(const std::string& text, HeatMap& map);
Expected<void> read_color_map(const std::string& text, ColorMap& map);
Expected<void> read_overlay(const std::string& text, Overlay& overlay);
Expected<void> read_stage(const std::string& text, std::optional<Stage>& stage);
Expected<void> read_clip(const std::string& text, std::optional<ClipChoice>& clip);
Expected<void> read_frames(const std::string& text, std::vector<int>& frames);
Expected<void> read_size(const std::string& text, int& width, int& height);

}  // namespace limber
