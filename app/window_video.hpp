// The video of a session in the window.
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/record/video_writer.hpp"
#include "app/sim/run_status.hpp"

namespace limber {

/// One picture per frame that is simulated, without the panels, in the size the window had at the start.
/// While it lasts the simulation waits for its pictures (Runner::wait_for_pictures), so none is missing:
/// slower to watch on a slow machine, and the same to look at afterwards.
class WindowVideo {
 public:
  /// Starts a numbered video, or a folder of PNG files where there is no ffmpeg; never overwrites.
  Message start(const RunStatus& status, glm::ivec2 size);
  Message stop();  ///< saves it; one without pictures leaves no file, which is said

  bool active() const { return writer_ != nullptr; }
  glm::ivec2 size() const { return size_; }                       ///< px
  double seconds() const { return writer_->pictures() / rate_; }  ///< of video so far

  /// Whether there is a frame that has no picture yet.
  bool due(const RunStatus& status) const { return active() && status.steps != steps_; }

  /// Adds the picture of the frame `status` speaks of. On an error the video has ended and the error is
  /// returned.
  std::optional<Message> add(const Image& image, const RunStatus& status);

 private:
  std::unique_ptr<VideoWriter> writer_;
  glm::ivec2 size_{0};
  double rate_ = 60.0;       ///< pictures per second
  std::uint64_t steps_ = 0;  ///< RunStatus::steps of the last picture
};

}  // namespace limber
