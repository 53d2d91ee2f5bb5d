// limber run --film: draws pictures of a scene as a script describes.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>

#include "app/commands/commands.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/picture.hpp"
#include "app/commands/progress_bar.hpp"
#include "app/commands/scene_source.hpp"
#include "app/film/film_script.hpp"
#include "app/record/video_writer.hpp"
#include "app/view/heat_numbers.hpp"
#include "app/view/overlay_marks.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

/// Reads the script. Options of the command line override it.
Expected<FilmScript> load_script(const RunCommand& command) {
  Expected<FilmScript> script = read_film_script(command.film);
  if (!script) return script;
  if (!command.scene.empty()) script->scene = command.scene, script->scene_line = 0;
  if (!command.video.empty()) script->video = command.video;
  if (command.size) script->width = command.size->width, script->height = command.size->height;
  if (command.samples) script->samples = *command.samples;
  if (command.stage) script->stage = command.stage;
  if (command.lens) script->lens = *command.lens;
  if (command.heat_map != HeatMap::none) script->heat_map = HeatMapWord(command.heat_map);
  if (command.overlay != Overlay::none) script->debug_view = DebugViewWord(command.overlay);
  script->set.insert(script->set.end(), command.set.begin(), command.set.end());
  if (script->video.empty())
    return Error{"the script names no video", command.film, 0,
                 R"(add "video": "film.mp4", or --video film.mp4)"};
  return script;
}

Expected<std::unique_ptr<Simulation>> build(const FilmScript& script, const RunCommand& command) {
  Expected<SceneDesc> scene = load_scene(script.scene, script.set);
  if (!scene) return placed_in_script(scene.error(), script);
  if (command.seed) scene->seed = *command.seed;
  RunOptions options = command.options;
  options.alone_if_starved = true;
  Expected<std::unique_ptr<Simulation>> simulation = make_simulation(*scene, options);
  if (!simulation) return placed_in_script(simulation.error(), script);
  // Automatic substeps are chosen for the scene's own frame time.
  const StepSettings& step = *(*simulation)->scene().solver.step;
  const FilmPace pace = film_pace(script, step.dt, step.substeps);
  if (pace.dt == step.dt) return simulation;
  scene->solver.step->dt = pace.dt;
  scene->solver.step->substeps = pace.substeps;
  scene->solver.step->automatic = false;
  if (pace.dt < 1e-4)
    return Error{"frames of " + std::to_string(pace.dt) + " s are too short", script.file, 0,
                 "a larger 'speed', or a smaller 'rate'"};
  return make_simulation(std::move(*scene), options);
}

/// The object or body that the camera follows.
struct Followed {
  Index first_vertex = 0, vertices = 0, first_body = 0, bodies = 0;
};

Expected<Followed> find_followed(const FilmScript& script, const SceneModel& model) {
  std::vector<std::string_view> names;
  for (const ObjectModel& object : model.objects) {
    if (object.name == script.follow) return Followed{object.first_vertex, object.vertex_count, 0, 0};
    names.push_back(object.name);
  }
  for (const BodyModel& body : model.bodies) {
    if (body.name == script.follow) return Followed{0, 0, body.first, body.count};
    names.push_back(body.name);
  }
  return Error{"follow: there is no object or body '" + script.follow + "'", script.file, 0,
               suggest(script.follow, names)};
}

/// Mean position, m, of the followed vertices or body centres.
glm::dvec3 centre_of(const Simulation& simulation, const Followed& followed) {
  glm::dvec3 sum(0.0);
  if (followed.vertices > 0) {
    std::vector<glm::dvec3> positions(std::size_t(simulation.model()->vertex_count));
    simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
    for (Index v = 0; v < followed.vertices; ++v) sum += positions[std::size_t(followed.first_vertex + v)];
    return sum / double(followed.vertices);
  }
  std::vector<BodyPose> poses(simulation.body_count());
  simulation.read(reading::Bodies{poses});
  for (Index b = 0; b < followed.bodies; ++b)
    sum += glm::dvec3(poses[std::size_t(followed.first_body + b)].position);
  return sum / double(std::max<Index>(followed.bodies, 1));
}

Expected<void> check_shown(const FilmScript& script, const SceneModel& model) {
  const HeatMapInfo& map = info_of(HeatMap(script.heat_map));
  if (map.map != HeatMap::none && !has_numbers(map, model))
    return Error{"nothing in the scene has the heat map '" + std::string(map.name) + "'", script.file};
  const OverlayInfo& marks = info_of(Overlay(script.debug_view));
  if (marks.overlay != Overlay::none && !can_have_marks(marks.overlay, model))
    return Error{"nothing in the scene has " + std::string(marks.name) + " to show", script.file};
  return {};
}

class Film {
 public:
  Film(const FilmScript& script, Simulation& simulation, PictureTaker& taker, VideoWriter& video)
      : script_(script), simulation_(simulation), taker_(taker), video_(video) {
    if (!script.keys.empty()) path_.emplace(script.keys);
  }

