// A video that is written on a thread of its own, so that nobody waits for ffmpeg or a disk.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/record/video_writer.hpp"

namespace limber {

/// Takes pictures from one thread, which never waits but in finish().
class VideoThread {
 public:
  explicit VideoThread(std::unique_ptr<VideoWriter> writer);
  ~VideoThread();  ///< as finish()
  VideoThread(const VideoThread&) = delete;
  VideoThread& operator=(const VideoThread&) = delete;

  /// False while as many pictures wait to be written as fit into memory with a clear conscience.
  bool has_room() const;

  /// The next picture, `times` times; call it only while there is room.
  void add(Image image, int times);

  /// Why nothing is written any more.
  std::optional<Error> failure() const;

  /// Writes what waits and ends the video. Returns after about two seconds at the latest if nothing moves any
  /// more, with an error that says what was lost.
  Expected<void> finish();

  int pictures() const { return pictures_; }  ///< taken so far
  const std::string& path() const { return path_; }

 private:
  struct Work;
  static void run(const std::shared_ptr<Work>& work);

  std::shared_ptr<Work> work_;  ///< shared, for a thread that hangs in a dead disk is left behind
  std::string path_;
  int pictures_ = 0;
  std::thread thread_;
};

}  // namespace limber
