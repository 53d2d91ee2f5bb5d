// The thread around a session: builds and long frames never block its caller.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <string>
#include <thread>

#include "app/commands/scene_source.hpp"
#include "app/lab/runner.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/source_folder.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::runner_test { namespace {

using test::small_cloth;

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

/// Waits until `condition` holds; false after ten seconds.
template <class Condition>
bool wait_for(Runner& runner, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition(runner.latest().front())) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

TEST(Runner, ASlowBuildNeitherBlocksTheCallerNorHidesItself) {
  Runner runner(one_thread);
  const auto begin = std::chrono::steady_clock::now();
  runner.load("slow", [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return Expected<SceneDesc>(small_cloth());
  });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(150));
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.status.state == RunState::building; }));
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.frame.frame >= 3; }));
  EXPECT_EQ(runner.latest().front().status.name, "small");
}

TEST(Runner, ASceneIsShownBeforeItsFirstFrameIsDone) {
  std::promise<void> seen;
  RunObserver observer;
  observer.stepped = [gate = seen.get_future().share()](const Simulation&, const StepReport&) {
    gate.wait();
  };
  Runner runner(one_thread, observer);
  runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.status.state == RunState::running; }));
  EXPECT_EQ(runner.latest().front().frame.frame, 0);
  seen.set_value();
}

/// Frames take a minute, and nothing may wait for their end.
TEST(Runner, AnotherSceneAndTheEndDoNotWaitForALongFrame) {
  using Clock = std::chrono::steady_clock;
  SceneDesc slow = small_cloth();
  slow.name = "slow";
  slow.objects[0].cloth->columns = slow.objects[0].cloth->rows = 60;
  slow.solver.step->substeps = slow.solver.step->iterations = 1000;
  int closed = 0;
  Clock::time_point asked;
  {
    Runner runner(one_thread, {[] {}, [](const Simulation&, const StepReport&) {},
                               [&](const Simulation& left) { closed += left.frame() == 0; }});
    runner.load("slow", [&] { return Expected<SceneDesc>(slow); });
    const auto computing = [&](double seconds) {
      return wait_for(runner, [&](const Publication&) { return runner.activity().frame > seconds; });
    };
    ASSERT_TRUE(computing(0.6));
    asked = Clock::now();
    runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
    EXPECT_EQ(runner.activity().next, "small");
    EXPECT_TRUE(
        wait_for(runner, [](const Publication& p) { return p.status.name == "small" && p.frame.frame > 1; }));
    EXPECT_LT(Clock::now() - asked, std::chrono::seconds(1));
    EXPECT_EQ(runner.activity().next, "");
    runner.load("slow", [&] { return Expected<SceneDesc>(slow); });
    EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.status.name == "slow"; }));
    ASSERT_TRUE(computing(0.1));
    asked = Clock::now();
  }
  EXPECT_LT(Clock::now() - asked, std::chrono::seconds(1));
  EXPECT_EQ(closed, 1) << "the frame that was not computed to its end counts";
}

/// A second click on a scene, while it is read and just after, is the same wish.
TEST(Runner, TheSameSceneIsNotLoadedTwiceByADoubleClick) {
  std::atomic<int> read = 0;
  Runner runner(one_thread);
  const auto load = [&](const char* name) {
    runner.load(name, [&] {
      ++read;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      return Expected<SceneDesc>(small_cloth());
    });
  };
  const auto opened = [&](std::uint64_t loads) {
    return wait_for(runner, [&](const Publication& p) { return p.status.loads == loads; });
  };
  for (int click = 0; click < 3; ++click) load("small");
  EXPECT_TRUE(opened(1));
  load("small");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_EQ(read, 1);
  load("small");  // half a second later it is a wish of its own: from the start again
  EXPECT_TRUE(opened(2));
  EXPECT_EQ(read, 2);
}

