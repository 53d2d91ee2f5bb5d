#include "app/ui/help_window.hpp"

#include <algorithm>

#include "app/ui/bindings.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {
namespace {

void row(std::string_view keys, std::string_view label) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, palette::accent);
  ImGui::TextUnformatted(keys.data(), keys.data() + keys.size());
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(label.data(), label.data() + label.size());
  ImGui::PopTextWrapPos();
}

/// A table of `rows`, which have keys and a label, for which `shown` is true.
template <class Rows, class Shown>
void table(const char* title, const Rows& rows, Shown shown) {
  heading(title);
  if (!ImGui::BeginTable(title, 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 12.5f);
  ImGui::TableSetupColumn("label", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& entry : rows)
    if (shown(entry)) row(entry.keys, entry.label);
  ImGui::EndTable();
  ImGui::Spacing();
}

void keys(const char* title, Action first, Action last) {
  table(title, bindings(),
        [&](const Binding& binding) { return binding.action >= first && binding.action <= last; });
}

}  // namespace

/// In two columns, so that it fits into a low window without covering all of it; where that is too narrow for
/// them, in one that scrolls.
void help_window(bool& open) {
  if (!open) return;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5f, viewport.Pos.y + viewport.Size.y * 0.5f},
                          ImGuiCond_Appearing, {0.5f, 0.5f});
  const float wanted = ImGui::GetFontSize() * 58.0f, width = std::min(wanted, viewport.Size.x);
  const int columns = width < 0.75f * wanted ? 1 : 2;
  ImGui::SetNextWindowSizeConstraints({width, 0.0f}, {width, viewport.Size.y});
  ImGui::SetNextWindowSize({width, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0f);
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings;
  if (ImGui::Begin("Help", &open, flags) &&
      ImGui::BeginTable("##columns", columns, ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextColumn();
    table("MOUSE", gestures(), [](const Gesture&) { return true; });
    keys("SCENE", Action::toggle_run, Action::open_file);
    ImGui::TableNextColumn();
    keys("VIEW", Action::frame_scene, Action::toggle_panels);
    keys("KEEP", Action::screenshot, Action::save_input);
    keys("APPLICATION", Action::messages, Action::quit);
    ImGui::EndTable();
  }
  keep_in_view();
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace limber::ui
