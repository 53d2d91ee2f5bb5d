// limber check: tests scenes by their `expect` blocks.
#include <algorithm>
#include <array>
#include <cstdio>
#include <future>
#include <map>
#include <semaphore>
#include <thread>

#include "app/commands/commands.hpp"
#include "app/commands/report.hpp"
#include "app/commands/scene_source.hpp"
#include "engine/core/measures.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_place.hpp"

namespace limber {
namespace {

using Shortfalls = std::vector<std::string>;  ///< one sentence per bound that was not met

/// Result of checking one scene.
struct Checked {
  Shortfalls shortfalls;
  std::vector<std::string> reached;  ///< one line per bound
};

/// Smallest and largest value of each number, on all frames or at the end.
using Reached = std::map<std::string, std::array<double, 2>>;

void note_reached(const ReportBounds& bounds, const Report& report, Reached& out) {
  for (const auto& [path, bound] : bounds)
    if (const Expected<double> value = report.value(path)) {
      const auto [entry, first] = out.try_emplace(path, std::array{*value, *value});
      entry->second = {std::min(entry->second[0], *value), std::max(entry->second[1], *value)};
    }
}

/// Width of a bound: the larger ratio of a nonzero limit to the value reached on its side; "-" if no value
/// was reached.
std::string width_of(const std::array<double, 2>& bound, const std::array<double, 2>& reached) {
  double width = 0.0;
  for (const int side : {0, 1}) {
    const double limit = bound[std::size_t(side)], value = reached[std::size_t(side)];
    if (limit * value > 0.0) width = std::max(width, side == 0 ? value / limit : limit / value);
  }
  char text[32] = "-";
  if (width > 0.0) std::snprintf(text, sizeof text, "%.3g", width);
  return text;
}

void list_reached(const char* block, const ReportBounds& bounds, const Reached& reached,
                  std::vector<std::string>& out) {
  for (const auto& [path, bound] : bounds) {
    const auto found = reached.find(path);
    if (found == reached.end()) continue;
    const auto& [least, most] = found->second;
    char text[256];
    std::snprintf(text, sizeof text, "%-7s %-32s %10.5g to %-10.5g reached %10.5g to %-10.5g %s", block,
                  path.c_str(), bound[0], bound[1], least, most, width_of(bound, found->second).c_str());
    out.push_back(text);
  }
}

/// Fails if the report lacks a bounded value, since not all scenes have every type of constraint. At the end,
/// a value that was never measured fails too.
Expected<void> check_names(const SceneDesc& scene, const Report& report, bool at_end) {
  const ExpectDesc& expect = scene.expect;
  for (const auto& [block, bounds] :
       {std::pair("bounds", &expect.bounds), {"always", &expect.always}, {"mean", &expect.mean}})
    for (const auto& [path, bound] : *bounds)
      if (const Expected<double> known = report.value(path); !known && (at_end || !report.unmeasured(path))) {
        Error error = known.error();
        error.message = "expect." + std::string(block) + ": " + error.message;
        return placed_in_scene(error, scene.file, {"expect", block, path});
      }
  return {};
}

/// "got 2, expected 0 to 1", or "" for a value in bounds. `frame`: number of the frame for bounds on every
/// frame, else 0.
std::string missed(const std::array<double, 2>& bound, double got, std::int64_t frame) {
  if (got >= bound[0] && got <= bound[1]) return {};
  const std::string in_frame = frame > 0 ? " in frame " + std::to_string(frame) : "";
  char text[192];
  std::snprintf(text, sizeof text, "got %.6g%s, expected %.6g to %.6g%s", got, in_frame.c_str(), bound[0],
                bound[1], frame > 0 ? " on every frame" : "");
  return text;
}

void check_bounds(const ReportBounds& bounds, const Report& report, Shortfalls& out) {
  for (const auto& [path, bound] : bounds)
    if (const std::string text = missed(bound, *report.value(path), 0); !text.empty())
      out.push_back(path + ": " + text);
}

/// Checks the bounds on every frame. A missed bound is reported once and removed from `watched`.
void check_frame(ReportBounds& watched, const Report& report, std::int64_t frame, Shortfalls& out) {
  std::erase_if(watched, [&](const auto& entry) {
    const Expected<double> value = report.value(entry.first);
    if (!value) return false;  // not measured yet, or no longer
    const std::string text = missed(entry.second, *value, frame);
    if (!text.empty()) out.push_back(entry.first + ": " + text);
    return !text.empty();
  });
}

/// Sums of the numbers with bounds on their means, and the number of frames that have each.
using Sums = std::map<std::string, std::pair<double, int>>;

void add_to(Sums& sums, const ReportBounds& bounds, const Report& report) {
  for (const auto& [path, bound] : bounds)
    if (const Expected<double> value = report.value(path)) sums[path].first += *value, ++sums[path].second;
}

/// Checks the means, and notes them.
void check_means(const ReportBounds& bounds, const Sums& sums, Reached& reached, Shortfalls& out) {
  for (const auto& [path, sum] : sums) {
    const double mean = sum.first / sum.second;
    reached[path] = {mean, mean};
    if (const std::string text = missed(bounds.at(path), mean, 0); !text.empty())
      out.push_back(path + ": " + text + " on average");
  }
}

void check_box(const ExpectDesc& expect, const Measures& measures, Shortfalls& out) {
  for (int axis = 0; axis < 3; ++axis) {
    const double low = measures.bounds_min[axis], high = measures.bounds_max[axis];
    if (low >= expect.inside_min[axis] && high <= expect.inside_max[axis]) continue;
    char text[160];
    std::snprintf(text, sizeof text, "particles reach %c from %.4g to %.4g m, expected inside %.4g to %.4g",
                  "xyz"[axis], low, high, expect.inside_min[axis], expect.inside_max[axis]);
    out.push_back(text);
  }
}

/// Runs the scene for its expected frames. Fails only if the scene cannot be run at all.
Expected<Checked> check_scene(const SceneDesc& scene) {
  RunOptions options;
  options.threads = 1;  // same bits as with more threads, without waiting at barriers on a busy machine
  Expected<std::unique_ptr<Simulation>> simulation = make_simulation(scene, options);
  if (!simulation) return simulation.error();
  RunRecorder record;
  Checked checked;
  Shortfalls& shortfalls = checked.shortfalls;
  Reached always, at_end, means;
  Sums sums;
  ReportBounds watched = scene.expect.always;
  for (int i = 0; i < scene.expect.frames; ++i) {
    const StepReport step = (*simulation)->step();
    record.add(step, **simulation);
    if (i == 0)
      if (const Expected<void> known = check_names(scene, Report(**simulation, record), false); !known)
        return known.error();
    if (step.nonfinite) break;
    const bool counts = 2 * i >= scene.expect.frames;
    if (scene.expect.always.empty() && (scene.expect.mean.empty() || !counts)) continue;
    const Report report(**simulation, record);
    if (counts) add_to(sums, scene.expect.mean, report);
    note_reached(scene.expect.always, report, always);
    check_frame(watched, report, record.frames(), shortfalls);
  }
  const Report report(**simulation, record);
  if (const Expected<void> known = check_names(scene, report, true); !known) return known.error();
  if (report.nonfinite()) {
    shortfalls.push_back("a value became non-finite in frame " + std::to_string(record.frames()));
  }
  check_bounds(scene.expect.bounds, report, shortfalls);
  note_reached(scene.expect.bounds, report, at_end);
  check_means(scene.expect.mean, sums, means, shortfalls);
  const Measures measures = (*simulation)->measure();
  check_box(scene.expect, measures, shortfalls);
  list_reached("at end", scene.expect.bounds, at_end, checked.reached);
  list_reached("always", scene.expect.always, always, checked.reached);
  list_reached("mean", scene.expect.mean, means, checked.reached);
  for (int axis = 0; axis < 3; ++axis) {
    char text[160];
    std::snprintf(text, sizeof text, "inside  %c %41.5g to %-10.5g reached %10.5g to %-10.5g", "xyz"[axis],
                  scene.expect.inside_min[axis], scene.expect.inside_max[axis], measures.bounds_min[axis],
                  measures.bounds_max[axis]);
    checked.reached.push_back(text);
  }
  return checked;
}

}  // namespace

int check_scenes(const CheckCommand& command) {
  std::vector<std::string> names = command.scenes;
  if (command.all) {
    const Expected<SceneLibrary> library = shipped_scenes();
    if (!library) return fail(library.error());
    for (const SceneEntry& entry : library->scenes()) names.push_back(entry.file);
  }
  for (const std::string& name : command.scenes)  // check all names before any simulation
    if (const Expected<SceneDesc> scene = load_scene(name); !scene) return fail(scene.error());
  // runs one scene per core and reports them in order
  std::counting_semaphore<> cores(std::max(std::thread::hardware_concurrency(), 1u));
  std::vector<std::future<Expected<Checked>>> checks;
  for (const std::string& name : names)
    checks.push_back(std::async(std::launch::async, [&cores, name]() -> Expected<Checked> {
      cores.acquire();
      const Expected<SceneDesc> scene = load_scene(name);
      Expected<Checked> checked = scene ? check_scene(*scene) : Expected<Checked>(scene.error());
      cores.release();
      return checked;
    }));
  int passed = 0, failed = 0, unusable = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const Expected<SceneDesc> scene = load_scene(name);
    const Expected<Checked> checked = checks[i].get();
    if (!checked) {
      ++unusable;
      std::printf("%-32s FAILED\n", name.c_str());
      fail(checked.error());
      continue;
    }
    ++(checked->shortfalls.empty() ? passed : failed);
    const bool bounded =
        !scene->expect.bounds.empty() || !scene->expect.always.empty() || !scene->expect.mean.empty();
    const char* result = bounded ? "ok" : "ok (nothing in its expect block but to stay finite)";
    std::printf("%-32s %s\n", scene->name.c_str(), checked->shortfalls.empty() ? result : "FAILED");
    for (const std::string& text : checked->shortfalls) std::printf("    %s\n", text.c_str());
    if (command.bounds)
      for (const std::string& text : checked->reached) std::printf("    %s\n", text.c_str());
    std::fflush(stdout);
  }
  std::printf("%d passed, %d failed\n", passed, failed + unusable);
  if (unusable > 0) return exit_bad_input;
  return failed > 0 ? exit_failed : exit_ok;
}

}  // namespace limber
