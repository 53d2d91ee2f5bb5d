// Shared by the readers and writers of mesh files: words, numbers, whole files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

/// Splits a text into statements and words. A backslash at the end of a line continues the statement, `#`
/// starts a comment; lines end in LF, CRLF or CR.
class StatementReader {
 public:
  explicit StatementReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // byte order mark
  }

  /// Moves to the next statement, which may be empty; false at the end of the text.
  bool next_statement() {
    if (started_) {
      while (!next_word().empty()) {
      }
      const std::size_t newline = newline_at(position_);
      position_ += newline;
      line_ += newline > 0;
    }
    started_ = true;
    statement_line_ = line_;
    return position_ < text_.size();
  }

  /// The next word of the statement; empty at its end.
  std::string_view next_word() {
    skip_blanks();
    const std::size_t begin = position_;
    while (position_ < text_.size() && !is_blank(position_) && newline_at(position_) == 0) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  int line() const { return statement_line_; }  ///< on which the statement begins, 1-based

 private:
  /// Length of the line end at `at`, 0 if there is none.
  std::size_t newline_at(std::size_t at) const {
    if (at >= text_.size()) return 0;
    if (text_[at] == '\n') return 1;
    if (text_[at] != '\r') return 0;
    return at + 1 < text_.size() && text_[at + 1] == '\n' ? 2 : 1;
  }
  bool is_continuation(std::size_t at) const { return text_[at] == '\\' && newline_at(at + 1) > 0; }
  bool is_blank(std::size_t at) const {
    const char c = text_[at];
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || is_continuation(at);
  }
  void skip_blanks() {
    while (position_ < text_.size() && is_blank(position_)) {
      if (is_continuation(position_)) {
        position_ += newline_at(position_ + 1);
        ++line_;
      }
      ++position_;
    }
    if (position_ < text_.size() && text_[position_] == '#') {
      while (position_ < text_.size() && newline_at(position_) == 0) ++position_;
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
  int statement_line_ = 1;
  bool started_ = false;
};

/// A word of the file in a form for messages: short, printable ASCII, whatever its bytes are.
std::string printable(std::string_view word);

/// The number that the whole of `word` represents, if it is finite.
std::optional<double> parse_number(std::string_view word);

/// The integer that the whole of `word` represents.
std::optional<long> parse_integer(std::string_view word);

/// Appends a number with all digits that are needed to read the same number again.
void append_number(std::string& out, double value);

/// Reads a file of at most `most_bytes`. `advice`: remedy in the message if there is no such file.
Expected<std::string> read_mesh_file(const std::string& path, std::size_t most_bytes,
                                     const std::string& advice);

/// Writes a file, which appears whole or not at all: it is written beside `path` and then renamed.
Expected<void> write_mesh_file(const std::string& text, const std::string& path);

}  // namespace limber
