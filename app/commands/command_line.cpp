#include "app/commands/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <sstream>

#include "app/commands/commands.hpp"
#include "app/commands/option_values.hpp"
#include "app/commands/scene_source.hpp"
#include "app/lab/variant.hpp"
#include "app/record/scene_export.hpp"
#include "app/shell/application.hpp"
#include "engine/core/tunable.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

/// Arguments of all commands.
struct Arguments {
  AppOptions app;
  ListCommand list;
  RunCommand run;
  SweepCommand sweep;
  CheckCommand check;
  ValidateCommand validate;
  BenchCommand bench;
  bool licenses = false;
};

/// Adds an option that takes a number from `min` to `max`. CLI11's own conversion would read 010 as eight and
/// report a typing error without the range.
template <class T, class Target>
CLI::Option* add_number(CLI::App& command, const std::string& name, Target& target, T min, T max,
                        const std::string& help) {
  const auto read = [name, &target, min, max](const std::string& text) {
    T value{};
    if (read_number(text, value) && value >= min && value <= max) {
      target = value;
      return;
    }
    std::ostringstream message;
    message << name << ": needs a " << (std::is_integral_v<T> ? "whole number" : "number") << " from " << min
            << " to " << max << ", not '" << text << "'";
    throw CLI::ValidationError(message.str());
  };
  return command.add_option_function<std::string>(name, read, help)->type_name("N");
}

/// Adds an option whose text `read` parses.
template <class Read>
CLI::Option* add_parsed(CLI::App& command, const std::string& name, const std::string& type, Read read,
                        const std::string& help) {
  const auto checked = [name, read](const std::string& text) {
    if (const Expected<void> done = read(text); !done)
      throw CLI::ValidationError(name + ": " + done.error().text());
  };
  return command.add_option_function<std::string>(name, checked, help)->type_name(type);
}

/// Lists the names in a table for --help.
template <class Table>
std::string names_in(const std::string& what, const Table& table) {
  std::string text = what + ": ";
  for (const auto& info : table) text += (&info == &table[0] ? "" : ", ") + std::string(info.name);
  return text;
}

CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& target,
                      const std::string& help) {
  const auto no_option = [](const std::string& text) {
    return text.empty() || text.starts_with("--") ? std::string("needs a file name") : std::string();
  };
  return command.add_option(name, target, help)->type_name("FILE")->check(no_option);
}

