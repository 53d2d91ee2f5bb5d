#include "app/ui/panels/message_area.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/wrapped_text.hpp"
#include "app/watch/warnings.hpp"

namespace limber::ui {
namespace {

constexpr std::size_t most_messages = 100, most_lines = 1000;
constexpr double note_life = 7.0, warning_life = 12.0, fade_time = 0.6;  // s at full opacity

bool is_note(const MessageLog::Entry& entry) { return entry.message.severity == Message::Severity::info; }
double life_of(const MessageLog::Entry& entry) { return is_note(entry) ? note_life : warning_life; }
bool is_fresh(const MessageLog::Entry& entry) { return entry.age < life_of(entry); }

std::string text_of(const MessageLog::Entry& entry) {
  return entry.count == 1 ? entry.message.text
                          : entry.message.text + "  (" + std::to_string(entry.count) + " times)";
}

/// The remedies as buttons in rows of at most `width`.
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

/// A click in a message.
struct Click {
  bool closed = false;
  std::optional<SetValue> remedy;
};

/// Draws the text of a message, its close button and its remedies in the current window.
Click message_rows(const MessageLog::Entry& entry) {
  const float cross = ImGui::GetFrameHeight();
  wrapped_text(text_of(entry), ImGui::GetContentRegionAvail().x - cross);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - cross * 0.8f);
  Click click{ImGui::SmallButton("x"), {}};
  click.remedy = remedy_buttons(entry.message.remedies, ImGui::GetContentRegionAvail().x);
  return click;
}

/// Draws a coloured edge at the left of the current window, from `top` to `bottom`.
void mark_edge(const MessageLog::Entry& entry, float top, float bottom, float alpha) {
  const ImVec2 corner{ImGui::GetWindowPos().x, top}, edge{corner.x + 5.0f, bottom};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect(corner, edge);  // the window's own rectangle excludes its padding
  draw.AddRectFilled(corner, edge, packed(color_of(entry.message.severity), alpha), 5.0f,
                     ImDrawFlags_RoundCornersLeft);
  draw.PopClipRect();
}

constexpr ImGuiWindowFlags strip_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings |
                                         ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

/// Draws the newest message as a strip, which stays while the mouse is over it.
Click strip(MessageLog::Entry& entry, ImVec2 lower_left, float width) {
  const float alpha = float(std::clamp((life_of(entry) - entry.age) / fade_time, 0.0, 1.0));
  ImGui::SetNextWindowPos(lower_left, ImGuiCond_Always, {0.0f, 1.0f});
  ImGui::SetNextWindowSize({width, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 5.0f);
  ImGui::Begin("##message", nullptr, strip_flags);
  const Click click = message_rows(entry);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
    entry.age = std::min(entry.age, life_of(entry) - 2.0 * fade_time);
  const float top = ImGui::GetWindowPos().y;
  mark_edge(entry, top, top + ImGui::GetWindowSize().y, alpha);
  ImGui::End();
  ImGui::PopStyleVar(2);
  return click;
}

/// Click in the tray in one frame.
struct TrayClick {
  std::optional<std::size_t> entry;  ///< the message that was closed or whose remedy was chosen
  std::optional<SetValue> remedy;
  bool all = false;  ///< all messages were dismissed
};

/// Draws all messages, newest first, up to 0.6 of the view's height.
TrayClick tray(const Rect& view, MessageLog& log, ImVec2 lower_right, float width) {
  TrayClick out;
  ImGui::SetNextWindowPos(lower_right, ImGuiCond_Always, {1.0f, 1.0f});
  ImGui::SetNextWindowSizeConstraints({width, 0.0f}, {width, 0.6f * view.size.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 5.0f);
  ImGui::Begin("##tray", nullptr,
               (strip_flags & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_AlwaysAutoResize);
  heading("MESSAGES");
  ImGui::SameLine();
  out.all = ImGui::SmallButton("Dismiss all");
  std::deque<MessageLog::Entry>& entries = log.entries();
  for (std::size_t i = entries.size(); i-- > 0;) {
    ImGui::Separator();
    ImGui::PushID(int(i));
    const float top = ImGui::GetCursorScreenPos().y;
    Click click = message_rows(entries[i]);
    mark_edge(entries[i], top, ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y, 1.0f);
    ImGui::PopID();
    if (!click.closed && !click.remedy) continue;
    out.entry = i;
    out.remedy = std::move(click.remedy);
  }
  ImGui::End();
  ImGui::PopStyleVar();
  return out;
}

/// A button with the number of messages, in the colour of the worst. Opens and closes the tray.
void tray_button(MessageLog& log, ImVec2 lower_right) {
  Message::Severity worst = Message::Severity::info;
  for (const MessageLog::Entry& entry : log.entries()) worst = std::max(worst, entry.message.severity);
  const std::size_t count = log.entries().size();
  const std::string label = std::to_string(count) + (count == 1 ? " message" : " messages");
  ImGui::SetNextWindowPos(lower_right, ImGuiCond_Always, {1.0f, 1.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 5.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {4.0f, 4.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::Begin("##messages", nullptr, strip_flags | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushStyleColor(ImGuiCol_Text, color_of(worst));
  if (ImGui::SmallButton((label + "###count").c_str())) log.tray_open = !log.tray_open;
  ImGui::PopStyleColor();
  ImGui::End();
  ImGui::PopStyleVar(3);
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
  if (message.text.empty()) return settle(message.about);  // an empty text takes the message back
  const auto same = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.message.text == message.text ||
           (!message.about.empty() && entry.message.about == message.about);  // the newest message replaces
                                                                              // the older one
  });
  Entry entry{message};
  if (same != entries_.end()) {
    entry.count = same->count + 1;
    entries_.erase(same);
  }
  if (!message.about.empty()) settle(message.about);
  entries_.push_back(std::move(entry));
  if (entries_.size() > most_messages) entries_.pop_front();
  if (!lines_.empty() && lines_.back().message.text == message.text) return;
  lines_.push_back({std::move(message), now_});
  if (lines_.size() > most_lines) lines_.pop_front();
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

void MessageLog::dismiss_all() {
  entries_.clear();
  tray_open = false;
}

void MessageLog::grow_older(double seconds) {
  now_ += seconds;
  for (Entry& entry : entries_) entry.age += seconds;
  std::erase_if(entries_, [](const Entry& entry) { return is_note(entry) && !is_fresh(entry); });
  tray_open = tray_open && !entries_.empty();
}

double MessageLog::until_change() const {
  double soonest = std::numeric_limits<double>::infinity();
  for (const Entry& entry : entries_)
    if (is_fresh(entry)) soonest = std::min(soonest, std::max(0.0, life_of(entry) - fade_time - entry.age));
  return soonest;
}

std::optional<Edit> message_area(const Rect& view, MessageLog& log) {
  std::deque<MessageLog::Entry>& entries = log.entries();
  if (entries.empty()) return std::nullopt;
  const float margin = ImGui::GetFontSize(), bottom = view.bottom() - margin * 0.6f;
  const bool fresh = is_fresh(entries.back()) && !log.tray_open;
  const bool counts = !fresh || entries.size() > 1;
  const float button = ImGui::GetFrameHeight() + 0.5f * margin;  // height of the count button
  const float beside = fresh && counts ? 8.5f * margin : 0.0f;   // and its width
  const float width = std::min(view.size.x - 2.0f * margin - beside, 42.0f * margin);
  TrayClick click;
  if (fresh) {
    const float left = view.position.x + (view.size.x - beside - width) * 0.5f;
    Click one = strip(entries.back(), {left, bottom}, width);
    if (one.closed || one.remedy) click.entry = entries.size() - 1;
    click.remedy = std::move(one.remedy);
  }
  if (counts) tray_button(log, {view.right() - margin, bottom});
  if (log.tray_open) click = tray(view, log, {view.right() - margin, bottom - button}, width);
  std::optional<Edit> remedy;
  if (click.remedy) remedy = Edit{std::move(*click.remedy), entries[*click.entry].message.variant};
  if (click.entry) entries.erase(entries.begin() + std::ptrdiff_t(*click.entry));
  if (click.all) log.dismiss_all();
  return remedy;
}

}  // namespace limber::ui
