// Plots: the numbers that can be plotted, their curves, and the cost of the plots.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "app/lab/number_history.hpp"
#include "app/lab/session.hpp"
#include "app/lab/trace_budget.hpp"
#include "app/ui/panels/compare_window.hpp"
#include "app/ui/panels/diagnostics.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/ui.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::ui::plots_test { namespace {

const RunOptions one_thread{Precision::f32, Simd::automatic, 1};

TEST(Numbers, AVectorIsPlottedByItsPartsAndItsLength) {
  const std::vector<std::string>& names = plottable_numbers();
  for (const char* name : {"momentum.x", "momentum.y", "momentum.z", "momentum.length", "angular_momentum.x",
                           "angular_momentum.length", "kinetic_energy", "strain.mean", "strain.max"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(Numbers, HistoryIsWhatWasMeasured) {
  Session live(one_thread, {});
  live.open(test::small_cloth());
  Publication shown;
  for (int i = 0; i < 30; ++i) {
    live.advance(1.0);  // s: the numbers are due each time
    live.publish(shown);
  }
  const NumberHistory& history = *shown.status.numbers;
  ASSERT_GT(history.times.size(), 10u);
  EXPECT_TRUE(std::is_sorted(history.times.begin(), history.times.end()));
  const Measures& now = shown.status.measures;
  EXPECT_EQ(history.find("momentum.y")->values.back(), float(now.momentum.y));
  EXPECT_EQ(history.find("momentum.length")->values.back(),
            float(std::sqrt(now.momentum.x * now.momentum.x + now.momentum.y * now.momentum.y +
                            now.momentum.z * now.momentum.z)));
  EXPECT_TRUE(std::isnan(history.find("spin_max")->values.back()));  // there is no body
  for (const NumberCurve& curve : history.curves)
    EXPECT_EQ(curve.values.size(), history.times.size()) << curve.name;
  const float last = history.times.back();
  live.step_back();
  live.step_back();
  live.publish(shown);
  EXPECT_LT(shown.status.numbers->times.back(), last);  // what was undone is gone
  live.restart();
  live.publish(shown);
  EXPECT_LE(shown.status.numbers->times.size(), 1u);
}

/// A window of 1280 x 800 with all panels, without a window.
struct Window {
  Window() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {1280.0f, 800.0f};
    apply_theme(1.0f);
    ImGui::GetIO().Fonts->Build();
  }
  ~Window() { ImGui::DestroyContext(); }

  /// Vertices that a frame of the panels hands to the graphics card, once their sizes have settled.
  int vertices(const Publications& all, PanelState& state) {
    for (int i = 0; i < 4; ++i) {
      ImGui::NewFrame();
      draw_panels({scenes, current, all, all.variants.front(), 60.0, 4}, state);
      ImGui::Render();
    }
    return ImGui::GetDrawData()->TotalVtxCount;
  }

  std::vector<SceneEntry> scenes;
  std::string current;
};

/// Four variants with all the history that there can be.
Publications four_with_history() {
  Session live(one_thread, {});
  live.open(test::small_cloth());
  for (std::size_t k = 1; k < most_variants; ++k) {
    live.add_variant(0);
    live.link("solver.iterations", false);
    live.edit({"solver.iterations", long(k + 1)}, k);
  }
  live.trace(true);
  for (int i = 0; i < 700; ++i) live.advance(1.0);
  Publications shown;
  live.publish(shown);
  return shown;
}

/// A plot costs what it draws: vertices are counted for the longest history there can be.
TEST(Plots, AllOfThemDrawFewEnoughVertices) {
  const Publications shown = four_with_history();
  ASSERT_EQ(shown.variants.size(), most_variants);
  ASSERT_GE(shown.variants[1].status.variant.distances.size(), 500u);
  ASSERT_FALSE(shown.variants[0].status.variant.trace.empty());
  Window window;
  PanelState state;
  const int without = window.vertices(shown, state);
  state.compare.open = true;
  state.diagnostics.plotted = {"momentum.x", "momentum.length", "kinetic_energy"};
  const int with = window.vertices(shown, state);
  EXPECT_GT(with, without);
  EXPECT_LT(with - without, 40000) << "of " << with;  // 26,400
}

/// Tracing a frame may cost many times the frame, so frames are traced rarely enough to keep this mean,
/// whatever a trace costs.
TEST(Plots, TracingTakesAtMostTwoMillisecondsAFrameOnAverage) {
  for (const double cost : {0.5, 1.9, 7.0, 60.0, 400.0}) {  // ms
    TraceBudget budget;
    double spent = 0.0;
    int traced = 0;
    constexpr int frames = 1000;
    for (int frame = 1; frame <= frames; ++frame) {
      if (budget.due()) budget.traced(cost), spent += cost, ++traced;
      budget.frame_done();
      EXPECT_LE(spent - cost, TraceBudget::ms_a_frame * frame) << cost << " ms, frame " << frame;
    }
    const int apart = std::max(1, int(std::ceil(cost / TraceBudget::ms_a_frame)));
    EXPECT_EQ(traced, (frames + apart - 1) / apart) << "and no more rarely";
  }
}

/// A frame that the user steps singly is always traced.
TEST(Plots, AFrameThatIsSteppedAloneIsTraced) {
  Session live(one_thread, {});
  live.open(test::small_cloth());
  live.trace(true);
  Publication shown;
  for (int i = 0; i < 5; ++i) {
    live.step_once();
    live.publish(shown);
    ASSERT_FALSE(shown.status.variant.trace.empty());
    EXPECT_EQ(shown.status.variant.trace.back().substep, shown.status.scene->solver.step->substeps - 1);
  }
  const double residual = shown.status.variant.trace.back().state.residual;
  live.step_once();
  live.publish(shown);
  EXPECT_NE(shown.status.variant.trace.back().state.residual, residual);
}

TEST(Compare, SettingsAreGroupedAndFoundByTheirLetters) {
  SceneDesc scene = test::small_cloth();
  scene.tunables = {"objects.cloth.material.friction"};
  const std::vector<VaryGroup> groups = groups_to_vary(scene);
  ASSERT_GE(groups.size(), 4u);
  EXPECT_EQ(groups.front().title, "Of this scene");
  EXPECT_EQ(groups.front().settings.front().path, "objects.cloth.material.friction");
  for (const VaryGroup& group : groups) {
    EXPECT_LE(group.settings.size(), 10u) << group.title;
    EXPECT_NE(group.title, "Fluids");
    EXPECT_NE(group.title, "Sleep");
  }
  const auto found = settings_matching(groups, "iterat");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().path, "solver.iterations");
  EXPECT_TRUE(settings_matching(groups, "qqq").empty());
  scene.bodies.emplace_back().name = "box";
  const auto with_bodies = groups_to_vary(scene);
  EXPECT_TRUE(
      std::any_of(with_bodies.begin(), with_bodies.end(), [](const auto& g) { return g.title == "Sleep"; }));
}

/// Holds in the cells of four pictures in a window of 1280 x 800.
TEST(Compare, NamesOverThePicturesAreWhole) {
  Window window;
  ImGui::NewFrame();
  const float cell = 340.0f, cost = 70.0f;
  for (const char* name : {"pbd, iterations 160", "hierarchical, substeps 20, iterations 10",
                           "xpbd, cloth stretch compliance 7.5e-05"}) {
    const Label label = fitted_label(name, cell - cost, cell);
    EXPECT_EQ(label.text, name);
  }
  const Label narrow = fitted_label("hierarchical, substeps 20, iterations 10", 60.0f, 120.0f);
  EXPECT_TRUE(narrow.text.ends_with("...")) << narrow.text;
  ImGui::EndFrame();
}

/// Two objects with a setting of one name: the name says whose it is.
TEST(Compare, NamesSayWhoseSettingDiffers) {
  SceneDesc first = test::small_cloth(), second = first;
  second.objects[0].cloth->width = 3.0;
  const auto texts = differences({&first, &second});
  EXPECT_EQ(texts[1], "cloth width 3");
}

}}  // namespace limber::ui::plots_test