void add_repeated(CLI::App& app, const std::string& name, const std::string& type,
                  std::vector<std::string>& target, const std::string& help) {
  app.add_option(name, target, help)
      ->type_name(type)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// Options of both the window and `limber run`: length, engine, outputs.
template <class Command>
void add_common_options(CLI::App& app, Command& command, RunOptions& options) {
  CLI::Option* frames =
      add_number<int>(app, "--frames", command.frames, 1, max_frames, "stop after N frames");
  CLI::Option* seconds =
      add_number<double>(app, "--seconds", command.seconds, 1e-4, 1e6, "stop after N seconds");
  frames->excludes(seconds);
  add_repeated(app, "--set", "PATH=VALUE", command.set, "change a value of the scene; repeatable");
  add_number<int>(app, "--threads", options.threads, 1, max_threads,
                  "worker threads; default: as many as make it faster");
  add_parsed(
      app, "--simd", "auto|scalar|4|8|16",
      [&options](const std::string& text) { return read_simd(text, options.simd); },
      "lanes of the vector kernels; default: the widest there are");
  add_parsed(
      app, "--precision", "f32|f64",
      [&options](const std::string& text) { return read_precision(text, options.precision); },
      "float or double; default f32");
  add_file(app, "--report", command.report, "write a report of the run: settings and measures, JSON");
  add_file(app, "--screenshot", command.screenshot, "write a picture of the last frame, PNG");
}

/// Options for the stage and the number of samples of a picture.
void add_picture_options(CLI::App& app, std::optional<Stage>& stage, std::optional<int>& samples,
                         const std::string& usual) {
  add_parsed(
      app, "--stage", "NAME", [&stage](const std::string& text) { return read_stage(text, stage); },
      names_in("ground and light of the scene", stages));
  add_number<int>(
      app, "--samples", samples, 1, max_samples,
      "drawings averaged into each picture, for smooth edges, soft shadows and sky light; default " + usual);
}

void add_window(CLI::App& app, AppOptions& window) {
  app.add_option("SCENE", window.scene, "open this scene, scene file or .obj in the window");
  add_common_options(app, window, window.run);
  add_repeated(app, "--variant", "\"PATH=VALUE ...\"", window.variants,
               "show a variant of the scene with these values; give it two to four times");
  add_file(app, "--record-input", window.record_input, "write a recording of your input, to replay it");
  add_parsed(
      app, "--size", "WxH",
      [&window](const std::string& text) { return read_size(text, window.width, window.height); },
      "size of the window; default 1280x800");
  add_picture_options(app, window.stage, window.samples, "8 to 64, as fast as they are drawn");
}

/// Options of `limber run` for the pictures that it takes.
void add_run_pictures(CLI::App& command, RunCommand& run) {
  add_parsed(
      command, "--size", "WxH",
      [&run](const std::string& text) {
        PictureSize& size = run.size.emplace();
        return read_size(text, size.width, size.height);
      },
      "size of pictures and videos; default 1280x720");
  add_number<double>(
      command, "--lens", run.lens, 0.0, 10.0,
      "diameter of the lens, m: things nearer or farther than the camera's target are blurred");
  add_picture_options(command, run.stage, run.samples, "64, in a video 16");
  command.add_flag(
      "--transparent", run.transparent,
      "pictures with an alpha channel instead of ground and backdrop; videos: into a folder of PNG");
  add_parsed(
      command, "--heatmap", "NAME",
      [&run](const std::string& text) { return read_heat_map(text, run.heat_map); },
      names_in("colours of the picture", heat_maps));
  add_parsed(
      command, "--colors", "NAME",
      [&run](const std::string& text) { return read_color_map(text, run.heat_look.colors); },
      "colours of the heat map: viridis, cividis, diverging");
  command.add_flag("--isolines", run.heat_look.isolines, "dark lines at each tenth of the heat map's scale");
  add_number<float>(command, "--heat-end", run.heat_look.high, 1e-30f, 1e30f,
                    "end of the heat map's scale, in its unit; default: follows the numbers");
  add_parsed(
      command, "--show", "NAME", [&run](const std::string& text) { return read_overlay(text, run.overlay); },
      names_in("marks over the picture", overlays));
  add_parsed(
      command, "--clip", "PLANE", [&run](const std::string& text) { return read_clip(text, run.clip); },
      "cut surfaces open across an axis and look inside: x, -z, y=0.3 (m; default: through the middle)");
}

void add_run(CLI::App& app, RunCommand& run) {
  CLI::App* command = app.add_subcommand("run", "simulate a scene without a window; default 5 s of its time");
  command->footer("With a scene, --help also lists what --set accepts.");
  command->add_option("SCENE", run.scene, "a scene's name, a scene file or an .obj");
  add_common_options(*command, run, run.options);
  CLI::Option* pictured =
      command->add_flag("--pictured", run.pictured, "use the time and the camera of the scene's picture");
  for (const char* length : {"--frames", "--seconds"}) pictured->excludes(command->get_option(length));
  add_number<std::uint64_t>(*command, "--seed", run.seed, 0, UINT64_MAX,
                            "seed of everything random; default: that of the scene");
  add_file(*command, "--series", run.series, "write a row per frame, CSV");
  CLI::Option* trace = add_file(
      *command, "--trace", run.trace,
      "write a row per solver iteration, CSV: residuals and objective (for PBD with the compliances given)");
  add_parsed(
      *command, "--trace-frames", "N,N...",
      [&run](const std::string& text) { return read_frames(text, run.trace_frames); }, "only of these frames")
      ->needs(trace);
  add_file(*command, "--video", run.video,
           "write a picture per frame: .mp4, .webm, .gif, or FOLDER/ for PNG files");
  CLI::Option* exported = add_file(*command, "--export", run.export_path, export_help());
  command->add_flag("--surfaces", run.surfaces, "export fluids as closed meshes beside their particles")
      ->needs(exported);
  CLI::Option* film =
      add_file(*command, "--film", run.film,
               "take pictures as a script describes: camera, title, speed (see the manual, recording)");
  for (const char* fixed :
       {"--frames", "--seconds", "--pictured", "--report", "--series", "--trace", "--export"})
    film->excludes(command->get_option(fixed));
  CLI::Option* input =
      add_file(*command, "--input", run.input, "replay a recording of input, instead of SCENE");
  for (const char* fixed : {"SCENE", "--set", "--seed", "--precision", "--pictured"})
    input->excludes(command->get_option(fixed));
  add_repeated(*command, "--compare,--variant", "\"PATH=VALUE ...\"", run.compare,
               "run a variant of the scene with these values; give it two to eight times for one report");
  add_parsed(
      *command, "--reference", "\"PATH=VALUE ...\"",
      [&run](const std::string& text) {
        run.reference = text;
        return Expected<void>();
      },
      "settings of the reference run; default: the first variant");
  add_run_pictures(*command, run);
  for (const char* own : {"--input", "--compare", "--reference", "--screenshot"})
    film->excludes(command->get_option(own));
}

void add_sweep(CLI::App& app, SweepCommand& sweep) {
  CLI::App* command = app.add_subcommand("sweep", "run a grid of settings over the cores, into one table");
  command->add_option("SCENE", sweep.scene, "a scene's name, a scene file or an .obj");
  add_repeated(*command, "--set", "PATH=VALUES", sweep.set,
               "values a,b,c (vectors: x,y,z;x,y,z), or low:high:count, evenly, or low:high:count:log");
  CLI::Option* frames = add_number<int>(*command, "--frames", sweep.frames, 1, max_frames, "of each run");
  CLI::Option* seconds =
      add_number<double>(*command, "--seconds", sweep.seconds, 1e-4, 1e6, "of each run; default 5");
  frames->excludes(seconds);
  add_number<int>(*command, "--jobs", sweep.jobs, 1, max_threads, "runs at a time; default: one per core");
  add_parsed(
      *command, "--precision", "f32|f64",
      [&sweep](const std::string& text) { return read_precision(text, sweep.options.precision); },
      "float or double; default f32");
  add_file(*command, "--csv", sweep.csv,
           "write a row per run; runs that already have a row are not repeated");
  add_file(*command, "--jsonl", sweep.jsonl,
           "write a line of JSON per run; runs that already have a line are not repeated");
  command->add_flag("--print", sweep.print, "write a command per run, for GNU parallel or a batch system");
}

void add_others(CLI::App& app, Arguments& arguments) {
  CLI::App* list = app.add_subcommand("list", "list the scenes: name, title, group");
  CLI::Option* json = list->add_flag("--json", arguments.list.json, "as JSON");
  list->add_flag("--markdown", arguments.list.markdown, "the shipped scenes as a page of the manual")
      ->excludes(json);

  CLI::App* check =
      app.add_subcommand("check", "check the expect blocks of scenes; status 1 if a bound is missed");
  CLI::Option* scenes = check->add_option("SCENE", arguments.check.scenes, "scenes to check");
  CLI::Option* all = check->add_flag("--all", arguments.check.all, "every shipped scene");
  all->excludes(scenes);
  check->add_flag("--bounds", arguments.check.bounds,
                  "print each bound beside the value reached, and how many times as wide it is");

  CLI::App* validate = app.add_subcommand("validate", "run the analytic cases in double, as a table");
  validate->add_option("GROUP", arguments.validate.groups, "only these groups: spring, joint, fluid, ...");
  add_file(*validate, "--csv", arguments.validate.csv, "write the table, CSV");
  add_file(*validate, "--markdown", arguments.validate.markdown, "write the table, a page in Markdown");

  CLI::App* bench = app.add_subcommand("bench", "time kernels and scenes against two reference loops");
  bench->add_option("NAME", arguments.bench.name, "only rows whose name contains this");
  add_number<int>(*bench, "--threads", arguments.bench.threads, 1, max_threads,
                  "default: rows for one and two");
  add_file(*bench, "--json", arguments.bench.json, "write the rows, JSON");
  add_file(*bench, "--baseline", arguments.bench.baseline, "compare with a file written by --json");

  app.add_subcommand("methods", "run every method on small scenes in double, as a Markdown table");
  app.add_subcommand("settings", "print every setting of a scene: units, ranges, defaults, as Markdown");
  app.add_subcommand("schema", "print the JSON Schema of scene files");
}

std::vector<std::string_view> option_names(const CLI::App& command) {
  std::vector<std::string_view> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

/// The command on the command line, or the root.
const CLI::App& active(const CLI::App& app) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  return named.empty() ? app : *named.front();
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The command nearest to `scene`, for `limber lst`, which reads as a scene; "" if `scene` is a scene.
std::string meant_command(const CLI::App& app, const std::string& scene) {
  const std::vector<std::string> names = command_names(app);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string near = nearest_name(scene, views);
  return near.empty() || load_scene(scene) ? std::string() : near;
}

/// `limber rnu cloth_hang` reads as a scene and a surplus argument. Suggests the mistyped command.
std::string unexpected_argument(const CLI::App& app, const std::string& extra) {
  const std::string message = "unexpected argument '" + extra + "'";
  if (!app.get_subcommands().empty()) return message;
  const std::vector<std::string> names = command_names(app);
  const std::string first = app.get_option("SCENE")->as<std::string>();
  const std::vector<std::string_view> views(names.begin(), names.end());
  return message + ": '" + first + "' is no command (" + suggest(first, views) + ")";
}

/// The commands with the option, as typed; "" if there are none.
std::string commands_with(const CLI::App& app, const std::string& option) {
  const auto has = [&](const CLI::App& command) {
    const std::vector<std::string_view> names = option_names(command);
    return std::find(names.begin(), names.end(), option) != names.end();
  };
  std::string out = has(app) ? "limber [SCENE]" : "";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (has(*command)) out += (out.empty() ? "limber " : ", limber ") + command->get_name();
  return out;
}

/// The message for surplus arguments.
std::string extras_message(const CLI::App& app) {
  const CLI::App& command = active(app);
  std::vector<std::string> extras = command.remaining();
  if (extras.empty()) extras = app.remaining();
  const std::string extra = extras.empty() ? std::string() : extras.front();
  if (!extra.starts_with("-")) return unexpected_argument(app, extra);
  const std::string name = extra.substr(0, extra.find('='));
  const std::string word = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  if (const std::string elsewhere = commands_with(app, word); !elsewhere.empty())
    return "unknown option '" + name + "' (it belongs to: " + elsewhere + ")";
  std::vector<std::string> spelled;
  for (const std::string_view option : option_names(command)) spelled.push_back("--" + std::string(option));
  const std::vector<std::string_view> names(spelled.begin(), spelled.end());
  return "unknown option '" + name + "' (" + suggest("--" + word, names) + ")";
}

int usage_error(const std::string& message) {
  std::fprintf(stderr, "limber: %s\n", message.c_str());
  return exit_bad_input;
}

/// The message for an option without value, at the end of the line or before another option.
std::string missing_value(const CLI::App& app, const CLI::ArgumentMismatch& error) {
  const std::string text = error.what(), name = text.substr(0, text.find(':'));
  const CLI::Option* option = active(app).get_option_no_throw(name);
  if (!option) return text;
  const bool setting = name == "--set";
  return name + " needs a value: " + name + " " + option->get_type_name() +
         (setting ? ", for instance --set solver.substeps=20 ('limber run SCENE --help' lists the paths)"
                  : "");
}

/// An option or argument before the command's name, or "".
std::string said_before_command(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() > 0) return option->get_positional() ? option->results().front() : option->get_name();
  }
  return {};
}

