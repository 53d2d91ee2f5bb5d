#include "engine/scene/file/json_document.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <unordered_map>

#include "engine/core/tunable.hpp"
#include "engine/geometry/files/mesh_format.hpp"

namespace limber {
namespace {

constexpr std::size_t max_depth = 64;
constexpr std::uintmax_t max_file_bytes = std::uintmax_t{16} << 20;

/// Line of the last character read. The line break itself belongs to the line it ends, because the lexer
/// reads one character past a number before it reports the number.
struct LineCounter {
  int line = 1;
  bool at_break = false;

  void read(char c) {
    if (at_break) ++line;
    at_break = c == '\n';
  }
};

/// Input iterator over a text that passes every character it reads to a LineCounter.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, LineCounter* counter) : at_(at), counter_(counter) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    counter_->read(*at_);
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  LineCounter* counter_;
};

/// The word that ends at or around `end`, shortened for a message. The lexer's own token is unusable: the
/// lexer does not clear it for literals and brackets.
std::string word_at(std::string_view text, std::size_t end) {
  constexpr std::string_view brackets = "{}[]:,", blank = " \t\r\n";
  constexpr std::size_t most = 40;
  end = std::min(end, text.size());
  if (end == 0) return "";
  std::size_t begin = end - 1;
  const char last = text[begin];
  const auto inside = [&](std::size_t i) {
    return brackets.find(text[i]) == std::string_view::npos && blank.find(text[i]) == std::string_view::npos;
  };
  if (last == '"') {
    const std::size_t quote = begin > 0 ? text.rfind('"', begin - 1) : std::string_view::npos;
    if (quote != std::string_view::npos) begin = quote;
  } else if (inside(begin)) {
    while (begin > 0 && inside(begin - 1)) --begin;
    while (end < text.size() && inside(end)) ++end;
  }
  const std::string_view word = text.substr(begin, end - begin);
  return std::string(word.substr(0, most)) + (word.size() > most ? "..." : "");
}

/// Turns the library's text for a violated rule into a sentence for the user.
Error explain(const std::string& library_text, const std::string& word) {
  struct Rule {
    std::string_view phrase, message, hint;
  };
  static constexpr Rule rules[] = {
      {"unexpected end of input", "the file ends too early", "a value is missing"},
      {"number overflow", "the number % is too large", "largest: 1.7e308"},
      {"missing closing quote", "a text is not closed", "every text starts and ends with \""},
      {"control character", "a text is not closed on its line", "every text starts and ends with \""},
      {"UTF-8", "a text is not valid UTF-8", "save the file as UTF-8"},
      {"invalid string", "a text has an invalid escape: %", "write \\\\ for a backslash"},
      {"invalid comment", "a comment is not closed or begins with a single /", "write // ... or /* ... */"},
      {"invalid BOM", "the file does not begin like a text file", "save the file as UTF-8"},
      {"expected end of input", "found % after the end of the scene", "a closing bracket too many?"},
      {"object key", "expected a key in double quotes, found %", "is there a comma too many before it?"},
      {"object separator", "expected ':' after the key, found %", ""},
      {"invalid number", "% is not a number", ""},
      {"parsing value", "expected a value, found %", "texts need double quotes"},
      {"parsing object", "expected ',' or '}', found %", "is a comma missing before it?"},
      {"parsing array", "expected ',' or ']', found %", "is a comma missing before it?"},
  };
  const std::string found = "'" + word + "'";
  for (const Rule& rule : rules) {
    if (library_text.find(rule.phrase) == std::string::npos) continue;
    std::string message(rule.message);
    if (const std::size_t hole = message.find('%'); hole != std::string::npos)
      message.replace(hole, 1, found);
    return {message, "", 0, std::string(rule.hint)};
  }
  return {"this is not valid JSON near " + found, "", 0, ""};
}

/// Builds the tree from the parser's events. Every handler returns false to stop at the first error.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const LineCounter& counter) : text_(text), counter_(counter) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(static_cast<long>(value)); }
  bool number_unsigned(std::uint64_t value) {
    const bool fits = value <= static_cast<std::uint64_t>(std::numeric_limits<long>::max());
    return fits ? add(static_cast<long>(value)) : add(static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) { return fail({"binary values are not JSON", "", 0, ""}); }

  bool start_object(std::size_t) { return open(JsonObject{}); }
  bool start_array(std::size_t) { return open(JsonArray{}); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    const auto [earlier, is_new] = open_.back().keys.try_emplace(name, counter_.line);
    if (!is_new)
      return fail({"the key '" + name + "' is given twice", "", 0,
                   "first on line " + std::to_string(earlier->second)});
    std::get<JsonObject>(open_.back().value.content).push_back({std::move(name), counter_.line, {}});
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception& exception) {
    Error error = explain(exception.what(), word_at(text_, position));
    if (position > text_.size() && !open_.empty())
      error.hint = "the bracket of line " + std::to_string(open_.back().value.line) + " is still open";
    return fail(std::move(error));
  }

  JsonValue take_root() { return std::move(root_); }
  const std::optional<Error>& error() const { return error_; }

 private:
  bool add(JsonValue::Content content) {
    place({std::move(content), counter_.line});
    return true;
  }

  bool open(JsonValue::Content content) {
    if (open_.size() == max_depth)
      return fail({"brackets are nested too deeply", "", 0, "at most 64 levels"});
    open_.push_back({{std::move(content), counter_.line}, {}});
    return true;
  }

  bool close() {
    JsonValue done = std::move(open_.back().value);
    open_.pop_back();
    place(std::move(done));
    return true;
  }

  void place(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (JsonArray* items = std::get_if<JsonArray>(&open_.back().value.content)) {
      items->push_back(std::move(value));
    } else {
      std::get<JsonObject>(open_.back().value.content).back().value = std::move(value);
    }
  }

  bool fail(Error error) {
    error.line = counter_.line;
    error_ = std::move(error);
    return false;
  }

  /// A container that has not closed yet. It lives on the stack, not in its parent: a pointer into a growing
  /// parent would dangle.
  struct Open {
    JsonValue value;
    std::unordered_map<std::string, int> keys;  ///< the line of each key read so far
  };

  std::string_view text_;
  const LineCounter& counter_;
  std::vector<Open> open_;
  JsonValue root_;
  std::optional<Error> error_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const JsonObject* members = object();
  if (!members) return nullptr;
  for (const JsonMember& member : *members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string_view kind_of(const JsonValue& value) {
  static constexpr std::string_view names[] = {"null",   "true or false", "a whole number", "a number",
                                               "a text", "a list",        "an object"};
  return names[value.content.index()];
}

Expected<JsonValue> parse_json(std::string_view text, const std::string& name) {
  // The library would take a NUL byte for the end of the text and ignore the rest.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    return Error{"this is not a text file: it contains a NUL byte", name, static_cast<int>(line), ""};
  }
  if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }))
    return Error{"the file is empty", name, 0, "a scene begins with { \"format\": 1, ... }"};

  if (begins_like_obj(text))
    return Error{"this is a Wavefront OBJ, not a scene", name, 0,
                 "name it with the extension .obj: " + std::string(mesh_advice)};

  LineCounter counter;
  TreeBuilder builder(text, counter);
  const CountingIterator first(text.data(), &counter), last(text.data() + text.size(), &counter);
  const bool ok = nlohmann::json::sax_parse(first, last, &builder, nlohmann::json::input_format_t::json,
                                            /*strict=*/true, /*ignore_comments=*/true);
  if (ok) return builder.take_root();
  Error error = builder.error().value_or(Error{"this is not valid JSON", "", counter.line, ""});
  error.file = name;
  return error;
}

Expected<JsonValue> read_json(const std::string& path) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) return Error{"there is no such file", path, 0, ""};
  if (std::filesystem::is_directory(status)) return Error{"this is a folder, not a scene file", path, 0, ""};
  if (!std::filesystem::is_regular_file(status)) return Error{"this is not an ordinary file", path, 0, ""};
  if (const Expected<void> known = check_no_foreign_mesh(path); !known) return known.error();
  const std::uintmax_t bytes = std::filesystem::file_size(path, code);
  if (!code && bytes > max_file_bytes)
    return Error{"the file is too large for a scene", path, 0, "at most 16 MiB"};
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{"the file cannot be opened", path, 0, "check its permissions"};
  std::string text;
  // read() reports a failing disk in the state of the stream, while iterators would throw. The size is
  // checked again because a file may grow while it is read.
  for (char part[1 << 16]; in && text.size() <= max_file_bytes;) {
    in.read(part, sizeof part);
    text.append(part, std::size_t(in.gcount()));
  }
  if (in.bad() || !in.eof()) return Error{"the file cannot be read to its end", path, 0, ""};
  return parse_json(text, path);
}

}  // namespace limber
