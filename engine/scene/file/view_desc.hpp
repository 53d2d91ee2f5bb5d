// The view with which a scene opens in the window.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/tunable.hpp"

namespace limber {

/// The names of heat maps, debug views and stages, in the order of HeatMap, Overlay and Stage.
inline constexpr std::array<std::string_view, 17> heat_map_words{
    "none",    "strain",   "residual", "phase",   "velocity", "force",       "awake",   "stress", "volume",
    "density", "pressure", "tension",  "bending", "twist",    "temperature", "plastic", "yield"};
inline constexpr std::array<std::string_view, 8> debug_view_words{
    "none", "contacts", "intersections", "zones", "particles", "joints", "tets", "wind"};
inline constexpr std::array<std::string_view, 6> stage_words{"studio", "checker", "grid",
                                                             "table",  "night",   "paper"};

enum class HeatMapWord : int {};    ///< a place in heat_map_words
enum class DebugViewWord : int {};  ///< a place in debug_view_words
enum class StageWord : int {};      ///< a place in stage_words

/// One value that a variant has on its own.
struct VariantValue {
  std::string path;  ///< "solver.method"
  Value value;
};

struct ViewDesc {
  static constexpr std::size_t most_variants = 4;

  std::vector<std::vector<VariantValue>>
      compare;  ///< side by side, what each sets; none or one: the scene alone
  HeatMapWord heat_map{};
  DebugViewWord debug_view{};
  StageWord stage{};
  bool paused = false;  ///< waits for a person to start it
  bool plots = false;   ///< the plots of the comparison are open
};
std::span<const Field> view_fields();  ///< without what is compared

}  // namespace limber
