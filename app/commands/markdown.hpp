// Text for tables of the manual.
#pragma once

#include <string>
#include <string_view>

namespace limber {

/// `text` as a cell of a Markdown table: a bar would end it.
inline std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

}  // namespace limber
