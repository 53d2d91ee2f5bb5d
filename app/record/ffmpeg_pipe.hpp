// ffmpeg as a child process that turns raw pictures into a video.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/core/expected.hpp"

namespace limber {

/// Pictures in by a pipe, an H.264 video out. The video is fragmented: whatever was written until either
/// program is killed can be played. No shell is involved, so the file may have any name.
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

  /// Fails when ffmpeg has ended, with what it said; every later call fails as well. What there is of the
  /// video then goes by another name, NAME_part.mp4.
  Expected<void> write(std::span<const std::uint8_t> picture);

  /// Ends the video. Fails when ffmpeg could not write all of it.
  Expected<void> finish();

 private:
  explicit FfmpegPipe(std::string path) : path_(std::move(path)) {}
  bool spawn(const Format& format, int read_end, int& failure);
  int close_and_wait();
  Error failure(int status);

  std::string path_;
  int pipe_ = -1;
  pid_t child_ = -1;
  std::FILE* said_ = nullptr;  ///< what ffmpeg writes on standard error
  std::optional<Error> broken_;
};

}  // namespace limber
