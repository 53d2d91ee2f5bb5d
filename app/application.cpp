#include "app/application.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/commands/scene_source.hpp"
#include "app/frame_clock.hpp"
#include "app/imgui_layer.hpp"
#include "app/picture_folder.hpp"
#include "app/record/png_writer.hpp"
#include "app/render/renderer.hpp"
#include "app/scene_input.hpp"
#include "app/sim/runner.hpp"
#include "app/ui/ui.hpp"
#include "app/window.hpp"
#include "app/window_report.hpp"

namespace limber {
namespace {

constexpr const char* kFirstScene = "cloth_hang";

/// No graphics processor: a picture costs tens of milliseconds on all cores.
bool draws_in_software(const Window& window) {
  const std::string driver = window.driver();
  return driver.find("llvmpipe") != std::string::npos || driver.find("softpipe") != std::string::npos;
}

int hardware_threads() { return std::max(1, int(std::thread::hardware_concurrency())); }

/// A pool that meets at barriers waits for its slowest worker, so it must not share a core with the drawing:
/// one core stays free for the window, half of them where they draw the picture too.
RunOptions beside_the_window(RunOptions options, bool software) {
  const int free = software ? hardware_threads() / 2 : hardware_threads() - 1;
  if (options.threads == 0) options.threads = std::max(1, free);
  return options;
}

Camera camera_of(const CameraDesc& camera) {
  return Camera::looking(camera.position, camera.target, float(camera.fov_degrees) * 0.017453293f);
}

ViewOptions view_options(const ui::ViewChoices& choices) {
  return {choices.wireframe, choices.shadows, choices.msaa, choices.shadow_size};
}

/// Everything of one session; its functions are the parts of a frame.
class Application {
 public:
  Application(const AppOptions& options, SceneLibrary library, std::unique_ptr<Window> window,
              RunObserver observer)
      : options_(options),
        library_(std::move(library)),
        window_(std::move(window)),
        runner_(beside_the_window(options.run, draws_in_software(*window_)), std::move(observer)),
        clock_(window_->refresh_rate()) {}

  void open_first(SceneDesc scene) {
    runner_.load(scene.name, [scene = std::move(scene)]() -> Expected<SceneDesc> { return scene; });
  }

  Expected<void> start_graphics(const std::string& shader_folder);
  void run();
  Expected<void> save_last_picture();

 private:
  void frame();
  void follow(const Publication& shown);
  void obey(const SceneRequests& requests, const Publication& shown);
  void obey(const ui::PanelRequests& requests, const Publication& shown);
  void act(ui::Action action, const Publication& shown);
  void open(const std::string& name_or_file);
  void open_neighbour(int step, const std::string& current);
  void draw(const Publication& shown);
  void save_screenshot(const std::string& scene);
  bool time_is_up(const Publication& shown) const;

