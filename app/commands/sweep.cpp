// limber sweep: runs a grid of settings over the cores into one table. An interrupted sweep can be continued.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/progress_bar.hpp"
#include "app/commands/report.hpp"
#include "app/commands/run_length.hpp"
#include "app/commands/scene_source.hpp"
#include "app/commands/sweep_grid.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

/// A cell of a CSV file, quoted if necessary.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string joined(const std::vector<std::string>& cells) {
  std::string out;
  for (const std::string& text : cells) out += (out.empty() ? "" : ",") + cell(text);
  return out;
}

/// "scene,frames,values": identifies a row among those of other sweeps.
std::string key_of(const std::string& scene, int frames, const std::vector<std::string>& values) {
  return joined({scene, std::to_string(frames)}) + "," + joined(values);
}

/// The first `count` cells of a row, unparsed.
std::string first_cells(const std::string& row, std::size_t count) {
  bool quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '"') quoted = !quoted;
    if (row[i] == ',' && !quoted && --count == 0) return row.substr(0, i);
  }
  return row;
}

/// A file that grows by one line per run. Existing complete lines are read; an incomplete last line is
/// removed.
class GrowingFile {
 public:
  static Expected<GrowingFile> open(const std::string& path, const char* option) {
    GrowingFile out;
    out.path_ = path;
    std::ifstream before(path);
    for (std::string line; std::getline(before, line) && !before.eof();) {
      out.size_ += line.size() + 1;
      out.lines_.push_back(std::move(line));
    }
    before.close();
    std::error_code none;
    if (std::filesystem::file_size(path, none) > out.size_ && !none)
      std::filesystem::resize_file(path, out.size_, none);
    out.file_.open(path, std::ios::app);
    if (!out.file_) return Error{std::string(option) + ": cannot write this file", path};
    return out;
  }

  const std::vector<std::string>& lines() const { return lines_; }  ///< lines found when it was opened
  const std::string& path() const { return path_; }
  bool add(const std::string& line) {
    file_ << line << '\n' << std::flush;
    return bool(file_);
  }

 private:
  std::string path_;
  std::ofstream file_;
  std::vector<std::string> lines_;
  std::size_t size_ = 0;
};

Expected<int> frames_of(const SweepCommand& command, const SceneDesc& scene) {
  if (command.frames) return *command.frames;
  return frames_in(command.seconds.value_or(default_seconds), scene);
}

/// The numbers and texts of a run by name.
using Row = std::vector<std::pair<std::string, Json>>;

class Sweep {
 public:
  Sweep(const SweepCommand& command, SceneDesc scene, SweepGrid grid, int frames)
      : command_(command), scene_(std::move(scene)), grid_(std::move(grid)), frames_(frames) {}

  Expected<void> open_files();
  /// Runs all settings that have no row yet.
  Expected<void> run();
  std::size_t failed() const { return failed_; }
  std::size_t done() const { return done_; }

 private:
  void work();
  std::optional<std::size_t> next();
  Expected<Row> run_one(std::size_t run) const;
  void keep(std::size_t run, const Expected<Row>& row);
  std::vector<std::string> header(const Row& row) const;
  void take_over(const std::vector<std::string>& lines);

  const SweepCommand& command_;
  const SceneDesc scene_;
  const SweepGrid grid_;
  const int frames_;
  std::optional<GrowingFile> csv_, jsonl_;
  std::set<std::string> there_;  ///< keys of runs that already have a row

  std::mutex mutex_;  ///< guards all members below
  std::size_t next_ = 0, done_ = 0, failed_ = 0;
  std::optional<ProgressBar> progress_;
  bool headed_ = false;           ///< the table already has its header
  std::optional<Error> problem_;  ///< an error of the output files
};

std::vector<std::string> Sweep::header(const Row& row) const {
  std::vector<std::string> names{"scene", "frames_wanted"};
  for (const SweptSetting& setting : grid_.settings) names.push_back(setting.path);
  for (const auto& [name, value] : row) names.push_back(name);
  return names;
}

Expected<void> Sweep::open_files() {
  if (!command_.csv.empty()) {
    auto file = GrowingFile::open(command_.csv, "--csv");
    if (!file) return file.error();
    csv_.emplace(std::move(*file));
    const std::string begins = joined(header({}));
    if (!csv_->lines().empty() && !csv_->lines().front().starts_with(begins))
      return Error{"--csv: this table is of another sweep", command_.csv, 0, "name another file"};
    headed_ = !csv_->lines().empty();
    for (const std::string& line : csv_->lines()) there_.insert(first_cells(line, 2 + grid_.settings.size()));
  }
  if (!command_.jsonl.empty()) {
    auto file = GrowingFile::open(command_.jsonl, "--jsonl");
    if (!file) return file.error();
    jsonl_.emplace(std::move(*file));
    if (command_.csv.empty()) take_over(jsonl_->lines());
  }
  return {};
}

/// Marks runs as done that have a line in the JSON file.
void Sweep::take_over(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const Json row = Json::parse(line, nullptr, false);
    if (!row.is_object() || !row.contains("set") || !row["set"].is_object()) continue;
    std::vector<std::string> values;
    for (const SweptSetting& setting : grid_.settings) values.push_back(row["set"].value(setting.path, ""));
    if (row.value("scene", "") == scene_.name)
      there_.insert(key_of(scene_.name, row.value("frames_wanted", 0), values));
  }
}

