#include "app/window_video.hpp"

#include <cstdio>
#include <utility>

#include "app/picture_folder.hpp"

namespace limber {
namespace {

Message error_message(const Error& error) { return {Message::Severity::error, error.text()}; }

}  // namespace

Message WindowVideo::start(const RunStatus& status, glm::ivec2 size) {
  const auto path = reserve_file(status.name.empty() ? "window" : status.name, ".mp4");
  if (!path) return error_message(path.error());
  rate_ = status.scene ? 1.0 / status.scene->solver.dt : 60.0;
  auto writer = VideoWriter::create(*path, {size.x, size.y, rate_});
  const bool no_video = !writer || (*writer)->path() != *path;
  if (no_video) std::remove(path->c_str());  // nothing but the reserved name
  if (!writer) return error_message(writer.error());
  writer_ = std::move(*writer);
  size_ = size;
  steps_ = status.steps;
  if (no_video) return {Message::Severity::warning, writer_->note()};
  const std::string& note = writer_->note();
  return {Message::Severity::info, "Recording " + writer_->path() + (note.empty() ? "" : ". " + note)};
}

Message WindowVideo::stop() {
  const std::unique_ptr<VideoWriter> ended = std::move(writer_);
  if (auto done = ended->finish(); !done) return error_message(done.error());
  if (ended->pictures() == 0)
    return {Message::Severity::warning,
            "No video was saved: it has one picture per simulated frame, and there was none (Space runs the "
            "scene)"};
  char length[64];
  std::snprintf(length, sizeof length, " (%d picture%s, %.1f s)", ended->pictures(),
                ended->pictures() == 1 ? "" : "s", ended->pictures() / rate_);
  return {Message::Severity::info, "Saved " + ended->path() + length};
}

std::optional<Message> WindowVideo::add(const Image& image, const RunStatus& status) {
  // Single steps in quick succession are shown as one picture; the video keeps their time.
  for (; steps_ != status.steps; ++steps_) {
    if (auto added = writer_->add(image); !added) {
      writer_.reset();
      return error_message(added.error());
    }
  }
  return std::nullopt;
}

}  // namespace limber
