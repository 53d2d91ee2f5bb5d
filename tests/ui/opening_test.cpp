// A scene opens with the view settings of its "view" block.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/lab/runner.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::opening_test {
namespace {

RunOptions one_thread() {
  RunOptions options;
  options.threads = 1;
  return options;
}

/// The pictures once `scene` is open.
const Publications& opened(Runner& runner, const SceneDesc& scene, Runner::VariantReader variants = {}) {
  runner.load("small", [scene] { return Expected<SceneDesc>(scene); }, {}, std::move(variants));
  for (int wait = 0; wait < 500; ++wait) {
    const RunStatus& status = runner.latest().front().status;
    if (status.state != RunState::empty && status.state != RunState::building) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return runner.latest();
}

TEST(Opening, ComparesAndWaitsAsTheSceneSays) {
  SceneDesc scene = test::small_cloth();
  scene.view->paused = true;
  scene.view->compare = {{}, {{"solver.method", std::string("pbd")}}, {{"solver.iterations", 7L}}};
  Runner runner(one_thread());
  const Publications& shown = opened(runner, scene);
  ASSERT_EQ(shown.variants.size(), 3u);
  EXPECT_EQ(shown.front().status.state, RunState::paused);
  EXPECT_EQ(shown.front().frame.frame, 0);
  EXPECT_EQ(shown.variants[1].status.scene->solver.method->kind, SolverMethod::pbd);
  EXPECT_NE(shown.variants[0].status.scene->solver.method->kind, SolverMethod::pbd);
  EXPECT_EQ(shown.variants[2].status.variant.text, "xpbd, iterations 7");
}

TEST(Opening, WhatTheCommandLineComparesComesFirst) {
  SceneDesc scene = test::small_cloth();
  scene.view->compare = {{}, {{"solver.method", std::string("pbd")}}};
  Runner runner(one_thread());
  const Publications& shown =
      opened(runner, scene, [](const SceneDesc&) { return std::vector<VariantSettings>{{}, {}, {}, {}}; });
  EXPECT_EQ(shown.variants.size(), 4u);
  EXPECT_EQ(shown.front().status.state, RunState::running);
}

}  // namespace
}  // namespace limber::opening_test
