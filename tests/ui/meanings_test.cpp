// Every word that the diagnostics and the View menu show is explained.
#include "app/ui/meanings.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "app/view/overlay.hpp"
#include "engine/core/report_table.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/verify/heat_map.hpp"
#include "tests/source_folder.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::ui::meanings_test {
namespace {

constexpr std::size_t least = 12;  // letters that could explain anything

TEST(Meanings, EveryStageOfAStepHasOne) {
  auto simulation = make_simulation(test::small_cloth(), RunOptions{});
  ASSERT_TRUE(simulation);
  const StepReport report = (*simulation)->step();
  ASSERT_FALSE(report.stages.empty());
  for (const auto& stage : report.stages) EXPECT_GT(meaning_of_stage(stage.name).size(), least) << stage.name;
}

TEST(Meanings, EveryHeatMapDebugViewAndNumberHasOne) {
  for (const HeatMapInfo& info : heat_maps) EXPECT_GT(meaning_of(info.map).size(), least) << info.name;
  for (const OverlayInfo& info : overlays) EXPECT_GE(meaning_of(info.overlay).size(), least - 3) << info.name;
  for (const ReportRow& row : report_table()) EXPECT_GT(row.meaning.size(), 5u) << row.name;
}

/// Readers of a tooltip or of a scene's description do not have "the paper" or "the slides" at hand.
TEST(Meanings, NoTextSpeaksOfAPaperWithoutItsName) {
  const auto vague = [](std::string_view text) {
    for (const std::string_view word : {"the paper", "the slides", "the paper's"})
      if (text.find(word) != std::string_view::npos) return true;
    const bool numbered = text.find("equation (") != std::string_view::npos ||
                          text.find("equations (") != std::string_view::npos ||
                          text.find("line (") != std::string_view::npos ||
                          text.find("section ") != std::string_view::npos;
    return numbered && text.find(" 20") == std::string_view::npos;  // the year of what it is in
  };
  const SceneLibrary library({test::source("scenes")}, test::source("assets"));
  for (const SceneEntry& entry : library.scenes()) {
    EXPECT_FALSE(vague(entry.look_for)) << entry.name << ": " << entry.look_for;
    auto scene = library.find(entry.name);
    ASSERT_TRUE(scene) << scene.error().text();
    for (const Setting& setting : list_settings(*scene))
      EXPECT_FALSE(vague(setting.field->tooltip)) << setting.path << ": " << setting.field->tooltip;
  }
}

TEST(Meanings, GroupsComeInTheOrderOfLearning) {
  const SceneLibrary library({test::source("scenes")}, test::source("assets"));
  std::vector<std::string> groups;
  for (const SceneEntry& entry : library.scenes())
    if (groups.empty() || groups.back() != entry.group) groups.push_back(entry.group);
  ASSERT_GT(groups.size(), 3u);
  EXPECT_EQ(groups[0], "Basics");
  EXPECT_EQ(groups[1], "Cloth");
  EXPECT_EQ(groups[groups.size() - 2], "Methods");
  EXPECT_EQ(groups.back(), "Stress");
}

}  // namespace
}  // namespace limber::ui::meanings_test
