// Probes: a step can be looked at, and ended, after each stage of its iterations.
#include <gtest/gtest.h>

#include <vector>

#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/step/frame_undo.hpp"
#include "engine/step/step_probe.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace probe_test { namespace {

/// Ends the frame after `projections` stages of its iterations; with 0 at the first iteration's start.
class StopProbe final : public StepProbe {
 public:
  explicit StopProbe(int projections) : left_(projections) {}

  bool look(const World&, const StepPoint& point) override {
    if (!point.stage.empty()) --left_, at_ = point;
    return left_ > 0;
  }
  const StepPoint& at() const { return at_; }

 private:
  int left_;
  StepPoint at_;
};

SceneDesc cloth_over_ground() {
  SceneDesc scene;
  scene.solver.step->substeps = 2, scene.solver.step->iterations = 3;
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth->columns = cloth.cloth->rows = 9;
  cloth.pose.position.y = 0.05;
  scene.objects = {cloth};
  ColliderDesc ground;
  ground.name = "ground";
  scene.colliders = {ground};
  return scene;
}

TEST(Probes, LookIntoAFrameAndLeaveItAsItWas) {
  for (const int threads : {1, 3}) {
    Rig looked(cloth_over_ground(), threads), plain(cloth_over_ground(), threads);
    looked.run(3), plain.run(3);
    FrameUndo undo;
    int projections = 0, constraints = 0;
    for (;; ++projections) {
      StopProbe probe(projections);
      undo.begin(looked.world);
      looked.solver.set_probe(&probe);
      const StepReport report = looked.step();
      looked.solver.set_probe(nullptr);
      undo.put_back(looked.world);
      EXPECT_EQ(probe.at().stage.empty(), projections == 0);
      constraints += probe.at().stage == "constraints" && report.stopped;
      if (!report.stopped) break;
    }
    EXPECT_EQ(constraints, 2 * 3);
    EXPECT_GT(projections, constraints);
    looked.run(2), plain.run(2);
    EXPECT_EQ(world_hash(looked.world), world_hash(plain.world));
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::probe_test
