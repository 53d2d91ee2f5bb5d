// The manual, assets/manual/*.md, as the help window shows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber::ui {

/// A link to a page of the manual, or to a heading there.
struct ManualLink {
  std::string text;     ///< as it is read
  std::string file;     ///< "limits.md"; "": the page itself
  std::string heading;  ///< as links write it, "what-yields-and-tears"; "": the page's beginning
};

/// A piece of a page of the little of Markdown that the manual is written in.
struct ManualBlock {
  enum class Kind { heading, paragraph, bullet, code, table };
  Kind kind = Kind::paragraph;
  int level = 0;     ///< of a heading, 1 the page's
  std::string text;  ///< without markup; none of a table
  std::vector<std::vector<std::string>>
      rows;  ///< of a table, the first its heading; all as long as the widest
  std::vector<ManualLink> links{};
};

struct ManualPage {
  std::string file;   ///< "limits.md"
  std::string title;  ///< its first heading
  std::vector<ManualBlock> blocks;
};

/// The text of a line without markup: `code`, **bold** and [links](to.md) as they are read.
std::string without_markup(std::string_view line);

/// Links of a line to pages (NAME.md) and their headings; none to other places.
std::vector<ManualLink> links_in(std::string_view line);

/// Pictures are left out. `file` names the page where it has no heading.
ManualPage parse_manual_page(std::string_view markdown, std::string file);

/// All pages of a folder: those that a beginner reads in their order, then the others by name. Fails if there
/// is none.
Expected<std::vector<ManualPage>> read_manual(const std::string& folder);

/// The place that a link on page `from` leads to; none where there is no such page or heading.
struct ManualPlace {
  std::size_t page = 0, block = 0;
};
std::optional<ManualPlace> follow(const ManualLink& link, const std::vector<ManualPage>& pages, std::size_t from);

/// A block that holds what is looked for, in any case of letters; of a table each row.
struct ManualHit {
  std::size_t page = 0, block = 0;
  std::string line;  ///< what holds it
};
std::vector<ManualHit> search_manual(const std::vector<ManualPage>& pages, std::string_view what);

}  // namespace limber::ui
