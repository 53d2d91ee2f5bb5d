// Panels in ImGui frames without a window: what their rows say, and whether the rows fit.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/panels/diagnostics.hpp"
#include "app/ui/panels/inspector.hpp"
#include "app/ui/panels/log_window.hpp"
#include "app/ui/panels/message_area.hpp"
#include "app/ui/panels/status_line.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/ui.hpp"
#include "app/ui/widgets/field_editor.hpp"
#include "app/ui/widgets/file_browser.hpp"
#include "app/ui/widgets/heat_legend.hpp"
#include "app/ui/widgets/line_plot.hpp"
#include "app/ui/widgets/wrapped_text.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/panel_frame.hpp"

namespace limber::ui::panel_rows_test { namespace {

using panels::PanelFrame;

TEST(Diagnostics, NumbersStayShort) {
  EXPECT_EQ(short_number(0.0), "0");
  EXPECT_EQ(short_number(24.786), "24.8");
  EXPECT_EQ(short_number(0.0012345), "0.00123");
  EXPECT_EQ(short_number(-9123.4), "-9123");
  EXPECT_EQ(short_number(66000.0), "6.6e4");
  EXPECT_EQ(short_number(9999.7), "10000");
  EXPECT_EQ(short_number(-2.34e-12), "-2.3e-12");
  EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "nan");
}

/// All numbers are inside the panel in every state, beside their name or below it.
TEST(Diagnostics, FitsIntoANarrowPanel) {
  PanelFrame panel;
  SceneDesc scene;
  scene.objects.emplace_back().name = "cloth";
  RunStatus status;
  status.scene = std::make_shared<const SceneDesc>(scene);
  status.batches = {{"distance", 1234567, 12}};
  status.triangles = status.contacts = 1234567;
  status.measures.strain = {659.87654, 98765.4321};
  status.measures.kinetic_energy = status.measures.potential_energy = -1.23456e11;
  const StageHistory stage{"velocities", {12345.678f, 12345.678f}};
  status.stage_history = {stage};
  for (const float width : {169.0f, 200.0f, 264.0f}) {
    for (int i = 0; i < 3; ++i) {
      ImGui::NewFrame();
      DiagnosticsState plots;
      diagnostics({{0.0f, 0.0f}, {width, 300.0f}}, Publications(), status, 1234567, plots);
      ImGui::Begin("Diagnostics");
      if (i == 2) {
        EXPECT_EQ(ImGui::GetScrollMaxX(), 0.0f) << width;
      }
      ImGui::End();
      ImGui::EndFrame();
    }
  }
}

/// At any width of the panel, no word of a name is broken and no value is cut off, including its unit.
TEST(Inspector, NamesAndValuesFitIntoANarrowPanel) {
  PanelFrame panel;
  ImGui::NewFrame();
  SceneDesc scene;
  scene.objects.emplace_back().name = "cloth";
  scene.bodies.emplace_back().name = "box";
  scene.colliders.emplace_back().name = "ball";
  const float reset = ImGui::GetFrameHeight(), padding = 4.0f * ImGui::GetStyle().CellPadding.x;
  const auto width_of = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  const auto small_width_of = [&](const std::string& text) {
    push_font(fonts().small);
    const float width = width_of(text);
    ImGui::PopFont();
    return width;
  };
  for (float width = 180.0f; width < 400.0f; width += 4.0f) {
    const float label = label_width(width), value = width - label - padding - reset;
    for (const Setting& setting : list_settings(scene)) {
      const Field& field = *setting.field;
      const std::string name(field.label);
      for (std::size_t from = 0; from < name.size();
           from = std::min(name.find(' ', from), name.size() - 1) + 1)
        EXPECT_LE(width_of(name.substr(from, name.find(' ', from) - from)),
                  (label > 0.0f ? label : width) - 12.0f)
            << name << " at " << width;
      if (field.kind == Field::Kind::number || field.kind == Field::Kind::integer) {
        EXPECT_LE(small_width_of(shown_value(field, field.max)), value) << setting.path << " at " << width;
      }
      if (field.kind == Field::Kind::vector && !field.name.ends_with("color")) {
        EXPECT_LE(small_width_of("-9.81"), value / 3.0f - 4.0f) << setting.path << " at " << width;
      }
    }
  }
  ImGui::EndFrame();
}

/// Holds at any width, although Dear ImGui would break a line behind a full stop.
TEST(WrappedText, BreaksLinesAtSpacesOnly) {
  PanelFrame panel;
  ImGui::NewFrame();
  const std::string text = "cloth: up to 0.033 m deep, 1,024 times; see solver.depenetration_speed";
  const float longest = ImGui::CalcTextSize("solver.depenetration_speed").x;
  for (float width = 20.0f; width < 600.0f; width += 7.0f) {
    std::string lines = wrapped(text, width);
    EXPECT_LE(ImGui::CalcTextSize(lines.c_str()).x, std::max(width, longest)) << lines;
    std::replace(lines.begin(), lines.end(), '\n', ' ');
    EXPECT_EQ(lines, text);
  }
  EXPECT_EQ(wrapped(text, 1e4f), text);
  EXPECT_EQ(wrapped("one\ntwo three", 1.0f), "one\ntwo\nthree");
  ImGui::EndFrame();
}

/// The place and the size of a window of that name.
Rect place_of(const char* name) {
  ImGui::Begin(name);
  const Rect rect{ImGui::GetWindowPos(), ImGui::GetWindowSize()};
  ImGui::End();
  return rect;
}

/// However many messages there are, one strip is over the picture, and after a while only their count.
TEST(MessageArea, LeavesThePictureFree) {
  PanelFrame panel;
  const Rect view{{264.0f, 24.0f}, {680.0f, 746.0f}};
  ImGui::GetIO().DisplaySize = {1280.0f, 800.0f};
  MessageLog log;
  for (const char* about : {"a", "b", "c", "d", "e"})
    log.add(Message{Message::Severity::warning,
                    std::string("Something long that is wrong with ") + about,
                    about,
                    {},
                    {{"solver.substeps", 20L}}});
  const auto covered = [&] {  // by the windows of messages, of the view
    for (int i = 0; i < 3; ++i) {
      ImGui::NewFrame();
      message_area(view, log);
      ImGui::EndFrame();
    }
    float area = 0.0f;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->Active && (window->Flags & ImGuiWindowFlags_ChildWindow) == 0 && window->Name[0] == '#')
        area += window->Size.x * window->Size.y;
    return area / (view.size.x * view.size.y);
  };
  EXPECT_LT(covered(), 0.09f);
  EXPECT_GT(covered(), 0.03f) << "the newest is there to be read";
  log.grow_older(60.0);
  EXPECT_LT(covered(), 0.01f);
  EXPECT_EQ(log.entries().size(), 5u);
  log.tray_open = true;
  EXPECT_GT(covered(), 0.2f);
  log.dismiss_all();
  EXPECT_EQ(covered(), 0.0f);
  EXPECT_FALSE(log.tray_open);
}

