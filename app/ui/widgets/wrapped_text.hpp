// Text in lines that end between words. Dear ImGui's own wrapping ends them behind a full stop or a comma as
// well, and so in the middle of a number.
#pragma once

#include <string>
#include <string_view>

namespace limber::ui {

/// `text` in the current font, its spaces made line ends where a line would get wider than `width` px. A word
/// that is wider than that alone has a line of its own, too wide.
std::string wrapped(std::string_view text, float width);

/// Shows `text` so at the cursor. A word that is too wide is broken anywhere.
void wrapped_text(std::string_view text, float width);

/// `text`, or its beginning with "..." behind it where it is wider than `width` px.
std::string ellipsized(const std::string& text, float width);

}  // namespace limber::ui
