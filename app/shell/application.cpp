#include "app/shell/application.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/scene_source.hpp"
#include "app/lab/openable_file.hpp"
#include "app/lab/runner.hpp"
#include "app/record/picture_folder.hpp"
#include "app/record/png_writer.hpp"
#include "app/render/fitted_view.hpp"
#include "app/render/renderer.hpp"
#include "app/render/steady_view.hpp"
#include "app/shell/dropped_file.hpp"
#include "app/shell/first_scene.hpp"
#include "app/shell/frame_clock.hpp"
#include "app/shell/imgui_layer.hpp"
#include "app/shell/input_file.hpp"
#include "app/shell/opened_file.hpp"
#include "app/shell/opened_scenes.hpp"
#include "app/shell/picture_pace.hpp"
#include "app/shell/scene_input.hpp"
#include "app/shell/user_config.hpp"
#include "app/shell/window.hpp"
#include "app/shell/window_report.hpp"
#include "app/shell/window_video.hpp"
#include "app/ui/panels/popups.hpp"
#include "app/ui/ui.hpp"
#include "app/ui/widgets/cut_line.hpp"
#include "app/ui/widgets/picture_labels.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "app/ui/widgets/warm_ring.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

/// Whether scene files and the window use the same names of heat maps, overlays and stages, in the same
/// order.
constexpr bool same_names() {
  if (heat_map_words.size() != heat_maps.size() || debug_view_words.size() != overlays.size()) return false;
  for (std::size_t k = 0; k < heat_maps.size(); ++k)
    if (heat_maps[k].name != heat_map_words[k]) return false;
  for (std::size_t k = 0; k < overlays.size(); ++k)
    if (overlays[k].name != debug_view_words[k]) return false;
  if (stage_words.size() != stages.size()) return false;
  for (std::size_t k = 0; k < stages.size(); ++k)
    if (stages[k].name != stage_words[k]) return false;
  return true;
}
static_assert(same_names());

constexpr const char* kFirstScene = "cloth_hang";
constexpr std::chrono::milliseconds kPatience{500};  // longest wait for the scene before the window opens
constexpr double kSecondsToEnd = 0.7;                // s, for the frame or build under way
constexpr double kLongestRest = 0.5;                 // s; the scene file is polled between two rests
constexpr int kFramesToSettle = 6;                   // panels need a few frames to settle their sizes

/// Whether OpenGL draws on the processor: a picture then costs tens of milliseconds on all cores.
bool draws_in_software(const Window& window) {
  const std::string driver = window.driver();
  return driver.find("llvmpipe") != std::string::npos || driver.find("softpipe") != std::string::npos;
}

int hardware_threads() { return std::max(1, int(std::thread::hardware_concurrency())); }

/// Leaves cores free for the window. A pool that meets at barriers waits for its slowest worker, so it must
/// not share a core with the drawing: one core stays free, or half of them if the picture is drawn by the
/// processor.
RunOptions beside_the_window(RunOptions options, bool software) {
  const int free = software ? hardware_threads() / 2 : hardware_threads() - 1;
  options.most_threads = std::max(1, free);
  options.alone_if_starved = true;
  return options;
}

/// Loads the scene that a recording was made of, and the recording into `recording`.
Expected<SceneDesc> load_recording(const std::string& file, InputRecording& recording) {
  auto read = read_input_recording(file);
  if (!read) return read.error();
  recording = std::move(*read);
  return load_recorded_scene(recording);
}

Camera camera_of(const CameraDesc& camera) {
  return Camera::looking(camera.position, camera.target, float(camera.fov_degrees) * 0.017453293f);
}

/// Samples of a saved picture, and of a picture in a film, when the processor does the drawing: few enough
/// not to hold up the window for long.
constexpr int quick_still_samples = 8, quick_film_samples = 1;

ViewOptions view_options(const ui::ViewChoices& choices) {
  return {.wireframe = choices.wireframe,
          .shadows = choices.shadows,
          .msaa = choices.msaa,
          .shadow_size = choices.shadow_size,
          .clip = choices.clip ? std::optional(choices.clip_plane) : std::nullopt,
          .fluids = choices.fluids,
          .stage = choices.stage};
}

/// Everything that the picture of the scene depends on.
struct DrawnPicture {
  std::uint64_t publication = 0, loads = 0;
  Camera camera;
  ViewOptions options;
  glm::ivec2 window{0}, pixels{0};
  std::vector<PixelRect> cells;
  friend bool operator==(const DrawnPicture&, const DrawnPicture&) = default;

  /// Whether this picture shows another scene, layout or drawing style than `before`.
  bool renews(const DrawnPicture& before) const {
    return loads != before.loads || options != before.options || window != before.window ||
           pixels != before.pixels || cells != before.cells;
  }
};

/// The state of one session in the window. Its functions are the parts of a frame.
class Application {
 public:
  Application(const AppOptions& options, const SceneLibrary& library, std::unique_ptr<Window> window,
              RunObserver observer)
      : options_(options),
        scenes_(library.scenes()),
        window_(std::move(window)),
        runner_owner_(std::make_unique<Runner>(beside_the_window(options.run, draws_in_software(*window_)),
                                               std::move(observer), &Window::wake)),
        runner_(*runner_owner_),
        clock_(window_->refresh_rate()) {}