TEST(LogWindow, StaysInsideAWindowThatIsMadeSmaller) {
  PanelFrame panel;
  MessageLog log;
  bool open = true;
  const auto frames = [&](float width, float height) {
    Rect rect;
    for (int i = 0; i < 3; ++i) {
      ImGui::GetIO().DisplaySize = {width, height};
      ImGui::NewFrame();
      log_window(open, log);
      rect = place_of("Messages");
      ImGui::EndFrame();
    }
    EXPECT_GE(rect.position.x, 0.0f);
    EXPECT_GE(rect.position.y, 0.0f);
    EXPECT_LE(rect.position.x + rect.size.x, width);
    EXPECT_LE(rect.position.y + rect.size.y, height);
    return rect;
  };
  const Rect before = frames(1280.0f, 800.0f), narrow = frames(700.0f, 500.0f);
  EXPECT_EQ(narrow.size.x, before.size.x);  // there is room for all of it
  EXPECT_LT(frames(400.0f, 200.0f).size.x, before.size.x);
  ImGui::SetWindowPos("Messages", {-150.0f, 20.0f});  // as one drags it: it may stay partly outside
  ImGui::NewFrame();
  log_window(open, log);
  EXPECT_EQ(place_of("Messages").position.x, -150.0f);
  ImGui::EndFrame();
}