  AppOptions options_;
  SceneLibrary library_;
  std::unique_ptr<Window> window_;
  Runner runner_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<ImguiLayer> imgui_;
  ui::PanelState panels_;
  SceneInput input_;
  Camera camera_;
  FrameClock clock_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::uint64_t loads_seen_ = 0;
  bool screenshot_wanted_ = false;
  bool quit_ = false;
};

Expected<void> Application::start_graphics(const std::string& shader_folder) {
  auto renderer = Renderer::create(glfwGetProcAddress, shader_folder);
  if (!renderer) return renderer.error();
  renderer_ = std::move(*renderer);
  if (draws_in_software(*window_)) {
    panels_.view.msaa = 1;
    panels_.view.shadow_size = 1024;
  }
  imgui_ = std::make_unique<ImguiLayer>(*window_);
  return {};
}

void Application::run() {
  while (!quit_ && !window_->should_close()) frame();
  window_->hide();  // a build under way may still take its time
}

/// The order of a frame.
void Application::frame() {
  window_->poll();
  if (window_->pixels().x == 0 || window_->pixels().y == 0) return window_->wait(0.1);  // minimised
  const Publication& shown = runner_.latest();
  follow(shown);
  const auto events = window_->input().next_batch();
  imgui_->begin_frame(events);
  const SceneInput::Claims claims{imgui_->wants_mouse(), imgui_->wants_text()};
  obey(input_.handle(events, claims, shown, camera_, glm::vec2(window_->size())), shown);
  obey(ui::draw_panels({library_.scenes(), shown, clock_.fps(), hardware_threads()}, panels_), shown);
  draw(shown);
  window_->swap();
  clock_.frame_done();
  quit_ |= time_is_up(shown);
}

/// Takes over what the simulation's thread has to say.
void Application::follow(const Publication& shown) {
  panels_.log.add(runner_.take_messages());
  if (shown.status.loads == loads_seen_) return;
  loads_seen_ = shown.status.loads;
  camera_ = camera_of(shown.status.scene->camera);
  const std::string& title = shown.status.scene->title;
  window_->set_title("Limber - " + (title.empty() ? shown.status.name : title));
}

void Application::obey(const SceneRequests& requests, const Publication& shown) {
  for (const Command& command : requests.commands) runner_.interact(command, requests.model_version);
  for (ui::Action action : requests.actions) act(action, shown);
  if (!requests.dropped.empty()) open(requests.dropped.front());
}

void Application::obey(const ui::PanelRequests& requests, const Publication& shown) {
  for (const SetValue& edit : requests.edits) runner_.edit(edit);
  if (requests.threads) runner_.set_threads(*requests.threads);
  if (requests.scene) open(library_.scenes()[*requests.scene].file);
  if (requests.action) act(*requests.action, shown);
}

void Application::act(ui::Action action, const Publication& shown) {
  using ui::Action;
  ui::ViewChoices& view = panels_.view;
  switch (action) {
    case Action::toggle_run:
      return runner_.toggle_running();
    case Action::step:
      return runner_.step_once();
    case Action::step_back:
      return runner_.step_back();
    case Action::restart:
      return runner_.restart();
    case Action::previous_scene:
      return open_neighbour(-1, shown.status.name);
    case Action::next_scene:
      return open_neighbour(1, shown.status.name);
    case Action::pick_scene:
      view.panels = panels_.scenes.focus = true;
      return;
    case Action::frame_scene:
      return camera_.frame(shown.frame.bounds_min, shown.frame.bounds_max);
    case Action::wireframe:
      view.wireframe = !view.wireframe;
      return;
    case Action::screenshot:
      screenshot_wanted_ = true;
      return;
    case Action::toggle_panels:
      view.panels = !view.panels;
      return;
    case Action::help:
      view.help = !view.help;
      return;
    case Action::quit:
      quit_ = true;
      return;
  }
}

void Application::open(const std::string& name_or_file) {
  runner_.load(name_or_file, [name_or_file] { return load_scene(name_or_file); });
}

void Application::open_neighbour(int step, const std::string& current) {
  const auto& scenes = library_.scenes();
  if (scenes.empty()) return;
  const auto here =
      std::find_if(scenes.begin(), scenes.end(), [&](const auto& s) { return s.name == current; });
  const int count = int(scenes.size()), at = here == scenes.end() ? -step : int(here - scenes.begin());
  open(scenes[std::size_t((at + step + count) % count)].file);
}

void Application::draw(const Publication& shown) {
  const glm::ivec2 pixels = window_->pixels();
  renderer_->draw(shown.frame, camera_, view_options(panels_.view), pixels.x, pixels.y);
  imgui_->end_frame();
  if (std::exchange(screenshot_wanted_, false)) save_screenshot(shown.status.name);
  renderer_->blit_to_window(pixels.x, pixels.y);
}

void Application::save_screenshot(const std::string& scene) {
  const auto path = reserve_picture(scene.empty() ? "window" : scene);
  if (!path) return panels_.log.add(Message{Message::Severity::error, path.error().text()});
  if (const auto saved = write_png(renderer_->read_pixels(), *path); !saved) {
    std::remove(path->c_str());  // nothing but the reserved name
    return panels_.log.add(Message{Message::Severity::error, saved.error().text()});
  }
  panels_.log.add(Message{Message::Severity::info, "Saved " + *path});
}

Expected<void> Application::save_last_picture() {
  if (options_.screenshot.empty()) return {};
  return write_png(renderer_->read_pixels(), options_.screenshot, "--screenshot");
}

bool Application::time_is_up(const Publication& shown) const {
  if (options_.frames && shown.frame.frame >= *options_.frames) return true;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
  return options_.seconds && passed.count() >= *options_.seconds;
}

/// The scene to begin with: the one asked for.
Expected<SceneDesc> first_scene(const AppOptions& options) {
  return load_scene(options.scene.empty() ? kFirstScene : options.scene, options.set);
}

Expected<void> run_session(const AppOptions& options, RunObserver observer) {
  const auto data = data_folder();
  if (!data) return data.error();
  auto library = all_scenes();
  if (!library) return library.error();
  if (!options.screenshot.empty())
    if (auto writable = check_png_path(options.screenshot, "--screenshot"); !writable)
      return writable.error();
  auto scene = first_scene(options);
  if (!scene) return scene.error();
  auto window = Window::create("Limber", options.width, options.height);
  if (!window) return window.error();
  Application application(options, std::move(*library), std::move(*window), std::move(observer));
  application.open_first(std::move(*scene));
  if (auto ready = application.start_graphics(*data + "/shaders"); !ready) return ready.error();
  application.run();
  return application.save_last_picture();
}

Expected<void> run_reported(const AppOptions& options) {
  if (options.report.empty()) return run_session(options, {});
  auto report = WindowReport::create(options.report);
  if (!report) return report.error();
  if (auto done = run_session(options, (*report)->observer()); !done) return done.error();
  return (*report)->finish();
}

}  // namespace

int run_app(const AppOptions& options) {
  const auto done = run_reported(options);
  return done ? int(exit_ok) : fail(done.error());
}

}  // namespace limber
