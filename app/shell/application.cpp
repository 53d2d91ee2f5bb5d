#include "app/shell/application.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/scene_source.hpp"
#include "app/lab/openable_file.hpp"
#include "app/lab/runner.hpp"
#include "app/record/png_writer.hpp"
#include "app/render/fitted_view.hpp"
#include "app/render/renderer.hpp"
#include "app/shell/first_scene.hpp"
#include "app/shell/input_file.hpp"
#include "app/shell/scene_input.hpp"
#include "app/shell/user_config.hpp"
#include "app/shell/window.hpp"
#include "app/shell/window_application.hpp"
#include "app/shell/window_report.hpp"
#include "app/shell/window_video.hpp"
#include "app/ui/ui.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

/// True if scene files and the window use the same names of heat maps, overlays and stages, in the same
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

constexpr const char* first_scene = "cloth_hang";

constexpr std::chrono::milliseconds patience{500};  // longest wait for the scene before the window opens

bool thread_left = false;  // a simulation thread survives the window

Expected<void> run_session(AppOptions options, RunObserver observer) {
  if (options.scene.empty()) options.scene = first_scene;
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
  auto scene = read_first(read, patience);
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
  WindowApplication application(options, *library, std::move(*window), std::move(observer));
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
