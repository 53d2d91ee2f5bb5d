// limber run SCENE --compare ...: variants of one scene in lockstep, one report.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/commands.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/output_file.hpp"
#include "app/commands/picture.hpp"
#include "app/commands/progress_bar.hpp"
#include "app/commands/report.hpp"
#include "app/commands/run_length.hpp"
#include "app/commands/scene_source.hpp"
#include "app/lab/distance.hpp"
#include "app/lab/scene_reload.hpp"
#include "app/lab/variant.hpp"
#include "app/record/video_writer.hpp"
#include "app/watch/method_limits.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_compared = 8;

/// One of the compared variants.
struct Contestant {
  std::string name;
  std::string said;  ///< settings as given on the command line, "path=value path=value"
  std::unique_ptr<Simulation> simulation;
  RunRecorder record;
  std::vector<IterationTrace> trace;  ///< trace of the last frame
  Distance distance, farthest;        ///< from the reference: at the end, and the largest of all frames
  double square_sum = 0.0;            ///< m^2, sum of rms^2 over the frames
  int compared = 0;                   ///< frames
  bool stopped = false;               ///< a value became non-finite
};

struct Race {
  std::vector<Contestant> contestants;  ///< without a reference that was given separately
  std::optional<Contestant> apart;
  double dt = 0.0;  ///< s, frame time of the scene

  Contestant& reference() { return apart ? *apart : contestants.front(); }
  template <class Act>
  void for_each(const Act& act) {
    for (Contestant& one : contestants) act(one);
    if (apart) act(*apart);
  }
};

Expected<void> check_options(const RunCommand& command) {
  const std::size_t count = command.compare.size();
  if (count > most_compared)
    return Error{"at most " + std::to_string(most_compared) + " are compared", "--compare"};
  if (count == 0 || (count == 1 && !command.reference))
    return Error{"there is nothing to compare with", "--compare", 0,
                 "give it twice, or --reference \"path=value\" beside it"};
  const std::pair<const char*, bool> others[] = {{"--series", !command.series.empty()},
                                                 {"--export", !command.export_path.empty()},
                                                 {"--input", !command.input.empty()}};
  for (const auto& [option, given] : others)
    if (given) return Error{"is for a single run, not for --compare", option};
  return {};
}

Expected<Contestant> enter(const SceneDesc& scene, const std::string& said, const char* option,
                           const RunOptions& options) {
  auto settings = read_variants(scene, {said}, option);
  if (!settings) return settings.error();
  Contestant out;
  out.said = said;
  SceneDesc own = scene;
  apply_changes(settings->front(), own);
  auto simulation = make_simulation(std::move(own), options);
  if (!simulation) {
    Error error = simulation.error();
    error.message += std::string("; with ") + option + " \"" + said + "\"";
    return error;
  }
  out.simulation = std::move(*simulation);
  return out;
}

/// Builds all variants. They share one set of threads and are stepped in turn.
Expected<Race> enter_all(const SceneDesc& scene, const RunCommand& command) {
  RunOptions options = command.options;
  options.alone_if_starved = true;
  Race race;
  race.dt = scene.solver.step->dt;
  for (const std::string& said : command.compare) {
    auto one = enter(scene, said, "--compare", options);
    if (!one) return one.error();
    options.workers = one->simulation->machine().workers;
    race.contestants.push_back(std::move(*one));
  }
  if (command.reference) {
    auto one = enter(scene, *command.reference, "--reference", options);
    if (!one) return one.error();
    race.apart = std::move(*one);
  }
  std::vector<const SceneDesc*> scenes;
  race.for_each([&](Contestant& one) { scenes.push_back(&one.simulation->scene()); });
  const std::vector<std::string> names = differences(scenes);
  std::size_t k = 0;
  race.for_each([&](Contestant& one) {
    one.name = names[k].empty() ? "variant " + std::to_string(k + 1) : names[k];
    ++k;
  });
  return race;
}

/// Steps the variant to the end of a frame of the scene, in several frames if its own are shorter.
bool step_to(double end, bool traced, Contestant& one) {
  Simulation& simulation = *one.simulation;
  const double dt = simulation.scene().solver.step->dt;
  while (!one.stopped && simulation.time() + 0.5 * dt < end) {
    const StepReport step =
        traced ? simulation.step(&interrupt_flag(), &one.trace) : simulation.step(&interrupt_flag());
    if (step.cancelled) return false;
    one.record.add(step, simulation);
    one.stopped = step.nonfinite;
  }
  return true;
}

