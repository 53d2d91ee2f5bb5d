#include "app/record/video_writer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "app/commands/output_file.hpp"
#include "app/record/png_writer.hpp"

namespace limber {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 5> containers{".mp4", ".mov", ".m4v", ".webm", ".gif"};

bool is_folder(const std::string& path) {
  std::error_code error;
  return path.ends_with('/') || fs::is_directory(path, error);
}

Expected<void> check_video_path(const std::string& path, std::string_view option) {
  std::string extension = fs::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (std::ranges::find(containers, extension) == containers.end())
    return Error{std::string(option) + ": videos are written as MP4, WebM or GIF", path, 0,
                 "let the name end in .mp4, .webm or .gif, or in / for a folder of PNG files"};
  return check_writable(path, option);
}

/// "clip.mp4" -> "clip_frames", or the first "clip_frames_2", ... that does not exist yet.
std::string folder_beside(const std::string& path) {
  const std::string base = fs::path(path).replace_extension().string() + "_frames";
  std::string folder = base;
  std::error_code error;
  for (int number = 2; fs::exists(folder, error); ++number) folder = base + "_" + std::to_string(number);
  return folder;
}

/// A note if the video drops an odd row or column, because blocks of two by two pixels share colours; "" for
/// even sides.
std::string note_of_odd_sides(const VideoFormat& format) {
  const auto size = [](int width, int height) {
    return std::to_string(width) + "x" + std::to_string(height);
  };
  const int width = format.width / 2 * 2, height = format.height / 2 * 2;
  if (width == format.width && height == format.height) return {};
  return "The sides of a video are even: of " + size(format.width, format.height) + " pixels it has " +
         size(width, height) + ".";
}

}  // namespace

Expected<std::unique_ptr<VideoWriter>> VideoWriter::create(const std::string& path, const VideoFormat& format,
                                                           std::string_view option) {
  std::unique_ptr<VideoWriter> writer(new VideoWriter(format, option));
  if (Expected<void> opened = writer->open(path); !opened) return opened.error();
  return writer;
}

Expected<void> VideoWriter::open(const std::string& path) {
  if (is_folder(path)) return open_folder(path);
  if (Expected<void> writable = check_video_path(path, option_); !writable) return writable;
  auto ffmpeg = FfmpegPipe::start(path, {format_.width, format_.height, format_.rate});
  if (!ffmpeg) return ffmpeg.error();
  path_ = path;
  ffmpeg_ = std::move(*ffmpeg);
  if (ffmpeg_) {
    if (!path.ends_with(".gif")) note_ = note_of_odd_sides(format_);
    return {};
  }
  const std::string folder = folder_beside(path);
  note_ = "There is no ffmpeg on this machine: PNG files are written into " + folder + " instead of a video.";
  return open_folder(folder);
}

Expected<void> VideoWriter::open_folder(const std::string& path) {
  Expected<SequenceFolder> folder = SequenceFolder::create(path, option_);
  if (!folder) return folder.error();
  path_ = folder->path();
  folder_ = std::move(*folder);
  return {};
}

Expected<void> VideoWriter::add(const Image& image) {
  if (image.width != format_.width || image.height != format_.height)
    return Error{option_ + ": a picture of another size", path_};
  if (ffmpeg_ && !image.opacity.empty())
    return Error{option_ + ": a video has no opacity", path_, 0,
                 "name a folder, which gets PNG pictures: film/"};
  empty_ = false;
  Expected<void> written =
      folder_ ? write_png(image, folder_->next(".png"), option_) : ffmpeg_->write(image.rgb);
  if (written) ++pictures_;
  return written;
}

Expected<void> VideoWriter::finish() { return ffmpeg_ && !empty_ ? ffmpeg_->finish() : Expected<void>(); }

VideoWriter::~VideoWriter() {
  if (!empty_) return;
  ffmpeg_.reset();
  std::error_code ignored;
  fs::remove(path_, ignored);
}

}  // namespace limber