  void use(const Expected<std::optional<UserConfig>>& config);
  /// Opens the first scene, which may still be being read.
  void open_first(FirstScene scene) {
    first_ = scene;
    Runner::Loader as_the_file_says;
    if (!options_.set.empty()) as_the_file_says = [name = options_.scene] { return load_scene(name); };
    Runner::VariantReader variants;
    if (!options_.variants.empty())
      variants = [said = options_.variants](const SceneDesc& read) {
        return read_variants(read, said, "--variant");
      };
    runner_.load(
        listed_file(options_.scene), [scene = std::move(scene)] { return scene.get(); },
        std::move(as_the_file_says), std::move(variants), options_.recording);
  }

  Expected<void> start_graphics(const std::string& data_folder, const std::string& config_folder);
  void run();
  const FirstScene& first() const { return first_; }
  bool left_a_build() const { return !runner_owner_; }  ///< the simulation thread is still in a build
  UserConfig config() const { return {size_seen_.x, size_seen_.y, panels_.view}; }
  Expected<void> save_last_picture();

 private:
  void frame();
  double until_change() const;
  bool has_news();
  void end_simulation();
  bool rest_while_unseen();
  static void say_on_console(const Message& message);
  void follow(const Publication& shown);
  void follow_bookmarks();
  bool waits_for_keyboard();
  void respond(const Publications& all, const std::vector<InputEvent>& events);
  const Publication& chosen(const Publications& all) const {
    return all.variants[std::min(chosen_, all.variants.size() - 1)];
  }
  std::vector<Pane> panes(const Publications& all) const;
  std::vector<PictureView> views(const Publications& all, std::span<const ui::Rect> cells,
                                 glm::vec2 scale) const;
  std::optional<ui::Recorded> recorded(double factor) const {
    if (!video_.active()) return std::nullopt;
    return ui::Recorded{video_.seconds(), video_.waiting(), factor};
  }
  std::vector<ImVec2> pins(const Publications& all) const;
  void open_view(const ViewDesc& view);
  bool legend_of_scene(const Publication& shown) const;
  void look_past_panels(const ui::PanelRequests& asked, const Publication& shown);
  void obey(const SceneRequests& requests, const Publication& shown);
  void obey(const ui::PanelRequests& requests, const Publications& all);
  void obey(const ui::CompareRequests& requests, const Publications& all);
  void act(ui::Action action, const Publication& shown);
  void close_one();
  void look_from(Camera::Side side);
  void frame_all(const RenderFrame& frame);
  void toggle_clip(ui::ViewChoices& view);
  void show_next_overlay(const OverlaysThere& there);
  void say(Message message);
  void open(const std::string& name_or_file);
  std::string listed_file(const std::string& name_or_file) const;
  void open_neighbour(int step);
  void draw(const Publications& all);
  PicturePace::Drawing draw_scene(const Publications& all);
  std::vector<PictureView> window_views(const Publications& all, int part) const;
  ViewOptions window_options() const;
  Image draw_still(const Publications& all, glm::ivec2 size, bool of_film);
  Image draw_still_window(const Publications& all, glm::ivec2 size);
  void save_screenshot(const Image& image, const Publication& shown);
  void toggle_video(const RunStatus& status);
  void follow_video();
  bool time_is_up(const Publication& shown) const;

  AppOptions options_;
  FirstScene first_;
  std::vector<SceneEntry> scenes_;  ///< of the folders, preceded by those opened by a path
  std::string current_;             ///< file of the open scene, as in the list
  std::unique_ptr<Window> window_;
  std::unique_ptr<Runner> runner_owner_;
  Runner& runner_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<ImguiLayer> imgui_;
  ui::PanelState panels_;
  SceneInput input_;
  std::size_t chosen_ = 0;       ///< the variant that the panels show
  bool traced_ = false;          ///< the runner keeps iteration traces
  std::vector<ui::Rect> cells_;  ///< cells of the pictures in the last frame
  Camera camera_;
  OpenArea open_area_;
  SteadyView steady_;
  FittedView fitted_;
  bool fitting_ = false;       ///< the camera follows the scene, as its file asks, until the user moves it
  bool camera_chosen_ = true;  ///< false: the camera of the scene's file, whose view panels may cover
  WindowVideo video_;
  FrameClock clock_;
  DrawnPicture drawn_;  ///< state of the last picture
  PicturePace pace_;
  bool over_panels_ = false;     ///< the mouse is over a panel
  int waited_ = 0;               ///< frames waited for the keyboard
  int awake_ = kFramesToSettle;  ///< frames still to be drawn after the last event
  FrameClock::Clock::time_point drawn_at_{}, pictured_at_{}, event_at_{};
  std::uint64_t pictures_seen_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::uint64_t loads_seen_ = 0;
  OpenedFile scene_file_;
  HeatMap heat_map_asked_ = HeatMap::none, heat_map_opened_ = HeatMap::none;  ///< shown; by the scene
  HeatLook heat_look_asked_;
  Overlay overlay_asked_ = Overlay::none, overlay_opened_ = Overlay::none;
  bool plots_opened_ = false;  ///< set by the scene
  glm::ivec2 size_seen_{1280, 800};
  bool configured_ = false;
  std::vector<ui::Action> screenshots_wanted_;  ///< since the last picture, which may have taken long
  bool quit_ = false, unseen_ = false;
};

