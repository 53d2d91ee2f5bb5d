// An observer of the loops of a step sees all that they solve, each once per iteration.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/world_hash.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace visits_test { namespace {

using Item = std::tuple<int, std::int64_t, std::int64_t>;  // kind, group, slot
using Counts = std::map<Item, int>;

/// Counts what each stage visits in an iteration.
class Counter final : public VisitObserver, public StageWatch {
 public:
  void before(World&, const StageRun&) override { now_.clear(); }
  void see(const Visit& visit) override {
    const bool grouped = visit.what == Visited::surface_pairs || visit.what == Visited::colliders;
    for (std::int64_t s = visit.begin; s < visit.end; ++s)
      ++now_[visit.what][{visit.kind, grouped ? visit.group : 0, s}];
  }
  void after(World&, const StageRun& run) override {
    for (auto& [what, counts] : now_) seen[{std::string(run.name), what}].push_back(counts);
  }
  /// Counts of each iteration of a frame, by stage and kind of item.
  std::map<std::pair<std::string, Visited>, std::vector<Counts>> seen;

 private:
  std::map<Visited, Counts> now_;
};

struct Watched {
  World world;
  Counter counter;
  int iterations = 0;  ///< in the frame
};

/// Looks at frame `frame` of a scene, by Newton's method if it is to be minimized. The frame must be as it is
/// without an observer.
std::unique_ptr<Watched> watch(const std::string& name, int frame, bool minimized = false) {
  Expected<SceneDesc> scene = read_scene(test::source("scenes/" + name + ".json"), test::source("assets"));
  EXPECT_TRUE(scene) << name;
  if (minimized) scene->solver.method->kind = SolverMethod::newton;
  Rig rig(*scene), plain(*scene);
  auto out = std::make_unique<Watched>();
  rig.run(frame), plain.run(frame + 1);
  rig.solver.set_watch(&out->counter), rig.solver.set_observer(&out->counter);
  rig.step();
  EXPECT_EQ(world_hash(rig.world), world_hash(plain.world)) << name;
  const StepSettings& step = *rig.world.settings.solver.step;
  out->iterations = step.substeps * step.iterations;
  out->world = rig.world;
  return out;
}

/// Each iteration visits `times` times whatever it visits, and all iterations of a substep the same.
void expect_each(Watched& watched, const char* stage, Visited what, int times = 1) {
  const std::vector<Counts>& all = watched.counter.seen[{stage, what}];
  ASSERT_FALSE(all.empty()) << stage;
  EXPECT_LE(int(all.size()), watched.iterations) << stage;
  const int iterations = watched.world.settings.solver.step->iterations;
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const auto& [item, count] : all[k])
      ASSERT_EQ(count, times) << stage << " slot " << std::get<2>(item);
    if (k % std::size_t(iterations) != 0 && int(all.size()) == watched.iterations) {
      ASSERT_EQ(all[k].size(), all[k - 1].size()) << stage;
    }
  }
}

void expect_all_constraints(Watched& watched) {
  expect_each(watched, "constraints", Visited::constraints);
  for (const Counts& counts : watched.counter.seen[{"constraints", Visited::constraints}])
    for_each_type([&](auto type) {
      const auto& batch = std::get<type>(*watched.world.topology->constraints);
      for (std::size_t s = 0; s < std::size_t(batch.slots()); ++s)
        if (batch.id[s] >= 0) {
          ASSERT_TRUE(counts.contains({int(type), 0, std::int64_t(s)})) << int(type) << " slot " << s;
        }
    });
}

TEST(Visits, ClothOnColliders) {
  const auto watched = watch("folded_cloth", 10);
  expect_all_constraints(*watched);
  expect_each(*watched, "surfaces", Visited::surface_pairs);
  expect_each(*watched, "colliders", Visited::colliders);
}

TEST(Visits, BodiesAndJoints) {
  const auto watched = watch("ragdolls", 40);
  expect_each(*watched, "bodies", Visited::body_contacts);
  expect_each(*watched, "bodies", Visited::joints);
  for (const Counts& counts : watched->counter.seen[{"bodies", Visited::joints}])
    EXPECT_EQ(counts.size(), watched->world.topology->joints.size());
}

TEST(Visits, Grains) { expect_each(*watch("mixed_pile", 20), "particles", Visited::grain_pairs); }

/// Groups are swept several times within a stage, each time whole; those of coupling until they have settled.
TEST(Visits, ClustersAndCoupling) {
  constexpr int cluster_sweeps = 4, least_coupling_sweeps = 4, most_coupling_sweeps = 16;
  expect_each(*watch("toy_box", 30), "clusters", Visited::clusters, cluster_sweeps);
  const auto pile = watch("box_on_coarse_cloth", 40);
  expect_all_constraints(*pile);
  const std::vector<Counts>& coupled = pile->counter.seen[{"coupling", Visited::coupling}];
  ASSERT_FALSE(coupled.empty());
  for (const Counts& counts : coupled)
    for (const auto& [item, count] : counts)
      ASSERT_TRUE(count >= least_coupling_sweeps && count <= most_coupling_sweeps) << count;
}

/// A fluid, rods and volumes are visited in one go an iteration, all of them.
TEST(Visits, FluidsRodsAndVolumes) {
  const auto dam = watch("dam_break", 5);
  expect_each(*dam, "fluids", Visited::fluids);
  for (const Counts& counts : dam->counter.seen[{"fluids", Visited::fluids}])
    EXPECT_GE(counts.size(), dam->world.topology->fluid.members.size());
  expect_each(*watch("slinky", 5), "rods", Visited::rods);
  expect_each(*watch("balloon", 10), "pressure", Visited::volumes);
}

/// Each step of Chebyshev's iteration visits all clusters; a minimizer evaluates all constraints, more than
/// once.
TEST(Visits, SoftSolidsAndMinimizers) {
  const auto bunny = watch("soft_bunny", 5);
  expect_each(*bunny, "soft bodies", Visited::soft_clusters);
  const std::size_t clusters = std::size_t(bunny->world.topology->matter.soft.clusters());
  for (const Counts& counts : bunny->counter.seen[{"soft bodies", Visited::soft_clusters}])
    EXPECT_EQ(counts.size() % clusters, 0u);
  const auto octopus = watch("soft_octopus", 30);
  expect_each(*octopus, "skins", Visited::skins);
  for (const Counts& counts : octopus->counter.seen[{"skins", Visited::skins}]) EXPECT_EQ(counts.size(), 1u);
  const auto newton = watch("stvk_strip", 3, true);
  const std::vector<Counts>& evaluated = newton->counter.seen[{"constraints", Visited::elements}];
  ASSERT_FALSE(evaluated.empty());
  for (const Counts& counts : evaluated)
    for (const auto& [item, count] : counts) ASSERT_GE(count, 2);
}

TEST(Visits, Ties) { expect_each(*watch("sewn", 20), "tied points", Visited::ties); }

}}}}  // namespace limber::LIMBER_PRECISION::visits_test
