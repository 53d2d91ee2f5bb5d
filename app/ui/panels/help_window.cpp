#include "app/ui/panels/help_window.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "app/ui/bindings.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/wrapped_text.hpp"

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

/// A table of those `rows` (with keys and a label) for which `shown` is true.
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

void keys_and_mouse(int columns) {
  if (!ImGui::BeginTable("##columns", columns, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextColumn();
  table("MOUSE", gestures(), [](const Gesture&) { return true; });
  keys("SCENE", Action::toggle_run, Action::open_file);
  ImGui::TableNextColumn();
  keys("VIEW", Action::frame_scene, Action::toggle_panels);
  keys("KEEP", Action::screenshot, Action::save_input);
  keys("APPLICATION", Action::messages, Action::quit);
  ImGui::EndTable();
}

void table_of_manual(const ManualBlock& block) {
  if (block.rows.empty() || block.rows[0].empty()) return;
  const ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_Resizable;
  if (!ImGui::BeginTable("##table", int(block.rows[0].size()), flags)) return;
  for (std::size_t r = 0; r < block.rows.size(); ++r) {
    const auto& cells = block.rows[r];
    if (std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); }))
      continue;
    ImGui::TableNextRow();
    if (r == 0) ImGui::PushStyleColor(ImGuiCol_Text, palette::accent);
    for (const std::string& cell : cells) {
      ImGui::TableNextColumn();
      ImGui::PushTextWrapPos(0.0f);
      ImGui::TextUnformatted(cell.c_str());
      ImGui::PopTextWrapPos();
    }
    if (r == 0) ImGui::PopStyleColor();
  }
  ImGui::EndTable();
}

void show_block(const ManualBlock& block) {
  const float width = ImGui::GetContentRegionAvail().x, indent = ImGui::GetFontSize();
  switch (block.kind) {
    case ManualBlock::Kind::heading:
      ImGui::Spacing();
      ImGui::PushFont(fonts().bold);
      wrapped_text(block.text, width);
      ImGui::PopFont();
      break;
    case ManualBlock::Kind::paragraph:
      wrapped_text(block.text, width);
      break;
    case ManualBlock::Kind::bullet:
      ImGui::Bullet();
      ImGui::SameLine();
      wrapped_text(block.text, width - 1.5f * indent);
      break;
    case ManualBlock::Kind::code:
      ImGui::Indent(indent);
      ImGui::PushStyleColor(ImGuiCol_Text, palette::muted);
      ImGui::TextUnformatted(block.text.c_str());
      ImGui::PopStyleColor();
      ImGui::Unindent(indent);
      break;
    case ManualBlock::Kind::table:
      table_of_manual(block);
      break;
  }
  ImGui::Spacing();
}

/// Links of a block, drawn below it side by side as far as there is room.
void links_of_block(const ManualBlock& block, HelpState& state) {
  const std::vector<ManualPage>& pages = **state.pages;
  const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const ManualLink& link : block.links) {
    const std::optional<ManualPlace> place = follow(link, pages, state.page);
    if (!place) continue;
    const float width = ImGui::CalcTextSize(link.text.c_str()).x + ImGui::GetFontSize();
    if (!first && ImGui::GetItemRectMax().x + width < end) ImGui::SameLine(0.0f, ImGui::GetFontSize());
    first = false;
    ImGui::PushStyleColor(ImGuiCol_Text, palette::accent);
    ImGui::TextUnformatted(link.text.c_str());
    ImGui::PopStyleColor();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (!ImGui::IsItemHovered()) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::GetWindowDrawList()->AddLine({low.x, high.y}, high, packed(palette::accent));
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left))
      state.next = ManualPlace{place->page, place->block};  // followed after all blocks are drawn
  }
  if (!first) ImGui::Spacing();
}

void page_of_manual(const ManualPage& page, HelpState& state) {
  for (std::size_t b = 0; b < page.blocks.size(); ++b) {
    ImGui::PushID(int(b));
    if (state.turn && b == state.block) {
      ImGui::SetScrollHereY(0.0f);
      state.turn = false;
    }
    show_block(page.blocks[b]);
    links_of_block(page.blocks[b], state);
    ImGui::PopID();
  }
  if (!state.next) return;
  state.page = state.next->page, state.block = state.next->block, state.turn = true;
  state.next.reset();
}

/// Search hits, one per line under the title of their page. A click opens the place.
void hits_of_manual(const std::vector<ManualPage>& pages, HelpState& state) {
  constexpr std::size_t shown_letters = 110;
  const std::vector<ManualHit> hits = search_manual(pages, state.search);
  if (hits.empty()) ImGui::TextUnformatted("Nothing found.");
  for (std::size_t h = 0; h < hits.size(); ++h) {
    const ManualPage& page = pages[hits[h].page];
    if (h == 0 || hits[h - 1].page != hits[h].page) heading(page.title.c_str());
    std::string line = hits[h].line.substr(0, shown_letters);
    std::replace(line.begin(), line.end(), '\n', ' ');
    ImGui::PushID(int(h));
    if (ImGui::Selectable(line.c_str())) {
      state.page = hits[h].page, state.block = hits[h].block, state.turn = true;
      state.search[0] = '\0';
    }
    ImGui::PopID();
  }
}

/// The list of pages on the left; the chosen page, or the search hits, beside it.
void manual(HelpState& state, float height) {
  if (!state.pages) state.pages = read_manual(state.folder);
  if (!*state.pages) {
    wrapped_text(state.pages->error().text(), ImGui::GetContentRegionAvail().x);
    return;
  }
  const std::vector<ManualPage>& pages = **state.pages;
  const float side = ImGui::GetFontSize() * 13.0f;
  ImGui::BeginChild("##pages", {side, height});
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##search", "Search", state.search, sizeof state.search);
  for (std::size_t p = 0; p < pages.size(); ++p)
    if (ImGui::Selectable(pages[p].title.c_str(), p == state.page && !state.search[0])) {
      state.page = p, state.block = 0, state.turn = true;
      state.search[0] = '\0';
    }
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("##page", {0.0f, height});
  if (state.search[0]) {
    hits_of_manual(pages, state);
  } else {
    page_of_manual(pages[state.page], state);
  }
  ImGui::EndChild();
}

}  // namespace

/// Keys are in two columns, so that they fit into a low window without covering it. In a narrow window they
/// are in one column that scrolls.
void help_window(bool& open, HelpState& state) {
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
  if (ImGui::Begin("Help", &open, flags) && ImGui::BeginTabBar("##help")) {
    if (ImGui::BeginTabItem("Keys and mouse")) {
      keys_and_mouse(columns);
      ImGui::EndTabItem();
    }
    if (ImGui::BeginTabItem("Manual")) {
      manual(state, 0.7f * viewport.Size.y);
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  keep_in_view();
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace limber::ui