/// Takes over the saved settings of the window. If the file could not be read, shows a message.
void Application::use(const Expected<std::optional<UserConfig>>& config) {
  if (!config) return panels_.log.add(Message{Message::Severity::warning, config.error().text()});
  if (!*config) return;
  panels_.view = (*config)->view;
  configured_ = true;
}

Expected<void> Application::start_graphics(const std::string& data_folder, const std::string& config_folder) {
  auto renderer = Renderer::create(glfwGetProcAddress, data_folder + "/shaders");
  if (!renderer) return renderer.error();
  renderer_ = std::move(*renderer);
  panels_.help.folder = data_folder + "/assets/manual";
  panels_.view.software_graphics = renderer_->software();
  if (options_.stage) panels_.view.stage = options_.stage;
  if (draws_in_software(*window_) && !configured_) {
    panels_.view.msaa = 1;
    panels_.view.shadow_size = 1024;
  }
  imgui_ = std::make_unique<ImguiLayer>(*window_, config_folder.empty() ? "" : config_folder + "/imgui.ini");
  return {};
}

void Application::run() {
  while (!quit_ && !window_->should_close() && !interrupted()) frame();
  window_->hide();
  if (video_.active()) say_on_console(video_.stop());
  end_simulation();
}

/// Ends the simulation thread. If a build cannot be cancelled, the Runner is leaked: its thread goes on until
/// the process ends.
void Application::end_simulation() {
  if (!runner_owner_->finish(kSecondsToEnd)) (void)runner_owner_.release();
}

/// Prints a message on the console once there is no window any more.
void Application::say_on_console(const Message& message) {
  if (message.severity != Message::Severity::info) std::fprintf(stderr, "limber: %s\n", message.text.c_str());
}

/// One frame: wait, respond to events, draw.
void Application::frame() {
  const double rest = std::min(until_change(), kLongestRest);
  if (rest > 0.0)
    window_->wait(rest);
  else
    window_->poll();
  if (rest_while_unseen()) return;
  size_seen_ = window_->size();
  const Publications& all = runner_.latest();
  chosen_ = std::min(chosen_, all.variants.size() - 1);
  follow(chosen(all));
  quit_ |= time_is_up(all.front()) || has_failed(first_);
  if (!has_news()) return;
  const auto respond_to_next = [&] {
    respond(all, waits_for_keyboard() ? std::vector<InputEvent>() : window_->input().next_batch());
  };
  respond_to_next();
  // A batch needs its own run of the panels but no picture, so input keeps up even if drawing is slow.
  while (!window_->input().empty()) {
    imgui_->skip_frame();
    respond_to_next();
  }
  draw(all);
  clock_.frame_done();
  drawn_at_ = FrameClock::Clock::now();
}

/// Time, s, until the window changes without an event or news of the simulation; 0 while it changes.
double Application::until_change() const {
  if (awake_ > 0 || video_.active()) return 0.0;
  const RunState state = panels_.building.empty() ? RunState::paused : RunState::building;
  if (state == RunState::building) return 0.1;  // more pictures would take cores from the build
  double soonest = panels_.log.until_change();
  if (imgui_->wants_text()) soonest = std::min(soonest, 0.25);           // the cursor blinks
  if (runner_.activity().frame > 0.0) soonest = std::min(soonest, 0.5);  // the status line counts seconds
  if (pace_.behind() && over_panels_) soonest = std::min(soonest, 1.1 * PicturePace::idle);
  return soonest;
}

/// Whether anything has changed that must be drawn.
bool Application::has_news() {
  const std::chrono::duration<double> rested = FrameClock::Clock::now() - drawn_at_;
  const bool another = std::exchange(pictures_seen_, runner_.pictures()) != runner_.pictures();
  const bool event = !window_->input().empty() || window_->take_damage() || size_seen_ != drawn_.window;
  if (event) awake_ = kFramesToSettle, event_at_ = FrameClock::Clock::now();
  if (awake_ > 0) return --awake_, true;
  return another || (pace_.behind() && !over_panels_) || rested.count() >= until_change();
}

/// True if the window is minimised. Then nothing is drawn, and the simulation waits for the window.
bool Application::rest_while_unseen() {
  const bool unseen = window_->minimised();
  if (unseen != unseen_) runner_.wait_for_pictures(unseen || video_.active());
  unseen_ = unseen;
  if (unseen) {
    window_->wait(0.25);
    quit_ |= time_is_up(runner_.latest().front()) || has_failed(first_);
  }
  return unseen;
}

/// Whether typed keys must wait, because the palette was opened and its text box does not have the keyboard
/// yet. That takes a few frames.
bool Application::waits_for_keyboard() {
  constexpr int most_frames = 6;
  if (!panels_.palette.open || imgui_->wants_text()) waited_ = 0;
  return panels_.palette.open && !imgui_->wants_text() && ++waited_ < most_frames;
}

