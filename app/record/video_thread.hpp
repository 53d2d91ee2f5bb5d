// Writes a video on a thread of its own, so that the caller does not wait for ffmpeg or a disk.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/record/video_writer.hpp"

namespace limber {

/// Takes pictures from one thread. Only finish() blocks that thread.
class VideoThread {
 public:
  explicit VideoThread(std::unique_ptr<VideoWriter> writer);
  ~VideoThread();  ///< calls finish()
  VideoThread(const VideoThread&) = delete;
  VideoThread& operator=(const VideoThread&) = delete;

  /// False while the largest permitted number of pictures waits in memory.
  bool has_room() const;

  /// Adds the next picture `times` times. Must be called only while has_room().
  void add(Image image, int times);

  /// The error that ended the video, if any.
  std::optional<Error> failure() const;

  /// Writes all waiting pictures and ends the video. Returns after at most about two seconds if writing
  /// stalls, with an error that says what was lost.
  Expected<void> finish();

  int pictures() const { return pictures_; }  ///< taken so far
  const std::string& path() const { return path_; }

 private:
  struct Work;
  static void run(const std::shared_ptr<Work>& work);

  std::shared_ptr<Work> work_;  ///< shared, because a thread that hangs on a dead disk is left behind
  std::string path_;
  int pictures_ = 0;
  std::thread thread_;
};

}  // namespace limber
