// Writes pictures of a running scene as a video, or as numbered PNG files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/record/ffmpeg_pipe.hpp"
#include "app/record/sequence_folder.hpp"
#include "app/render/renderer.hpp"
#include "engine/core/expected.hpp"

namespace limber {

struct VideoFormat {
  int width = 1280, height = 720;  ///< of the pictures, px
  double rate = 60.0;              ///< pictures per second: one per frame of the simulation, 1/dt
};

/// A video whose time is that of the simulation, however long a picture takes. Must be used by one thread,
/// except hurry().
class VideoWriter {
 public:
  /// If `path` ends in / or is a folder, writes PNG files into it. Otherwise writes a video or, without
  /// ffmpeg, PNG files into a folder beside it (see note()). Fails at once if nothing can be written there.
  static Expected<std::unique_ptr<VideoWriter>> create(const std::string& path, const VideoFormat& format,
                                                       std::string_view option = "video");

  ~VideoWriter();  ///< removes a video without a picture, which could not be played

  /// Adds the next picture. It must have the size given to create().
  Expected<void> add(const Image& image);

  /// Ends the video. Must be called once, also after an error.
  Expected<void> finish();

  /// Shortens the patience because another thread waits for the end, see FfmpegPipe. Returns false for PNG
  /// files, whose disk cannot be hurried.
  bool hurry() {
    if (ffmpeg_) ffmpeg_->hurry();
    return ffmpeg_ != nullptr;
  }

  const std::string& path() const { return path_; }  ///< of the video or the folder
  const std::string& note() const { return note_; }  ///< a note for the user; mostly ""
  int pictures() const { return pictures_; }

 private:
  VideoWriter(const VideoFormat& format, std::string_view option) : format_(format), option_(option) {}
  Expected<void> open(const std::string& path);
  Expected<void> open_folder(const std::string& path);

  VideoFormat format_;
  std::string option_, path_, note_;
  std::unique_ptr<FfmpegPipe> ffmpeg_;
  std::optional<SequenceFolder> folder_;  ///< used instead of ffmpeg_
  int pictures_ = 0;
  bool empty_ = true;  ///< add() was never called
};

}  // namespace limber