/// Gives one batch of events to the panels and the scene.
void Application::respond(const Publications& all, const std::vector<InputEvent>& events) {
  imgui_->begin_frame(events);
  const SceneInput::Claims claims{imgui_->wants_mouse(), imgui_->wants_text(), ui::dialog_open(panels_)};
  const Camera before = camera_;
  over_panels_ = claims.mouse;
  const std::vector<Pane> panes = this->panes(all);
  const SceneRequests requests =
      input_.handle(events, claims, panes, camera_, panels_.view.clip ? &panels_.view.clip_plane : nullptr);
  if (requests.pressed) chosen_ = *requests.pressed;
  const Publication& shown = chosen(all);
  if (camera_.distance != before.distance || camera_.target != before.target || camera_.yaw != before.yaw ||
      camera_.pitch != before.pitch || camera_.orthographic != before.orthographic) {
    steady_.chosen_for(open_area_);
    fitting_ = false;
  }
  obey(requests, shown);
  ui::cut_line(input_.cut_trail(), panes[input_.pane()].corner);
  ui::warm_ring(input_.warming(), input_.cursor(), MouseWarm::ring);
  // One that is being built goes by the file that was asked for.
  const std::string& current = shown.status.state == RunState::building ? shown.status.name : current_;
  const Runner::Activity busy = runner_.activity();
  const auto asked = ui::draw_panels({scenes_, current, all, shown, clock_.fps(), hardware_threads(),
                                      recorded(shown.status.real_time_factor), busy.frame,
                                      std::filesystem::path(busy.next).stem().string(), pins(all)},
                                     panels_);
  look_past_panels(asked, shown);
  obey(asked, all);
}

/// Positions in the window of the pinned vertices of all pictures.
std::vector<ImVec2> Application::pins(const Publications& all) const {
  std::vector<ImVec2> out;
  for (const Pane& pane : panes(all))
    for (const DotDraw& dot : pane.shown.frame.dots) {
      const glm::vec2 at = pane.corner + glm::vec2(camera_.project(dot.position, pane.size));
      out.push_back({at.x, at.y});
    }
  return out;
}

/// Moves the camera according to the panels, and keeps it above the ground. The centre of the scene goes to
/// the centre of the area that the panels leave free. A newly opened scene is fitted into that area, and what
/// is visible stays visible when the area shrinks. With several pictures, each is fitted into its own cell.
void Application::look_past_panels(const ui::PanelRequests& asked, const Publication& shown) {
  const auto point = [](ImVec2 v) { return glm::vec2(v.x, v.y); };
  const ui::Rect& open = asked.open_area;
  cells_ = asked.cells;
  open_area_ = {glm::vec2(window_->size()), point(open.position), point(open.size)};
  if (cells_.size() > 1) {
    const glm::vec2 cell = point(cells_.front().size), label(0.0f, ui::label_height(cells_.size()));
    open_area_ = {cell, label, glm::max(cell - label, glm::vec2(1.0f))};
  }
  if (fitting_ && shown.status.scene && legend_of_scene(shown)) {
    const glm::vec2 from = cells_.size() > 1 ? point(cells_.front().position) : glm::vec2(0.0f);
    open_area_ = {open_area_.picture, point(asked.clear.position) - from,
                  glm::max(point(asked.clear.size), glm::vec2(1.0f))};
  }
  if (shown.frame.ground) camera_.stay_above(0.0f);
  camera_.stand_in(open_area_);
  if (fitting_) {
    camera_chosen_ = true;
    if (fitted_.follow(camera_, shown.frame, open_area_)) steady_.framed_in(open_area_);
    return;
  }
  if (std::exchange(camera_chosen_, true))
    return steady_.follow(camera_, shown.frame.focus_min, shown.frame.focus_max, open_area_);
  camera_.reveal(shown.frame.focus_min, shown.frame.focus_max, open_area_);
  steady_.chosen_for(open_area_);
}

/// Whether the legends are those with which the scene opens. Other legends come and go with keys and must not
/// move the camera.
bool Application::legend_of_scene(const Publication& shown) const {
  const ViewDesc& opens = *shown.status.scene->view;
  return HeatMap(opens.heat_map) == panels_.view.heat_map &&
         Overlay(opens.debug_view) == panels_.view.overlay;
}

/// Switches the clipping plane. Its normal is the axis nearest to the view direction, so that the cut faces
/// the camera.
void Application::toggle_clip(ui::ViewChoices& view) {
  view.clip = !view.clip;
  if (!view.clip) return;
  const glm::vec3 towards = -camera_.forward();
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(towards[k]) > std::abs(towards[axis])) axis = k;
  view.clip_plane.normal = glm::vec3(0.0f);
  view.clip_plane.normal[axis] = towards[axis] < 0.0f ? -1.0f : 1.0f;
  view.clip_to_middle = true;
}

/// Keeps the present view, or goes to one that was kept.
void Application::follow_bookmarks() {
  ui::ViewChoices& view = panels_.view;
  if (std::exchange(view.keep_view, false))
    view.bookmarks.push_back({glm::dvec3(camera_.position()), glm::dvec3(camera_.target),
                              double(glm::degrees(camera_.fov))});
  if (!view.go_to) return;
  const CameraStand& stand = view.bookmarks[*view.go_to];
  view.go_to.reset();
  const glm::vec2 middle = camera_.middle;
  camera_ = Camera::looking(stand.position, stand.target, glm::radians(float(stand.fov_degrees)));
  camera_.middle = middle;
  camera_chosen_ = true;
  fitting_ = false;
}

