// Pictures of a running scene as a video, or as numbered PNG files.
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

/// A video at the time of the simulation, however long a picture takes. One thread.
class VideoWriter {
 public:
  /// `path` ends in / or is a folder: PNG files in it; otherwise a video, or, where there is no ffmpeg, PNG
  /// files in a folder beside it (see note()). Fails at once when nothing can be written there.
  static Expected<std::unique_ptr<VideoWriter>> create(const std::string& path, const VideoFormat& format,
                                                       std::string_view option = "video");

  ~VideoWriter();  ///< nothing stays of a video without a picture, which could not be played

  /// The next picture, of the size that create() was told.
  Expected<void> add(const Image& image);

  /// Ends the video; call it once, also after an error.
  Expected<void> finish();

  /// Another thread waits for the end: see FfmpegPipe. Returns false for PNG files, whose disk nobody can
  /// hurry.
  bool hurry() {
    if (ffmpeg_) ffmpeg_->hurry();
    return ffmpeg_ != nullptr;
  }

  const std::string& path() const { return path_; }  ///< of the video or the folder
  const std::string& note() const { return note_; }  ///< something a person should know; mostly ""
  int pictures() const { return pictures_; }

 private:
  VideoWriter(const VideoFormat& format, std::string_view option) : format_(format), option_(option) {}
  Expected<void> open(const std::string& path);
  Expected<void> open_folder(const std::string& path);

  VideoFormat format_;
  std::string option_, path_, note_;
  std::unique_ptr<FfmpegPipe> ffmpeg_;
  std::optional<SequenceFolder> folder_;  ///< either this or ffmpeg_
  int pictures_ = 0;
  bool empty_ = true;  ///< nothing was added, not even in vain
};

}  // namespace limber
