// ffmpeg as a child process that turns raw pictures into a video.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/core/expected.hpp"

namespace limber {

/// Pictures in by a pipe, a video out: H.264, or by the ending VP9 (.webm) or GIF. An H.264 video is
/// fragmented: whatever was written until either program is killed can be played. No shell is involved, so
/// the file may have any name.
class FfmpegPipe {
 public:
  struct Format {
    int width = 0, height = 0;  ///< of the pictures, px; an odd last column or row is cut off
    double rate = 60.0;         ///< pictures per second of the video
  };

  /// Starts ffmpeg. An empty pointer: there is none on this machine.
  static Expected<std::unique_ptr<FfmpegPipe>> start(const std::string& path, const Format& format);
  ~FfmpegPipe();  ///< ends the video with what was written
  FfmpegPipe(const FfmpegPipe&) = delete;
  FfmpegPipe& operator=(const FfmpegPipe&) = delete;

  /// Fails when ffmpeg has ended, with what it said, or has done nothing for `patience`, with that; every
  /// later call fails as well. What there is of the video then goes by another name, NAME_part.mp4.
  Expected<void> write(std::span<const std::uint8_t> picture);

  /// Ends the video. Fails when ffmpeg could not write all of it, or does nothing for `patience`.
  Expected<void> finish();

  /// Somebody waits for the end: patience becomes short, also of a write() or finish() on another thread.
  void hurry() { hurried_.store(true, std::memory_order_relaxed); }

  /// s without any progress, after which ffmpeg is ended: a disk that wakes up takes some.
  static constexpr double patience = 8.0, short_patience = 0.6;

 private:
  class Progress;
  explicit FfmpegPipe(std::string path) : path_(std::move(path)) {}
  bool spawn(const Format& format, int read_end, int& failure);
  double longest_pause() const;
  std::optional<int> close_and_wait();
  Error failure(std::optional<int> status);

  std::string path_;
  int pipe_ = -1;
  pid_t child_ = -1;
  std::FILE* said_ = nullptr;  ///< what ffmpeg writes on standard error
  std::optional<Error> broken_;
  std::atomic<bool> hurried_{false};
};

}  // namespace limber
