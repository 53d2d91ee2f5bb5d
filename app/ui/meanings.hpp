// Explains the words in the panels, for tooltips.
#pragma once

#include <string>
#include <string_view>

#include "app/view/overlay.hpp"
#include "engine/verify/heat_map_id.hpp"

namespace limber::ui {

/// The meaning in one or two sentences; "" for an unknown name.
std::string_view meaning_of_stage(std::string_view stage);  ///< a stage of the step, as named in StepReport
std::string_view meaning_of(HeatMap map);
std::string_view meaning_of(Overlay overlay);

/// Meaning of a constraint type that has `colours` colours.
std::string meaning_of_batch(std::string_view type, int colours);

}  // namespace limber::ui