/// Takes over messages and changes of the simulation thread.
void Application::follow(const Publication& shown) {
  panels_.log.add(runner_.take_messages());
  follow_video();
  if (scene_file_.changed(std::chrono::steady_clock::now())) runner_.reload(scene_file_.reader({}));
  if (panels_.view.heat_map != heat_map_asked_) {
    runner_.show(heat_map_asked_ = panels_.view.heat_map);
    panels_.view.heat_look.high.reset();  // it was of other numbers
  }
  if (panels_.view.heat_look != heat_look_asked_) runner_.show(heat_look_asked_ = panels_.view.heat_look);
  const Overlay overlay =
      shown.status.overlays[std::size_t(panels_.view.overlay)] ? panels_.view.overlay : Overlay::none;
  if (overlay != overlay_asked_) runner_.show(overlay_asked_ = overlay);
  panels_.view.orthographic = camera_.orthographic;
  follow_bookmarks();
  if (std::exchange(panels_.view.clip_to_middle, false))
    panels_.view.clip_plane.offset =
        glm::dot(panels_.view.clip_plane.normal, 0.5f * (shown.frame.focus_min + shown.frame.focus_max));
  if (shown.status.loads == loads_seen_) return;
  loads_seen_ = shown.status.loads;
  panels_.view.clip = false;
  panels_.view.bookmarks.clear();
  panels_.log.keep_scene(loads_seen_);
  open_view(*shown.status.scene->view);
  camera_ = camera_of(shown.status.scene->camera);
  camera_chosen_ = false;
  fitting_ = shown.status.scene->camera.fit;
  fitted_.start();
  scene_file_.follow(shown.status.scene->file);
  current_ = list_opened(*shown.status.scene, scenes_).file;
  const std::string& title = shown.status.scene->title;
  window_->set_title("Limber - " + (title.empty() ? shown.status.name : title));
}

/// Takes over the view of a newly opened scene, and drops the view that the previous scene had set.
void Application::open_view(const ViewDesc& view) {
  const HeatMap map = HeatMap(view.heat_map), map_before = std::exchange(heat_map_opened_, map);
  const Overlay marks = Overlay(view.debug_view), marks_before = std::exchange(overlay_opened_, marks);
  if (map != HeatMap::none || panels_.view.heat_map == map_before) panels_.view.heat_map = map;
  if (marks != Overlay::none || panels_.view.overlay == marks_before) panels_.view.overlay = marks;
  if (std::exchange(plots_opened_, view.plots) || view.plots) panels_.compare.open = view.plots;
}

void Application::obey(const SceneRequests& requests, const Publication& shown) {
  for (const Command& command : requests.commands)
    runner_.interact(command, requests.model_version, requests.variant);
  for (ui::Action action : requests.actions) act(action, shown);
  if (requests.dropped.empty()) return;
  if (const auto file = file_to_open(requests.dropped))
    open(*file);
  else
    say({Message::Severity::error, file.error().text()});
}

void Application::obey(const ui::PanelRequests& requests, const Publications& all) {
  for (const Edit& edit : requests.edits) runner_.edit(edit);
  obey(requests.compare, all);
  if (requests.speed) runner_.set_speed(*requests.speed);
  if (requests.threads) runner_.set_threads(*requests.threads);
  if (requests.scene) open(scenes_[*requests.scene].file);
  if (!requests.file.empty()) open(requests.file);
  if (requests.action) act(*requests.action, chosen(all));
}

/// Carries out the requests of the comparison window. The setting that a new copy begins with is unlinked, so
/// that it changes in the copy only.
void Application::obey(const ui::CompareRequests& requests, const Publications& all) {
  if (requests.chosen) chosen_ = *requests.chosen;
  if (requests.removed) {
    runner_.remove_variant(*requests.removed);
    if (chosen_ >= *requests.removed) --chosen_;
  }
  for (const auto& [path, linked] : requests.links) runner_.link(path, linked);
  if (requests.add) {
    runner_.add_variant(chosen(all).status.variant.number);
    if (requests.with) {
      runner_.link(requests.with->path, false);
      runner_.edit({*requests.with, all.variants.size()});
      panels_.inspector.count_edit();
    }
  }
  if (traced_ != panels_.compare.open) runner_.trace(traced_ = panels_.compare.open);
}