int dispatch(const CLI::App& app, const Arguments& arguments) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  if (named.empty() && arguments.licenses) return print_licenses();
  if (named.empty() && arguments.app.variants.size() > most_variants)
    return usage_error("--variant: at most " + std::to_string(most_variants) + " stand side by side");
  if (named.empty()) {
    const std::string meant = meant_command(app, arguments.app.scene);
    return meant.empty() ? run_app(arguments.app)
                         : usage_error("there is neither a scene nor a command '" + arguments.app.scene +
                                       "' (did you mean '" + meant + "'?)");
  }
  const std::string name = named.front()->get_name();
  if (const std::string early = said_before_command(app); !early.empty()) {
    return usage_error("unexpected '" + early + "' before '" + name + "'");
  }
  if (name == "list") return list_scenes(arguments.list);
  if (name == "run") {
    if (arguments.run.scene.empty() && arguments.run.input.empty() && arguments.run.film.empty())
      return usage_error("run: SCENE is required, or --input with a recording, or --film with a script");
    if (!arguments.run.film.empty()) return film_scene(arguments.run);
    return arguments.run.compare.empty() && !arguments.run.reference ? run_scene(arguments.run)
                                                                     : compare_scenes(arguments.run);
  }
  if (name == "sweep") {
    if (arguments.sweep.scene.empty()) return usage_error("sweep: SCENE is required");
    return sweep(arguments.sweep);
  }
  if (name == "check") {
    if (!arguments.check.all && arguments.check.scenes.empty())
      return usage_error("check: name scenes, or --all");
    return check_scenes(arguments.check);
  }
  if (name == "validate") return validate(arguments.validate);
  if (name == "bench") return bench(arguments.bench);
  if (name == "methods") return print_methods();
  if (name == "settings") return print_settings();
  return print_schema();
}

