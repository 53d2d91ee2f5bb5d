// limber run: runs a scene without a window.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/commands/commands.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/output_file.hpp"
#include "app/commands/picture.hpp"
#include "app/commands/progress_bar.hpp"
#include "app/commands/report.hpp"
#include "app/commands/run_length.hpp"
#include "app/commands/run_recorder.hpp"
#include "app/commands/scene_source.hpp"
#include "app/lab/scene_watch.hpp"
#include "app/record/scene_export.hpp"
#include "app/record/video_writer.hpp"
#include "app/view/heat_numbers.hpp"
#include "app/view/overlay_marks.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

Expected<int> frame_count(const RunCommand& command, const std::optional<InputRecording>& recording,
                          const SceneDesc& scene) {
  if (command.frames) return *command.frames;
  if (recording && !command.seconds) {
    if (recording->frames <= max_frames) return int(recording->frames);
    return Error{"the recording has more than " + std::to_string(max_frames) + " frames", command.input};
  }
  return frames_in(command.pictured ? scene.picture.seconds : command.seconds.value_or(default_seconds),
                   scene);
}

/// Output files of a run, opened before it starts so that a bad path costs no simulation.
struct RunOutputs {
  std::optional<OutputFile> report, series, trace;
  std::unique_ptr<PictureTaker> picture;
  std::unique_ptr<VideoWriter> video;
  std::optional<SceneExport> exported;
};

Expected<void> open_file(const std::string& path, const char* option, std::optional<OutputFile>& file) {
  if (path.empty()) return {};
  Expected<OutputFile> opened = OutputFile::create(path, option);
  if (!opened) return opened.error();
  file.emplace(std::move(*opened));
  return {};
}

/// Opens the video and the export. `dt`: simulated seconds between two pictures of the video.
Expected<void> open_sequences(const RunCommand& command, double dt, int frames, RunOutputs& outputs) {
  if (!command.video.empty()) {
    const PictureSize size = command.size.value_or(PictureSize());
    auto video = VideoWriter::create(command.video, {size.width, size.height, 1.0 / dt}, "--video");
    if (!video) return video.error();
    outputs.video = std::move(*video);
    if (!outputs.video->note().empty()) std::fprintf(stderr, "limber: %s\n", outputs.video->note().c_str());
  }
  if (!command.export_path.empty()) {
    auto exported = SceneExport::create(
        {.path = command.export_path, .frames = frames, .dt = dt, .surfaces = command.surfaces});
    if (!exported) return exported.error();
    outputs.exported = std::move(*exported);
  }
  return {};
}

/// Fails if two outputs share a file or an output would overwrite an input.
Expected<void> check_distinct(const RunCommand& command) {
  const std::array<std::pair<const char*, const std::string*>, 6> outputs{
      {{"--report", &command.report},
       {"--series", &command.series},
       {"--trace", &command.trace},
       {"--screenshot", &command.screenshot},
       {"--video", &command.video},
       {"--export", &command.export_path}}};
  const auto normal = [](const std::string& path) { return std::filesystem::path(path).lexically_normal(); };
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[i].second->empty() && !outputs[i].second->starts_with("/dev/") &&
          normal(*outputs[i].second) == normal(*outputs[j].second))
        return Error{std::string(outputs[j].first) + " and " + outputs[i].first + " name the same file",
                     *outputs[i].second};
  for (const auto& [option, path] : outputs)
    for (const std::string* input : {&command.scene, &command.input}) {
      std::error_code error;  // the file may not exist, or the scene be a name
      if (!path->empty() && std::filesystem::equivalent(*path, *input, error))
        return Error{std::string(option) + ": would overwrite what is run", *path, 0, "name another file"};
    }
  return {};
}

