#include "app/ui/message_area.hpp"

#include <algorithm>
#include <utility>

#include "app/sim/warnings.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/wrapped_text.hpp"

namespace limber::ui {
namespace {

constexpr std::size_t kMost = 5, kMostLines = 1000;
constexpr double kNoteLife = 7.0, kFade = 0.6;  // s

bool fades(const MessageLog::Entry& entry) { return entry.message.severity == Message::Severity::info; }

std::string text_of(const MessageLog::Entry& entry) {
  return entry.count == 1 ? entry.message.text
                          : entry.message.text + "  (" + std::to_string(entry.count) + " times)";
}

/// The remedies as a row of buttons, broken where `width` ends.
std::optional<SetValue> remedy_buttons(const std::vector<SetValue>& remedies, float width) {
  std::optional<SetValue> clicked;
  float used = 0.0f;
  for (const SetValue& remedy : remedies) {
    const std::string label = label_of(remedy);
    const ImGuiStyle& style = ImGui::GetStyle();
    const float size = ImGui::CalcTextSize(label.c_str()).x + 2.0f * style.FramePadding.x;
    if (used > 0.0f && used + style.ItemSpacing.x + size <= width) {
      ImGui::SameLine();
      used += style.ItemSpacing.x + size;
    } else {
      used = size;
    }
    if (ImGui::SmallButton(label.c_str())) clicked = remedy;
    item_tooltip(("Sets " + remedy.path + ".").c_str());
  }
  return clicked;
}

/// What was clicked in a strip.
struct Click {
  bool closed = false;
  std::optional<SetValue> remedy;
};

/// One message as a strip with a coloured edge.
Click strip(const MessageLog::Entry& entry, int id, ImVec2 lower_left, float width, float& height) {
  const float alpha = fades(entry) ? float(std::clamp((kNoteLife - entry.age) / kFade, 0.0, 1.0)) : 1.0f;
  ImGui::SetNextWindowPos(lower_left, ImGuiCond_Always, {0.0f, 1.0f});
  ImGui::SetNextWindowSize({width, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 5.0f);
  ImGui::Begin(("##message" + std::to_string(id)).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  const float cross = ImGui::GetFrameHeight();
  wrapped_text(text_of(entry), ImGui::GetContentRegionAvail().x - cross);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - cross * 0.8f);
  Click click{ImGui::SmallButton("x"), {}};
  click.remedy = remedy_buttons(entry.message.remedies, ImGui::GetContentRegionAvail().x);
  const ImVec2 corner = ImGui::GetWindowPos();
  height = ImGui::GetWindowSize().y;
  const ImVec2 edge{corner.x + 5.0f, corner.y + height};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect(corner, edge);  // the window's own leaves its padding out
  draw.AddRectFilled(corner, edge, packed(color_of(entry.message.severity), alpha), 5.0f,
                     ImDrawFlags_RoundCornersLeft);
  draw.PopClipRect();
  ImGui::End();
  ImGui::PopStyleVar(2);
  return click;
}

}  // namespace

const ImVec4& color_of(Message::Severity severity) {
  switch (severity) {
    case Message::Severity::info:
      return palette::accent;
    case Message::Severity::warning:
      return palette::caution;
    case Message::Severity::error:
      break;
  }
  return palette::bad;
}

void MessageLog::add(Message message) {
  if (!message.about.empty()) settle(message.about);  // the newest says all there is
  if (message.text.empty()) return;
  if (lines_.empty() || lines_.back().message.text != message.text) lines_.push_back({message, now_});
  if (lines_.size() > kMostLines) lines_.pop_front();
  const auto same = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return entry.message.text == message.text; });
  if (same != entries_.end()) {
    ++same->count;
    same->message.scene = message.scene;
    same->age = 0.0;
    return;
  }
  entries_.push_back({std::move(message)});
  if (entries_.size() > kMost) entries_.pop_front();
}

void MessageLog::add(const std::vector<Message>& messages) {
  for (const Message& message : messages) add(message);
}

void MessageLog::settle(std::string_view path) {
  std::erase_if(entries_, [&](const Entry& entry) { return is_about(entry.message.about, path); });
}

void MessageLog::keep_scene(std::uint64_t load) {
  std::erase_if(entries_,
                [&](const Entry& entry) { return entry.message.scene && *entry.message.scene < load; });
}

void MessageLog::grow_older(double seconds) {
  now_ += seconds;
  for (Entry& entry : entries_) entry.age += seconds;
  std::erase_if(entries_, [](const Entry& entry) { return fades(entry) && entry.age > kNoteLife; });
}

std::optional<Edit> message_area(const Rect& view, MessageLog& log) {
  const float margin = ImGui::GetFontSize();
  const float width = std::min(view.size.x - 2.0f * margin, ImGui::GetFontSize() * 42.0f);
  ImVec2 corner{view.position.x + (view.size.x - width) * 0.5f,
                view.position.y + view.size.y - margin * 0.6f};
  std::optional<std::size_t> closed;
  std::optional<Edit> remedy;
  auto& entries = log.entries();
  // In a small window the newest has what room there is.
  const float top = view.position.y + 0.35f * view.size.y;
  for (std::size_t i = entries.size(); i-- > 0 && (i + 1 == entries.size() || corner.y > top);) {
    float height = 0.0f;
    Click click = strip(entries[i], int(i), corner, width, height);
    if (click.closed || click.remedy) closed = i;
    if (click.remedy) remedy = Edit{std::move(*click.remedy), entries[i].message.variant};
    corner.y -= height + 4.0f;
  }
  if (closed) entries.erase(entries.begin() + std::ptrdiff_t(*closed));
  return remedy;
}

}  // namespace limber::ui
