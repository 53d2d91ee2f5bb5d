#include "app/ui/widgets/manual_page.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace limber::ui {
namespace {

using Kind = ManualBlock::Kind;

constexpr std::array<std::string_view, 5> reading_order{"first_steps.md", "scenes.md", "writing_a_scene.md",
                                                        "command_line.md", "recording.md"};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The cells of a table row "| a | b \| c |".
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      cells.push_back(without_markup(trimmed(cell)));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

std::string joined(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : "  ") + cell;
  return line;
}

/// Whether a line is the one below a table's heading, made of dashes, colons and bars.
bool is_ruler(std::string_view line) {
  return line.find('-') != line.npos && line.find_first_not_of("|-: ") == line.npos;
}

/// Builds the blocks of a page from its lines, read in order.
class PageParser {
 public:
  explicit PageParser(ManualPage& page) : page_(page) {}

  void read(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.substr(0, 3) == "```") return toggle_code();
    if (in_code_) return add_code(line);
    if (text.empty() || text.substr(0, 2) == "![") return end();
    if (text[0] == '#') return add_heading(text);
    if (text[0] == '|') return add_row(text);
    if (text.substr(0, 2) == "* " || is_numbered(text))
      return begin(Kind::bullet, text.substr(text.find(' ') + 1));
    add_words(text);
  }

 private:
  static bool is_numbered(std::string_view text) {
    const std::size_t digits = text.find_first_not_of("0123456789");
    return digits != 0 && digits != text.npos && text.substr(digits, 2) == ". ";
  }
  bool goes_on(Kind kind) const { return open_ && page_.blocks.back().kind == kind; }
  void end() { open_ = false; }
  void toggle_code() {
    in_code_ = !in_code_;
    if (in_code_) begin(Kind::code, "");
    if (!in_code_) end();
  }
  void begin(Kind kind, std::string_view text) {
    page_.blocks.push_back({kind, 0, without_markup(text), {}});
    note_links(text);
    open_ = true;
  }
  void note_links(std::string_view text) {
    if (in_code_) return;
    std::vector<ManualLink>& links = page_.blocks.back().links;
    for (ManualLink& link : links_in(text)) links.push_back(std::move(link));
  }
  void add_code(std::string_view line) {
    std::string& text = page_.blocks.back().text;
    if (!text.empty()) text += '\n';
    text += line;
  }
  void add_heading(std::string_view text) {
    const std::size_t level = text.find_first_not_of('#');
    if (level == text.npos) return;
    begin(Kind::heading, trimmed(text.substr(level)));
    page_.blocks.back().level = int(level);
    end();
  }
  void add_row(std::string_view line) {
    if (!goes_on(Kind::table)) begin(Kind::table, "");
    if (is_ruler(line)) return;
    ManualBlock& table = page_.blocks.back();
    table.rows.push_back(cells_of(line));
    note_links(line);
    std::size_t widest = 0;
    for (const auto& row : table.rows) widest = std::max(widest, row.size());
    for (auto& row : table.rows) row.resize(widest);
  }
  void add_words(std::string_view text) {
    if (!goes_on(Kind::paragraph) && !goes_on(Kind::bullet)) return begin(Kind::paragraph, text);
    page_.blocks.back().text += ' ' + without_markup(text);
    note_links(text);
  }

  ManualPage& page_;
  bool open_ = false;  ///< the last block may take more lines
  bool in_code_ = false;
};

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

/// A heading as links spell it: lower case, hyphens for spaces, no other punctuation.
std::string anchor_of(std::string_view heading) {
  std::string out;
  for (const char c : in_small_letters(heading)) {
    if (c == ' ') out += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') out += c;
  }
  return out;
}

}  // namespace

