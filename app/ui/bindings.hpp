// Table of keys and mouse gestures. It drives the key handling, the menus, the hints and the help.
#pragma once

#include <span>
#include <string_view>

namespace limber::ui {

/// Actions that a key or a menu entry can request.
enum class Action {
  toggle_run,
  step,
  step_back,
  restart,
  restart_as_opened,
  throw_ball,
  cut,
  warm,
  cool,
  previous_scene,
  next_scene,
  palette,
  pick_scene,
  open_file,
  frame_scene,
  wireframe,
  heat_map,
  overlay,
  clip,
  flip_clip,
  compare,
  front_view,
  side_view,
  top_view,
  orthographic,
  toggle_panels,
  screenshot,
  window_screenshot,
  video,
  export_frames,
  save_input,
  messages,
  help,
  close,
  quit,
};

/// Situations in which a key acts.
enum class Reach {
  scene,   ///< while no dialog, menu or text box is open
  window,  ///< always, except keys that write into a text box
};

struct Binding {
  Action action;
  int key;                 ///< see keys.hpp
  int other_key;           ///< a second key with the same action, 0 if none
  int mods;                ///< modifier bits that must be down, no others
  bool repeats;            ///< acts again while the key is held
  std::string_view keys;   ///< text for the user: "Space or P"
  std::string_view label;  ///< menu entry and help text
  Reach reach = Reach::scene;
};

/// A mouse gesture, for the help.
struct Gesture {
  std::string_view keys, label;
};

std::span<const Binding> bindings();
std::span<const Gesture> gestures();
const Binding& binding_of(Action action);

/// The row of the table for `key` with these modifiers, or null. Lock keys in `mods` do not count.
const Binding* binding_for(int key, int mods);

}  // namespace limber::ui
