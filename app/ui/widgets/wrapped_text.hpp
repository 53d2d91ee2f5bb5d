// Text wrapped between words. Dear ImGui's own wrapping also breaks after a full stop or comma, and so within
// a number.
#pragma once

#include <string>
#include <string_view>

namespace limber::ui {

/// `text` in the current font, with spaces replaced by line ends so that no line is wider than `width` px. A
/// word wider than that has a line of its own.
std::string wrapped(std::string_view text, float width);

/// Shows wrapped `text` at the cursor. A word that is too wide is broken anywhere.
void wrapped_text(std::string_view text, float width);

/// `text`, or its beginning followed by "..." if it is wider than `width` px.
std::string ellipsized(const std::string& text, float width);

}  // namespace limber::ui
