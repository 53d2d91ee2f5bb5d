// Actions of keys, menus and panels.
#include "app/shell/window_application.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/commands/scene_source.hpp"
#include "app/lab/openable_file.hpp"
#include "app/shell/dropped_file.hpp"
#include "app/shell/input_file.hpp"
#include "app/ui/panels/popups.hpp"
#include "engine/core/methods.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

Expected<SceneDesc> load_recording(const std::string& file, InputRecording& recording) {
  auto read = read_input_recording(file);
  if (!read) return read.error();
  recording = std::move(*read);
  return load_recorded_scene(recording);
}

void WindowApplication::obey(const SceneRequests& requests, const Publication& shown) {
  for (const Command& command : requests.commands)
    runner_.interact(command, requests.model_version, requests.variant);
  for (ui::Action action : requests.actions) act(action, shown);
  if (requests.dropped.empty()) return;
  if (const auto file = file_to_open(requests.dropped))
    open(*file);
  else
    say({Message::Severity::error, file.error().text()});
}

void WindowApplication::obey(const ui::PanelRequests& requests, const Publications& all) {
  for (const Edit& edit : requests.edits) runner_.edit(edit);
  obey(requests.compare, all);
  if (requests.speed) runner_.set_speed(*requests.speed);
  if (requests.threads) runner_.set_threads(*requests.threads);
  if (requests.scene) open(scenes_[*requests.scene].file);
  if (!requests.file.empty()) open(requests.file);
  if (requests.exported) start_export(*requests.exported, chosen(all).status);
  if (requests.action) act(*requests.action, chosen(all));
}

/// Carries out the requests of the comparison window. The setting that a new copy begins with is unlinked, so
/// that it changes in the copy only.
void WindowApplication::obey(const ui::CompareRequests& requests, const Publications& all) {
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

void WindowApplication::act(ui::Action action, const Publication& shown) {
  if (act_on_session(action) || act_on_view(action, shown)) return;
  using ui::Action;
  const auto toggle = [](bool& on) { on = !on; };
  ui::ViewChoices& view = panels_.view;
  switch (action) {
    case Action::pick_scene:
      return panels_.palette.show_scenes();
    case Action::palette:
      return panels_.palette.show_everything();
    case Action::open_file:
      return panels_.browser.show();
    case Action::close:
      return close_one();
    case Action::compare:
      return toggle(panels_.compare.open);
    case Action::messages:
      return toggle(view.messages);
    case Action::screenshot:
    case Action::window_screenshot:
      screenshots_wanted_.push_back(action);
      return;
    case Action::video:
      return toggle_video(shown.status);
    case Action::export_frames:
      return toggle_export(shown.status);
    case Action::toggle_panels:
      return toggle(view.panels);
    case Action::help:
      return toggle(view.help);
    case Action::quit:
      quit_ = true;
      return;
    default:
      return;  // SceneInput throws, cuts, warms and cools
  }
}

/// Carries out an action on the session: its clock, its scene, its recording. False for any other action.
bool WindowApplication::act_on_session(ui::Action action) {
  using ui::Action;
  switch (action) {
    case Action::toggle_run:
      return runner_.toggle_running(), true;
    case Action::step:
      return runner_.step_once(), true;
    case Action::step_back:
      return runner_.step_back(), true;
    case Action::restart:
      return runner_.restart(), true;
    case Action::restart_as_opened:
      runner_.reload(scene_file_.reader_of_other({}));  // so that messages about the file are about its
                                                        // present text
      return runner_.restart_as_opened(), true;
    case Action::previous_scene:
      return open_neighbour(-1), true;
    case Action::next_scene:
      return open_neighbour(1), true;
    case Action::save_input:
      return runner_.save_input(save_input_recording), true;
    default:
      return false;
  }
}

/// Carries out an action on the camera or on what the picture shows. False for any other action.
bool WindowApplication::act_on_view(ui::Action action, const Publication& shown) {
  using ui::Action;
  const auto toggle = [](bool& on) { on = !on; };
  ui::ViewChoices& view = panels_.view;
  switch (action) {
    case Action::frame_scene:
      return frame_all(shown.frame), true;
    case Action::wireframe:
      return toggle(view.wireframe), true;
    case Action::heat_map:
      view.heat_map = next_heat_map(view.heat_map, shown.status.heat_maps);
      return true;
    case Action::overlay:
      return show_next_overlay(shown.status.overlays), true;
    case Action::clip:
      return toggle_clip(view), true;
    case Action::flip_clip:
      view.clip_plane = {-view.clip_plane.normal, -view.clip_plane.offset};
      return true;
    case Action::front_view:
      return look_from(Camera::Side::front), true;
    case Action::side_view:
      return look_from(Camera::Side::right), true;
    case Action::top_view:
      return look_from(Camera::Side::top), true;
    case Action::orthographic:
      fitting_ = false;
      return toggle(camera_.orthographic), true;
    default:
      return false;
  }
}

/// Closes the topmost popup, panel or view.
void WindowApplication::close_one() {
  ui::ViewChoices& view = panels_.view;
  if (ui::close_popups()) return;
  for (bool* open : {&panels_.log.tray_open, &panels_.exporting.open, &panels_.browser.open,
                     &panels_.palette.open, &panels_.compare.open, &view.help, &view.messages})
    if (std::exchange(*open, false)) return;
}

/// Shows a message. Warnings and errors belong to the present scene and go with it; infos stay.
void WindowApplication::say(Message message) {
  if (message.severity != Message::Severity::info) message.scene = loads_seen_;
  panels_.log.add(std::move(message));
}

void WindowApplication::open(const std::string& name_or_file) {
  if (kind_of_file(name_or_file) == FileKind::recording) {
    const auto recording = std::make_shared<InputRecording>();
    return runner_.load(
        name_or_file, [name_or_file, recording] { return load_recording(name_or_file, *recording); }, {}, {},
        recording);
  }
  runner_.load(name_or_file, [name_or_file] { return load_scene(name_or_file); });
}

/// The file of a scene given by name, so that requests by name and by file are recognised as the same.
std::string WindowApplication::listed_file(const std::string& name_or_file) const {
  const auto named = std::find_if(scenes_.begin(), scenes_.end(),
                                  [&](const SceneEntry& scene) { return scene.name == name_or_file; });
  return named == scenes_.end() ? name_or_file : named->file;
}

void WindowApplication::open_neighbour(int step) {
  const auto here =
      std::find_if(scenes_.begin(), scenes_.end(), [&](const auto& s) { return s.file == current_; });
  const int count = int(scenes_.size());
  if (here != scenes_.end()) open(scenes_[std::size_t((here - scenes_.begin() + step + count) % count)].file);
}

}  // namespace limber
