// Parses the manual, assets/manual/*.md, for the help window.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber::ui {

/// A link to a page of the manual or to a heading on it.
struct ManualLink {
  std::string text;     ///< text shown for the link
  std::string file;     ///< "limits.md"; "": the same page
  std::string heading;  ///< heading as links spell it, "what-yields-and-tears"; "": the top of the page
};

/// A block of a page, in the subset of Markdown used by the manual.
struct ManualBlock {
  enum class Kind { heading, paragraph, bullet, code, table };
  Kind kind = Kind::paragraph;
  int level = 0;     ///< level of a heading; 1: the page's title
  std::string text;  ///< without markup; empty for a table
  std::vector<std::vector<std::string>>
      rows;  ///< of a table, the first is its heading; all have equally many cells
  std::vector<ManualLink> links{};
};

struct ManualPage {
  std::string file;   ///< "limits.md"
  std::string title;  ///< the page's first heading
  std::vector<ManualBlock> blocks;
};

/// The text of a line without markup: `code`, **bold** and [links](to.md) become plain text.
std::string without_markup(std::string_view line);

/// Links of a line to pages (NAME.md) and their headings; links to other places are left out.
std::vector<ManualLink> links_in(std::string_view line);

/// Parses a page. Leaves out pictures. `file` serves as title if the page has no heading.
ManualPage parse_manual_page(std::string_view markdown, std::string file);

/// Reads all pages of a folder: pages for beginners in their order, then the others by name. Fails if there
/// are none.
Expected<std::vector<ManualPage>> read_manual(const std::string& folder);

/// A place in the manual: a block of a page.
struct ManualPlace {
  std::size_t page = 0, block = 0;
};
/// The place that a link on page `from` leads to; none if there is no such page or heading.
std::optional<ManualPlace> follow(const ManualLink& link, const std::vector<ManualPage>& pages,
                                  std::size_t from);

/// A block that contains the searched text, ignoring case; of a table, one hit per row.
struct ManualHit {
  std::size_t page = 0, block = 0;
  std::string line;  ///< the line that contains it
};
std::vector<ManualHit> search_manual(const std::vector<ManualPage>& pages, std::string_view what);

}  // namespace limber::ui
