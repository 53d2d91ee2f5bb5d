// Detects that a file was written.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace limber {

/// Polls one file a few times a second. A change is reported when the file was the same at two successive
/// polls, so not while it is still being written. A file that vanishes (editors replace files) is reported
/// once it exists again.
class FileWatch {
 public:
  using Clock = std::chrono::steady_clock;

  void follow(const std::string& file) {
    file_ = file;
    known_ = seen_ = stamp();
  }

  /// Whether the file has changed since follow() or since the last call that returned true.
  bool changed(Clock::time_point now) {
    if (file_.empty() || now < next_look_) return false;
    next_look_ = now + look_period;
    const auto present = stamp();
    const bool settled = present && present == seen_ && present != known_;
    seen_ = present;
    if (settled) known_ = present;
    return settled;
  }

  const std::string& file() const { return file_; }

 private:
  struct Stamp {
    std::filesystem::file_time_type written;
    std::uintmax_t size;
    bool operator==(const Stamp&) const = default;
  };
  static constexpr std::chrono::milliseconds look_period{250};

  std::optional<Stamp> stamp() const {
    std::error_code no_time, no_size;
    const Stamp found{std::filesystem::last_write_time(file_, no_time),
                      std::filesystem::file_size(file_, no_size)};
    return no_time || no_size ? std::nullopt : std::optional(found);
  }

  std::string file_;
  std::optional<Stamp> known_, seen_;
  Clock::time_point next_look_{};
};

}  // namespace limber
