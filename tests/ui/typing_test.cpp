// Values typed into rows of panels: taken, or refused with a message.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <optional>
#include <string>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/widgets/field_editor.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/panel_frame.hpp"

namespace limber::ui::typing_test {
namespace {

using panels::PanelFrame;

/// A typed value is taken, or a message names the refused text, its setting, the reason, and the kept value.
TEST(Typing, RefusesWhatIsNoNumberInOneMessage) {
  SceneDesc scene;
  scene.objects.emplace_back().name = "cloth";
  const auto typed = [&](const char* path, const char* text) {
    return read_typed(*find_setting(scene, path), text);
  };
  const char* friction = "objects.cloth.material.friction";
  scene.objects[0].material->friction = 0.5;
  for (const char* text : {"nan", "inf", "-inf", "soft", "", "0,5", "1e999"}) {
    const TypedValue refused = typed(friction, text);
    EXPECT_FALSE(refused.value) << text;
    EXPECT_EQ(
        refused.complaint.find("Friction (cloth): '" + std::string(text) + "' is not a number from 0 to "),
        0u)
        << refused.complaint;
    EXPECT_NE(refused.complaint.find("; 0.5 stays."), std::string::npos) << refused.complaint;
  }
  EXPECT_EQ(typed(friction, " 0.25 ").value, Value(0.25));
  EXPECT_EQ(typed(friction, "0.25").complaint, "");
  const TypedValue outside = typed(friction, "-3");
  EXPECT_EQ(outside.value, Value(0.0));
  EXPECT_EQ(outside.complaint.find("Friction (cloth): -3 is outside 0 to "), 0u) << outside.complaint;
  EXPECT_EQ(typed("solver.substeps", "1e1").value, Value(10L));
  EXPECT_EQ(typed("solver.substeps", "1e1").complaint, "");
  EXPECT_NE(typed("solver.substeps", "2.5").complaint.find("Substeps: '2.5' is not a whole number"),
            std::string::npos);
  EXPECT_EQ(typed("solver.gravity", "0, -1, 0").value, Value(glm::dvec3(0, -1, 0)));
  EXPECT_FALSE(typed("solver.gravity", "0, nan, 0").value);
  EXPECT_FALSE(typed("solver.gravity", "0, -1").value);
}

/// A panel with a row for one setting in it.
struct RowInAPanel : PanelFrame {
  explicit RowInAPanel(const char* path) : setting(*find_setting(scene, path)) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeyMap[ImGuiKey_Enter] = 1;
#endif
  }
  std::optional<Value> frame() {
    std::optional<Value> sent;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0.0f, 0.0f});
    ImGui::SetNextWindowSize({400.0f, 200.0f});
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoTitleBar);
    if (ImGui::BeginTable("rows", 2)) {
      sent = field_row("Row", setting, original, state);
      if (corner.x == 0.0f)
        corner = ImGui::GetItemRectMin();  // later ones have a reset mark behind the slider
      ImGui::EndTable();
    }
    ImGui::End();
    ImGui::EndFrame();
    return sent;
  }
  void press(bool down) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = down;
    io.MousePos = {corner.x + 5.0f, corner.y + 5.0f};
    io.MouseDown[0] = down;
  }
  void enter(bool down) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeysDown[1] = down;
#else
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, down);
#endif
  }
  std::optional<Value> type(const char* text) {
    for (const bool down : {false, true, false}) press(down), frame();
    for (int i = 0; i < 3; ++i) frame();
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frame();
    enter(true);
    const auto sent = frame();
    enter(false);
    frame();
    return sent;
  }
  SceneDesc scene;
  Setting setting;
  Value original = get(*setting.field, setting.settings);
  FieldEditorState state;
  ImVec2 corner;
};

TEST(Typing, ANumberTypedIntoASliderIsTakenAndAWordIsRefused) {
  RowInAPanel panel("solver.damping");
  EXPECT_EQ(panel.type("0.25"), Value(0.25));
  EXPECT_EQ(panel.state.complaint, "");
  for (const char* text : {"nan", "soft"}) {
    EXPECT_EQ(panel.type(text), std::nullopt);
    EXPECT_NE(panel.state.complaint.find("'" + std::string(text) + "'"), std::string::npos)
        << panel.state.complaint;
    EXPECT_EQ(panel.state.complained_of, "solver.damping");
    EXPECT_EQ(panel.scene.solver.motion->damping, 0.25);
    EXPECT_EQ(panel.state.typing, 0u) << "the slider is back";
  }
}

TEST(Typing, EnterAloneChangesNoDigit) {
  RowInAPanel panel("solver.dt");
  panel.scene.solver.step->dt = 1.0 / 60.0;
  panel.type("");
  EXPECT_EQ(panel.scene.solver.step->dt, 1.0 / 60.0);
  EXPECT_EQ(panel.state.complaint, "");
  EXPECT_EQ(panel.state.typing, 0u);
}

TEST(Typing, AVectorIsTypedAsAWhole) {
  RowInAPanel panel("solver.gravity");
  EXPECT_EQ(panel.type("0, -1.5, 2"), Value(glm::dvec3(0.0, -1.5, 2.0)));
  EXPECT_EQ(panel.type("0, down, 2"), std::nullopt);
  EXPECT_EQ(panel.scene.solver.motion->gravity, glm::dvec3(0.0, -1.5, 2.0));
  EXPECT_NE(panel.state.complaint.find("Gravity: '0, down, 2' is not three numbers"), std::string::npos)
      << panel.state.complaint;
}

}  // namespace
}  // namespace limber::ui::typing_test