void Application::act(ui::Action action, const Publication& shown) {
  using ui::Action;
  ui::ViewChoices& view = panels_.view;
  const auto toggle = [](bool& on) { on = !on; };
  switch (action) {
    case Action::toggle_run:
      return runner_.toggle_running();
    case Action::step:
      return runner_.step_once();
    case Action::step_back:
      return runner_.step_back();
    case Action::restart:
      return runner_.restart();
    case Action::restart_as_opened:
      runner_.reload(scene_file_.reader_of_other({}));  // so that messages about the file are about its
                                                        // present text
      return runner_.restart_as_opened();
    case Action::throw_ball:
    case Action::cut:
    case Action::warm:
    case Action::cool:
      return;  // SceneInput does these
    case Action::previous_scene:
      return open_neighbour(-1);
    case Action::next_scene:
      return open_neighbour(1);
    case Action::pick_scene:
      return panels_.palette.show_scenes();
    case Action::palette:
      return panels_.palette.show_everything();
    case Action::open_file:
      return panels_.browser.show();
    case Action::close:
      return close_one();
    case Action::frame_scene:
      return frame_all(shown.frame);
    case Action::wireframe:
      return toggle(view.wireframe);
    case Action::heat_map:
      view.heat_map = next_heat_map(view.heat_map, shown.status.heat_maps);
      return;
    case Action::overlay:
      return show_next_overlay(shown.status.overlays);
    case Action::compare:
      return toggle(panels_.compare.open);
    case Action::clip:
      return toggle_clip(view);
    case Action::flip_clip:
      view.clip_plane = {-view.clip_plane.normal, -view.clip_plane.offset};
      return;
    case Action::front_view:
      return look_from(Camera::Side::front);
    case Action::side_view:
      return look_from(Camera::Side::right);
    case Action::top_view:
      return look_from(Camera::Side::top);
    case Action::orthographic:
      fitting_ = false;
      return toggle(camera_.orthographic);
    case Action::messages:
      return toggle(view.messages);
    case Action::screenshot:
    case Action::window_screenshot:
      screenshots_wanted_.push_back(action);
      return;
    case Action::video:
      return toggle_video(shown.status);
    case Action::save_input:
      return runner_.save_input(save_input_recording);
    case Action::toggle_panels:
      return toggle(view.panels);
    case Action::help:
      return toggle(view.help);
    case Action::quit:
      quit_ = true;
      return;
  }
}

/// Closes the topmost popup, panel or view.
void Application::close_one() {
  ui::ViewChoices& view = panels_.view;
  if (ui::close_popups()) return;
  for (bool* open : {&panels_.log.tray_open, &panels_.browser.open, &panels_.palette.open,
                     &panels_.compare.open, &view.help, &view.messages})
    if (std::exchange(*open, false)) return;
}

void Application::look_from(Camera::Side side) {
  fitting_ = false;
  camera_.look_from(side);
}

void Application::frame_all(const RenderFrame& frame) {
  FittedView().follow(camera_, frame, open_area_);
  fitting_ = false;
  steady_.framed_in(open_area_);
}

void Application::show_next_overlay(const OverlaysThere& there) {
  Overlay& overlay = panels_.view.overlay;
  const bool marks = overlay != Overlay::none && there[std::size_t(overlay)];
  overlay = next_overlay(overlay, there);
  if (overlay == Overlay::none && !marks)
    say({Message::Severity::info, "There is nothing in this scene that a debug view could mark."});
}

/// Shows a message. Warnings and errors belong to the present scene and go with it; infos stay.
void Application::say(Message message) {
  if (message.severity != Message::Severity::info) message.scene = loads_seen_;
  panels_.log.add(std::move(message));
}

void Application::open(const std::string& name_or_file) {
  if (kind_of_file(name_or_file) == FileKind::recording) {
    const auto recording = std::make_shared<InputRecording>();
    return runner_.load(
        name_or_file, [name_or_file, recording] { return load_recording(name_or_file, *recording); }, {}, {},
        recording);
  }
  runner_.load(name_or_file, [name_or_file] { return load_scene(name_or_file); });
}

/// The file of a scene given by name, so that requests by name and by file are recognised as the same.
std::string Application::listed_file(const std::string& name_or_file) const {
  const auto named = std::find_if(scenes_.begin(), scenes_.end(),
                                  [&](const SceneEntry& scene) { return scene.name == name_or_file; });
  return named == scenes_.end() ? name_or_file : named->file;
}

void Application::open_neighbour(int step) {
  const auto here =
      std::find_if(scenes_.begin(), scenes_.end(), [&](const auto& s) { return s.file == current_; });
  const int count = int(scenes_.size());
  if (here != scenes_.end()) open(scenes_[std::size_t((here - scenes_.begin() + step + count) % count)].file);
}

/// The pictures' places in the last frame. A single picture fills the window behind the panels.
std::vector<Pane> Application::panes(const Publications& all) const {
  std::vector<Pane> out;
  if (all.variants.size() > 1 && cells_.size() == all.variants.size()) {
    for (std::size_t k = 0; k < cells_.size(); ++k)
      out.push_back({all.variants[k],
                     {cells_[k].position.x, cells_[k].position.y},
                     {cells_[k].size.x, cells_[k].size.y}});
  } else {
    out.push_back({all.front(), glm::vec2(0.0f), glm::vec2(window_->size())});
  }
  return out;
}

/// The view of each cell. `scale`: pixels of the picture per unit of the cells.
std::vector<PictureView> Application::views(const Publications& all, std::span<const ui::Rect> cells,
                                            glm::vec2 scale) const {
  std::vector<PictureView> out;
  for (std::size_t k = 0; k < std::min(cells.size(), all.variants.size()); ++k) {
    const glm::ivec2 from(glm::round(glm::vec2(cells[k].position.x, cells[k].position.y) * scale));
    const glm::ivec2 to(glm::round(glm::vec2(cells[k].right(), cells[k].bottom()) * scale));
    out.push_back({all.variants[k].frame, camera_, {from.x, from.y, to.x - from.x, to.y - from.y}});
  }
  return out;
}

