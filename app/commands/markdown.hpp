// Text of the manual's tables.
#pragma once

#include <string>
#include <string_view>

namespace limber {

/// Escapes `text` for a cell of a Markdown table, where a bar would end the cell.
inline std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

}  // namespace limber