int show_help(const CLI::App& app, const Arguments& arguments) {
  std::fputs(app.help().c_str(), stdout);
  const bool of_scene = active(app).get_name() == "run" && !arguments.run.scene.empty();
  return of_scene ? print_settings(arguments.run) : int(exit_ok);
}

/// Returns `status`, or a failure if standard output could not be written.
int printed(int status) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  std::fprintf(stderr, "limber: the standard output cannot be written, is the disk full?\n");
  return status == int(exit_ok) ? int(exit_failed) : status;
}

}  // namespace

int run_command_line(int argc, char** argv) try {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error of the writer and must not kill the process
  CLI::App app("limber: a desktop lab for position based dynamics", "limber");
  app.set_version_flag("--version", version_text);
  app.require_subcommand(0, 1);
  Arguments arguments;
  add_window(app, arguments.app);
  add_run(app, arguments.run);
  add_sweep(app, arguments.sweep);
  add_others(app, arguments);
  app.add_flag("--licenses", arguments.licenses, "the licences of the libraries inside");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return printed(show_help(app, arguments));
  } catch (const CLI::ExtrasError&) {
    return usage_error(extras_message(app));
  } catch (const CLI::ArgumentMismatch& error) {
    return usage_error(missing_value(app, error));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != int(CLI::ExitCodes::Success)) return usage_error(error.what());
    return app.exit(error);
  }
  return printed(dispatch(app, arguments));
} catch (const std::exception& error) {
  std::fprintf(stderr, "limber: internal error: %s\n", error.what());
  return exit_failed;
}

}  // namespace limber