  Expected<void> shoot() {
    if (Expected<void> ready = prepare(); !ready) return ready;
    const int pictures = script_.pictures();
    const int frames = std::max(1, int(std::lround(script_.speed / script_.rate / dt())));
    const int exposed = std::clamp(int(std::lround(script_.shutter * frames)), 1, frames);
    ProgressBar progress(pictures);
    for (int picture = 0; picture < pictures && !interrupted(); ++picture) {
      if (picture == 0) expose(0.0, 0.0, 1.0);
      for (int f = 1; picture > 0 && f <= frames; ++f) {
        if (const Expected<bool> done = step(); !done || !*done) return end_of(done);
        const int moment = f - (frames - exposed);  // from 1 to `exposed` while light falls
        if (moment > 0)
          expose(picture - 1 + double(f) / frames, double(moment - 1) / exposed, double(moment) / exposed);
      }
      if (auto added = video_.add(taker_.end()); !added) return added;
      progress.show(picture + 1);
    }
    return {};
  }

 private:
  double dt() const { return simulation_.scene().solver.step->dt; }

  Expected<void> prepare() {
    if (Expected<void> shown = check_shown(script_, *simulation_.model()); !shown) return shown;
    for (double time = 0.5 * dt(); time < script_.start && !interrupted(); time += dt())
      if (const Expected<bool> done = step(); !done || !*done) return end_of(done);
    if (script_.follow.empty()) return {};
    const Expected<Followed> followed = find_followed(script_, *simulation_.model());
    if (!followed) return followed.error();
    followed_ = *followed;
    if (!path_) {
      const CameraDesc& camera = simulation_.scene().camera;
      path_.emplace(
          std::vector<CameraKey>{{{camera.position, camera.target, camera.fov_degrees}, 0.0, false}});
    }
    centre_ = centre_of(simulation_, *followed_);
    return {};
  }

  /// Steps one frame. False if it was interrupted.
  Expected<bool> step() {
    const StepReport report = simulation_.step(&interrupt_flag());
    if (report.nonfinite)
      return Error{"the simulation became non-finite after " + std::to_string(simulation_.time()) + " s",
                   script_.scene};
    return !report.cancelled;
  }
  static Expected<void> end_of(const Expected<bool>& step) {
    return step ? Expected<void>() : Expected<void>(step.error());
  }

  /// Adds light of the present state to the picture, for the share of its drawings from `from` to `to`.
  /// `pictures`: number of pictures since the start, with fraction.
  void expose(double pictures, double from, double to) {
    compose(pictures / script_.rate);
    taker_.expose(simulation_, HeatMap(script_.heat_map), from, to);
  }

  void compose(double time) {
    std::optional<CameraStand> stand;
    if (path_) stand = path_->at(time);
    if (followed_) {
      const glm::dvec3 moved = centre_of(simulation_, *followed_) - centre_;
      stand->position += moved;
      stand->target += moved;
    }
    taker_.stand_at(stand, 2.0 * std::acos(-1.0) * script_.turns * time / script_.seconds);
    Captions captions{script_.title, {}};
    for (const FilmCaption& caption : script_.captions)
      if (time >= caption.from && time < caption.to) captions.lines.push_back(caption.text);
    taker_.write_captions(std::move(captions));
  }

  const FilmScript& script_;
  Simulation& simulation_;
  PictureTaker& taker_;
  VideoWriter& video_;
  std::optional<CameraPath> path_;
  std::optional<Followed> followed_;
  glm::dvec3 centre_{0.0};  ///< m, of the followed part in the first picture
};

}  // namespace

int film_scene(const RunCommand& command) {
  const Expected<FilmScript> script = load_script(command);
  if (!script) return fail(script.error());
  stop_on_interrupt();
  auto simulation = build(*script, command);
  if (!simulation) return fail(simulation.error());
  if (!script->follow.empty())
    if (const auto found = find_followed(*script, *(*simulation)->model()); !found)
      return fail(found.error());
  auto taker = PictureTaker::create("", {script->width, script->height});
  if (!taker) return fail(taker.error());
  (*taker)->show(Overlay(script->debug_view));
  (*taker)->sample(script->samples);
  (*taker)->set_stage(script->stage);
  (*taker)->set_lens(script->lens);
  (*taker)->set_transparent(script->transparent || command.transparent);
  (*taker)->show(command.heat_look != HeatLook{} ? command.heat_look : script->heat_look);
  (*taker)->cut_open(command.clip);
  auto video = VideoWriter::create(script->video, {script->width, script->height, script->rate},
                                   command.video.empty() ? script->file + ": video" : "--video");
  if (!video) return fail(video.error());
  if (!(*video)->note().empty()) std::fprintf(stderr, "limber: %s\n", (*video)->note().c_str());
  if (auto shot = Film(*script, **simulation, **taker, **video).shoot(); !shot) return fail(shot.error());
  if (auto done = (*video)->finish(); !done) return fail(done.error());
  std::printf("%s: %d pictures of %dx%d, %.6g s of the simulation\n", (*video)->path().c_str(),
              (*video)->pictures(), script->width, script->height, (*simulation)->time());
  if (interrupted()) std::fprintf(stderr, "limber: interrupted; the film is written up to there\n");
  return interrupted() ? exit_interrupted : exit_ok;
}

}  // namespace limber
