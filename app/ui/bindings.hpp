// One table of what keys and mouse do; it drives the keys themselves, the menus, the hints and the help.
#pragma once

#include <span>
#include <string_view>

namespace limber::ui {

/// Everything a key or a menu entry can ask for.
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
  save_input,
  messages,
  help,
  close,
  quit,
};

/// Place in which a key acts.
enum class Reach {
  scene,   ///< on the scene and its picture: not while a dialog, a menu or a text box is open
  window,  ///< on the window itself: always, but for keys that write into a text box
};

struct Binding {
  Action action;
  int key;                 ///< see keys.hpp
  int other_key;           ///< a second one that does the same, 0 if none
  int mods;                ///< modifier bits that must be down, no others
  bool repeats;            ///< acts again while the key is held
  std::string_view keys;   ///< as a person reads it: "Space or P"
  std::string_view label;  ///< menu entry and help text
  Reach reach = Reach::scene;
};

/// A thing done with the mouse.
struct Gesture {
  std::string_view keys, label;
};

std::span<const Binding> bindings();
std::span<const Gesture> gestures();
const Binding& binding_of(Action action);

/// The row of the table for `key` with these modifiers, or null. Lock keys in `mods` do not count.
const Binding* binding_for(int key, int mods);

}  // namespace limber::ui
