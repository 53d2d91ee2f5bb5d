// The initial view of a scene in the window.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/tunable.hpp"

namespace limber {

/// Names of heat maps, debug views and stages, in the order of HeatMap, Overlay and Stage.
inline constexpr std::array<std::string_view, 22> heat_map_words{
    "none",         "strain",  "residual", "phase",    "velocity",        "force",         "awake",
    "stress",       "volume",  "density",  "pressure", "tension",         "bending",       "twist",
    "temperature",  "plastic", "yield",    "cluster",  "stiffness_field", "density_field", "thickness_field",
    "damping_field"};
inline constexpr std::array<std::string_view, 8> debug_view_words{
    "none", "contacts", "intersections", "zones", "particles", "joints", "tets", "wind"};
inline constexpr std::array<std::string_view, 6> stage_words{"studio", "checker", "grid",
                                                             "table",  "night",   "paper"};

enum class HeatMapWord : int {};    ///< index into heat_map_words
enum class DebugViewWord : int {};  ///< index into debug_view_words
enum class StageWord : int {};      ///< index into stage_words

/// A value of a variant that differs from the scene's.
struct VariantValue {
  std::string path;  ///< "solver.method"
  Value value;
};

struct ViewDesc {
  static constexpr std::size_t most_variants = 4;

  std::vector<std::vector<VariantValue>>
      compare;  ///< settings of the variants shown side by side; none or one: the scene alone
  HeatMapWord heat_map{};
  DebugViewWord debug_view{};
  StageWord stage{};
  bool paused = false;  ///< starts paused
  bool plots = false;   ///< starts with the plots of the comparison open
};
std::span<const Field> view_fields();  ///< all but `compare`

}  // namespace limber