TEST(Inspector, SaysWhichMethodASettingBelongsTo) {
  const auto row = [](std::span<const Field> table, std::string_view name) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Field& f) { return f.name == name; });
    return found == table.end() ? Field{} : *found;
  };
  const auto material = [&](std::string_view name) { return row(material_fields(), name); };
  const auto solver = [&](std::string_view name) { return row(solver_fields(), name); };
  EXPECT_EQ(acts_only_with(material("stretch_compliance"), SolverMethod::pbd), "XPBD and Jacobi");
  EXPECT_EQ(acts_only_with(material("stretch_stiffness"), SolverMethod::xpbd), "PBD");
  EXPECT_EQ(acts_only_with(material("stretch_compliance"), SolverMethod::xpbd), "");
  EXPECT_EQ(acts_only_with(material("friction"), SolverMethod::pbd), "");
  EXPECT_EQ(acts_only_with(row(joint_fields(), "compliance"), SolverMethod::pbd), "");
  EXPECT_EQ(acts_only_with(solver("relaxation"), SolverMethod::xpbd), "Jacobi");
  EXPECT_EQ(acts_only_with(solver("relaxation"), SolverMethod::jacobi), "");
  EXPECT_EQ(acts_only_with(solver("colour_cap"), SolverMethod::pbd), "Hybrid");
  EXPECT_EQ(acts_only_with(solver("order"), SolverMethod::newton), "PBD and XPBD");
  EXPECT_EQ(acts_only_with(solver("compliance_floor"), SolverMethod::newton), "");
  EXPECT_EQ(acts_only_with(solver("accelerated"), SolverMethod::newton), "Projective Dynamics");
}

TEST(StatusLine, SaysWhatALongFrameIsDoingAndWhatComesNext) {
  EXPECT_EQ(busy_text({12.4, ""}), "Computing this frame, 12 s");
  EXPECT_EQ(busy_text({2.0, "tear_cube"}), "Computing this frame, 2 s, then opens tear_cube");
}

TEST(StatusLine, IsNotGreenBesideAnEdgeTenTimesItsLength) {
  RunStatus status;
  status.state = RunState::running;
  const auto green = [&] { return state_look(status).color.y == palette::good.y; };
  status.measures.strain.max = 1.4;  // of a few edges at the pins
  EXPECT_TRUE(green());
  EXPECT_EQ(state_look(status).word, "Running");
  status.measures.strain.max = 9.3;
  EXPECT_FALSE(green());
  EXPECT_EQ(state_look(status).word, "Running, strain up to 930 %");
  status.trouble = "cloth stretched";
  EXPECT_EQ(state_look(status).word, "Running, cloth stretched");
}

TEST(StatusLine, SaysWhyFluidsAreBalls) {
  ViewChoices view;
  EXPECT_EQ(why_balls(view), "");
  view.software_graphics = true;
  EXPECT_EQ(why_balls(view), "") << "quick enough for a surface";
  view.surface_too_slow = true;
  EXPECT_NE(why_balls(view), "");
  view.heat_map = HeatMap(1);  // which is told by balls
  EXPECT_EQ(why_balls(view), "");
  view.heat_map = no_heat_map;
  for (const FluidLook chosen : {FluidLook::surface, FluidLook::balls}) {
    view.fluids = chosen;
    EXPECT_EQ(why_balls(view), "");
  }
  view.fluids = FluidLook::surface;
  view.orthographic = true;
  EXPECT_NE(why_balls(view), "");
}

TEST(StatusLine, KnowsEveryMethod) {
  PanelFrame panel;
  for (std::size_t m = 0; m < method_table.size(); ++m) {
    SceneDesc scene;
    scene.solver.method->kind = SolverMethod(m);
    RunStatus status;
    status.scene = std::make_shared<const SceneDesc>(scene);
    ImGui::NewFrame();
    EXPECT_NO_THROW(status_line({{0.0f, 0.0f}, {1200.0f, 24.0f}}, status, {0.0, 60.0, ""})) << m;
    ImGui::EndFrame();
  }
}