/// Draws the window, and saved pictures and films, which are drawn separately: without panels, and with their
/// own number of samples.
void Application::draw(const Publications& all) {
  const Publication& shown = chosen(all);
  const glm::ivec2 pixels = window_->pixels();
  if (video_.due(shown.status)) {
    video_.add(draw_still(all, video_.size(), true), shown.status);
    runner_.picture_taken();
  }
  const bool stills = std::ranges::count(screenshots_wanted_, ui::Action::screenshot) > 0;
  const std::optional<Image> still = stills ? std::optional(draw_still(all, pixels, false)) : std::nullopt;
  const auto began = FrameClock::Clock::now();
  const PicturePace::Drawing drawing = draw_scene(all);
  renderer_->compose(pixels.x, pixels.y);
  imgui_->end_frame();
  renderer_->blit_to_window(pixels.x, pixels.y);
  window_->swap();
  pace_.drawn(drawing, std::chrono::duration<double>(FrameClock::Clock::now() - began).count());
  if (drawing != PicturePace::Drawing::none) pictured_at_ = FrameClock::Clock::now();
  for (const ui::Action wanted : std::exchange(screenshots_wanted_, {}))
    save_screenshot(wanted == ui::Action::screenshot ? *still : draw_still_window(all, pixels), shown);
}

/// Views of the pictures as they lie in the window, with 1/`part` of the window's pixels along each side.
std::vector<PictureView> Application::window_views(const Publications& all, int part) const {
  const glm::vec2 pixels(window_->pixels()), size(window_->size());
  const ui::Rect window{{0.0f, 0.0f}, {size.x, size.y}};
  const auto cells = all.variants.size() > 1 ? std::span<const ui::Rect>(cells_) : std::span(&window, 1);
  return views(all, cells, pixels / glm::max(size, glm::vec2(1.0f)) / float(part));
}

ViewOptions Application::window_options() const {
  ViewOptions options = view_options(panels_.view);
  options.clip_marks = true;
  return options;
}

/// Draws the scene if it differs from the last picture and PicturePace allows it now.
PicturePace::Drawing Application::draw_scene(const Publications& all) {
  const glm::ivec2 pixels = window_->pixels();
  DrawnPicture now{
      runner_.pictures(), all.front().status.loads, camera_, window_options(), window_->size(), pixels, {}};
  for (const PictureView& view : window_views(all, 1)) now.cells.push_back(view.rect);
  const auto seconds_since = [](FrameClock::Clock::time_point then) {
    return std::chrono::duration<double>(FrameClock::Clock::now() - then).count();
  };
  const PicturePace::Drawing drawing = pace_.next({.changed = now != drawn_,
                                                   .renewed = now.renews(drawn_),
                                                   .over_panels = over_panels_,
                                                   .quiet = seconds_since(event_at_),
                                                   .since = seconds_since(pictured_at_)});
  if (now.camera != drawn_.camera) awake_ = std::max(awake_, 2);  // a moving camera may not have arrived
  drawn_ = std::move(now);
  if (drawing == PicturePace::Drawing::none) return drawing;
  const int part = drawing == PicturePace::Drawing::coarse ? pace_.coarseness() : 1;
  ViewOptions options = drawn_.options;
  if (part > 1) options.msaa = 1;
  const glm::ivec2 size = glm::max(pixels / part, glm::ivec2(1));
  renderer_->draw(window_views(all, part), options, size.x, size.y);
  return drawing;
}

/// Draws a picture of the window with the panels of this frame.
Image Application::draw_still_window(const Publications& all, glm::ivec2 size) {
  pace_.spoil();
  ViewOptions options = window_options();
  if (renderer_->software()) options.samples = quick_still_samples;
  options.samples = options_.samples.value_or(options.samples);
  return renderer_->draw_still(window_views(all, 1), options, size.x, size.y,
                               [this] { imgui_->draw_again(); });
}

/// Draws a picture, or one of a film, without panels.
Image Application::draw_still(const Publications& all, glm::ivec2 size, bool of_film) {
  pace_.spoil();
  const ui::Rect whole{{0.0f, 0.0f}, {float(size.x), float(size.y)}};
  std::vector<PictureView> pictures = views(all, ui::view_cells(whole, all.variants.size()), glm::vec2(1.0f));
  Camera camera = camera_;
  camera.middle = glm::vec2(0.0f);
  if (fitting_ && !video_.active()) {
    const PixelRect& cell = pictures.front().rect;
    const float label = ui::label_height(all.variants.size());
    const OpenArea area{{cell.width, cell.height}, {0.0f, label}, {cell.width, float(cell.height) - label}};
    camera.stand_in(area);
    FittedView().follow(camera, all.front().frame, area);
  }
  for (PictureView& picture : pictures) picture.camera = camera;
  ViewOptions options = view_options(panels_.view);
  if (renderer_->software())
    options.samples = of_film ? quick_film_samples : quick_still_samples;
  else if (of_film)
    options.samples = film_samples;
  options.samples = options_.samples.value_or(options.samples);
  return renderer_->draw_still(pictures, options, size.x, size.y, [&] { draw_picture_labels(size, all); });
}

