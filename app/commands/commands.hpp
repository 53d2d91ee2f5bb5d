// The subcommands of `limber`. Each has a plain struct of its arguments and a function that runs it and
// returns the exit status. All messages about bad input go to standard error.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/view/clip_plane.hpp"
#include "app/view/heat_look.hpp"
#include "app/view/overlay.hpp"
#include "app/view/stage.hpp"
#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

enum ExitStatus : int {
  exit_ok = 0,
  exit_failed = 1,         ///< a check failed or a value became non-finite
  exit_bad_input = 2,      ///< bad usage or bad input
  exit_interrupted = 130,  ///< stopped by Ctrl+C; outputs are written up to that frame
};

inline constexpr int max_frames = 1'000'000;  ///< of one run without a window, so that a typing error does
                                              ///< little harm
inline constexpr int max_threads = 256;
inline constexpr int min_picture = 16, max_picture = 8192;  ///< pixels
inline constexpr int max_samples = 4096;                    ///< samples of one picture

struct PictureSize {
  int width = 1280, height = 720;  ///< pixels
};

struct ListCommand {
  bool json = false;
  bool markdown = false;  ///< the manual's page of the shipped scenes
};
int list_scenes(const ListCommand& command);

struct RunCommand {
  std::string scene;
  std::optional<int> frames;      ///< at most one of frames and seconds
  std::optional<double> seconds;  ///< simulated
  bool pictured = false;          ///< with length and camera of the scene's `picture`
  std::vector<std::string> set;   ///< "path=value"
  std::optional<std::uint64_t> seed;
  RunOptions options;
  std::string report, series, trace, screenshot;  ///< output files; empty: not written
  std::vector<int> trace_frames;                  ///< frames to trace, ascending, from 1; empty: all
  bool traces(int number) const {
    return !trace.empty() &&
           (trace_frames.empty() || std::binary_search(trace_frames.begin(), trace_frames.end(), number));
  }
  std::string video, export_path;        ///< output file or folder
  bool surfaces = false;                 ///< export fluids as closed meshes too
  std::string film;                      ///< script of the pictures to take
  std::string input;                     ///< a recording to replay, instead of `scene`
  std::vector<std::string> compare;      ///< "path=value path=value": settings of each variant
  std::optional<std::string> reference;  ///< settings of the reference; none: the first variant
  std::optional<PictureSize> size;
  HeatMap heat_map = no_heat_map;   ///< heat map of the picture
  HeatLook heat_look;               ///< colours of the heat map
  bool transparent = false;         ///< pictures without ground and backdrop, with an alpha channel
  Overlay overlay = Overlay::none;  ///< marks in the pictures
  std::optional<ClipChoice> clip;   ///< clipping plane of the pictures
  std::optional<Stage> stage;       ///< stage of the pictures; none: the scene's own
  std::optional<double> lens;       ///< m, diameter of the aperture
  std::optional<int> samples;       ///< drawings that are averaged into each picture
};
int run_scene(const RunCommand& command);

/// Draws the pictures of the script `command.film`, as a video or PNG files.
int film_scene(const RunCommand& command);

/// Runs variants of one scene in lockstep. Reports the cost of each and its distance from the reference.
int compare_scenes(const RunCommand& command);

/// Prints the settings that --set accepts for the scene of `command`, with units, ranges and present values.
int print_settings(const RunCommand& command);

/// A grid of runs, one per core at a time, whose results go into one table.
struct SweepCommand {
  std::string scene;
  std::vector<std::string> set;  ///< "path=a,b,c" or "path=low:high:count"; a single value applies to all
                                 ///< runs
  std::optional<int> frames;
  std::optional<double> seconds;
  RunOptions options;
  int jobs = 0;            ///< concurrent runs; 0: one per core
  std::string csv, jsonl;  ///< output files; empty: not written
  bool print = false;      ///< print the commands instead
};
int sweep(const SweepCommand& command);

struct CheckCommand {
  std::vector<std::string> scenes;
  bool all = false;
  bool bounds = false;  ///< print each bound beside the reached value
};
int check_scenes(const CheckCommand& command);

struct ValidateCommand {
  std::vector<std::string> groups;  ///< only these; empty: all
  std::string csv, markdown;
};
int validate(const ValidateCommand& command);

struct BenchCommand {
  std::string name;  ///< only rows whose name contains it; empty: all
  int threads = 0;   ///< 0: one and two (or as many as the machine has)
  std::string json, baseline;
};
int bench(const BenchCommand& command);

/// Prints what each method does, measured on small scenes, as a Markdown table.
int print_methods();

int print_schema();
/// Writes the manual's page of settings to standard output.
int print_settings();

/// Version, compiler, instruction sets and libraries, one per line. The first line is "limber 1.2.3".
std::string version_text();

/// Prints the third-party notices.
int print_licenses();

/// Prints "limber: " and the error on standard error.
int fail(const Error& error);

}  // namespace limber
