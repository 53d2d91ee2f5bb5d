#include "app/shell/scene_input.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <optional>

#include "app/tools/mouse_throw.hpp"
#include "app/ui/keys.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

// The panels know keys by number only.
static_assert(ui::key::space == GLFW_KEY_SPACE && ui::key::comma == GLFW_KEY_COMMA &&
              ui::key::period == GLFW_KEY_PERIOD && ui::key::left_bracket == GLFW_KEY_LEFT_BRACKET &&
              ui::key::right_bracket == GLFW_KEY_RIGHT_BRACKET && ui::key::tab == GLFW_KEY_TAB &&
              ui::key::escape == GLFW_KEY_ESCAPE && ui::key::home == GLFW_KEY_HOME &&
              ui::key::f1 == GLFW_KEY_F1 && ui::key::f12 == GLFW_KEY_F12 && ui::key::f11 == GLFW_KEY_F11);
static_assert(ui::key::digit_1 == GLFW_KEY_1 && ui::key::digit_3 == GLFW_KEY_3 &&
              ui::key::digit_5 == GLFW_KEY_5 && ui::key::digit_7 == GLFW_KEY_7 && ui::key::h == GLFW_KEY_H &&
              ui::key::l == GLFW_KEY_L);
static_assert(ui::key::b == GLFW_KEY_B && ui::key::c == GLFW_KEY_C && ui::key::d == GLFW_KEY_D &&
              ui::key::f == GLFW_KEY_F && ui::key::o == GLFW_KEY_O && ui::key::p == GLFW_KEY_P &&
              ui::key::q == GLFW_KEY_Q && ui::key::r == GLFW_KEY_R && ui::key::t == GLFW_KEY_T &&
              ui::key::v == GLFW_KEY_V && ui::key::w == GLFW_KEY_W && ui::key::x == GLFW_KEY_X);
static_assert(ui::mod::shift == GLFW_MOD_SHIFT && ui::mod::control == GLFW_MOD_CONTROL &&
              ui::mod::alt == GLFW_MOD_ALT && ui::mod::super == GLFW_MOD_SUPER);

/// While a text box has the keyboard, only keys that type nothing are shortcuts.
bool allowed_while_typing(const KeyChanged& event) {
  const bool function_key = event.key >= GLFW_KEY_F1 && event.key <= GLFW_KEY_F25;
  return function_key || (event.mods & GLFW_MOD_CONTROL) != 0;
}

/// The action of a key, unless the panels claim the key.
std::optional<ui::Action> shortcut(const KeyChanged& event, const SceneInput::Claims& claims) {
  if (event.action == GLFW_RELEASE) return std::nullopt;
  const ui::Binding* binding = ui::binding_for(event.key, event.mods);
  if (!binding || (event.action == GLFW_REPEAT && !binding->repeats)) return std::nullopt;
  const bool claimed = claims.text || claims.keys;
  if (claimed && binding->reach == ui::Reach::scene) return std::nullopt;
  if (claims.text && !allowed_while_typing(event)) return std::nullopt;
  return binding->action;
}

}  // namespace

/// Sets the pane to the one under the cursor. Keeps the last one during a drag, or if there is none.
void SceneInput::follow_cursor(glm::vec2 position, std::span<const Pane> panes) {
  if (hold_ != Hold::nothing) return;
  for (std::size_t k = 0; k < panes.size(); ++k) {
    const glm::vec2 from = position - panes[k].corner, over = panes[k].size - from;
    if (from.x >= 0.0f && from.y >= 0.0f && over.x > 0.0f && over.y > 0.0f) pane_ = k;
  }
}

SceneRequests SceneInput::handle(std::span<const InputEvent> events, const Claims& claims,
                                 std::span<const Pane> panes, Camera& camera, ClipPlane* clip) {
  SceneRequests out;
  Scene scene{panes, camera, out, clip};
  pane_ = std::min(pane_, panes.size() - 1);
  drag_.follow(shown(scene).frame.model_version);
  for (const InputEvent& event : events) {
    if (const auto* moved = std::get_if<CursorMoved>(&event)) {
      move(moved->position, scene);
    } else if (const auto* button = std::get_if<ButtonChanged>(&event)) {
      if (!button->pressed)
        release(*button, scene);
      else if (!claims.mouse)
        press(*button, scene);
    } else if (const auto* scrolled = std::get_if<Scrolled>(&event)) {
      follow_cursor(scrolled->position, panes);
      if (const auto command = hold_ == Hold::vertex ? drag_.scroll(scrolled->offset.y) : std::nullopt)
        out.commands.push_back(*command);
      else if (!claims.mouse)
        camera.zoom(scrolled->offset.y, inside(scene, scrolled->position), panes[pane_].size);
    } else if (const auto* key = std::get_if<KeyChanged>(&event)) {
      press_key(*key, claims, scene);
    } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
      if (!focus->focused) knife_ = false, heater_ = 0;
    } else if (const auto* files = std::get_if<FilesDropped>(&event)) {
      out.dropped = files->paths;
    }
  }
  if (hold_ == Hold::warm)
    if (const auto command = warm_.act(shown(scene), view(scene), inside(scene, last_))) {
      out.commands.push_back(*command);
      out.model_version = shown(scene).frame.model_version;
    }
  if (out.model_version == 0) out.model_version = drag_.model_version();
  out.variant = shown(scene).status.variant.number;
  return out;
}

