// Decides when the window draws the scene again, and how coarsely.
#include <gtest/gtest.h>

#include "app/shell/fluid_pace.hpp"
#include "app/shell/picture_pace.hpp"

namespace limber::picture_pace_test { namespace {

using Drawing = PicturePace::Drawing;

TEST(PicturePace, DrawsNothingWhereNothingChanged) {
  PicturePace pace;
  EXPECT_EQ(pace.next({.changed = false, .over_panels = false}), Drawing::full) << "the first picture";
  pace.drawn(Drawing::full, 0.01);
  EXPECT_FALSE(pace.behind());
  for (const bool over_panels : {false, true})
    EXPECT_EQ(pace.next({.over_panels = over_panels}), Drawing::none);
  EXPECT_EQ(pace.next({.changed = true, .over_panels = true}), Drawing::full)
      << "quick enough for panels to wait";
  pace.drawn(Drawing::full, 0.01);
  pace.spoil();
  EXPECT_EQ(pace.next({.changed = false, .over_panels = false}), Drawing::full);
}

/// A ninth of the pixels is too slow still for a picture of 1.2 s, and fast enough for one of 0.3 s.
TEST(PicturePace, PanelsNeverWaitForASlowPicture) {
  PicturePace pace;
  (void)pace.next({.changed = true, .over_panels = false});
  pace.drawn(Drawing::full, 1.2);
  EXPECT_EQ(pace.next({.changed = true, .over_panels = true}), Drawing::none);
  EXPECT_TRUE(pace.behind());
  EXPECT_EQ(pace.next({.changed = false, .over_panels = false}), Drawing::full)
      << "once the mouse has left them";
  pace.drawn(Drawing::full, 0.3);
  EXPECT_EQ(pace.next({.changed = true, .over_panels = true}), Drawing::coarse);
  EXPECT_EQ(pace.coarseness(), 3);
  pace.drawn(Drawing::coarse, 0.04);
  EXPECT_EQ(pace.next({.changed = false, .over_panels = true}), Drawing::none);
  EXPECT_EQ(pace.next({.changed = true, .over_panels = true}), Drawing::coarse);
  pace.drawn(Drawing::coarse, 0.15);  // shadows and vertices cost as much as ever
  EXPECT_EQ(pace.next({.changed = true, .over_panels = true}), Drawing::none);
  EXPECT_EQ(pace.next({.changed = false, .over_panels = false}), Drawing::full);
}

TEST(PicturePace, ACoarsePictureIsDrawnAgainOnceTheMouseIsGone) {
  PicturePace pace;
  (void)pace.next({.changed = true, .over_panels = false});
  pace.drawn(Drawing::full, 0.3);
  ASSERT_EQ(pace.next({.changed = true, .over_panels = true}), Drawing::coarse);
  pace.drawn(Drawing::coarse, 0.04);
  EXPECT_TRUE(pace.behind());
  EXPECT_EQ(pace.next({.changed = false, .over_panels = false}), Drawing::full);
  pace.drawn(Drawing::full, 0.1);
  EXPECT_FALSE(pace.behind());
  EXPECT_EQ(pace.coarseness(), 2) << "as fine as there is time for";
}

/// A sixtieth of a second is too short for a picture of 0.14 s: it is coarse until the scene has come to
/// rest.
TEST(PicturePace, ASlowPictureIsCoarseWhileSomethingMoves) {
  PicturePace pace;
  EXPECT_EQ(pace.next({.changed = true}), Drawing::full) << "the first of a motion";
  pace.drawn(Drawing::full, 0.14);
  EXPECT_EQ(pace.next({.changed = true, .still = 0.02}), Drawing::coarse);
  EXPECT_EQ(pace.coarseness(), 2);
  pace.drawn(Drawing::coarse, 0.05);
  EXPECT_EQ(pace.next({.still = 0.1}), Drawing::none);
  EXPECT_TRUE(pace.behind());
  EXPECT_EQ(pace.next({.changed = true, .renewed = true, .still = 0.1}), Drawing::full) << "another scene";
  pace.drawn(Drawing::full, 0.14);
  EXPECT_EQ(pace.next({.changed = true, .still = 0.1}), Drawing::coarse);
  pace.drawn(Drawing::coarse, 0.05);
  EXPECT_EQ(pace.next({.still = 0.3}), Drawing::full) << "sharp once it rests";
  pace.drawn(Drawing::full, 0.01);
  EXPECT_EQ(pace.next({.changed = true, .still = 0.02}), Drawing::full) << "quick pictures are never coarse";
}

/// A picture that stood still while the mouse lay over a panel showed the scene before.
TEST(PicturePace, ASlowPictureGoesOnWhileNobodyDoesAnything) {
  PicturePace pace;
  (void)pace.next({.changed = true});
  pace.drawn(Drawing::full, 1.8);  // a coarse one 0.2 s
  EXPECT_EQ(pace.next({.changed = true, .over_panels = true, .quiet = 0.1, .since = 60.0}), Drawing::none);
  EXPECT_EQ(pace.next({.changed = true, .over_panels = true, .quiet = 9.0, .since = 0.5}), Drawing::none);
  EXPECT_EQ(pace.next({.changed = true, .over_panels = true, .quiet = 9.0, .since = 1.0}), Drawing::coarse);
  pace.drawn(Drawing::coarse, 0.2);
  EXPECT_EQ(pace.next({.over_panels = true, .quiet = 9.0, .since = 5.0}), Drawing::none);
  EXPECT_EQ(pace.next({.over_panels = true, .quiet = 9.0, .since = 8.0}), Drawing::full)
      << "and sharp in the end";
}

TEST(PicturePace, AnotherSceneOrLayoutIsShownAtOnce) {
  PicturePace pace;
  (void)pace.next({.changed = true});
  pace.drawn(Drawing::full, 3.0);
  EXPECT_EQ(pace.next({.changed = true, .renewed = true, .over_panels = true}), Drawing::coarse);
}

TEST(PicturePace, CoarsePicturesOfAMotionGetCoarserWhereTheyAreSlow) {
  PicturePace pace;
  (void)pace.next({.changed = true});
  pace.drawn(Drawing::full, 0.14);
  ASSERT_EQ(pace.next({.changed = true, .still = 0.02}), Drawing::coarse);
  pace.drawn(Drawing::coarse, 0.09);
  EXPECT_EQ(pace.coarseness(), 2);
  pace.drawn(Drawing::coarse, 0.11);
  EXPECT_EQ(pace.coarseness(), 3);
  pace.drawn(Drawing::coarse, 0.05);
  EXPECT_EQ(pace.coarseness(), 3) << "does not change to and fro";
  pace.drawn(Drawing::coarse, 0.02);
  EXPECT_EQ(pace.coarseness(), 2);
}

/// Draws pictures of a motion, of `surface` or `balls` seconds each. Returns whether the last one showed a
/// surface.
bool last_of(FluidPace& pace, double surface, double balls, int pictures = 8) {
  for (int i = 0; i < pictures; ++i)
    pace.drawn(Drawing::coarse, pace.wants_surface(Drawing::coarse, false, false) ? surface : balls);
  return pace.shows_surface();
}

TEST(FluidPace, ShowsASurfaceWhereItIsQuick) {
  FluidPace pace;
  EXPECT_TRUE(last_of(pace, 0.08, 0.05));
  EXPECT_TRUE(last_of(pace, 0.4, 0.05, 1)) << "one slow picture has been held up";
  EXPECT_TRUE(last_of(pace, 0.08, 0.05));
  EXPECT_FALSE(pace.wants_surface(Drawing::coarse, false, true)) << "panels wait for the picture";
  EXPECT_TRUE(pace.wants_surface(Drawing::full, true, false));
}

/// The first picture waits for shaders to compile.
TEST(FluidPace, TriesASurfaceTwice) {
  FluidPace pace;
  EXPECT_TRUE(last_of(pace, 0.9, 0.05, 1));
  EXPECT_TRUE(last_of(pace, 0.08, 0.05));
  pace.renew();
  EXPECT_TRUE(last_of(pace, 0.9, 0.05, 2));
  EXPECT_FALSE(last_of(pace, 0.9, 0.05, 1));
}

TEST(FluidPace, ShowsBallsWhileASurfaceIsSlow) {
  FluidPace pace;
  EXPECT_FALSE(last_of(pace, 0.2, 0.1));
  EXPECT_FALSE(last_of(pace, 0.2, 0.07)) << "it would take 0.14 s";
  EXPECT_FALSE(last_of(pace, 0.2, 0.05)) << "0.1 s is too little less than the limit";
  EXPECT_TRUE(last_of(pace, 0.07, 0.035)) << "the fluid has drained, or the machine is free again";
  EXPECT_TRUE(last_of(pace, 0.11, 0.1)) << "what is shown stays where both would do";
  EXPECT_FALSE(last_of(pace, 0.13, 0.1));
}

TEST(FluidPace, ShowsASlowSurfaceAtRest) {
  FluidPace pace;
  EXPECT_FALSE(last_of(pace, 0.2, 0.1));
  EXPECT_TRUE(pace.wants_surface(Drawing::full, true, false));
  pace.drawn(Drawing::full, 0.7);
  EXPECT_FALSE(last_of(pace, 0.2, 0.1)) << "and goes on with balls in motion";
  EXPECT_TRUE(pace.wants_surface(Drawing::full, true, false));
}

}}  // namespace limber::picture_pace_test
