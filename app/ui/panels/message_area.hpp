#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// Log of recent messages. The newest message is shown in full for some seconds. A note then vanishes.
/// Warnings and errors stay in the tray until they are closed, their cause is gone or another scene is
/// opened.
class MessageLog {
 public:
  /// Adds a message. A repeated text, or another text about the same subject, only increases a count, so that
  /// an error in every frame does not fill the screen.
  void add(Message message);
  void add(const std::vector<Message>& messages);

  /// Removes messages about `path` (see Message::about) from the screen; lines() keeps them.
  void settle(std::string_view path);

  /// Removes messages of scenes loaded before `load` from the screen.
  void keep_scene(std::uint64_t load);

  struct Entry {
    Message message;
    int count = 1;
    double age = 0.0;  ///< s
  };
  /// A message of the session, kept until clear().
  struct Line {
    Message message;
    double at = 0.0;  ///< s since the start
  };
  const std::deque<Line>& lines() const { return lines_; }
  void clear() { lines_.clear(); }

  std::deque<Entry>& entries() { return entries_; }  ///< oldest first
  void dismiss_all();
  bool tray_open = false;  ///< whether the tray is open
  void grow_older(double seconds);
  /// Time, s, until the display changes by itself; 0 while it changes, infinite if it will not.
  double until_change() const;

 private:
  std::deque<Entry> entries_;  ///< oldest first, at most a hundred
  std::deque<Line> lines_;     ///< oldest first, at most a thousand
  double now_ = 0.0;           ///< s
};

/// The accent colour for a note, amber for a warning, red for an error.
const ImVec4& color_of(Message::Severity severity);

/// Shows the newest message above the lower edge of `view` for some seconds, and the number of messages in
/// the lower right corner. A click on the number opens the tray with all messages, newest first. Returns the
/// remedy whose button was clicked; its message is removed, and comes back if the remedy did not help.
std::optional<Edit> message_area(const Rect& view, MessageLog& log);

}  // namespace limber::ui
