#include "app/record/live_export.hpp"

#include <utility>

#include "engine/scene/file/scene_desc.hpp"

namespace limber {

Expected<void> LiveExport::start(const ExportPlan& plan) {
  const std::lock_guard lock(mutex_);
  if (writer_) return Error{"an export is under way", progress_.path, 0, "stop it first"};
  auto writer = SceneExport::create(plan);
  if (!writer) return writer.error();
  writer_ = std::move(*writer);
  progress_ = {plan.path, 0};
  scene_.clear();
  last_ = -1;
  failure_.reset();
  return {};
}

void LiveExport::add(const Simulation& simulation) {
  const std::lock_guard lock(mutex_);
  if (!writer_) return;
  const bool another = progress_.frames > 0 &&
                       (simulation.scene().name != scene_ || std::int64_t(simulation.frame()) <= last_);
  if (!another) {
    scene_ = simulation.scene().name;
    last_ = std::int64_t(simulation.frame());
    const Expected<void> written = writer_->add(simulation);
    if (written) {
      ++progress_.frames;
      return;
    }
    failure_ = written.error();
  }
  ended_ = end();
}

Expected<std::string> LiveExport::end() {
  std::optional<SceneExport> writer = std::exchange(writer_, std::nullopt);
  if (failure_) return *failure_;
  if (const Expected<void> done = writer->finish(); !done) return done.error();
  const int frames = progress_.frames;
  return std::to_string(frames) + (frames == 1 ? " frame" : " frames") + " of " + scene_ + " in " +
         progress_.path;
}

Expected<std::string> LiveExport::stop() {
  const std::lock_guard lock(mutex_);
  if (!writer_) return Error{"no export is under way"};
  if (progress_.frames == 0 && !failure_) {
    writer_.reset();
    return Error{"nothing was exported: the scene did not run (Space runs it)", progress_.path};
  }
  return end();
}

std::optional<Expected<std::string>> LiveExport::take_ended() {
  const std::lock_guard lock(mutex_);
  return std::exchange(ended_, std::nullopt);
}

std::optional<LiveExport::Progress> LiveExport::progress() const {
  const std::lock_guard lock(mutex_);
  return writer_ ? std::optional(progress_) : std::nullopt;
}

}  // namespace limber
