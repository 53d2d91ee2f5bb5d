#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// Log of recent messages. The newest message is shown in full for some seconds; then a note is gone, while
/// warnings and errors wait in the tray until they are closed, their cause is gone or another scene is
/// opened.
class MessageLog {
 public:
  /// A text that repeats, or another one about the same thing, only counts, so that an error in every frame
  /// does not bury the screen.
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

  std::deque<Entry>& entries() { return entries_; }  ///< oldest first
  void dismiss_all();
  bool tray_open = false;  ///< all messages are shown
  void grow_older(double seconds);
  /// s until something of it changes by itself; 0 while it does, infinite where nothing will.
  double until_change() const;

 private:
  std::deque<Entry> entries_;  ///< oldest first, at most a hundred
  std::deque<Line> lines_;     ///< oldest first, at most a thousand
  double now_ = 0.0;           ///< s
};

/// A note is accented, a warning amber, an error red.
const ImVec4& color_of(Message::Severity severity);

/// Shows the newest message above the lower edge of `view` while it is fresh, and in the lower right corner
/// how many there are; a click on that opens the tray with all of them, newest first. Returns the remedy
/// whose button was clicked; what its message complained of is settled then, and told again where it did not
/// help.
std::optional<Edit> message_area(const Rect& view, MessageLog& log);

}  // namespace limber::ui
