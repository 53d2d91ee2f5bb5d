#include "app/commands/option_values.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "app/commands/commands.hpp"
#include "engine/core/tunable.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

Expected<void> read_precision(const std::string& text, Precision& precision) {
  static constexpr std::string_view names[] = {"f32", "f64"};
  for (int i = 0; i < 2; ++i) {
    if (text == names[i]) {
      precision = i == 0 ? Precision::f32 : Precision::f64;
      return {};
    }
  }
  return Error{"unknown precision '" + text + "'", {}, 0, suggest(text, names)};
}

Expected<void> read_simd(const std::string& text, Simd& simd) {
  const Expected<Simd> named = parse_simd(text);
  if (!named) return named.error();
  if (!supported(*named)) return Error{"this processor cannot run '" + text + "'"};
  simd = *named;
  return {};
}

Expected<void> read_heat_map(const std::string& text, HeatMap& map) {
  if (const auto named = heat_map_named(text)) {
    map = *named;
    return {};
  }
  std::vector<std::string_view> names;
  for (const HeatMapInfo& info : heat_maps) names.push_back(info.name);
  return Error{"unknown heat map '" + text + "'", {}, 0, suggest(text, names)};
}

Expected<void> read_color_map(const std::string& text, ColorMap& map) {
  const auto named = std::find(color_map_names.begin(), color_map_names.end(), text);
  if (named == color_map_names.end())
    return Error{"unknown colours '" + text + "'", {}, 0, suggest(text, color_map_names)};
  map = ColorMap(named - color_map_names.begin());
  return {};
}

Expected<void> read_overlay(const std::string& text, Overlay& overlay) {
  if (const auto named = overlay_named(text)) {
    overlay = *named;
    return {};
  }
  std::vector<std::string_view> names;
  for (const OverlayInfo& info : overlays) names.push_back(info.name);
  return Error{"unknown debug view '" + text + "'", {}, 0, suggest(text, names)};
}

Expected<void> read_stage(const std::string& text, std::optional<Stage>& stage) {
  stage = stage_named(text);
  if (stage) return {};
  std::vector<std::string_view> names;
  for (const StageInfo& info : stages) names.push_back(info.name);
  return Error{"unknown stage '" + text + "'", {}, 0, suggest(text, names)};
}

Expected<void> read_clip(const std::string& text, std::optional<ClipChoice>& clip) {
  clip = clip_named(text);
  if (clip) return {};
  return Error{"'" + text + "' is no plane", {}, 0, "an axis and a place, as in x, -z or y=0.3"};
}

Expected<void> read_frames(const std::string& text, std::vector<int>& frames) {
  std::stringstream list(text);
  for (std::string one; std::getline(list, one, ',');) {
    int frame = 0;
    if (!read_number(one, frame) || frame < 1 || frame > max_frames)
      return Error{"needs numbers of frames from 1 to " + std::to_string(max_frames) +
                   " with commas between, not '" + text + "'"};
    frames.push_back(frame);
  }
  std::sort(frames.begin(), frames.end());
  return {};
}

Expected<void> read_size(const std::string& text, int& width, int& height) {
  const std::size_t x = text.find('x');
  int w = 0, h = 0;
  const auto in_range = [](int pixels) { return pixels >= min_picture && pixels <= max_picture; };
  if (x == std::string::npos || !read_number(text.substr(0, x), w) || !read_number(text.substr(x + 1), h) ||
      !in_range(w) || !in_range(h)) {
    return Error{"needs WIDTHxHEIGHT with both from " + std::to_string(min_picture) + " to " +
                 std::to_string(max_picture) + " pixels, not '" + text + "'"};
  }
  width = w;
  height = h;
  return {};
}

}  // namespace limber