/// A file that only has the right extension is not offered: choosing it would end in an error.
TEST(FileBrowser, ShowsFoldersAndWhatCanBeOpened) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "limber_file_browser";
  fs::remove_all(folder);
  fs::create_directories(folder / "deeper");
  const std::string scene =
      "{ // mine\n \"format\": 1, \"objects\": {\"cloth\": {";  // broken, and still a scene
  const std::string recording =
      "{\"format\": 1, \"scene\": \"x\", \"settings\": {\"format\": 2}, \"inputs\": []}";
  const std::vector<std::pair<std::string, std::string>> files{
      {"b.json", scene},
      {"a.OBJ", "# a mesh\nv 0 0 0\n"},
      {"forgot_the_format.json", "{\"objects\": {}}"},
      {"misspelled.json", "{\"format\": 1, objects: 1}"},
      {"what_i_did.json", recording},
      {"notes.txt", scene},
      {".hidden.json", scene},
      {"CMakePresets.json", "{\"version\": 3, \"configurePresets\": [{\"format\": 1, \"objects\": 2}]}"},
      {"report.json", "{\"scene\": \"cloth_hang\", \"frames\": 8, \"state_hash\": \"00\"}"},
      {"list.json", "[1, 2]"},
      {"empty.json", ""},
      {"compiled.obj", std::string("\x64\x86\0\0v 1", 7)}};
  for (const auto& [name, text] : files) std::ofstream(folder / name, std::ios::binary) << text;
  const std::vector<FolderEntry> wanted{{"deeper", true},           {"a.OBJ", false},
                                        {"b.json", false},          {"forgot_the_format.json", false},
                                        {"misspelled.json", false}, {"what_i_did.json", false}};
  EXPECT_EQ(list_folder(folder.string()), wanted);
  EXPECT_TRUE(list_folder("/no/such/folder").empty());
  EXPECT_EQ(file_named((folder / "b.json").string()), (folder / "b.json").string());
  EXPECT_FALSE(file_named((folder / "notes.txt").string()));
  EXPECT_FALSE(file_named("cloth"));
  fs::remove_all(folder);
}

/// The status line stays when Tab hides the panels, with the key that brings them back.
TEST(StatusLine, SaysHowHiddenPanelsComeBack) {
  PanelFrame panel;
  RunStatus status;
  status.scene = std::make_shared<const SceneDesc>();
  PanelState state;
  state.view.panels = false;
  Publications all;
  all.variants.front().status = status;
  const std::vector<SceneEntry> none;
  for (const ImVec2 size : {ImVec2{480.0f, 320.0f}, ImVec2{1280.0f, 800.0f}}) {
    ImGui::GetIO().DisplaySize = size;
    Rect view;
    for (int i = 0; i < 2; ++i) {
      ImGui::NewFrame();
      view = draw_panels({none, "", all, all.front(), 60.0, 2}, state).open_area;
      ImGui::EndFrame();
    }
    const ImGuiWindow* status_window = ImGui::FindWindowByName("Status");
    const Rect line{status_window->Pos, status_window->Size};
    EXPECT_EQ(line.size.x, size.x);
    EXPECT_EQ(line.bottom(), size.y);
    EXPECT_EQ(view.bottom(), line.position.y) << "the picture is what it leaves";
  }
  EXPECT_EQ(hint_text(false), "Tab: show the panels");
}

/// A tooltip of a panel behind a dialog would cover the dialog.
TEST(Tooltips, OfPanelsStayAwayBehindADialog) {
  PanelFrame panel;
  const auto shown = [&](bool waits) {
    bool seen = false;
    for (int i = 0; i < 3; ++i) {
      ImGui::GetIO().MousePos = {20.0f, 15.0f};
      ImGui::NewFrame();
      tooltips_wait() = waits;
      ImGui::SetNextWindowPos({0.0f, 0.0f});
      ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoTitleBar);
      ImGui::Button("a button that is wide enough");
      item_tooltip("what it does");
      ImGui::End();
      tooltips_wait() = false;
      ImGui::EndFrame();
      for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        seen |= i > 0 && window->Active && (window->Flags & ImGuiWindowFlags_Tooltip) != 0;
    }
    return seen;
  };
  EXPECT_TRUE(shown(false));
  EXPECT_FALSE(shown(true));
}

}}  // namespace limber::ui::panel_rows_test