void compare(Contestant& one, const Contestant& reference, DistanceMeter& meter) {
  if (one.stopped || reference.stopped) return;
  one.distance = meter.between(*one.simulation, *reference.simulation);
  if (one.distance.compared == 0) return;
  one.farthest.rms = std::max(one.farthest.rms, one.distance.rms);
  one.farthest.max = std::max(one.farthest.max, one.distance.max);
  one.square_sum += one.distance.rms * one.distance.rms;
  ++one.compared;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

void write_trace(OutputFile& file, std::int64_t frame, const Contestant& one) {
  const SolverMethod method = one.simulation->scene().solver.method->kind;
  for (const IterationTrace& row : one.trace) {
    char line[160];
    std::snprintf(line, sizeof line, ",%lld,%d,%d,%.4f,%.9g,%.9g,%s,%s\n", static_cast<long long>(frame),
                  row.substep, row.iteration, row.ms, row.state.residual, row.state.residual_max,
                  objective_cell(method, row.state).c_str(), imbalance_cell(method, row.state).c_str());
    file.write(quoted(one.name) + line);
  }
}

/// Output files, opened before anything runs.
struct RaceOutputs {
  std::optional<OutputFile> report, trace;
  std::unique_ptr<PictureTaker> picture;
  std::unique_ptr<VideoWriter> video;
};

Expected<RaceOutputs> open_race_outputs(const RunCommand& command, double dt) {
  RaceOutputs out;
  for (auto [path, option, file] : {std::tuple{&command.report, "--report", &out.report},
                                    std::tuple{&command.trace, "--trace", &out.trace}}) {
    if (path->empty()) continue;
    auto opened = OutputFile::create(*path, option);
    if (!opened) return opened.error();
    file->emplace(std::move(*opened));
  }
  if (command.screenshot.empty() && command.video.empty()) return out;
  const PictureSize size = command.size.value_or(PictureSize());
  auto picture = PictureTaker::create(command.screenshot, size);
  if (!picture) return picture.error();
  out.picture = std::move(*picture);
  out.picture->show(command.overlay);
  out.picture->sample(command.samples);
  out.picture->set_stage(command.stage);
  out.picture->set_lens(command.lens.value_or(0.0));
  out.picture->show(command.heat_look);
  out.picture->set_transparent(command.transparent);
  if (command.video.empty()) return out;
  auto video = VideoWriter::create(command.video, {size.width, size.height, 1.0 / dt}, "--video");
  if (!video) return video.error();
  out.video = std::move(*video);
  if (!out.video->note().empty()) std::fprintf(stderr, "limber: %s\n", out.video->note().c_str());
  return out;
}

std::vector<PictureTaker::Subject> subjects(Race& race) {
  std::vector<PictureTaker::Subject> out;
  race.for_each([&](Contestant& one) {
    VariantStatus status;
    status.number = out.size();
    status.count = race.contestants.size() + (race.apart ? 1 : 0);
    status.text = one.name;
    status.stopped = one.stopped;
    out.push_back({*one.simulation, status, one.record.wall_ms().median});
  });
  return out;
}

/// Runs all variants. The last frame is always traced, because the table shows its residuals.
Expected<void> run_all(Race& race, int frames, const RunCommand& command, RaceOutputs& outputs) {
  ProgressBar progress(frames);
  DistanceMeter meter;
  if (outputs.trace)
    outputs.trace->write("variant,frame,substep,iteration,ms,residual,residual_max,objective,imbalance\n");
  for (int i = 0; i < frames && !interrupted(); ++i) {
    const bool traced = command.traces(i + 1) || i + 1 == frames;
    bool done = true;
    race.for_each([&](Contestant& one) { done = done && step_to((i + 1) * race.dt, traced, one); });
    if (!done) break;
    for (Contestant& one : race.contestants)
      if (&one != &race.reference()) compare(one, race.reference(), meter);
    if (command.traces(i + 1))
      race.for_each([&](Contestant& one) {
        if (!one.stopped) write_trace(*outputs.trace, i + 1, one);
      });
    if (outputs.video)
      if (auto added = outputs.video->add(outputs.picture->draw(subjects(race), command.heat_map)); !added)
        return added;
    progress.show(i + 1);
  }
  return {};
}

Json distance_of(const Contestant& one) {
  if (one.compared == 0) return nullptr;
  return {{"rms", one.distance.rms},
          {"max", one.distance.max},
          {"rms_of_all_frames", std::sqrt(one.square_sum / one.compared)},
          {"rms_largest", one.farthest.rms},
          {"max_largest", one.farthest.max}};
}

Json convergence_of(const Contestant& one) {
  if (one.trace.empty()) return nullptr;
  const Convergence& last = one.trace.back().state;
  Json out{{"residual", last.residual}, {"residual_max", last.residual_max}};
  out["objective"] =
      traits(one.simulation->scene().solver.method->kind).objective ? Json(last.objective) : Json(nullptr);
  return out;
}

Json report_of(Contestant& one, bool is_reference, std::span<const std::string> set) {
  std::vector<std::string> all(set.begin(), set.end());
  for (const std::string& assignment : settings_of(one.said)) all.push_back(assignment);
  const Report report(*one.simulation, one.record, all);
  Json out{{"name", one.name}, {"said", one.said}, {"reference", is_reference}, {"stopped", one.stopped}};
  out["distance"] = distance_of(one);
  out["convergence"] = convergence_of(one);
  out["report"] = Json::parse(report.text());
  return out;
}

std::string number(const char* format, const Json& value, double scale = 1.0) {
  if (!value.is_number()) return "-";
  char text[32];
  std::snprintf(text, sizeof text, format, scale * value.get<double>());
  return text;
}

void print_row(const Json& one, int width) {
  const Json &report = one["report"], &distance = one["distance"], &convergence = one["convergence"];
  const auto of = [](const Json& owner, const char* key) { return owner.is_object() ? owner[key] : Json(); };
  std::printf("%-*s %9s %11s %11s %11s %11s %9s  %s\n", width, one["name"].get<std::string>().c_str(),
              number("%.3f", report["wall_ms"]["median"]).c_str(),
              one["reference"].get<bool>() ? "reference" : number("%.4g", of(distance, "rms"), 1e3).c_str(),
              number("%.4g", of(distance, "max"), 1e3).c_str(),
              number("%.3g", of(convergence, "residual"), 1e3).c_str(),
              number("%.5g", of(convergence, "objective")).c_str(),
              number("%.3f", report["strain"]["mean"], 1e2).c_str(),
              one["stopped"].get<bool>() ? "stopped: a value became non-finite"
                                         : report["state_hash"].get<std::string>().c_str());
}

bool has_stiffness(const Json& one) {
  for (const MethodTraits& method : method_table)
    if (one["report"]["method"] == method.name) return method.softness == Softness::stiffness;
  return false;
}

void print_table(const Json& report) {
  std::size_t width = 8;
  for (const Json& one : report["variants"]) width = std::max(width, one["name"].get<std::string>().size());
  std::printf("%s: %d frames of %g s\n", report["scene"].get<std::string>().c_str(),
              report["frames"].get<int>(), report["dt"].get<double>());
  std::printf("%-*s %9s %11s %11s %11s %11s %9s\n", int(width), "", "ms/frame", "rms mm", "max mm",
              "residual mm", "objective J", "strain %");
  for (const Json& one : report["variants"]) print_row(one, int(width));
  if (std::ranges::any_of(report["variants"], has_stiffness))
    std::printf("The objective of PBD is computed with the given compliances, which PBD does not use.\n");
}

Expected<void> finish(Race& race, const Json& report, const RunCommand& command, RaceOutputs& outputs) {
  if (outputs.report)
    outputs.report->write(report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  for (auto* file : {&outputs.report, &outputs.trace})
    if (*file)
      if (auto done = (*file)->commit(); !done) return done;
  if (outputs.video)
    if (auto done = outputs.video->finish(); !done) return done;
  if (command.screenshot.empty()) return {};
  return outputs.picture->take(subjects(race), command.heat_map);
}

}  // namespace

int compare_scenes(const RunCommand& command) {
  if (auto sound = check_options(command); !sound) return fail(sound.error());
  Expected<SceneDesc> scene = load_scene(command.scene, command.set);
  if (!scene) return fail(scene.error());
  if (command.seed) scene->seed = *command.seed;
  const double seconds =
      command.pictured ? scene->picture.seconds : command.seconds.value_or(default_seconds);
  const Expected<int> frames = command.frames ? Expected<int>(*command.frames) : frames_in(seconds, *scene);
  if (!frames) return fail(frames.error());
  stop_on_interrupt();
  Expected<RaceOutputs> outputs = open_race_outputs(command, scene->solver.step->dt);
  if (!outputs) return fail(outputs.error());
  Expected<Race> race = enter_all(*scene, command);
  if (!race) return fail(race.error());
  race->for_each([](Contestant& one) {
    if (const std::string limits = method_limits_text(*one.simulation); !limits.empty())
      std::fprintf(stderr, "limber: %s: %s\n", one.name.c_str(), limits.c_str());
  });
  if (auto done = run_all(*race, *frames, command, *outputs); !done) return fail(done.error());
  Json report{{"scene", scene->name}, {"dt", scene->solver.step->dt}};
  report["frames"] = race->reference().record.frames();
  report["variants"] = Json::array();
  bool stopped = false;
  race->for_each([&](Contestant& one) {
    report["variants"].push_back(report_of(one, &one == &race->reference(), command.set));
    stopped |= one.stopped;
  });
  if (auto done = finish(*race, report, command, *outputs); !done) return fail(done.error());
  print_table(report);
  if (interrupted()) std::fprintf(stderr, "limber: interrupted; everything up to this frame is written\n");
  return interrupted() ? int(exit_interrupted) : stopped ? int(exit_failed) : int(exit_ok);
}

}  // namespace limber
