#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/sim/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// What was said lately. Notes fade after some seconds; warnings and errors stay until they are closed, their
/// cause is gone or another scene is opened.
class MessageLog {
 public:
  /// The same text again only counts, so that an error in every frame does not bury the screen.
  void add(Message message);
  void add(const std::vector<Message>& messages);

  /// Takes what was complained of `path` (see Message::about) off the screen; the lines keep it.
  void settle(std::string_view path);

  /// Takes what was said in scenes before the one of that load off the screen.
  void keep_scene(std::uint64_t load);

  struct Entry {
    Message message;
    int count = 1;
    double age = 0.0;  ///< s
  };
  /// One thing that was said, kept for the whole session.
  struct Line {
    Message message;
    double at = 0.0;  ///< s since the start
  };
  const std::deque<Line>& lines() const { return lines_; }
  void clear() { lines_.clear(); }

  std::deque<Entry>& entries() { return entries_; }
  void grow_older(double seconds);

 private:
  std::deque<Entry> entries_;  ///< oldest first, at most a handful
  std::deque<Line> lines_;     ///< oldest first, at most a thousand
  double now_ = 0.0;           ///< s
};

/// A note is accented, a warning amber, an error red.
const ImVec4& color_of(Message::Severity severity);

/// Shows the log above the lower edge of `view`. Returns the remedy whose button was clicked; what its
/// message complained of is settled then, and told again where it did not help.
std::optional<Edit> message_area(const Rect& view, MessageLog& log);

}  // namespace limber::ui
