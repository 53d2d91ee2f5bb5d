// The subcommands of `limber`, each a plain struct of what the command line said and one function that runs
// it and returns the exit status. Every message about bad input goes to standard error.
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
  exit_interrupted = 130,  ///< stopped by Ctrl+C; what was asked for is written up to there
};

inline constexpr int max_frames = 1'000'000;  ///< of one headless run, so that a slip of the finger ends
inline constexpr int max_threads = 256;
inline constexpr int min_picture = 16, max_picture = 8192;  ///< pixels
inline constexpr int max_samples = 4096;                    ///< drawings of one picture

struct PictureSize {
  int width = 1280, height = 720;  ///< pixels
};

struct ListCommand {
  bool json = false;
  bool markdown = false;  ///< the page of the manual, of the shipped scenes alone
};
int list_scenes(const ListCommand& command);

struct RunCommand {
  std::string scene;
  std::optional<int> frames;      ///< at most one of frames and seconds
  std::optional<double> seconds;  ///< simulated
  bool pictured = false;          ///< as long as, and seen from where, the scene's picture says
  std::vector<std::string> set;   ///< "path=value"
  std::optional<std::uint64_t> seed;
  RunOptions options;
  std::string report, series, trace, screenshot;  ///< files, empty: not wanted
  std::vector<int> trace_frames;                  ///< ascending, from 1: which are traced; empty: all
  bool traces(int number) const {
    return !trace.empty() &&
           (trace_frames.empty() || std::binary_search(trace_frames.begin(), trace_frames.end(), number));
  }
  std::string video, export_path;        ///< a file or a folder
  bool surfaces = false;                 ///< export fluids as closed meshes too
  std::string film;                      ///< a script of pictures to take
  std::string input;                     ///< a recording to replay, instead of `scene`
  std::vector<std::string> compare;      ///< "path=value path=value": what each variant sets
  std::optional<std::string> reference;  ///< what those are compared with sets; none: the first of them
  std::optional<PictureSize> size;
  HeatMap heat_map = no_heat_map;   ///< of the picture
  HeatLook heat_look;               ///< its colours
  bool transparent = false;         ///< pictures without ground and backdrop, with an opacity
  Overlay overlay = Overlay::none;  ///< likewise
  std::optional<ClipChoice> clip;   ///< likewise
  std::optional<Stage> stage;       ///< likewise; nothing: the scene's own
  std::optional<double> lens;       ///< m, diameter
  std::optional<int> samples;       ///< drawings that make up each picture
};
int run_scene(const RunCommand& command);

/// The pictures that the script `command.film` asks for, as a video or PNG files.
int film_scene(const RunCommand& command);

/// Variants of one scene in lockstep, with one report: what each costs and how far it is from the reference.
int compare_scenes(const RunCommand& command);

/// What --set accepts for the scene of `command`, with units, ranges and present values.
int print_settings(const RunCommand& command);

/// A grid of runs over the cores, into one table.
struct SweepCommand {
  std::string scene;
  std::vector<std::string> set;  ///< "path=a,b,c" or "path=low:high:count"; one value is the same for all
  std::optional<int> frames;
  std::optional<double> seconds;
  RunOptions options;
  int jobs = 0;            ///< runs at a time; 0: one per core
  std::string csv, jsonl;  ///< files, empty: not wanted
  bool print = false;      ///< write the commands instead
};
int sweep(const SweepCommand& command);

struct CheckCommand {
  std::vector<std::string> scenes;
  bool all = false;
  bool bounds = false;  ///< print each bound beside what was reached
};
int check_scenes(const CheckCommand& command);

struct ValidateCommand {
  std::vector<std::string> groups;  ///< only these; empty: all
  std::string csv, markdown;
};
int validate(const ValidateCommand& command);

struct BenchCommand {
  std::string name;  ///< only rows whose name contains it; empty: all
  int threads = 0;   ///< 0: one and two (or as many as there are)
  std::string json, baseline;
};
int bench(const BenchCommand& command);

/// Every method on small scenes: a table of Markdown.
int print_methods();

int print_schema();
/// Writes the manual's page of settings to standard output.
int print_settings();

/// Version, compiler, instruction sets and libraries, a line each, the first "limber 1.2.3".
std::string version_text();

/// Prints the third-party notices.
int print_licenses();

/// Prints "limber: " and the error on standard error.
int fail(const Error& error);

}  // namespace limber