std::vector<ManualLink> links_in(std::string_view line) {
  std::vector<ManualLink> links;
  for (std::size_t open = line.find('['); open != line.npos; open = line.find('[', open + 1)) {
    const std::size_t close = line.find("](", open), end = close == line.npos ? close : line.find(')', close);
    if (end == line.npos || line.substr(open, close - open).find('`') != line.npos) continue;
    const std::string_view target = line.substr(close + 2, end - close - 2);
    const std::size_t mark = std::min(target.find('#'), target.size());
    const std::string_view file = target.substr(0, mark);
    if (file.find('/') != file.npos || (!file.empty() && !file.ends_with(".md"))) continue;
    links.push_back({std::string(line.substr(open + 1, close - open - 1)), std::string(file),
                     std::string(target.substr(std::min(mark + 1, target.size())))});
  }
  return links;
}

std::optional<ManualPlace> follow(const ManualLink& link, const std::vector<ManualPage>& pages,
                                  std::size_t from) {
  const auto page = link.file.empty() ? pages.begin() + std::ptrdiff_t(from)
                                      : std::find_if(pages.begin(), pages.end(), [&](const ManualPage& one) {
                                          return one.file == link.file;
                                        });
  if (page == pages.end()) return {};
  const ManualPlace start{std::size_t(page - pages.begin()), 0};
  if (link.heading.empty()) return start;
  for (std::size_t b = 0; b < page->blocks.size(); ++b)
    if (page->blocks[b].kind == Kind::heading && anchor_of(page->blocks[b].text) == link.heading)
      return ManualPlace{start.page, b};
  return {};
}

std::string without_markup(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`' && line.size() > i + 2 && line[i + 2] == '`' &&
        std::ispunct(static_cast<unsigned char>(line[i + 1]))) {
      out += {'\'', line[i + 1], '\''};  // quoted, because a lone mark would be read as punctuation of the
                                         // sentence
      i += 2;
      continue;
    }
    if (line[i] == '`' || line.substr(i, 2) == "**") {
      i += line[i] == '*' ? 1 : 0;
      continue;
    }
    if (line[i] == '[') {
      const std::size_t close = line.find("](", i), end = close == line.npos ? close : line.find(')', close);
      if (end != line.npos && line.substr(i, close - i).find('`') == line.npos) {
        out += line.substr(i + 1, close - i - 1);
        i = end;
        continue;
      }
    }
    out += line[i];
  }
  return out;
}

ManualPage parse_manual_page(std::string_view markdown, std::string file) {
  ManualPage page{std::move(file), {}, {}};
  PageParser parser(page);
  for (std::size_t begin = 0; begin < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', begin), markdown.size());
    parser.read(markdown.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto heading = std::find_if(page.blocks.begin(), page.blocks.end(),
                                    [](const ManualBlock& block) { return block.kind == Kind::heading; });
  page.title = heading == page.blocks.end() ? page.file : heading->text;
  return page;
}

Expected<std::vector<ManualPage>> read_manual(const std::string& folder) {
  std::vector<ManualPage> pages;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream stream(entry.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!text.empty()) pages.push_back(parse_manual_page(text, entry.path().filename().string()));
  }
  if (pages.empty()) return Error{"the manual is missing: there is no page of it", folder};
  const auto place = [](const ManualPage& page) {
    return std::find(reading_order.begin(), reading_order.end(), page.file) - reading_order.begin();
  };
  std::sort(pages.begin(), pages.end(), [&](const ManualPage& a, const ManualPage& b) {
    return std::pair(place(a), a.file) < std::pair(place(b), b.file);
  });
  return pages;
}

std::vector<ManualHit> search_manual(const std::vector<ManualPage>& pages, std::string_view what) {
  std::vector<ManualHit> hits;
  const std::string wanted = in_small_letters(trimmed(what));
  if (wanted.empty()) return hits;
  const auto look = [&](std::size_t page, std::size_t block, std::string line) {
    if (in_small_letters(line).find(wanted) != std::string::npos)
      hits.push_back({page, block, std::move(line)});
  };
  for (std::size_t p = 0; p < pages.size(); ++p)
    for (std::size_t b = 0; b < pages[p].blocks.size(); ++b) {
      const ManualBlock& block = pages[p].blocks[b];
      look(p, b, block.text);
      for (const auto& row : block.rows) look(p, b, joined(row));
    }
  return hits;
}

}  // namespace limber::ui
