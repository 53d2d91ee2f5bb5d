#include "app/ui/widgets/wrapped_text.hpp"

#include <imgui.h>

#include <algorithm>

namespace limber::ui {
namespace {

float text_width(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

}  // namespace

std::string wrapped(std::string_view text, float width) {
  std::string out(text);
  std::size_t line = 0, space = out.npos;  // start of the line, and its last space
  for (std::size_t end = 0; end <= out.size(); ++end) {
    if (end < out.size() && out[end] != ' ' && out[end] != '\n') continue;
    if (space != out.npos && text_width(std::string_view(out).substr(line, end - line)) > width) {
      out[space] = '\n';
      line = space + 1;
    }
    const bool line_ends = end < out.size() && out[end] == '\n';
    if (line_ends) line = end + 1;
    space = line_ends ? out.npos : end;
  }
  return out;
}

void wrapped_text(std::string_view text, float width) {
  const std::string lines = wrapped(text, width);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::PopTextWrapPos();
}

std::string ellipsized(const std::string& text, float width) {
  const auto fits = [&](const std::string& shown) { return ImGui::CalcTextSize(shown.c_str()).x <= width; };
  if (fits(text)) return text;
  std::size_t end = text.size();
  const auto inside_a_letter = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  do {
    --end;
    while (end > 0 && inside_a_letter(end)) --end;
  } while (end > 0 && !fits(text.substr(0, end) + "..."));
  return text.substr(0, end) + "...";
}

}  // namespace limber::ui