/// Fails if options of a picture are given without a picture.
Expected<void> check_shown(const RunCommand& command) {
  if (command.heat_look != HeatLook{} && command.heat_map == HeatMap::none)
    return Error{"there is no heat map to which these options could apply",
                 "--colors, --isolines, --heat-end", 0, "add --heatmap strain"};
  if (!command.screenshot.empty() || !command.video.empty()) return {};
  const char* const option = command.heat_map != HeatMap::none  ? "--heatmap"
                             : command.overlay != Overlay::none ? "--show"
                             : command.clip                     ? "--clip"
                             : command.size                     ? "--size"
                             : command.samples                  ? "--samples"
                             : command.stage                    ? "--stage"
                             : command.lens                     ? "--lens"
                             : command.transparent              ? "--transparent"
                                                                : nullptr;
  if (!option) return {};
  return Error{"this option needs a picture or a video", option, 0,
               "add --screenshot out.png or --video out.mp4"};
}

Expected<RunOutputs> open_outputs(const RunCommand& command, double dt, int frames) {
  if (Expected<void> distinct = check_distinct(command); !distinct) return distinct.error();
  if (Expected<void> shown = check_shown(command); !shown) return shown.error();
  RunOutputs outputs;
  if (Expected<void> opened = open_file(command.report, "--report", outputs.report); !opened)
    return opened.error();
  if (Expected<void> opened = open_file(command.series, "--series", outputs.series); !opened)
    return opened.error();
  if (Expected<void> opened = open_file(command.trace, "--trace", outputs.trace); !opened)
    return opened.error();
  if (!command.screenshot.empty() || !command.video.empty()) {
    auto picture = PictureTaker::create(command.screenshot, command.size.value_or(PictureSize()));
    if (!picture) return picture.error();
    outputs.picture = std::move(*picture);
    outputs.picture->show(command.overlay);
    outputs.picture->cut_open(command.clip);
    outputs.picture->sample(command.samples);
    outputs.picture->set_stage(command.stage);
    outputs.picture->set_lens(command.lens.value_or(0.0));
    outputs.picture->show(command.heat_look);
    outputs.picture->set_transparent(command.transparent);
  }
  if (Expected<void> opened = open_sequences(command, dt, frames, outputs); !opened) return opened.error();
  return outputs;
}

/// Fails on a heat map that has no values in the scene.
Expected<void> check_heat_map(const RunCommand& command, const Simulation& simulation) {
  const HeatMapInfo& asked = info_of(command.heat_map);
  std::string others;
  for (const HeatMapInfo& info : heat_maps)
    if (has_numbers(info, *simulation.model()))
      others += (others.empty() ? "" : ", ") + std::string(info.name);
  if (asked.map != HeatMap::none && !has_numbers(asked, *simulation.model()))
    return Error{
        "nothing in '" + simulation.scene().name + "' has the heat map '" + std::string(asked.name) + "'",
        "--heatmap", 0, "it has: " + others};
  return {};
}

/// Fails on an overlay that has nothing to mark in the scene.
Expected<void> check_overlay(const RunCommand& command, const Simulation& simulation) {
  const bool windy = overlays_there(simulation)[std::size_t(Overlay::wind)];
  const auto has = [&](Overlay overlay) {
    return can_have_marks(overlay, *simulation.model()) && (overlay != Overlay::wind || windy);
  };
  if (has(command.overlay)) return {};
  std::string others;
  for (const OverlayInfo& info : overlays)
    if (info.overlay != Overlay::none && has(info.overlay))
      others += (others.empty() ? "" : ", ") + std::string(info.name);
  return Error{"nothing in '" + simulation.scene().name + "' has " +
                   std::string(info_of(command.overlay).name) + " to show",
               "--show", 0, "it has: " + others};
}

/// The input of a run: a scene, and for a replay the recording.
struct RunSource {
  SceneDesc scene;
  std::optional<InputRecording> recording;
};

/// Warns that a replay uses another scene of the same name, because the recorded file is missing.
void tell_of_another_scene(const std::string& input, const InputRecording& recording,
                           const std::string& file) {
  if (recording.file.empty() || recording.file == file) return;
  std::fprintf(stderr, "limber: %s: its scene %s is not there; this replays the scene of the same name, %s\n",
               input.c_str(), recording.file.c_str(), file.c_str());
}

