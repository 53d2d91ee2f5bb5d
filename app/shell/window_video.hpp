// Records a video of a session in the window.
#pragma once

#include <chrono>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/lab/run_status.hpp"
#include "app/record/video_thread.hpp"

namespace limber {

/// One picture per simulated frame, without panels, in the size of the window at the start. The simulation
/// waits for its pictures meanwhile (Runner::wait_for_pictures), so none is missing. A slow machine records
/// more slowly but produces the same video.
class WindowVideo {
 public:
  /// Starts a numbered video, or a folder of PNG files if there is no ffmpeg. Never overwrites a file.
  Message start(const RunStatus& status, glm::ivec2 size);
  /// Saves the video. A video without pictures leaves no file and returns a message. Takes at most two
  /// seconds if the encoder hangs.
  Message stop();

  bool active() const { return writer_ != nullptr; }
  glm::ivec2 size() const { return size_; }                       ///< px
  double seconds() const { return writer_->pictures() / rate_; }  ///< of the video so far

  /// Whether a frame has no picture yet, and ffmpeg and the disk keep up.
  bool due(const RunStatus& status);

  /// Time, s, for which the simulation has been waiting because ffmpeg or the disk do not keep up.
  double waiting() const;

  /// Adds the picture of the frame of `status`. due() must be true.
  void add(Image image, const RunStatus& status);

  /// The error that ended the video, if there was one.
  std::optional<Message> failed();

 private:
  using Clock = std::chrono::steady_clock;
  std::unique_ptr<VideoThread> writer_;
  std::optional<Clock::time_point> waiting_since_;
  glm::ivec2 size_{0};
  double rate_ = 60.0;       ///< pictures per second
  std::uint64_t steps_ = 0;  ///< RunStatus::steps of the last picture
};

}  // namespace limber
