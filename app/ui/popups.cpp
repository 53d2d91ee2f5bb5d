#include "app/ui/popups.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace limber::ui {

bool close_popups() {
  if (ImGui::GetCurrentContext()->OpenPopupStack.empty()) return false;
  ImGui::ClosePopupToLevel(0, true);
  return true;
}

}  // namespace limber::ui