Expected<RunSource> load_source(const RunCommand& command) {
  RunSource source;
  if (!command.input.empty()) {
    auto recording = read_input_recording(command.input);
    if (!recording) return recording.error();
    source.recording = std::move(*recording);
  }
  Expected<SceneDesc> scene =
      source.recording ? load_recorded_scene(*source.recording) : load_scene(command.scene, command.set);
  if (!scene) return scene.error();
  source.scene = std::move(*scene);
  if (source.recording) tell_of_another_scene(command.input, *source.recording, source.scene.file);
  if (command.seed) source.scene.seed = *command.seed;
  if (command.pictured && source.scene.picture.camera) {
    source.scene.camera = *source.scene.picture.camera;
    source.scene.camera_given = true;
  }
  return source;
}

void write_row(OutputFile& file, const SeriesRow& row, bool with_header) {
  std::string header, line;
  for (const auto& [name, value] : row) {
    char number[40] = "";
    if (value) std::snprintf(number, sizeof number, "%.9g", *value);
    header += (header.empty() ? "" : ",") + name;
    line += (line.empty() ? "" : ",") + std::string(number);
  }
  if (with_header) file.write(header + "\n");
  file.write(line + "\n");
}

/// Writes one row per iteration of frame number `frame`.
void write_trace(OutputFile& file, std::int64_t frame, SolverMethod method,
                 const std::vector<IterationTrace>& trace) {
  for (const IterationTrace& row : trace) {
    char line[160];
    std::snprintf(line, sizeof line, "%lld,%d,%d,%.9g,%.9g,%s,%s,%.4f\n", static_cast<long long>(frame),
                  row.substep, row.iteration, row.state.residual, row.state.residual_max,
                  objective_cell(method, row.state).c_str(), imbalance_cell(method, row.state).c_str(),
                  row.ms);
    file.write(line);
  }
}

/// Adds the present state to the video and to the exported meshes.
Expected<void> keep_frame(const Simulation& simulation, HeatMap heat_map, RunOutputs& outputs) {
  if (outputs.exported)
    if (Expected<void> written = outputs.exported->add(simulation); !written) return written;
  return outputs.video ? outputs.video->add(outputs.picture->draw(simulation, heat_map)) : Expected<void>();
}

void warn(const Warning& warning) { std::fprintf(stderr, "limber: %s\n", told_on_console(warning).c_str()); }

void warn_of_start(const Simulation& simulation) {
  const Measures measures = simulation.measure();
  for (const std::string& fact : simulation.model()->facts)
    std::fprintf(stderr, "limber: %s\n", fact.c_str());
  for (const Moment moment : {Moment::start, Moment::setting})
    for (const Warning& warning : find_warnings(moment, {simulation, measures})) warn(warning);
}

/// Steps until the end, a non-finite value or Ctrl+C. Reports faults meanwhile.
Expected<void> step_frames(Simulation& simulation, int frames, RunRecorder& record, RunOutputs& outputs,
                           const RunCommand& command, const InputRecording& inputs) {
  ProgressBar progress(frames);
  InputPlayer player(inputs);
  SceneWatch watch;
  watch.begin(simulation.measure());
  std::vector<IterationTrace> trace;
  if (outputs.trace)
    outputs.trace->write("frame,substep,iteration,residual,residual_max,objective,imbalance,ms\n");
  for (int i = 0; i < frames && !interrupted(); ++i) {
    if (Expected<void> done = player.submit_due(simulation); !done) return done;
    const StepReport step = command.traces(i + 1) ? simulation.step(&interrupt_flag(), &trace)
                                                  : simulation.step(&interrupt_flag());
    if (step.cancelled) break;
    record.add(step, simulation);
    if (SceneWatch::due(simulation, step.nonfinite)) {
      const Measures measures = simulation.measure();
      Sight sight{simulation, measures, step.nonfinite, record.crossings().last(), command.input.empty()};
      sight.viscosity_residual = step.viscosity_residual;
      watch.look(sight);
    }
    if (outputs.series)
      write_row(*outputs.series, series_row(simulation, step, record.last_counts()), i == 0);
    if (command.traces(i + 1))
      write_trace(*outputs.trace, i + 1, simulation.scene().solver.method->kind, trace);
    if (Expected<void> kept = keep_frame(simulation, command.heat_map, outputs); !kept) return kept;
    progress.show(i + 1);
    if (step.nonfinite) break;
  }
  for (const SceneWatch::Found& found : watch.worst()) warn(found.warning);
  return player.submit_due(simulation);
}

