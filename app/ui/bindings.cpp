#include "app/ui/bindings.hpp"

#include <algorithm>
#include <array>

#include "app/ui/keys.hpp"

namespace limber::ui {
namespace {

constexpr std::array key_table{
    Binding{Action::toggle_run, key::space, key::p, 0, false, "Space or P", "Run or pause"},
    Binding{Action::step, key::o, key::period, 0, true, "O or .", "Step one frame"},
    Binding{Action::step_back, key::comma, 0, 0, true, ",", "Step back one frame"},
    Binding{Action::restart, key::r, 0, 0, false, "R", "Restart with your values"},
    Binding{Action::restart_as_opened, key::r, 0, mod::shift, false, "Shift+R",
            "Restart with the scene's own values"},
    Binding{Action::throw_ball, key::b, 0, 0, false, "B", "Throw a ball at the place under the cursor"},
    Binding{Action::cut, key::c, 0, 0, false, "C+left drag",
            "Cut cloth, rods and soft solids under the line"},
    Binding{Action::warm, key::t, 0, 0, false, "T+left drag", "Warm everything under the ring"},
    Binding{Action::cool, key::t, 0, mod::shift, false, "Shift+T+left drag",
            "Cool everything under the ring"},
    Binding{Action::previous_scene, key::left_bracket, 0, 0, false, "[", "Previous scene"},
    Binding{Action::next_scene, key::right_bracket, 0, 0, false, "]", "Next scene"},
    Binding{Action::palette, key::p, 0, mod::control, false, "Ctrl+P", "Find a scene, an action or a setting",
            Reach::window},
    Binding{Action::pick_scene, key::o, 0, mod::control, false, "Ctrl+O", "Find a scene", Reach::window},
    Binding{Action::open_file, key::o, 0, mod::control | mod::shift, false, "Ctrl+Shift+O", "Open file...",
            Reach::window},
    Binding{Action::frame_scene, key::f, key::home, 0, false, "F or Home", "Frame the scene"},
    Binding{Action::wireframe, key::w, 0, mod::shift, false, "Shift+W", "Wireframe"},
    Binding{Action::heat_map, key::h, 0, 0, false, "H", "Next heat map"},
    Binding{Action::overlay, key::d, 0, 0, false, "D", "Next debug view"},
    Binding{Action::compare, key::v, 0, 0, false, "V", "Compare variants"},
    Binding{Action::clip, key::x, 0, 0, false, "X", "Clipping plane"},
    Binding{Action::flip_clip, key::x, 0, mod::shift, false, "Shift+X", "Show the other side of the plane"},
    Binding{Action::front_view, key::digit_1, 0, 0, false, "1", "View from the front"},
    Binding{Action::side_view, key::digit_3, 0, 0, false, "3", "View from the right"},
    Binding{Action::top_view, key::digit_7, 0, 0, false, "7", "View from above"},
    Binding{Action::orthographic, key::digit_5, 0, 0, false, "5", "Orthographic"},
    Binding{Action::toggle_panels, key::tab, 0, 0, false, "Tab", "Show or hide the panels"},
    Binding{Action::screenshot, key::f12, 0, 0, false, "F12", "Save a picture", Reach::window},
    Binding{Action::window_screenshot, key::f12, 0, mod::shift, false, "Shift+F12",
            "Save a picture with the panels", Reach::window},
    Binding{Action::video, key::f11, 0, 0, false, "F11", "Start or stop a video", Reach::window},
    Binding{Action::export_frames, key::e, 0, mod::control, false, "Ctrl+E",
            "Export frames for other programs, or stop", Reach::window},
    Binding{Action::save_input, key::f11, 0, mod::shift, false, "Shift+F11", "Save input recording",
            Reach::window},
    Binding{Action::messages, key::l, 0, 0, false, "L", "Messages of this session"},
    Binding{Action::help, key::f1, 0, 0, false, "F1", "Help", Reach::window},
    Binding{Action::close, key::escape, 0, 0, false, "Esc", "Close help, menus and lists", Reach::window},
    Binding{Action::quit, key::q, 0, mod::control, false, "Ctrl+Q", "Quit", Reach::window},
};

constexpr std::array mouse_table{
    Gesture{"Left drag on an object", "Grab it and pull"},
    Gesture{"Left drag in fluid, grains", "Push with a ball; the wheel changes its size"},
    Gesture{"Shift+left drop", "Pin the held vertex in place"},
    Gesture{"Shift+left click on a pin", "Free the pinned vertex"},
    Gesture{"Ctrl+left drag on a rod", "Twist it there: move right or left"},
    Gesture{"Left drag on the plane's dot", "Move the clipping plane"},
    Gesture{"Right drag on the plane's dot", "Turn the clipping plane"},
    Gesture{"Left drag on empty space", "Orbit the camera"},
    Gesture{"Middle drag", "Orbit the camera"},
    Gesture{"Right drag or Shift+middle", "Pan the camera"},
    Gesture{"Wheel", "Zoom towards the cursor"},
    Gesture{"Ctrl+click on a slider", "Type the value"},
    Gesture{"Drop a file on the window", "Open a scene, or an OBJ as cloth"},
};

}  // namespace

std::span<const Binding> bindings() { return key_table; }
std::span<const Gesture> gestures() { return mouse_table; }

const Binding& binding_of(Action action) {
  return *std::find_if(key_table.begin(), key_table.end(),
                       [&](const Binding& b) { return b.action == action; });
}

const Binding* binding_for(int key, int mods) {
  const int held = mods & (mod::shift | mod::control | mod::alt | mod::super);
  for (const Binding& binding : key_table)
    if ((key == binding.key || (binding.other_key != 0 && key == binding.other_key)) && held == binding.mods)
      return &binding;
  return nullptr;
}

}  // namespace limber::ui
