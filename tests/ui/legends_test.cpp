// Legends and the recording note over the picture: their numbers, and the room that they leave.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/panels/recording_note.hpp"
#include "app/ui/widgets/heat_legend.hpp"
#include "app/ui/widgets/overlay_legend.hpp"
#include "tests/ui/panel_frame.hpp"

namespace limber::ui::legends_test {
namespace {

using panels::PanelFrame;

TEST(Legends, WhatIsCountedHasWholeNumbers) {
  const auto is_whole = [](float x) { return std::abs(x - std::round(x)) < 1e-4f; };
  for (float high : {1.0f, 2.0f, 3.0f, 7.0f, 10.0f, 23.0f}) {
    const std::vector<float> places = tick_places({"Phase", "", 0.0f, high, true});
    EXPECT_LE(places.size(), 6u);
    EXPECT_EQ(places.back(), 1.0f);
    for (const float t : places) EXPECT_TRUE(is_whole(t * high)) << t * high << " of " << high;
  }
  EXPECT_EQ(tick_places({"Strain", "", 0.0f, 0.1f}).size(), 5u);
}

TEST(Legends, CountNumbersByTheirColours) {
  RenderFrame frame;
  frame.heat = {-1.0f, 0.0f, 0.3f, 1.9f, 2.0f, 7.0f, std::numeric_limits<float>::quiet_NaN()};
  frame.body_heat = {0.6f};
  frame.heat_scale = {"Strain", "", 0.0f, 2.0f};
  EXPECT_EQ(heat_counts(frame, 4), (std::vector<int>{3, 1, 0, 3}));
  frame.heat_scale.high = 0.0f;  // all alike
  EXPECT_EQ(heat_counts(frame, 2), (std::vector<int>{7, 0}));
}

/// At any size of the window, legends leave the middle to the subject: they stand at the left or along the
/// top, and vanish if there is almost no room.
TEST(Legends, LeaveTheMiddleOfASmallViewFree) {
  PanelFrame panel;
  RenderFrame frame;
  frame.heat = {0.1f};
  frame.heat_scale = {"Correction still owed", "m", 0.0f, 0.2f};
  frame.overlay.overlay = Overlay::contacts;
  const char* kinds[] = {"of vertices with colliders", "between surfaces", "of bodies with colliders",
                         "between bodies", "of vertices with bodies"};
  for (int i = 0; i < 5; ++i) frame.overlay.marks[std::size_t(i)] = {kinds[i], {}, 1234};
  bool full = false, strip = false, none = false;
  for (float width = 100.0f; width < 1400.0f; width += 55.0f)
    for (float height = 100.0f; height < 900.0f; height += 45.0f) {
      ImGui::GetIO().DisplaySize = {width + 200.0f, height + 100.0f};
      ImGui::NewFrame();
      const Rect view{{150.0f, 30.0f}, {width, height}};
      heat_legend(view, frame);
      overlay_legend(view, frame);
      ImVec2 end = view.position;
      for (const ImDrawVert& vertex : ImGui::GetBackgroundDrawList()->VtxBuffer)
        end = {std::max(end.x, vertex.pos.x), std::max(end.y, vertex.pos.y)};
      ImGui::EndFrame();
      const float across = (end.x - view.position.x) / width, down = (end.y - view.position.y) / height;
      EXPECT_LE(across, 1.0f);
      EXPECT_TRUE(across < 0.5f || down < 0.45f)
          << width << " x " << height << ": " << across << ", " << down;
      const LegendRoom room = legend_room(view);
      EXPECT_EQ(room == LegendRoom::none, across == 0.0f);
      full |= room == LegendRoom::full, strip |= room == LegendRoom::strip, none |= room == LegendRoom::none;
    }
  EXPECT_TRUE(full && strip && none);
}

/// A pinned corner of the cloth is the most interesting point under strain: the legend moves to a corner
/// without pins, and stays there.
TEST(Legends, CoverNoPinnedVertex) {
  const Rect view{{100.0f, 20.0f}, {800.0f, 600.0f}};
  const ImVec2 block{120.0f, 250.0f};
  const auto covered = [&](int corner, ImVec2 point) {
    const Rect at = in_corner(view, block, corner);
    return point.x >= at.position.x && point.x <= at.position.x + block.x && point.y >= at.position.y &&
           point.y <= at.position.y + block.y;
  };
  const ImVec2 upper_left{150.0f, 60.0f}, upper_right{850.0f, 60.0f}, lower_left{150.0f, 500.0f};
  EXPECT_EQ(legend_corner(view, block, {}, 0), 0);
  for (const std::vector<ImVec2>& pins :
       {std::vector{upper_left}, {upper_left, upper_right}, {upper_left, upper_right, lower_left}}) {
    const int corner = legend_corner(view, block, pins, 0);
    for (const ImVec2& pin : pins) EXPECT_FALSE(covered(corner, pin)) << corner;
    EXPECT_EQ(legend_corner(view, block, std::vector{upper_left}, corner), corner) << "it does not go back";
  }
}

/// Holds at any size of the window and any length of the text.
TEST(RecordingNote, SaysHowFastItGoes) {
  PanelFrame panel;
  ImGui::NewFrame();
  EXPECT_EQ(recording_text({0.52, 0.0, 0.061}, 1e4f), "REC 0.5 s, x0.06    F11 stops");
  ImGui::EndFrame();
}

TEST(RecordingNote, CoversNoLegendAndStaysInTheView) {
  PanelFrame panel;
  RenderFrame frame;
  frame.heat = {0.1f};
  frame.heat_scale = {"Correction still owed", "m", 0.0f, 0.2f};
  frame.overlay.overlay = Overlay::contacts;
  frame.overlay.marks[0] = {"of vertices with colliders", {}, 123456};
  bool beside = false, below = false;
  for (float width = 200.0f; width < 1400.0f; width += 35.0f)
    for (const float height : {120.0f, 200.0f, 420.0f, 900.0f})
      for (const double waiting : {0.0, 12.0}) {
        SCOPED_TRACE(testing::Message() << width << " x " << height << ", waits " << waiting);
        ImGui::GetIO().DisplaySize = {width + 200.0f, height + 100.0f};
        ImGui::NewFrame();
        const Rect view{{150.0f, 30.0f}, {width, height}};
        const std::array<Rect, 2> legends{heat_legend(view, frame), overlay_legend(view, frame)};
        const Rect note = recording_note(view, legends, {123.4, waiting});
        ImGui::EndFrame();
        EXPECT_GE(note.position.x, view.position.x);
        EXPECT_LE(note.right(), view.right());
        EXPECT_LE(note.bottom(), view.bottom());
        for (const Rect& legend : legends)
          EXPECT_TRUE(legend.right() <= note.position.x || legend.bottom() <= note.position.y);
        (note.position.y < legends[0].bottom() ? beside : below) = true;
      }
  EXPECT_TRUE(beside && below);
}

}  // namespace
}  // namespace limber::ui::legends_test