/// Counts of the scene's parts: "1000 bodies, 2500 particles, 4802 triangles".
std::string contents(const Report& report) {
  std::string out;
  for (const char* const kind : {"bodies", "particles", "triangles"}) {
    const double count = report.value(kind).value();
    if (count == 0.0) continue;
    char text[48];
    std::snprintf(text, sizeof text, ", %.0f %s", count, kind);
    out += text;
  }
  return out;
}

void print_summary(const Report& report, const Simulation& simulation) {
  const auto number = [&](const char* path) { return report.value(path).value(); };
  std::printf("%s: %.0f frames%s\n", report.word("scene").c_str(), number("frames"),
              contents(report).c_str());
  const int threads = simulation.machine().threads, at_work = simulation.machine().threads_at_work;
  std::printf("  solver  %.3f ms a frame (median), %.3f max, %s, %s%d thread%s, simd %s\n",
              number("wall_ms.median"), number("wall_ms.max"), report.word("precision").c_str(),
              at_work < threads ? (std::to_string(at_work) + " of ").c_str() : "", threads,
              threads == 1 ? "" : "s", report.word("simd").c_str());
  const auto batches = simulation.batches();
  if (report.value("strain.mean") &&
      std::any_of(batches.begin(), batches.end(), [](const BatchCount& b) { return b.type == "distance"; }))
    std::printf("  strain  %.3f %% mean, %.3f %% max\n", 100.0 * number("strain.mean"),
                100.0 * number("strain.max"));
  if (number("tets") > 0.0)
    std::printf("  solids  %.0f tetrahedra, %.0f inverted, elastic energy %.3g J\n", number("tets"),
                number("inverted_tets"), number("elastic_energy"));
  if (number("rod_segments") > 0.0)
    std::printf("  rods    %.0f segments, tension up to %.3g N, bent with %.3g J, twisted with %.3g J\n",
                number("rod_segments"), number("rod_tension_max"), number("rod_bend_energy"),
                number("rod_twist_energy"));
  if (const auto error = report.value("density_error.mean"))
    std::printf("  fluid   %.0f particles, density %.3g %% off (mean)\n", number("fluid_particles"),
                100.0 * *error);
  if (const auto mean = report.value("temperature.mean"))
    std::printf("  heat    %.4g degrees C (mean), %.3g the highest\n", *mean, number("temperature.max"));
  if (const auto error = report.value("joint_error_max"))
    std::printf("  joints  %.3g mm apart at most\n", 1000.0 * *error);
  if (number("contacts.max") > 0.0)
    std::printf("  contact %.0f points (mean), %.0f most, %.3g mm deep at the end\n", number("contacts.mean"),
                number("contacts.max"), 1000.0 * number("penetration_max"));
  if (const auto crossings = report.value("intersections"); crossings && *crossings > 0.0)
    std::printf("  crosses %.0f pairs of triangles at most, last at %.3g s\n", *crossings,
                number("last_intersection"));
  std::printf("  speed   %.4g m/s mean, %.4g max%s\n", number("mean_speed"), number("max_speed"),
              number("at_rest") != 0.0 ? ", at rest" : "");
  std::printf("  hash    %s\n", report.word("state_hash").c_str());
}

Expected<void> write_outputs(const Simulation& simulation, const Report& report, RunOutputs& outputs,
                             const RunCommand& command) {
  if (outputs.report) {
    outputs.report->write(report.text());
    if (Expected<void> done = outputs.report->commit(); !done) return done;
  }
  if (outputs.series) {
    if (Expected<void> done = outputs.series->commit(); !done) return done;
  }
  if (outputs.trace) {
    if (Expected<void> done = outputs.trace->commit(); !done) return done;
  }
  if (outputs.video) {
    if (Expected<void> done = outputs.video->finish(); !done) return done;
  }
  if (outputs.exported) {
    if (Expected<void> done = outputs.exported->finish(); !done) return done;
  }
  if (command.screenshot.empty()) return {};
  return outputs.picture->take(simulation, command.heat_map);
}

