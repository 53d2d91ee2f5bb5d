// The video of a session in the window.
#pragma once

#include <chrono>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/lab/run_status.hpp"
#include "app/record/video_thread.hpp"

namespace limber {

/// One picture per frame that is simulated, without the panels, in the size the window had at the start.
/// While it lasts the simulation waits for its pictures (Runner::wait_for_pictures), so none is missing:
/// slower to watch on a slow machine, and the same to look at afterwards.
class WindowVideo {
 public:
  /// Starts a numbered video, or a folder of PNG files where there is no ffmpeg; never overwrites.
  Message start(const RunStatus& status, glm::ivec2 size);
  /// Saves it; one without pictures leaves no file, which is said. Takes two seconds at the most where
  /// nothing moves any more.
  Message stop();

  bool active() const { return writer_ != nullptr; }
  glm::ivec2 size() const { return size_; }                       ///< px
  double seconds() const { return writer_->pictures() / rate_; }  ///< of video so far

  /// Whether there is a frame that has no picture yet, and ffmpeg or the disk keep up.
  bool due(const RunStatus& status);

  /// s for which they have not, and the simulation has waited for them.
  double waiting() const;

  /// Adds the picture of the frame `status` speaks of, which is due().
  void add(Image image, const RunStatus& status);

  /// Why nothing can be written any more: the video has ended then.
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
