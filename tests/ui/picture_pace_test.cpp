// When the window draws the scene anew.
#include <gtest/gtest.h>

#include "app/picture_pace.hpp"

namespace limber::picture_pace_test {
namespace {

using Drawing = PicturePace::Drawing;

TEST(PicturePace, DrawsNothingWhereNothingChanged) {
  PicturePace pace;
  EXPECT_EQ(pace.next(false, false), Drawing::full) << "the first picture";
  pace.drawn(Drawing::full, 0.01);
  EXPECT_FALSE(pace.behind());
  for (const bool over_panels : {false, true}) EXPECT_EQ(pace.next(false, over_panels), Drawing::none);
  EXPECT_EQ(pace.next(true, true), Drawing::full) << "quick enough for panels to wait";
  pace.drawn(Drawing::full, 0.01);
  pace.spoil();
  EXPECT_EQ(pace.next(false, false), Drawing::full);
}

/// A ninth of the pixels is too slow still for a picture of 1.2 s, and fast enough for one of 0.3 s.
TEST(PicturePace, PanelsNeverWaitForASlowPicture) {
  PicturePace pace;
  (void)pace.next(true, false);
  pace.drawn(Drawing::full, 1.2);
  EXPECT_EQ(pace.next(true, true), Drawing::none);
  EXPECT_TRUE(pace.behind());
  EXPECT_EQ(pace.next(false, false), Drawing::full) << "once the mouse has left them";
  pace.drawn(Drawing::full, 0.3);
  EXPECT_EQ(pace.next(true, true), Drawing::coarse);
  EXPECT_EQ(pace.coarseness(), 3);
  pace.drawn(Drawing::coarse, 0.04);
  EXPECT_EQ(pace.next(false, true), Drawing::none);
  EXPECT_EQ(pace.next(true, true), Drawing::coarse);
  pace.drawn(Drawing::coarse, 0.15);  // shadows and vertices cost as much as ever
  EXPECT_EQ(pace.next(true, true), Drawing::none);
  EXPECT_EQ(pace.next(false, false), Drawing::full);
}

TEST(PicturePace, ACoarsePictureIsDrawnAgainOnceTheMouseIsGone) {
  PicturePace pace;
  (void)pace.next(true, false);
  pace.drawn(Drawing::full, 0.3);
  ASSERT_EQ(pace.next(true, true), Drawing::coarse);
  pace.drawn(Drawing::coarse, 0.04);
  EXPECT_TRUE(pace.behind());
  EXPECT_EQ(pace.next(false, false), Drawing::full);
  pace.drawn(Drawing::full, 0.1);
  EXPECT_FALSE(pace.behind());
  EXPECT_EQ(pace.coarseness(), 2) << "as fine as there is time for";
}

}  // namespace
}  // namespace limber::picture_pace_test