/// True if a replay reached the end of its recording in another state than the recorded one.
bool went_astray(const Simulation& simulation, const InputRecording& recording) {
  return simulation.frame() == recording.frames && recording.state_hash != 0 &&
         simulation.state_hash() != recording.state_hash;
}

int exit_status(const Report& report) {
  if (report.nonfinite()) return exit_failed;
  if (interrupted()) std::fprintf(stderr, "limber: interrupted; everything is written up to there\n");
  return interrupted() ? exit_interrupted : exit_ok;
}

}  // namespace

int run_scene(const RunCommand& command) {
  Expected<RunSource> source = load_source(command);
  if (!source) return fail(source.error());
  const InputRecording inputs = source->recording.value_or(InputRecording{});
  const double dt = source->scene.solver.step->dt;
  const Expected<int> frames = frame_count(command, source->recording, source->scene);
  if (!frames) return fail(frames.error());
  stop_on_interrupt();  // from here on there are files to complete
  Expected<RunOutputs> outputs = open_outputs(command, dt, *frames);
  if (!outputs) return fail(outputs.error());
  RunOptions options = command.options;
  options.alone_if_starved = true;
  if (source->recording) options.precision = inputs.precision;
  Expected<std::unique_ptr<Simulation>> simulation = make_simulation(std::move(source->scene), options);
  if (!simulation) return fail(told_with_settings(simulation.error(), command.set));
  if (Expected<void> numbers = check_heat_map(command, **simulation); !numbers) return fail(numbers.error());
  if (Expected<void> marks = check_overlay(command, **simulation); !marks) return fail(marks.error());
  warn_of_start(**simulation);

  RunRecorder record;
  if (auto done = step_frames(**simulation, *frames, record, *outputs, command, inputs); !done)
    return fail(done.error());
  const Report report(**simulation, record, command.set);
  const Expected<void> written = write_outputs(**simulation, report, *outputs, command);
  if (!written) return fail(written.error());
  print_summary(report, **simulation);
  if (source->recording && went_astray(**simulation, inputs)) {
    std::fprintf(stderr,
                 "limber: %s: the replay ends in another state than the recording (did the scene change?)\n",
                 command.input.c_str());
    return exit_failed;
  }
  if (source->recording && (*simulation)->frame() != inputs.frames)
    std::fprintf(stderr,
                 "limber: %s: its last state, of frame %lld, was not compared: the replay ends at %lld\n",
                 command.input.c_str(), static_cast<long long>(inputs.frames),
                 static_cast<long long>((*simulation)->frame()));
  return exit_status(report);
}

/// Describes the accepted values of a field.
std::string range_of(const Field& field) {
  if (field.kind == Field::Kind::text) return {};
  if (field.kind == Field::Kind::boolean) return "true | false";
  if (field.kind == Field::Kind::choice) {
    std::string names;
    for (const std::string_view option : field.options)
      names += (names.empty() ? "" : " | ") + std::string(option);
    return names;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%g .. %g", field.min, field.max);
  return field.automatic ? "auto | " + std::string(text) : std::string(text);
}

int print_settings(const RunCommand& command) {
  Expected<SceneDesc> scene = load_scene(command.scene, command.set);
  if (!scene) return fail(scene.error());
  std::printf("\n--set for %s (path, value, range, unit):\n", scene->name.c_str());
  for (const Setting& setting : list_settings(*scene)) {
    const std::string value = to_text(said(*setting.field, setting.settings));
    std::printf("  %-46s %-20s %-22s %s\n", setting.path.c_str(), value.c_str(),
                range_of(*setting.field).c_str(), std::string(setting.field->unit).c_str());
  }
  return exit_ok;
}

}  // namespace limber