void Application::toggle_video(const RunStatus& status) {
  say(video_.active() ? video_.stop() : video_.start(status, window_->pixels()));
  runner_.wait_for_pictures(video_.active());
}

/// Ends a video that failed, and lets the simulation go on without waiting for pictures.
void Application::follow_video() {
  auto ended = video_.failed();
  if (!ended) return;
  say(std::move(*ended));
  runner_.wait_for_pictures(false);
}

void Application::save_screenshot(const Image& image, const Publication& shown) {
  const std::string& scene = shown.status.name;
  const auto path =
      reserve_file(scene.empty() ? "window" : std::filesystem::path(scene).filename().string(), ".png");
  if (!path) return say({Message::Severity::error, path.error().text()});
  if (const auto saved = write_png(image, *path); !saved) {
    std::remove(path->c_str());  // contains only the reserved name
    return say({Message::Severity::error, saved.error().text()});
  }
  say({Message::Severity::info, "Saved " + *path});
}

Expected<void> Application::save_last_picture() {
  if (options_.screenshot.empty()) return {};
  return write_png(renderer_->read_window(), options_.screenshot, "--screenshot");
}

bool Application::time_is_up(const Publication& shown) const {
  if (options_.frames && shown.frame.frame >= *options_.frames) return true;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
  return options_.seconds && passed.count() >= *options_.seconds;
}

bool thread_left = false;  // a simulation thread survives the window

Expected<void> run_session(AppOptions options, RunObserver observer) {
  if (options.scene.empty()) options.scene = kFirstScene;
  const auto data = data_folder();
  if (!data) return data.error();
  auto library = all_scenes();
  if (!library) return library.error();
  if (!options.screenshot.empty())
    if (auto writable = check_png_path(options.screenshot, "--screenshot"); !writable)
      return writable.error();
  if (kind_of_file(options.scene) == FileKind::recording)
    options.recording = std::make_shared<InputRecording>();
  const auto read = [scene = options.scene, set = options.set, recording = options.recording,
                     variants = options.variants, frames = options.frames]() -> Expected<SceneDesc> {
    Expected<SceneDesc> loaded = recording ? load_recording(scene, *recording) : load_scene(scene, set);
    if (!loaded) return loaded;
    if (frames) loaded->view->paused = false;  // there is no user to start it
    const auto sound = read_variants(*loaded, variants, "--variant");
    return sound ? std::move(loaded) : Expected<SceneDesc>(sound.error());
  };
  auto scene = read_first(read, kPatience);
  if (!scene) return scene.error();
  const std::string folder = config_folder();
  const Expected<std::optional<UserConfig>> config =
      folder.empty() ? Expected<std::optional<UserConfig>>(std::optional<UserConfig>()) : read_config(folder);
  const UserConfig remembered = config && *config ? **config : UserConfig{};
  // A size from the options or the last session is in pixels, the default is in points.
  const bool chosen = options.width > 0 || (config && *config);
  auto window = Window::create("Limber", options.width > 0 ? options.width : remembered.width,
                               options.height > 0 ? options.height : remembered.height,
                               chosen ? Window::Unit::pixels : Window::Unit::points,
                               options.width > 0 ? Window::Fit::as_asked : Window::Fit::screen);
  if (!window) return window.error();
  Application application(options, *library, std::move(*window), std::move(observer));
  application.use(config);
  application.open_first(std::move(*scene));
  if (auto ready = application.start_graphics(*data, folder); !ready) return ready.error();
  application.run();
  thread_left = application.left_a_build();
  if (const FirstScene& first = application.first(); has_failed(first)) return first.get().error();
  if (!folder.empty())
    if (const auto saved = write_config(folder, application.config()); !saved) fail(saved.error());
  return application.save_last_picture();
}

Expected<void> run_observed(const AppOptions& options, RunObserver observer) {
  if (options.record_input.empty()) return run_session(options, std::move(observer));
  std::error_code none;  // the file may not exist, or the scene be a name
  if (std::filesystem::equivalent(options.record_input, options.scene, none))
    return Error{"--record-input: would overwrite what is run", options.record_input, 0, "name another file"};
  auto input = SessionInput::create(options.record_input);
  if (!input) return input.error();
  observer.recorded = [&](const Expected<InputRecording>& recording) { (*input)->keep(recording); };
  observer.left = [&](const InputRecording& recording) { return (*input)->keep_beside(recording); };
  if (auto done = run_session(options, std::move(observer)); !done) return done.error();
  return (*input)->finish();
}

Expected<void> run_reported(const AppOptions& options) {
  if (options.report.empty()) return run_observed(options, {});
  auto report = WindowReport::create(options.report, options.set);
  if (!report) return report.error();
  if (auto done = run_observed(options, (*report)->observer()); !done) return done.error();
  return (*report)->finish();
}

}  // namespace

int run_app(const AppOptions& options) {
  stop_on_interrupt();  // recordings and reports are still written
  const auto done = run_reported(options);
  const int status = !done ? fail(done.error()) : interrupted() ? exit_interrupted : exit_ok;
  if (!thread_left) return status;
  std::fflush(nullptr);
  std::_Exit(status);  // without destructors: a surviving thread may use the objects
}

}  // namespace limber
