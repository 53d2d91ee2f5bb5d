// Runs ffmpeg as a child process that encodes raw pictures as a video.
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

/// Takes pictures through a pipe and writes a video: H.264 or, by the file's ending, VP9 (.webm) or GIF. An
/// H.264 video is fragmented, so that everything written can be played even if this program is killed. No
/// shell is involved, so the file may have any name.
class FfmpegPipe {
 public:
  struct Format {
    int width = 0, height = 0;  ///< of the pictures, px; an odd last column or row is dropped
    double rate = 60.0;         ///< pictures per second of the video
  };

  /// Starts ffmpeg. Returns an empty pointer if ffmpeg is not installed.
  static Expected<std::unique_ptr<FfmpegPipe>> start(const std::string& path, const Format& format);
  ~FfmpegPipe();  ///< ends the video with the pictures so far
  FfmpegPipe(const FfmpegPipe&) = delete;
  FfmpegPipe& operator=(const FfmpegPipe&) = delete;

  /// Fails if ffmpeg has ended, with its message, or makes no progress for `patience` seconds; then every
  /// later call fails too. The incomplete video is renamed to NAME_part.mp4.
  Expected<void> write(std::span<const std::uint8_t> picture);

  /// Ends the video. Fails if ffmpeg could not write all of it, or makes no progress for `patience` seconds.
  Expected<void> finish();

  /// Shortens the patience, also of a write() or finish() on another thread. Call it when the program waits
  /// for the end.
  void hurry() { hurried_.store(true, std::memory_order_relaxed); }

  /// s without progress after which ffmpeg is killed. A disk may take some seconds to wake up.
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
  std::FILE* said_ = nullptr;  ///< standard error of ffmpeg
  std::optional<Error> broken_;
  std::atomic<bool> hurried_{false};
};

}  // namespace limber
