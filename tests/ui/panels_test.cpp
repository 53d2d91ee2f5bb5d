// The parts of the panels that need no window.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/shell/scene_input.hpp"
#include "app/ui/bindings.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/panels/inspector.hpp"
#include "app/ui/panels/message_area.hpp"
#include "app/ui/panels/palette.hpp"
#include "app/ui/panels/scenes_panel.hpp"
#include "app/ui/ui.hpp"
#include "app/ui/widgets/field_editor.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/source_folder.hpp"

namespace limber::ui::panels_test {
namespace {

TEST(Bindings, NoKeyMeansTwoThings) {
  std::set<std::pair<int, int>> taken;
  for (const Binding& binding : bindings()) {
    EXPECT_TRUE(taken.emplace(binding.key, binding.mods).second) << binding.label;
    if (binding.other_key == 0) continue;
    EXPECT_TRUE(taken.emplace(binding.other_key, binding.mods).second) << binding.label;
  }
}

TEST(Bindings, ModifiersCountLocksDoNot) {
  EXPECT_EQ(binding_for(GLFW_KEY_O, 0), &binding_of(Action::step));
  EXPECT_EQ(binding_for(GLFW_KEY_O, GLFW_MOD_CONTROL), &binding_of(Action::pick_scene));
  EXPECT_EQ(binding_for(GLFW_KEY_W, 0), nullptr);
  EXPECT_EQ(binding_for(GLFW_KEY_SPACE, GLFW_MOD_NUM_LOCK | GLFW_MOD_CAPS_LOCK),
            &binding_of(Action::toggle_run));
}

/// Actions that the keys of the table ask for while the panels claim `claims`.
std::vector<std::string> reached(const SceneInput::Claims& claims) {
  const Publication shown;
  const std::array panes{Pane{shown, glm::vec2(0.0f), glm::vec2(800.0f, 600.0f)}};
  std::vector<std::string> labels;
  for (const Binding& binding : bindings())
    for (const int key : {binding.key, binding.other_key}) {
      if (key == 0) continue;
      Camera camera;
      SceneInput input;
      const std::vector<InputEvent> events{KeyChanged{key, 0, GLFW_PRESS, binding.mods},
                                           ButtonChanged{GLFW_MOUSE_BUTTON_LEFT, true, 0, {400, 300}},
                                           CursorMoved{{410, 300}}, CursorMoved{{500, 300}}};
      const SceneRequests requests = input.handle(events, claims, panes, camera);
      if (!requests.actions.empty() || !requests.commands.empty()) labels.emplace_back(binding.label);
    }
  return labels;
}

/// Holds for all keys of the table, including those of the ball and the knife.
TEST(Bindings, NoKeyReachesTheSceneBehindADialog) {
  const std::vector<std::string> of_the_window{"Find a scene, an action or a setting",
                                               "Find a scene",
                                               "Open file...",
                                               "Save a picture",
                                               "Save a picture with the panels",
                                               "Start or stop a video",
                                               "Export frames for other programs, or stop",
                                               "Save input recording",
                                               "Help",
                                               "Close help, menus and lists",
                                               "Quit"};
  EXPECT_EQ(reached({false, false, true}), of_the_window);
  std::vector<std::string> while_typing = of_the_window;
  std::erase(while_typing, "Close help, menus and lists");  // Esc is the text box's
  EXPECT_EQ(reached({false, true, true}), while_typing);
  EXPECT_GE(reached({}).size(), bindings().size()) << "free, every key does something";
}

TEST(Bindings, FileDialogPickerAndMenusAreDialogs) {
  ImGuiContext* context = ImGui::CreateContext();
  PanelState state;
  EXPECT_FALSE(dialog_open(state));
  state.view.help = state.view.messages = state.compare.open = true;  // stand beside the picture
  EXPECT_FALSE(dialog_open(state));
  state.browser.open = true;
  EXPECT_TRUE(dialog_open(state));
  state.browser.open = false;
  state.palette.show_scenes();
  EXPECT_TRUE(dialog_open(state));
  ImGui::DestroyContext(context);
}

TEST(Bindings, AHeldKeyStepsOnButTogglesOnce) {
  EXPECT_EQ(binding_for(GLFW_KEY_PERIOD, 0), &binding_of(Action::step));
  EXPECT_TRUE(binding_of(Action::step).repeats);
  EXPECT_FALSE(binding_of(Action::toggle_run).repeats);
}

struct Numbers {
  double value = 0.0;
  int count = 1;
};

TEST(Slider, ALogarithmicRangeThatStartsAtZeroReachesZeroAndEveryDecade) {
  const Field field = number<&Numbers::value>({"v", "V", "m", 0, 10, "", Effect::live, Scale::logarithmic});
  EXPECT_EQ(slider_value(field, 0.0), 0.0);
  EXPECT_EQ(slider_position(field, 0.0), 0.0);
  EXPECT_EQ(slider_value(field, 1.0), 10.0);
  for (double value = 1e-8; value <= 10.0; value *= 10.0)
    EXPECT_NEAR(slider_value(field, slider_position(field, value)) / value, 1.0, 1e-9);
}

TEST(Slider, WholeNumbersStayWhole) {
  const Field field = integer<&Numbers::count>({"n", "N", "", 1, 1000, "", Effect::live, Scale::logarithmic});
  for (int count = 1; count <= 100; ++count)
    EXPECT_EQ(slider_value(field, slider_position(field, count)), count);
  EXPECT_EQ(slider_value(field, slider_position(field, 1000)), 1000);
  for (double t = 0.0; t <= 1.0; t += 0.01)
    EXPECT_EQ(slider_value(field, t), std::round(slider_value(field, t)));
}

TEST(Slider, ALinearRangeSnapsToThreeDigits) {
  const Field field = number<&Numbers::value>({"v", "V", "", 0, 1, "", Effect::live, Scale::linear});
  EXPECT_DOUBLE_EQ(slider_value(field, 0.123456), 0.12);
  EXPECT_EQ(slider_value(field, 1.0), 1.0);
  EXPECT_EQ(shown_value(field, 0.25), "0.25");
}

TEST(FuzzyMatch, LettersInOrder) {
  EXPECT_TRUE(fuzzy_match("", "anything"));
  EXPECT_TRUE(fuzzy_match("clhg", "cloth_hang"));
  EXPECT_TRUE(fuzzy_match("CLOTH h", "cloth_hang"));
  EXPECT_FALSE(fuzzy_match("hangc", "cloth_hang"));
}

TEST(Palette, TheBestFitComesFirst) {
  std::vector<SceneEntry> scenes(3);
  scenes[0].name = "cloth_crowd";
  scenes[1].name = "cloth_hang";
  scenes[2].name = "three_vertices";
  const std::vector<PaletteEntry> entries = scene_entries(scenes);
  EXPECT_EQ(ranked(entries, ""), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(ranked(entries, "ch").front(), 1u);  // two beginnings of words; the shorter name
  EXPECT_EQ(ranked(entries, "crow").front(), 0u);
  EXPECT_TRUE(ranked(entries, "xyz").empty());
  EXPECT_GT(fuzzy_score("hang", "cloth_hang"), fuzzy_score("hang", "chxaxnxg"));
}

/// The first entries found by `pattern` in the palette with the shipped scenes. `everything`: also actions
/// and settings.
std::vector<std::string> first_found(const std::string& pattern, bool everything) {
  const std::string root = test::source("");
  std::vector<PaletteEntry> entries =
      scene_entries(SceneLibrary({root + "/scenes"}, root + "/assets").scenes());
  SceneDesc scene;
  scene.objects.emplace_back().name = "cloth";
  scene.solver.method->kind = SolverMethod::pbd;
  HeatMapsThere heat_maps{};
  heat_maps.fill(true);
  if (everything)
    for (const auto& more :
         {action_entries(), setting_entries(list_settings(scene)), view_entries(heat_maps, {})})
      entries.insert(entries.end(), more.begin(), more.end());
  std::vector<std::string> titles;
  for (const std::size_t i : ranked(entries, pattern)) titles.push_back(entries[i].title);
  titles.resize(std::min<std::size_t>(titles.size(), 12));  // rows that are seen without scrolling
  return titles;
}

TEST(Palette, FindsActionsScenesSettingsAndValues) {
  const auto finds = [](const char* pattern, const char* title, bool everything = true) {
    const auto found = first_found(pattern, everything);
    return std::count(found.begin(), found.end(), title) == 1;
  };
  EXPECT_TRUE(finds("wireframe", "Wireframe"));
  EXPECT_TRUE(finds("restart", "Restart with your values"));
  EXPECT_TRUE(finds("jansen", "Linkages"));
  EXPECT_TRUE(finds("jansen", "Linkages", false)) << "the picker of scenes knows what they are about, too";
  EXPECT_FALSE(first_found("soft", false).empty());
  EXPECT_TRUE(finds("xpbd", "Method: xpbd"));
  EXPECT_TRUE(finds("substeps", "Substeps"));
  EXPECT_TRUE(finds("bend compl", "Bend compliance (cloth)"));
  EXPECT_TRUE(finds("speed", "Heat map: Speed"));
  EXPECT_FALSE(finds("wireframe", "Wireframe", false)) << "Ctrl+O stays with scenes";
}

TEST(Layout, PanelsStayReadableInNarrowWindows) {
  ImGuiContext* context = ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  for (const float letters : {30.0f, 40.0f, 46.0f, 60.0f, 100.0f}) {
    io.DisplaySize = {letters * 13.0f, 500.0f};  // ImGui's own font is 13 pixels high
    ImGui::NewFrame();
    const Layout layout = make_layout(20.0f, 0.5f);
    const float font = ImGui::GetFontSize();
    EXPECT_EQ(layout.narrow, letters < 44.0f);
    EXPECT_GE(layout.inspector.size.x, 13.0f * font) << letters;
    EXPECT_GE(layout.view.size.x, 0.4f * io.DisplaySize.x) << letters;
    EXPECT_TRUE(layout.narrow || layout.scenes.size.x >= 10.0f * font) << letters;
    const Rect& below = layout.diagnostics;
    EXPECT_EQ(below.position.y + below.size.y, layout.status.position.y)
        << "the left side ends at the status line";
    EXPECT_EQ(layout.scenes.position.y + layout.scenes.size.y + layout.split.size.y, below.position.y);
    EXPECT_GE(make_layout(20.0f, 7.0f).diagnostics.size.y, 0.09f * io.DisplaySize.y) << "neither can be lost";
    EXPECT_EQ(layout.view.position.x, layout.narrow ? 0.0f : layout.scenes.size.x);
    EXPECT_EQ(layout.view.position.x + layout.view.size.x, layout.inspector.position.x);
    ImGui::EndFrame();
  }
  ImGui::DestroyContext(context);
}

TEST(MessageLog, KeepsEveryLineUntilItIsCleared) {
  MessageLog log;
  log.add(Message{Message::Severity::info, "saved"});
  log.grow_older(60.0);
  EXPECT_TRUE(log.entries().empty());
  ASSERT_EQ(log.lines().size(), 1u);
  EXPECT_EQ(log.lines()[0].message.text, "saved");
  log.clear();
  EXPECT_TRUE(log.lines().empty());
}

TEST(MessageLog, ACorrectedValueTakesItsComplaintAway) {
  MessageLog log;
  log.add(Message{Message::Severity::warning, "outside", "solver.dt"});
  log.add(Message{Message::Severity::warning, "elsewhere", "wind.drag"});
  log.add(Message{Message::Severity::warning, "outside again", "solver.dt"});
  ASSERT_EQ(log.entries().size(), 2u);
  log.settle("solver.dt");
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_EQ(log.entries()[0].message.text, "elsewhere");
  EXPECT_EQ(log.lines().size(), 3u);  // what was said can still be read
}

/// The inspector's model of a scene.
InspectorModel inspector_of(const SceneDesc& scene) {
  ImGuiContext* context = ImGui::CreateContext();
  RunStatus status;
  status.scene = status.original = std::make_shared<const SceneDesc>(scene);
  status.loads = 1;
  InspectorModel model;
  model.follow(status);
  ImGui::DestroyContext(context);
  return model;
}

std::vector<std::string> shown_settings(const SceneDesc& scene) {
  const InspectorModel model = inspector_of(scene);
  std::vector<std::string> paths;
  for (const InspectorModel::Section& section : model.sections())
    for (const InspectorModel::Row& row : section.rows) paths.push_back(model.setting(row).path);
  return paths;
}

TEST(Building, SaysWhatIsUnderWayAndForHowLong) {
  RunStatus status;
  status.name = "meshes/big.obj";
  EXPECT_EQ(building_text(status, 0.6), "Loading big.obj .");
  EXPECT_EQ(building_text(status, 27.6), "Loading big.obj, 27 s ...");
  status.part = "distance field";
  status.progress = 0.4;
  EXPECT_EQ(building_text(status, 12.0), "big.obj: distance field, 40 %, 12 s ");
}

TEST(Inspector, ASharedNameSaysWhoseItIs) {
  SceneDesc scene;
  scene.bodies.emplace_back().name = "box";
  scene.tunables = {"solver.substeps", "bodies.box.density"};
  const auto labels = [&] {
    const InspectorModel model = inspector_of(scene);
    std::vector<std::string> out;
    for (const InspectorModel::Section& section : model.sections())
      if (section.title == "This scene")
        for (const InspectorModel::Row& row : section.rows) out.push_back(row.label);
    return out;
  };
  EXPECT_EQ(labels(), (std::vector<std::string>{"Substeps", "Density"}));
  scene.bodies.emplace_back().name = "ball";
  EXPECT_EQ(labels(), (std::vector<std::string>{"Substeps", "Density (box)"}));
}

/// "Friction (t00l)" was one card of fifteen: owners of tunables must have readable names.
TEST(Inspector, TunablesOfShippedScenesBelongToThingsWithNames) {
  const std::string root = test::source("");
  const SceneLibrary library({root + "/scenes"}, root + "/assets");
  for (const SceneEntry& entry : library.scenes()) {
    const auto scene = library.find(entry.name);
    ASSERT_TRUE(scene) << scene.error().text();
    for (const std::string& path : scene->tunables) {
      const std::string owner = owner_of(path);
      EXPECT_FALSE(std::regex_search(owner, std::regex("[a-z][0-9]+[a-z]"))) << entry.name << ": " << path;
    }
  }
}

TEST(Inspector, ShowsWhatTheSceneHasUseForAndTunablesOnce) {
  SceneDesc scene;
  scene.bodies.emplace_back().name = "box";
  scene.tunables = {"solver.substeps", "solver.gravity"};
  const auto paths = shown_settings(scene);
  const auto times = [&](const char* path) { return std::count(paths.begin(), paths.end(), path); };
  EXPECT_EQ(times("solver.substeps"), 1);
  EXPECT_EQ(times("solver.gravity"), 1);
  EXPECT_EQ(times("bodies.box.friction"), 1);
  for (const char* path : {"solver.order", "solver.untangle_speed", "solver.cloth_collision"})
    EXPECT_EQ(times(path), 0) << path;
  EXPECT_EQ(times("wind.drag"), 1) << "air acts on bodies too";
  EXPECT_EQ(times("solver.sleeping"), 1);
  EXPECT_EQ(times("solver.particle_radius"), 0);
  scene.objects.emplace_back().name = "cloth";
  const auto with_cloth = shown_settings(scene);
  for (const char* path : {"solver.order", "solver.untangle_speed", "solver.cloth_collision", "wind.drag"})
    EXPECT_GE(std::count(with_cloth.begin(), with_cloth.end(), path), 1) << path;
}

/// A dozen grey rows used to hide the few effective ones. Rows of other methods are behind a button, and a
/// search finds them all.
TEST(Inspector, RowsThatDoNothingHereWaitUntilAskedFor) {
  SceneDesc scene;
  scene.objects.emplace_back().name = "cloth";
  InspectorModel model = inspector_of(scene);
  const auto shown = [&] {
    std::vector<std::string> paths;
    for (const InspectorModel::Section& section : model.sections())
      for (const InspectorModel::Row& row : section.rows)
        if (model.shows(section, row)) paths.push_back(model.setting(row).path);
    return paths;
  };
  const auto has = [&](const char* path) {
    const auto paths = shown();
    return std::count(paths.begin(), paths.end(), path) == 1;
  };
  EXPECT_TRUE(has("solver.substeps"));
  EXPECT_FALSE(has("solver.colour_cap"));
  model.all.insert("Solver");
  EXPECT_TRUE(has("solver.colour_cap"));
  model.all.clear();
  model.search = "Hybrid colour";
  EXPECT_TRUE(has("solver.colour_cap"));
  EXPECT_FALSE(has("solver.gravity"));
  model.search = "xpbd";
  EXPECT_TRUE(has("solver.method"));
  model.search = "no such thing";
  EXPECT_TRUE(shown().empty());
}

/// A setting that the palette showed hid all others, in every scene from then on.
TEST(Inspector, AnotherSceneShowsAllItsSettings) {
  SceneDesc scene;
  InspectorModel model = inspector_of(scene);
  model.search = "solver.damping";
  RunStatus status;
  status.scene = status.original = std::make_shared<const SceneDesc>(scene);
  status.loads = 2;
  model.follow(status);
  EXPECT_EQ(model.search, "");
}

TEST(Inspector, OffersNoMethodWhereItWouldActOnNothing) {
  SceneDesc scene;
  scene.objects.emplace_back().type = ObjectType::grains;
  for (const std::string& path : shown_settings(scene)) EXPECT_NE(path, "solver.method");
  scene.objects.emplace_back().type = ObjectType::chain;
  const auto paths = shown_settings(scene);
  EXPECT_EQ(std::count(paths.begin(), paths.end(), "solver.method"), 1);
}

/// The scene's tunables stand first and in no other section. All other settings also stand exactly once.
TEST(Inspector, ShowsEverySettingOnce) {
  SceneDesc scene;
  scene.objects.emplace_back().name = "cloth";
  scene.objects.front().pressure = 1.0;
  scene.colliders.emplace_back().name = "ball";
  scene.tunables = {"objects.cloth.material.thickness", "objects.cloth.pressure", "solver.cloth_collision",
                    "objects.cloth.material.tear_strain", "solver.substeps"};
  EXPECT_EQ(inspector_of(scene).sections().front().rows.size(), scene.tunables.size());
  std::vector<std::string> paths = shown_settings(scene);
  const std::size_t shown = paths.size();
  std::sort(paths.begin(), paths.end());
  for (std::size_t i = 1; i < shown; ++i) EXPECT_NE(paths[i - 1], paths[i]);
}

TEST(Inspector, CountsTheValuesThatAreNotTheScenes) {
  ImGuiContext* context = ImGui::CreateContext();
  auto scene = std::make_shared<SceneDesc>();
  scene->objects.emplace_back().name = "cloth";
  RunStatus status;
  status.original = std::make_shared<const SceneDesc>(*scene);
  scene->solver.step->substeps += 3;
  scene->objects.front().material->friction += 0.1;
  status.scene = scene;
  status.loads = 1;
  InspectorModel model;
  model.follow(status);
  EXPECT_EQ(model.changed(), 2);
  status.scene = status.original;
  model.follow(status);
  EXPECT_EQ(model.changed(), 0);
  ImGui::DestroyContext(context);
}

/// Every setting declared for collision stands in that section once, and a solver's setting nowhere else.
TEST(Inspector, ATopicHasEverySettingDeclaredForIt) {
  SceneDesc scene;
  scene.objects.emplace_back().name = "cloth";
  const InspectorModel model = inspector_of(scene);
  const auto rows_of = [&](const char* title) {
    std::vector<std::string> paths;
    for (const InspectorModel::Section& section : model.sections())
      if (section.title == title)
        for (const InspectorModel::Row& row : section.rows) paths.push_back(model.setting(row).path);
    return paths;
  };
  std::vector<std::string> declared;
  for (const Setting& setting : list_settings(scene))
    if (setting.field->topic == Topic::collision) declared.push_back(setting.path);
  EXPECT_EQ(rows_of("Collision"), declared);
  for (const char* path : {"solver.cloth_collision", "objects.cloth.material.thickness"})
    EXPECT_EQ(std::count(declared.begin(), declared.end(), path), 1) << path;
  const std::vector<std::string> solver = rows_of("Solver");
  EXPECT_EQ(std::count(solver.begin(), solver.end(), "solver.untangle_speed"), 0);
  EXPECT_EQ(rows_of("Tearing"), std::vector<std::string>{"objects.cloth.material.tear_strain"});
}

TEST(MessageLog, WhatIsSaidOfASceneGoesWithIt) {
  MessageLog log;
  log.add(Message{Message::Severity::warning, "one starts inside", {}, 1});
  log.add(Message{Message::Severity::error, "no such file"});
  log.add(Message{Message::Severity::warning, "two start inside", {}, 2});  // told before its scene is seen
  log.keep_scene(2);
  ASSERT_EQ(log.entries().size(), 2u);
  EXPECT_EQ(log.entries()[0].message.text, "no such file");
  EXPECT_EQ(log.entries()[1].message.text, "two start inside");
  EXPECT_EQ(log.lines().size(), 3u);
  log.add(Message{Message::Severity::warning, "two start inside", {}, 3});  // the same of the next one
  log.keep_scene(3);
  EXPECT_EQ(log.entries().size(), 2u);
}

/// A warning whose cause is gone leaves the screen, whichever scene follows; its line stays in the log.
TEST(MessageLog, WhatBecameUntrueGoesAtOnce) {
  MessageLog log;
  log.add(Message{Message::Severity::warning, "cloth: inside", "start/0", 1});
  log.add(Message{Message::Severity::warning, "flag: welded", "start/1", 1});
  log.add(Message{Message::Severity::warning, "late", "starting", 1});
  log.add(Message{Message::Severity::info, "", "start", 1});
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_EQ(log.entries()[0].message.text, "late");
  EXPECT_EQ(log.lines().size(), 3u);
}

/// 930 %, then 931 %: one message that is told twice.
TEST(MessageLog, AnotherNumberOfTheSameThingOnlyCounts) {
  MessageLog log;
  log.add(Message{Message::Severity::warning, "cloth: stretched by 930 %", "state/off_length/cloth"});
  log.add(Message{Message::Severity::warning, "elsewhere", "wind.drag"});
  log.add(Message{Message::Severity::warning, "cloth: stretched by 931 %", "state/off_length/cloth"});
  ASSERT_EQ(log.entries().size(), 2u);
  EXPECT_EQ(log.entries().back().message.text, "cloth: stretched by 931 %") << "the newest is last";
  EXPECT_EQ(log.entries().back().count, 2);
}

TEST(MessageLog, CountsRepeatsAndForgetsOnlyNotes) {
  MessageLog log;
  log.add(Message{Message::Severity::error, "bad"});
  log.add(Message{Message::Severity::error, "bad"});
  log.add(Message{Message::Severity::info, "saved"});
  ASSERT_EQ(log.entries().size(), 2u);
  EXPECT_EQ(log.entries()[0].count, 2);
  log.grow_older(60.0);
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_EQ(log.entries()[0].message.text, "bad");
}

}  // namespace
}  // namespace limber::ui::panels_test
