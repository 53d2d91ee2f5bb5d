#include "app/record/ffmpeg_pipe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "app/commands/interrupt.hpp"

extern char** environ;

namespace limber {
namespace {

/// Encoder arguments for the file type. Each picture of a GIF has its own palette, so that ffmpeg need not
/// keep all pictures until the end. Times in a GIF are whole hundredths of a second, and programs respect two
/// and more.
std::vector<std::string> encoder_of(const std::string& path, const FfmpegPipe::Format& format) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const std::string even = "crop=trunc(iw/2)*2:trunc(ih/2)*2";  // shared chroma needs even sides
  if (extension == ".gif" || extension == ".GIF")
    return {"-filter_complex", std::string(format.rate > 50.0 ? "fps=50," : "") +
                                   "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"};
  if (extension == ".webm" || extension == ".WEBM")
    return {"-vf",  even,        "-c:v", "libvpx-vp9", "-crf", "28",       "-b:v",    "0",  "-deadline",
            "good", "-cpu-used", "5",    "-row-mt",    "1",    "-pix_fmt", "yuv420p", "-g", "60"};
  return {"-vf",
          even,
          "-c:v",
          "libx264",
          "-preset",
          "veryfast",
          "-crf",
          "20",
          "-pix_fmt",
          "yuv420p",
          "-g",
          "30",
          "-flush_packets",
          "1",
          "-movflags",
          "+frag_keyframe+empty_moov+default_base_moof"};
}

std::vector<std::string> arguments(const std::string& path, const FfmpegPipe::Format& format) {
  const std::string size = std::to_string(format.width) + "x" + std::to_string(format.height);
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.6g", format.rate);
  std::vector<std::string> words{"ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
                                 // input
                                 "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", size, "-framerate",
                                 rate, "-i", "pipe:0"};
  for (std::string& word : encoder_of(path, format)) words.push_back(std::move(word));
  words.push_back("file:" + path);
  return words;
}

/// The last line of `file`, in which ffmpeg states the error.
std::string last_line(std::FILE* file) {
  std::rewind(file);
  std::string last;
  char line[512];
  while (std::fgets(line, sizeof line, file)) {
    std::string text(line);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (!text.empty()) last = text;
  }
  return last;
}

/// Renames an incomplete video, because its name promises a complete one. Returns the new name; "" if there
/// was nothing to keep.
std::string set_aside(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  if (fs::file_size(path, error) == 0) return fs::remove(path, error), std::string();
  const fs::path whole(path), base = whole.parent_path() / whole.stem();
  fs::path part = base.string() + "_part" + whole.extension().string();
  for (int number = 2; fs::exists(part, error); ++number)
    part = base.string() + "_part_" + std::to_string(number) + whole.extension().string();
  fs::rename(whole, part, error);
  return error ? std::string() : part.string();
}

/// Files, signals and process group of the child process.
struct SpawnPlan {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  SpawnPlan(int input, int errors) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    // A process group of its own: Ctrl+C is handled by us, and the end of the pictures tells ffmpeg to
    // finish.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
};

/// Kills ffmpeg's process group. Returns whether the child could be reaped. A process blocked by a dead
/// network disk cannot be killed, and is left behind.
bool kill_group(pid_t child) {
  kill(-child, SIGKILL);
  for (int i = 0; i < 30; ++i) {
    if (waitpid(child, nullptr, WNOHANG) != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

Expected<std::unique_ptr<FfmpegPipe>> FfmpegPipe::start(const std::string& path, const Format& format) {
  std::signal(SIGPIPE, SIG_IGN);  // a dead reader is an error of write() and must not kill us
  std::unique_ptr<FfmpegPipe> video(new FfmpegPipe(path));
  video->said_ = std::tmpfile();
  int ends[2];
  if (!video->said_ || pipe2(ends, O_CLOEXEC) != 0)
    return Error{std::string("cannot start ffmpeg: ") + std::strerror(errno), path};
  video->pipe_ = ends[1];
  fcntl(ends[1], F_SETFL, O_NONBLOCK);  // non-blocking on our end only: a stalled ffmpeg must not block us
  int failure = 0;
  const bool started = video->spawn(format, ends[0], failure);
  close(ends[0]);
  if (started) return video;
  if (failure == ENOENT) return std::unique_ptr<FfmpegPipe>();
  return Error{std::string("cannot start ffmpeg: ") + std::strerror(failure), path};
}

bool FfmpegPipe::spawn(const Format& format, int read_end, int& failure) {
  std::vector<std::string> words = arguments(path_, format);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SpawnPlan plan(read_end, fileno(said_));
  failure = posix_spawnp(&child_, "ffmpeg", &plan.files, &plan.attributes, argv.data(), environ);
  if (failure != 0) child_ = -1;
  return failure == 0;
}

/// Whether ffmpeg makes progress: reads bytes, computes (also on buffered pictures, without input or output),
/// loads itself, or lets the file grow. A thread waiting for a processor counts too: on a busy machine ffmpeg
/// may get no time for longer than one would wait for a dead disk.
class FfmpegPipe::Progress {
 public:
  Progress(pid_t child, std::string path)
      : process_("/proc/" + std::to_string(child)), path_(std::move(path)) {
    happened();
  }

  void happened() { last_ = Clock::now(); }

  /// s since the last progress.
  double idle() {
    const std::pair<long, std::uintmax_t> now{activity(), file_size()};
    if (now != seen_ || waits_for_processor()) {
      seen_ = now;
      happened();
    }
    return std::chrono::duration<double>(Clock::now() - last_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// The fields of a stat file of /proc, from the process state on; empty on systems without /proc. See
  /// proc(5).
  static std::istringstream stat_fields(const std::string& folder) {
    std::ifstream stat(folder + "/stat");
    std::string line;
    std::getline(stat, line);
    const std::size_t name_end = line.rfind(')');
    return std::istringstream(name_end == line.npos ? "" : line.substr(name_end + 1));
  }
  /// Processor time in ticks and page faults of the process.
  long activity() const {
    std::istringstream fields = stat_fields(process_);
    std::string skipped;
    for (int i = 0; i < 7; ++i) fields >> skipped;
    long minor = 0, children_minor = 0, major = 0, children_major = 0, user = 0, system = 0;
    fields >> minor >> children_minor >> major >> children_major >> user >> system;
    return minor + major + user + system;
  }
  bool waits_for_processor() const {
    std::error_code ended;
    std::filesystem::directory_iterator thread(process_ + "/task", ended);
    for (; !ended && thread != std::filesystem::directory_iterator(); thread.increment(ended))
      if (char state = 0; stat_fields(thread->path()) >> state && state == 'R') return true;
    return false;
  }
  std::uintmax_t file_size() const {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path_, error);
    return error ? 0 : size;
  }

  std::string process_;  ///< folder of the process in /proc
  std::string path_;
  Clock::time_point last_;
  std::pair<long, std::uintmax_t> seen_{0, 0};
};

FfmpegPipe::~FfmpegPipe() {
  hurry();
  (void)close_and_wait();
  if (said_) std::fclose(said_);
}

double FfmpegPipe::longest_pause() const {
  return hurried_.load(std::memory_order_relaxed) || interrupted() ? short_patience : patience;
}

/// The exit status as from waitpid(); 0 if there is no child; nothing if ffmpeg stalled and was killed.
std::optional<int> FfmpegPipe::close_and_wait() {
  if (pipe_ >= 0) close(pipe_);
  pipe_ = -1;
  if (child_ < 0) return 0;
  const pid_t child = std::exchange(child_, -1);
  Progress progress(child, path_);
  for (int wait_ms = 1;; wait_ms = std::min(2 * wait_ms, 50)) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return 0;
    if (progress.idle() > longest_pause()) return kill_group(child), std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
  }
}

Error FfmpegPipe::failure(std::optional<int> status) {
  std::string why = last_line(said_);
  if (!status)
    why = "it stood still (is the disk full, or a network gone?) and was stopped";
  else if (WIFSIGNALED(*status))
    why = "it was ended by signal " + std::to_string(WTERMSIG(*status));
  else if (why.empty())
    why = "its exit status is " + std::to_string(WEXITSTATUS(*status));
  const std::string part = set_aside(path_);
  return {"ffmpeg failed: " + why, path_, 0,
          part.empty() ? "nothing of the video is left" : "the video until then is in " + part};
}

Expected<void> FfmpegPipe::write(std::span<const std::uint8_t> picture) {
  if (broken_) return *broken_;
  Progress progress(child_, path_);
  while (!picture.empty() && !broken_) {
    const ssize_t written = ::write(pipe_, picture.data(), picture.size());
    if (written >= 0) {
      picture = picture.subspan(std::size_t(written));
      progress.happened();
    } else if (errno == EAGAIN) {
      pollfd room{pipe_, POLLOUT, 0};
      if (poll(&room, 1, 50) == 0 && progress.idle() > longest_pause()) {
        hurry();  // ffmpeg gets a last chance to end its file
        (void)close_and_wait();
        broken_ = failure(std::nullopt);
      }
    } else if (errno != EINTR) {
      broken_ = failure(close_and_wait());
    }
  }
  if (broken_) return *broken_;
  return {};
}

Expected<void> FfmpegPipe::finish() {
  if (broken_) return *broken_;
  const std::optional<int> status = close_and_wait();
  // ffmpeg 5 only prints a message if it could not write the end of the file, and exits with success.
  if (!status || *status != 0 || last_line(said_).starts_with("Error")) {
    broken_ = failure(status);
    return *broken_;
  }
  return {};
}

}  // namespace limber
