// A step allocates no memory once it is warm, without input and while the user drags.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "app/commands/scene_source.hpp"
#include "app/lab/session.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/allocation_counter.hpp"

namespace limber::allocation_test { namespace {

TEST(AllocationTest, TheCounterSeesEveryForm) {
  struct alignas(64) Row {
    float x[16];
  };
  const long before = allocations();
  delete new Row;
  delete new int;
  delete[] new int[3];
  EXPECT_EQ(allocations() - before, 3);
}

TEST(AllocationTest, AWarmStepOfAShippedSceneMakesNone) {
  const auto library = shipped_scenes();
  ASSERT_TRUE(library) << library.error().text();
  ASSERT_FALSE(library->scenes().empty());
  for (const SceneEntry& entry : library->scenes()) {
    SCOPED_TRACE(entry.name);
    auto scene = library->find(entry.name);
    ASSERT_TRUE(scene) << scene.error().text();
    auto simulation = make_simulation(std::move(*scene), {Precision::f32, Simd::automatic, 2});
    ASSERT_TRUE(simulation) << simulation.error().text();
    // Lists of pairs grow as more surfaces come close, and the progress of a cancelled search depends on the
    // fastest thread. So the same frames must have run before, sometimes more than once.
    for (int i = 0; i < 6; ++i) (*simulation)->step();
    long fewest = std::numeric_limits<long>::max();
    for (int run = 0; run < 4 && fewest > 0; ++run) {
      (*simulation)->restart();
      for (int i = 0; i < 3; ++i) (*simulation)->step();
      const std::int64_t tears = (*simulation)->measure().tears;
      const long before = allocations();
      for (int i = 0; i < 3; ++i) (*simulation)->step();
      const long made = allocations() - before;
      // a tear may allocate, waiting for one must not
      fewest = (*simulation)->measure().tears > tears ? 0 : std::min(fewest, made);
    }
    EXPECT_EQ(fewest, 0);
  }
}

/// Joints of a net may be solved by sweeps and directly in turn. The arrays of both ways exist from the
/// start, and a frame depends on nothing but the state at its start.
TEST(AllocationTest, AStepAfterJointsAreSolvedInAnotherWayMakesNone) {
  SceneDesc scene;
  scene.solver.step->substeps = 4;
  constexpr int columns = 20, rows = 10;
  for (int i = 0; i < columns; ++i)
    for (int k = 0; k < rows; ++k) {
      const auto name = [](int x, int z) { return "box" + std::to_string(x) + "_" + std::to_string(z); };
      BodyDesc& box = scene.bodies.emplace_back();
      box.name = name(i, k), box.shape = BodyShape::box, box.half_extents = {0.04, 0.02, 0.04};
      box.pose.position = {0.1 * i, 1.0, 0.1 * k}, box.fixed = k == 0, box.collides_with = "none";
      const auto join = [&](int x, int z, JointType type) {
        JointDesc& joint = scene.joints.emplace_back();
        joint.name = name(i, k) + "_to_" + name(x, z), joint.type = type;
        joint.a = name(i, k), joint.b = name(x, z);
        joint.at = {0.05 * (i + x), 1.0, 0.05 * (k + z)};
      };
      for (const int half : {0, 1}) {  // a cloth of balls and a plate
        if (half != (i >= columns / 2)) continue;
        const JointType type = half == 0 ? JointType::ball : JointType::fixed;
        if (k > 0) join(i, k - 1, type);
        if (i > 0 && k > 0 && i != columns / 2) join(i - 1, k, type);
      }
    }
  const RunOptions options{Precision::f32, Simd::automatic, 2};
  const auto hash = [](const Simulation& simulation) {
    std::uint64_t value = 0;
    simulation.read(reading::StateHash{value});
    return value;
  };
  for (const char* second : {"direct", "automatic"}) {
    SCOPED_TRACE(second);
    const bool to_direct = std::string(second) == "direct";
    scene.solver.method->joints = to_direct ? JointSolve::automatic : JointSolve::direct;
    auto live = make_simulation(scene, options);
    ASSERT_TRUE(live) << live.error().text();
    const std::string first = to_direct ? "automatic" : "direct";
    for (int i = 0; i < 6; ++i) (*live)->step();
    ASSERT_TRUE((*live)->submit(SetValue{"solver.joints", std::string(second)}));
    for (int i = 0; i < 8; ++i) (*live)->step();  // lists of pairs grow as boxes come close
    (*live)->restart();
    ASSERT_TRUE((*live)->submit(SetValue{"solver.joints", first}));
    for (int i = 0; i < 6; ++i) (*live)->step();
    const auto fresh = (*live)->clone();
    for (Simulation* each : {live->get(), fresh.get()})
      ASSERT_TRUE(each->submit(SetValue{"solver.joints", std::string(second)}));
    (*live)->step();
    EXPECT_EQ((*live)->measure().swept_joints > 0, !to_direct);
    const long before = allocations();
    for (int i = 0; i < 5; ++i) (*live)->step();
    EXPECT_EQ(allocations() - before, 0);
    for (int i = 0; i < 6; ++i) fresh->step();
    EXPECT_EQ(hash(**live), hash(*fresh));
  }
}

/// A snapshot reports the memory that it takes, for every kind of scene. The budget of kept snapshots relies
/// on it.
TEST(AllocationTest, ASnapshotKnowsItsSize) {
  const auto library = shipped_scenes();
  ASSERT_TRUE(library) << library.error().text();
  for (const char* name : {"pile_boxes", "cloth_hang", "grains", "tear_cube", "pile_meshes"}) {
    SCOPED_TRACE(name);
    auto scene = library->find(name);
    ASSERT_TRUE(scene) << scene.error().text();
    auto simulation = make_simulation(std::move(*scene), {Precision::f32, Simd::automatic, 2});
    ASSERT_TRUE(simulation) << simulation.error().text();
    for (int i = 0; i < 3; ++i) (*simulation)->step();
    const auto first = (*simulation)->save();  // and with it the settings that all copies share
    const long before = allocated_bytes();
    const auto saved = (*simulation)->save();
    const double taken = double(allocated_bytes() - before), said = double((*simulation)->bytes(saved));
    EXPECT_NEAR(said / taken, 1.0, 0.02);
  }
}

/// A frame as the runner takes it: a snapshot to step back to, the step, its history, the picture. Only the
/// numbers that warnings and diagnostics go by, every tenth frame, come in vectors of their own.
TEST(AllocationTest, AWarmFrameOfTheWindowMakesNoneUnlessItMeasures) {
  const auto library = shipped_scenes();
  ASSERT_TRUE(library) << library.error().text();
  auto scene = library->find("cloth_hang");
  ASSERT_TRUE(scene) << scene.error().text();
  scene->objects[0].cloth->columns = scene->objects[0].cloth->rows = 12;
  scene->solver.step->substeps = 2;
  Session live({Precision::f32, Simd::automatic, 2}, {});
  live.open(std::move(scene));
  Publication shown[3];  // the slots of Latest
  const auto frame = [&](int i) {
    const bool stepped = live.advance(1.0 / 60.0 + 1e-4);
    live.publish(shown[i % 3]);
    return stepped;
  };
  for (int i = 0; i < 3700; ++i) ASSERT_TRUE(frame(i));  // until the minute of the plots is full, as all else
  ASSERT_EQ(shown[0].status.snapshots, 300u);
  int allocating = 0;
  for (int i = 0; i < 120; ++i) {
    const long before = allocations();
    ASSERT_TRUE(frame(i));
    allocating += allocations() != before;
  }
  EXPECT_LE(allocating, 12);  // measured every tenth frame
}

}}  // namespace limber::allocation_test
