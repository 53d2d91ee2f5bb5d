// One session in the window: the parts of a frame, between the simulation's thread and the screen.
#pragma once

#include <chrono>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/scene_source.hpp"
#include "app/lab/runner.hpp"
#include "app/record/live_export.hpp"
#include "app/render/fitted_view.hpp"
#include "app/render/renderer.hpp"
#include "app/render/steady_view.hpp"
#include "app/shell/application.hpp"
#include "app/shell/first_scene.hpp"
#include "app/shell/fluid_pace.hpp"
#include "app/shell/frame_clock.hpp"
#include "app/shell/imgui_layer.hpp"
#include "app/shell/opened_file.hpp"
#include "app/shell/picture_pace.hpp"
#include "app/shell/scene_input.hpp"
#include "app/shell/user_config.hpp"
#include "app/shell/window.hpp"
#include "app/shell/window_video.hpp"
#include "app/ui/ui.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

inline constexpr int frames_to_settle = 6;  // panels need a few frames to settle their sizes

/// Whether OpenGL draws on the processor: a picture then costs tens of milliseconds on all cores.
bool draws_in_software(const Window& window);

int hardware_threads();

/// Reserves cores for the window. The threads of a pool meet at barriers and wait for the slowest one, so
/// none of them should share a core with the drawing: one core stays free, or half of the cores if the
/// processor draws the picture.
RunOptions beside_the_window(RunOptions options, bool software);

/// Reads a recording into `recording`. Returns the scene in which it was made.
Expected<SceneDesc> load_recording(const std::string& file, InputRecording& recording);

Camera camera_of(const CameraDesc& camera);

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
class WindowApplication {
 public:
  WindowApplication(const AppOptions& options, const SceneLibrary& library, std::unique_ptr<Window> window,
                    RunObserver observer)
      : options_(options),
        scenes_(library.scenes()),
        window_(std::move(window)),
        runner_owner_(std::make_unique<Runner>(beside_the_window(options.run, draws_in_software(*window_)),
                                               exporting(std::move(observer), export_), &Window::wake)),
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
  bool act_on_session(ui::Action action);
  bool act_on_view(ui::Action action, const Publication& shown);
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
  bool chooses_fluids(const Publications& all) const;
  PicturePace::Drawing draw_scene(const Publications& all);
  std::vector<PictureView> window_views(const Publications& all, int part) const;
  ViewOptions window_options() const;
  Image draw_still(const Publications& all, glm::ivec2 size, bool of_film);
  Image draw_still_window(const Publications& all, glm::ivec2 size);
  void save_screenshot(const Image& image, const Publication& shown);
  void toggle_video(const RunStatus& status);
  void follow_video();
  static RunObserver exporting(RunObserver observer, std::shared_ptr<LiveExport> exported);
  void start_export(const ui::ExportRequest& wanted, const RunStatus& status);
  void toggle_export(const RunStatus& status);
  void follow_export();
  void tell_of_export(const Expected<std::string>& ended);
  bool time_is_up(const Publication& shown) const;

  AppOptions options_;
  FirstScene first_;
  std::vector<SceneEntry> scenes_;  ///< scenes opened by a path, then those of the folders
  std::string current_;             ///< file of the open scene, as in the list
  std::unique_ptr<Window> window_;
  std::shared_ptr<LiveExport> export_ = std::make_shared<LiveExport>();  ///< shared with the runner's thread
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
  FluidPace fluid_pace_;
  bool over_panels_ = false;      ///< the mouse is over a panel
  int waited_ = 0;                ///< frames waited for the keyboard
  int awake_ = frames_to_settle;  ///< frames still to be drawn after the last event
  FrameClock::Clock::time_point drawn_at_{}, pictured_at_{}, event_at_{}, changed_at_{};
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

}  // namespace limber
