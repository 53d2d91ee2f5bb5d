#include "app/shell/input.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

namespace limber {
namespace {

/// A batch of events for one frame, and the kinds of changes it already contains.
struct Batch {
  std::vector<InputEvent> events;
  bool button = false, command = false;
  std::vector<int> keys;

  bool takes(const InputEvent& event) const {
    if (command) return false;
    if (std::holds_alternative<CursorMoved>(event) || std::holds_alternative<ButtonChanged>(event))
      return !button;
    if (const auto* key = std::get_if<KeyChanged>(&event))
      return std::find(keys.begin(), keys.end(), key->key) == keys.end();
    return true;
  }

  void take(InputEvent event) {
    button |= std::holds_alternative<ButtonChanged>(event);
    if (const auto* key = std::get_if<KeyChanged>(&event)) {
      keys.push_back(key->key);
      const bool ends = key->key == GLFW_KEY_ENTER || key->key == GLFW_KEY_ESCAPE;
      command = key->action != GLFW_RELEASE && (ends || (key->mods & GLFW_MOD_CONTROL) != 0);
    }
    events.push_back(std::move(event));
  }
};

}  // namespace

void InputQueue::push(InputEvent event) {
  if (const auto* moved = std::get_if<CursorMoved>(&event)) cursor_ = moved->position;
  if (auto* button = std::get_if<ButtonChanged>(&event)) button->position = cursor_;
  if (auto* scrolled = std::get_if<Scrolled>(&event)) scrolled->position = cursor_;
  events_.push_back(std::move(event));
}

std::vector<InputEvent> InputQueue::next_batch() {
  Batch batch;
  while (!events_.empty() && batch.takes(events_.front())) {
    batch.take(std::move(events_.front()));
    events_.pop_front();
  }
  return std::move(batch.events);
}

}  // namespace limber
