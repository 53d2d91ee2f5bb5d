#include "app/record/video_thread.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace limber {
namespace {

constexpr std::size_t most_waiting = 3;                  // pictures; one of 2560 x 1440 has 11 MB
constexpr std::chrono::milliseconds picture_time{1700};  // longest time to write one as PNG

}  // namespace

struct VideoThread::Work {
  std::unique_ptr<VideoWriter> writer;  ///< used by the thread only, except hurry()

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::pair<Image, int>> waiting;  ///< guarded by the mutex, like all members below
  int written = 0, taken = 0;                 ///< pictures
  bool closing = false, done = false;
  std::optional<Error> failure;
};

VideoThread::VideoThread(std::unique_ptr<VideoWriter> writer)
    : work_(std::make_shared<Work>()), path_(writer->path()) {
  work_->writer = std::move(writer);
  thread_ = std::thread([work = work_] { run(work); });
}

VideoThread::~VideoThread() { (void)finish(); }

void VideoThread::run(const std::shared_ptr<Work>& work) {
  std::unique_lock lock(work->mutex);
  for (;;) {
    work->changed.wait(lock, [&] { return work->closing || !work->waiting.empty(); });
    if (work->waiting.empty()) break;
    const auto [image, times] = std::move(work->waiting.front());
    work->waiting.pop_front();
    for (int i = 0; i < times && !work->failure; ++i) {
      lock.unlock();
      const Expected<void> added = work->writer->add(image);
      lock.lock();
      if (added)
        ++work->written;
      else
        work->failure = added.error();
    }
    work->changed.notify_all();
  }
  lock.unlock();
  const Expected<void> ended = work->writer->finish();
  lock.lock();
  if (!ended && !work->failure) work->failure = ended.error();
  work->done = true;
  work->changed.notify_all();
}

bool VideoThread::has_room() const {
  const std::lock_guard lock(work_->mutex);
  return work_->waiting.size() < most_waiting;
}

void VideoThread::add(Image image, int times) {
  pictures_ += times;
  const std::lock_guard lock(work_->mutex);
  work_->waiting.emplace_back(std::move(image), times);
  work_->taken += times;
  work_->changed.notify_all();
}

std::optional<Error> VideoThread::failure() const {
  const std::lock_guard lock(work_->mutex);
  return work_->failure;
}

Expected<void> VideoThread::finish() {
  if (!thread_.joinable()) return {};
  const bool ends_by_itself = work_->writer->hurry();
  std::unique_lock lock(work_->mutex);
  work_->closing = true;
  work_->changed.notify_all();
  const auto ended = [&] { return work_->done; };
  for (int written = -1; !work_->done && (ends_by_itself || written != work_->written);) {
    written = work_->written;
    work_->changed.wait_for(lock, picture_time, ended);
  }
  const int lost = work_->taken - work_->written;
  const bool done = work_->done;
  std::optional<Error> failure = work_->failure;
  lock.unlock();
  if (done)
    thread_.join();
  else
    thread_.detach();
  if (!done) failure = Error{"the disk takes no more pictures", path_};
  if (!failure) return {};
  if (lost > 0)
    failure->message +=
        "; " + std::to_string(lost) + (lost == 1 ? " picture was" : " pictures were") + " not written";
  return *failure;
}

}  // namespace limber
