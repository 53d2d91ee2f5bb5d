#include "app/shell/window_video.hpp"

#include <cstdio>
#include <utility>

#include "app/record/picture_folder.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

Message error_message(const Error& error) { return {Message::Severity::error, error.text()}; }

}  // namespace

Message WindowVideo::start(const RunStatus& status, glm::ivec2 size) {
  const auto path = reserve_file(status.name.empty() ? "window" : status.name, ".mp4");
  if (!path) return error_message(path.error());
  rate_ = status.scene ? 1.0 / status.scene->solver.step->dt : 60.0;
  auto writer = VideoWriter::create(*path, {size.x, size.y, rate_});
  const bool no_video = !writer || (*writer)->path() != *path;
  if (no_video) std::remove(path->c_str());  // contains only the reserved name
  if (!writer) return error_message(writer.error());
  const std::string note = (*writer)->note();
  writer_ = std::make_unique<VideoThread>(std::move(*writer));
  size_ = size;
  steps_ = status.steps;
  waiting_since_.reset();
  if (no_video) return {Message::Severity::warning, note};
  return {Message::Severity::info, "Recording " + writer_->path() + (note.empty() ? "" : ". " + note)};
}

Message WindowVideo::stop() {
  const std::unique_ptr<VideoThread> ended = std::move(writer_);
  if (auto done = ended->finish(); !done) return error_message(done.error());
  if (ended->pictures() == 0)
    return {Message::Severity::warning,
            "No video was saved: a video has one picture per simulated frame, and there was none (Space runs "
            "the scene)"};
  char length[64];
  std::snprintf(length, sizeof length, " (%d picture%s, %.1f s)", ended->pictures(),
                ended->pictures() == 1 ? "" : "s", ended->pictures() / rate_);
  return {Message::Severity::info, "Saved " + ended->path() + length};
}

bool WindowVideo::due(const RunStatus& status) {
  if (!active() || status.steps == steps_) return false;
  const bool room = writer_->has_room();
  if (room)
    waiting_since_.reset();
  else if (!waiting_since_)
    waiting_since_ = Clock::now();
  return room;
}

double WindowVideo::waiting() const {
  return waiting_since_ ? std::chrono::duration<double>(Clock::now() - *waiting_since_).count() : 0.0;
}

void WindowVideo::add(Image image, const RunStatus& status) {
  // Several single steps between two pictures share one picture, repeated to keep the video's time.
  const std::uint64_t times = status.steps - std::exchange(steps_, status.steps);
  if (times > 0) writer_->add(std::move(image), int(times));
}

std::optional<Message> WindowVideo::failed() {
  if (!active() || !writer_->failure()) return std::nullopt;
  return stop();
}

}  // namespace limber