std::optional<std::size_t> Sweep::next() {
  const std::lock_guard lock(mutex_);
  while (next_ < grid_.runs() && there_.contains(key_of(scene_.name, frames_, grid_.values(next_))))
    ++next_, ++done_;
  if (next_ == grid_.runs() || interrupted() || problem_) return std::nullopt;
  return next_++;
}

void Sweep::work() {
  while (const auto run = next()) {
    const Expected<Row> row = run_one(*run);
    if (interrupted()) return;
    keep(*run, row);
  }
}

Expected<Row> Sweep::run_one(std::size_t run) const {
  Expected<SceneDesc> scene = load_scene(command_.scene, grid_.assignments(run));
  if (!scene) return scene.error();
  scene->progress = nullptr;
  RunOptions options = command_.options;
  options.threads = 1;  // other runs use the other cores
  auto simulation = make_simulation(std::move(*scene), options);
  if (!simulation) return simulation.error();
  const Expected<int> frames = frames_of(command_, (*simulation)->scene());
  if (!frames) return frames.error();
  RunRecorder record;
  StepReport step;
  for (int i = 0; i < *frames && !step.nonfinite; ++i) {
    step = (*simulation)->step(&interrupt_flag());
    if (step.cancelled) return Error{"interrupted"};
    record.add(step, **simulation);
  }
  Row row{{"wall_ms.median", record.wall_ms().median}, {"wall_ms.total", record.wall_ms().total}};
  for (auto& [name, value] : series_row(**simulation, step, record.last_counts()))
    if (name != "wall_ms") row.emplace_back(name, value ? Json(*value) : Json(nullptr));
  row.emplace_back("state_hash", Report(**simulation, record).word("state_hash"));
  return row;
}

std::string as_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return {};
  char number[40];
  std::snprintf(number, sizeof number, "%.9g", value.get<double>());
  return number;
}

void Sweep::keep(std::size_t run, const Expected<Row>& row) {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (progress_) progress_->show(int(done_));
  const std::vector<std::string> values = grid_.values(run);
  if (!row) {
    ++failed_;
    std::fprintf(stderr, "limber: %s: %s\n", joined(grid_.assignments(run)).c_str(),
                 row.error().text().c_str());
    return;
  }
  std::vector<std::string> cells{scene_.name, std::to_string(frames_)};
  cells.insert(cells.end(), values.begin(), values.end());
  Json line{{"scene", scene_.name}, {"frames_wanted", frames_}, {"set", Json::object()}};
  for (std::size_t k = 0; k < values.size(); ++k) line["set"][grid_.settings[k].path] = values[k];
  for (const auto& [name, value] : *row) {
    cells.push_back(as_text(value));
    line[name] = value;
  }
  bool written = true;
  if (csv_ && !std::exchange(headed_, true)) written = csv_->add(joined(header(*row)));
  if (csv_) written = written && csv_->add(joined(cells));
  if (jsonl_) written = written && jsonl_->add(line.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!csv_ && !jsonl_) std::printf("%s\n", joined(cells).c_str());
  if (!written)
    problem_ = Error{"this file can grow no more, is the disk full?", command_.csv + command_.jsonl};
}

Expected<void> Sweep::run() {
  const int jobs = command_.jobs > 0 ? command_.jobs : default_thread_count();
  progress_.emplace(int(grid_.runs()));
  std::vector<std::thread> threads;
  for (std::size_t k = 1; k < std::min(std::size_t(jobs), grid_.runs()); ++k)
    threads.emplace_back([this] { work(); });
  work();
  for (std::thread& thread : threads) thread.join();
  progress_.reset();
  if (problem_) return *problem_;
  return {};
}

std::string in_quotes(const std::string& text) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,-+";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Prints one command per line, each with its own report.
void print_commands(const SweepCommand& command, const SweepGrid& grid) {
  char length[40];
  if (command.frames)
    std::snprintf(length, sizeof length, " --frames %d", *command.frames);
  else
    std::snprintf(length, sizeof length, " --seconds %g", command.seconds.value_or(default_seconds));
  for (std::size_t run = 0; run < grid.runs(); ++run) {
    std::string line = "limber run " + in_quotes(command.scene) + length;
    if (command.options.precision == Precision::f64) line += " --precision f64";
    for (const std::string& assignment : grid.assignments(run)) line += " --set " + in_quotes(assignment);
    std::printf("%s --threads 1 --report run_%05zu.json\n", line.c_str(), run + 1);
  }
}

}  // namespace

int sweep(const SweepCommand& command) {
  Expected<SceneDesc> scene = load_scene(command.scene);
  if (!scene) return fail(scene.error());
  Expected<SweepGrid> grid = read_grid(*scene, command.set);
  if (!grid) return fail(grid.error());
  if (grid->settings.empty())
    return fail(Error{"there is nothing to sweep", "--set", 0, "for instance --set solver.substeps=5,10,20"});
  const Expected<int> frames = frames_of(command, *scene);
  if (!frames) return fail(frames.error());
  if (command.print) return print_commands(command, *grid), int(exit_ok);
  stop_on_interrupt();
  Sweep sweep(command, std::move(*scene), std::move(*grid), *frames);
  if (auto opened = sweep.open_files(); !opened) return fail(opened.error());
  if (auto done = sweep.run(); !done) return fail(done.error());
  if (interrupted()) {
    std::fprintf(stderr, "limber: interrupted after %zu runs; the same command goes on from there\n",
                 sweep.done());
    return exit_interrupted;
  }
  return sweep.failed() > 0 ? int(exit_failed) : int(exit_ok);
}

}  // namespace limber
