// Start, frames and end of a session in the window.
#include "app/shell/window_application.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands/interrupt.hpp"
#include "app/commands/scene_source.hpp"
#include "app/shell/input_file.hpp"
#include "app/shell/window_report.hpp"
#include "app/ui/widgets/cut_line.hpp"
#include "app/ui/widgets/warm_ring.hpp"
#include "engine/core/methods.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

constexpr double seconds_to_end = 0.7;  // s, for the frame or build under way
constexpr double longest_rest = 0.5;    // s; the scene file is polled between two rests

bool draws_in_software(const Window& window) {
  const std::string driver = window.driver();
  return driver.find("llvmpipe") != std::string::npos || driver.find("softpipe") != std::string::npos;
}

int hardware_threads() { return std::max(1, int(std::thread::hardware_concurrency())); }

RunOptions beside_the_window(RunOptions options, bool software) {
  const int free = software ? hardware_threads() / 2 : hardware_threads() - 1;
  options.most_threads = std::max(1, free);
  options.alone_if_starved = true;
  return options;
}

/// Takes over the saved settings of the window. If the file could not be read, shows a message.
void WindowApplication::use(const Expected<std::optional<UserConfig>>& config) {
  if (!config) return panels_.log.add(Message{Message::Severity::warning, config.error().text()});
  if (!*config) return;
  panels_.view = (*config)->view;
  configured_ = true;
}

Expected<void> WindowApplication::start_graphics(const std::string& data_folder,
                                                 const std::string& config_folder) {
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

void WindowApplication::run() {
  while (!quit_ && !window_->should_close() && !interrupted()) frame();
  window_->hide();
  if (video_.active()) say_on_console(video_.stop());
  end_simulation();
  if (export_->progress())
    if (const auto ended = export_->stop(); !ended)
      say_on_console({Message::Severity::error, ended.error().text()});
}

/// Ends the simulation thread. If a build cannot be cancelled, the Runner is leaked: its thread goes on until
/// the process ends.
void WindowApplication::end_simulation() {
  if (!runner_owner_->finish(seconds_to_end)) (void)runner_owner_.release();
}

/// Prints a message on the console once there is no window any more.
void WindowApplication::say_on_console(const Message& message) {
  if (message.severity != Message::Severity::info) std::fprintf(stderr, "limber: %s\n", message.text.c_str());
}

/// One frame: wait, respond to events, draw.
void WindowApplication::frame() {
  const double rest = std::min(until_change(), longest_rest);
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
double WindowApplication::until_change() const {
  if (awake_ > 0 || video_.active()) return 0.0;
  const RunState state = panels_.building.empty() ? RunState::paused : RunState::building;
  if (state == RunState::building) return 0.1;  // more pictures would take cores from the build
  double soonest = panels_.log.until_change();
  if (imgui_->wants_text()) soonest = std::min(soonest, 0.25);           // the cursor blinks
  if (runner_.activity().frame > 0.0) soonest = std::min(soonest, 0.5);  // the status line counts seconds
  if (pace_.behind() && !over_panels_) soonest = std::min(soonest, PicturePace::rest);
  if (pace_.behind() && over_panels_) soonest = std::min(soonest, 1.1 * PicturePace::idle);
  return soonest;
}

/// Whether anything has changed that must be drawn.
bool WindowApplication::has_news() {
  const std::chrono::duration<double> rested = FrameClock::Clock::now() - drawn_at_;
  const bool another = std::exchange(pictures_seen_, runner_.pictures()) != runner_.pictures();
  const bool event = !window_->input().empty() || window_->take_damage() || size_seen_ != drawn_.window;
  if (event) awake_ = frames_to_settle, event_at_ = FrameClock::Clock::now();
  if (awake_ > 0) return --awake_, true;
  return another || (pace_.behind() && !over_panels_) || rested.count() >= until_change();
}

/// True if the window is minimised. Then nothing is drawn, and the simulation waits for the window.
bool WindowApplication::rest_while_unseen() {
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
bool WindowApplication::waits_for_keyboard() {
  constexpr int most_frames = 6;
  if (!panels_.palette.open || imgui_->wants_text()) waited_ = 0;
  return panels_.palette.open && !imgui_->wants_text() && ++waited_ < most_frames;
}

/// Gives one batch of events to the panels and the scene.
void WindowApplication::respond(const Publications& all, const std::vector<InputEvent>& events) {
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
  // While a scene is being built, current_ is still the one before it, so compare the requested file.
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
std::vector<ImVec2> WindowApplication::pins(const Publications& all) const {
  std::vector<ImVec2> out;
  for (const Pane& pane : panes(all))
    for (const DotDraw& dot : pane.shown.frame.dots) {
      const glm::vec2 at = pane.corner + glm::vec2(camera_.project(dot.position, pane.size));
      out.push_back({at.x, at.y});
    }
  return out;
}

bool WindowApplication::time_is_up(const Publication& shown) const {
  if (options_.frames && shown.frame.frame >= *options_.frames) return true;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
  return options_.seconds && passed.count() >= *options_.seconds;
}

}  // namespace limber