/// Only the last of several scenes is opened, and a build under way ends at its next look at the flag: within
/// 0.2 s where nothing else holds the cores. The field would take several seconds.
TEST(Runner, AnotherSceneTakesThePlaceOfTheOneThatIsBuilt) {
  using Clock = std::chrono::steady_clock;
  const std::string cache = testing::TempDir() + "limber_no_field_" + std::to_string(getpid());
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);  // a field that was kept opens at once
  Runner runner(one_thread);
  std::atomic<bool> in_build = false, skipped_was_read = false;
  runner.load("field", [&] {
    SceneDesc scene = small_cloth();
    ColliderDesc mesh;  // a distance field that takes seconds
    mesh.name = "field";
    mesh.shape = ColliderShape::mesh;
    mesh.mesh = test::source("assets/creature.obj");
    mesh.resolution = 200;
    scene.colliders.push_back(mesh);
    in_build = true;
    return Expected<SceneDesc>(std::move(scene));
  });
  EXPECT_TRUE(
      wait_for(runner, [&](const Publication&) { return in_build && runner.activity().frame > 0.05; }));
  const auto asked = Clock::now();
  runner.load("skipped", [&] {
    skipped_was_read = true;
    return Expected<SceneDesc>(small_cloth());
  });
  runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.status.loads == 1; }));
  EXPECT_LT(Clock::now() - asked, std::chrono::milliseconds(1000));
  EXPECT_FALSE(skipped_was_read);
  unsetenv("XDG_CACHE_HOME");
}

/// The build of a large scene can be cancelled in any of its parts: on an idle machine, where the build takes
/// 0.5 s, within a fifth of a second. The limit is relative to the build's own time, because other programs
/// may use the cores.
TEST(Runner, ALargeSceneGivesWayInTheMiddleOfItsBuild) {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  const std::string root = test::source("");
  const SceneLibrary library({root + "/scenes"}, root + "/assets");
  const auto runs = [](Runner& runner, const char* name) {
    return wait_for(runner, [&](const Publication& p) {
      return p.status.name == name && p.status.state == RunState::running;
    });
  };
  const auto load_large = [&](Runner& runner) {
    runner.load("cloth_large", [&] { return library.find("cloth_large"); });
  };
  Seconds whole;
  {
    Runner runner(one_thread);
    const auto began = Clock::now();
    load_large(runner);
    ASSERT_TRUE(runs(runner, "cloth_large"));
    whole = Clock::now() - began;
  }
  std::vector<Seconds> waited;
  for (const double share : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    Runner runner(one_thread);
    load_large(runner);
    std::this_thread::sleep_for(share * whole);
    const auto asked = Clock::now();
    runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
    ASSERT_TRUE(runs(runner, "small"));
    waited.push_back(Clock::now() - asked);
  }
  std::sort(waited.begin(), waited.end());
  EXPECT_LT(waited[2].count(), 0.4 * whole.count());
  RecordProperty("whole_ms", int(1e3 * whole.count()));
  RecordProperty("median_ms", int(1e3 * waited[2].count()));
}

/// A build that hears nothing is left to itself.
TEST(Runner, TheEndDoesNotWaitForABuild) {
  using Clock = std::chrono::steady_clock;
  static std::promise<void> never;
  auto runner = std::make_unique<Runner>(one_thread);
  runner->load("stuck", [gate = never.get_future().share()] {
    gate.wait();
    return Expected<SceneDesc>(small_cloth());
  });
  EXPECT_TRUE(wait_for(*runner, [](const Publication& p) { return p.status.state == RunState::building; }));
  const auto asked = Clock::now();
  EXPECT_FALSE(runner->finish(0.3));
  EXPECT_LT(Clock::now() - asked, std::chrono::seconds(1));
  (void)runner.release();  // its thread still uses it
}

TEST(Runner, EndsAtAnyMomentAndReportsWhatItHad) {
  int opened = 0, closed = 0;
  long stepped = 0;
  RunObserver observer{[&] { ++opened; }, [&](const Simulation&, const StepReport&) { ++stepped; },
                       [&](const Simulation&) { ++closed; }};
  {
    Runner runner(one_thread, observer);
    runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
    for (int i = 0; i < 5; ++i) runner.step_once();
  }  // everything asked for is done before it ends
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(closed, 1);
  EXPECT_GE(stepped, 5);  // it runs between the build and the first of them
  Runner never_used(one_thread);
}

TEST(Runner, SaysWhyASceneDoesNotOpenAndSurvivesAnException) {
  Runner runner(one_thread);
  std::vector<Message> messages;
  const auto told = [&](std::size_t count) {
    return wait_for(runner, [&](const Publication&) {
      for (Message& message : runner.take_messages()) messages.push_back(message);
      return messages.size() >= count;
    });
  };
  runner.load("bad", [] { return Expected<SceneDesc>(Error{"broken"}); });
  EXPECT_TRUE(told(1));
  runner.load("worse", []() -> Expected<SceneDesc> { throw std::bad_alloc(); });
  EXPECT_TRUE(told(2));
  runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.frame.frame >= 1; }));
}

}}  // namespace limber::runner_test