/// Throws a ball at once. Starts the cut or the brush, which last while their keys are down. Leaves all other
/// keys to the window.
void SceneInput::press_key(const KeyChanged& event, const Claims& claims, Scene& scene) {
  const auto action = shortcut(event, claims);
  if (event.key == ui::binding_of(ui::Action::cut).key)
    knife_ = action == ui::Action::cut || (knife_ && event.action == GLFW_REPEAT);
  if (event.key == ui::binding_of(ui::Action::warm).key && event.action != GLFW_REPEAT)
    heater_ = action == ui::Action::warm ? 1 : action == ui::Action::cool ? -1 : 0;
  if (!action || action == ui::Action::cut || action == ui::Action::warm || action == ui::Action::cool)
    return;
  if (action != ui::Action::throw_ball) return scene.out.actions.push_back(*action);
  follow_cursor(last_, scene.panes);
  scene.out.commands.push_back(throw_ball(shown(scene), view(scene), inside(scene, last_)));
  scene.out.model_version = shown(scene).frame.model_version;
}

void SceneInput::begin(Hold hold, int button) {
  hold_ = hold;
  button_ = button;
}

void SceneInput::press(const ButtonChanged& event, Scene& scene) {
  last_ = event.position;
  if (hold_ != Hold::nothing) return;  // a second button during a drag changes nothing
  follow_cursor(event.position, scene.panes);
  scene.out.pressed = pane_;
  const glm::vec2 place = inside(scene, event.position);
  const bool shift = (event.mods & GLFW_MOD_SHIFT) != 0;
  const bool right = event.button == GLFW_MOUSE_BUTTON_RIGHT;
  if (scene.clip && (right || event.button == GLFW_MOUSE_BUTTON_LEFT) &&
      clip_.press(*scene.clip, shown(scene).frame, view(scene), place, right))
    return begin(Hold::clip, event.button);
  if (event.button == GLFW_MOUSE_BUTTON_RIGHT) return begin(Hold::pan, event.button);
  if (event.button == GLFW_MOUSE_BUTTON_MIDDLE) return begin(shift ? Hold::pan : Hold::orbit, event.button);
  if (event.button != GLFW_MOUSE_BUTTON_LEFT) return;
  if (knife_) {
    cut_.press(place);
    return begin(Hold::cut, event.button);
  }
  if (heater_ != 0) {
    warm_.press(shown(scene), shift ? -1 : heater_);
    return begin(Hold::warm, event.button);
  }
  const auto command =
      drag_.press(shown(scene), view(scene), place, shift, (event.mods & GLFW_MOD_CONTROL) != 0);
  if (command) scene.out.commands.push_back(*command);
  if (drag_.active()) return begin(Hold::vertex, event.button);
  if (!command) begin(Hold::orbit, event.button);
}

void SceneInput::release(const ButtonChanged& event, Scene& scene) {
  if (event.button != button_) return;
  if (hold_ == Hold::vertex)
    if (const auto command = drag_.release((event.mods & GLFW_MOD_SHIFT) != 0))
      scene.out.commands.push_back(*command);
  cut_.release();
  warm_.release();
  begin(Hold::nothing, -1);
}

void SceneInput::move(glm::vec2 position, Scene& scene) {
  const glm::vec2 way = position - last_;
  last_ = position;
  switch (hold_) {
    case Hold::nothing:
      break;
    case Hold::orbit:
      scene.camera.orbit(way, view(scene).size);
      break;
    case Hold::warm:  // with every picture, in handle()
      break;
    case Hold::clip:
      if (scene.clip) clip_.move(*scene.clip, view(scene), inside(scene, position));
      break;
    case Hold::pan:
      scene.camera.pan(way, view(scene).size);
      break;
    case Hold::vertex:
      if (const auto command = drag_.move(view(scene), inside(scene, position)))
        scene.out.commands.push_back(*command);
      break;
    case Hold::cut:
      if (const auto command = cut_.move(view(scene), inside(scene, position))) {
        scene.out.commands.push_back(*command);
        scene.out.model_version = shown(scene).frame.model_version;
      }
      break;
  }
}

}  // namespace limber
