#include "app/ui/panels/popups.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace limber::ui {

bool popup_open() { return !ImGui::GetCurrentContext()->OpenPopupStack.empty(); }

bool close_popups() {
  if (!popup_open()) return false;
  ImGui::ClosePopupToLevel(0, true);
  return true;
}

}  // namespace limber::ui
