// A value of any kind of object that becomes non-finite in a frame: the whole frame is undone.
#include <gtest/gtest.h>

#include <functional>
#include <glm/vec3.hpp>
#include <limits>
#include <string>
#include <vector>

#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/step/frame_undo.hpp"
#include "engine/verify/measure.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace nonfinite_test {
namespace {

constexpr real nan = std::numeric_limits<real>::quiet_NaN();
constexpr real infinite = std::numeric_limits<real>::infinity();

/// Everything at once: a sheet that tears, a tetrahedron under pressure, grains, a cluster, bodies in contact
/// and on a joint, and where `ball` is true a thrown ball.
const char* const scene_text = R"({
  "format": 1,
  "solver": { "substeps": 4, "cloth_collision": true, "particle_radius": 0.05 },
  "objects": {
    "sheet": { "type": "cloth", "columns": 8, "rows": 8, "width": 0.7, "height": 0.7, "upright": true,
               "position": [0, 2, 0], "pins": ["top"],
               "material": { "density": 0.5, "thickness": 0.01, "tear_strain": TEAR } },
    "balloon": { "type": "cloth", "mesh": "balloon_small.obj", "size": 0.5, "pressure": 1, "position": [1.5, 0.3, 0],
                 "material": { "density": 1, "thickness": 0.01 } },
    "grains": { "type": "grains", "copies": [3, 2, 3], "spacing": [0.101, 0.099, 0.101], "position": [-1.5, 0.1, 0],
                "density": 1000, "material": { "friction": 0.5, "rolling_resistance": 0.1 } },
    "jack": { "type": "solid", "mesh": "jack.obj", "size": 0.5, "position": [-3, 0.4, 0], "density": 300 }
  },
  "bodies": {
    "boxes": { "shape": "box", "half_extents": [0.1, 0.1, 0.1], "density": 300, "copies": [1, 3, 1],
               "spacing": [1, 0.2, 1], "position": [3, 0.3, 0] },
    "bob": { "shape": "sphere", "radius": 0.1, "density": 300, "position": [4, 1, 0] }
  },
  "joints": { "arm": { "type": "ball", "a": "bob", "at": [4, 1.5, 0.3] } },
  "colliders": { "ground": { "shape": "plane", "friction": 0.5 } }
})";

SceneDesc scene_with(const std::string& tear_strain) {
  std::string text = scene_text;
  text.replace(text.find("TEAR"), 4, tear_strain);
  Expected<SceneDesc> scene = parse_scene(text, "everything", test::source("assets"));
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
  return std::move(*scene);
}

struct Frames : Rig {
  FrameUndo undo;

  explicit Frames(const SceneDesc& scene, bool tears = false) : Rig(scene) {
    if (tears) {
      adopt_tear_room(world, with_tear_room(world));
      refresh_softness(world);
    }
    throw_ball({{2.2, 1.0, 0.0}, {-0.5, 0.0, 0.0}, 0.1, 300.0});
    world.changed(Change::everything), solver.follow(world);
  }
  /// A frame of the Simulation, at whose start, after it was saved, `spoil` is called.
  StepReport frame(const std::function<void(World&)>& spoil = [](World&) {}) {
    undo.begin(world);
    spoil(world);
    StepReport report = solver.step(world, world.settings.solver.step->dt);
    (void)undo.end(world, report);
    return report;
  }
};

struct Spoiled {
  const char* what;
  std::function<void(World&)> spoil;
  bool heals = false;  ///< it is made anew within the frame
};

vec4& of_object(World& world, AlignedVector<vec4>& rows, std::size_t object) {
  return rows[std::size_t(world.topology->objects[object].first + 3)];
}

/// All arrays in the order of World. Objects: 0 sheet, 1 balloon, 2 grains, 3 cluster.
std::vector<Spoiled> all_kinds() {
  std::vector<Spoiled> kinds;
  const char* const names[] = {"sheet", "balloon", "grains", "cluster"};
  for (const real value : {nan, infinite})
    for (std::size_t o = 0; o < 4; ++o) {
      kinds.push_back({names[o], [=](World& w) { of_object(w, w.particles.position, o).x = value; }});
      kinds.push_back({names[o], [=](World& w) { of_object(w, w.particles.velocity, o).y = value; }});
    }
  const auto add = [&](const char* what, auto spoil) { kinds.push_back({what, spoil}); };
  const auto add_healing = [&](const char* what, auto spoil) { kinds.push_back({what, spoil, true}); };
  add_healing("predicted path", [](World& w) { of_object(w, w.particles.acceleration, 0).x = nan; });
  add("its share that lasts", [](World& w) { w.particles.lasting[0] = nan; });
  add("its stray", [](World& w) { w.particles.stray[0] = nan; });
  add("body's place", [](World& w) { w.bodies.position[1].y = nan; });
  add("body's turn", [](World& w) { w.bodies.orientation[1].y = nan; });
  add("body's velocity", [](World& w) { w.bodies.velocity[1].x = infinite; });
  add("body's spin", [](World& w) { w.bodies.angular_momentum[1].x = nan; });
  add("contact's normal lambda", [](World& w) { w.contacts.bodies.at(1).push[0] = nan; });
  add("contact's friction lambda", [](World& w) { w.contacts.bodies.at(1).friction.x = infinite; });
  add_healing("joint's lambda", [](World& w) { w.bodies.joints.at(0).push.x = double(nan); });
  add("jointed body", [](World& w) { w.bodies.position[3].x = nan; });
  add("grain contact's lambda", [](World& w) { w.contacts.particles.at(0).kept.y = nan; });
  add("grain's roll",
      [](World& w) { w.matter.grain_rolls[std::size_t(w.topology->objects[2].first)].x = nan; });
  add("cluster's turn", [](World& w) { w.matter.cluster_rotations.at(0).x = nan; });
  add("cluster's stiffness", [](World& w) { w.matter.cluster_stiffness.at(0) = nan; });
  add("volume held", [](World& w) { w.matter.volume_goals.at(1).volume = nan; });
  add("thrown ball's place", [](World& w) { w.bodies.position.back().x = nan; });
  return kinds;
}

bool all_finite(const World& world) {
  for (const AlignedVector<vec4>* rows : {&world.particles.position, &world.particles.velocity})
    for (const vec4& row : *rows)
      if (!std::isfinite(row.x + row.y + row.z)) return false;
  return carries_finite_values(world);
}

/// The frame is undone bit for bit, and the next frame equals that of a run without poison. The only
/// exception are values that every frame computes anew from finite ones.
TEST(NonFinite, AFrameIsUndoneWhollyWhateverBecameNonFinite) {
  constexpr int frames = 12;
  const SceneDesc scene = scene_with("0");
  Frames plain(scene);
  for (int f = 0; f < frames; ++f) ASSERT_FALSE(plain.frame().nonfinite) << f;
  ASSERT_FALSE(plain.world.contacts.bodies.empty());
  ASSERT_FALSE(plain.world.contacts.particles.empty());
  const World start = plain.world;
  const std::uint64_t before = world_hash(start);
  plain.world.changed(Change::everything), plain.solver.follow(plain.world);
  ASSERT_FALSE(plain.frame().nonfinite);
  const std::uint64_t after = world_hash(plain.world);
  ASSERT_NE(after, before);
  for (const Spoiled& kind : all_kinds()) {
    SCOPED_TRACE(kind.what);
    plain.world = start;
    plain.world.changed(Change::everything), plain.solver.follow(plain.world);
    const StepReport report = plain.frame(kind.spoil);
    EXPECT_TRUE(all_finite(plain.world));
    EXPECT_NE(report.nonfinite, kind.heals);
    if (kind.heals) {
      EXPECT_FALSE(plain.frame().nonfinite) << "it goes on";
      continue;
    }
    EXPECT_EQ(world_hash(plain.world), before);
    EXPECT_EQ(plain.world.frame, frames);
    EXPECT_EQ(plain.world.time, start.time);
    EXPECT_FALSE(plain.frame().nonfinite) << "it goes on";
    EXPECT_EQ(world_hash(plain.world), after) << "as if nothing had happened";
  }
}

/// Tears of the frame that is undone are healed with it.
TEST(NonFinite, TearsOfAFrameThatIsUndoneAreHealed) {
  Frames run(scene_with("0.02"), true);
  int undone = 0;
  for (int f = 0; f < 30; ++f) {
    const World before = run.world;
    const auto tears = measure(run.world).tears;
    const std::shared_ptr<const Topology> topology = run.world.topology;
    const std::uint64_t hash = world_hash(run.world);
    (void)run.frame([](World& w) { of_object(w, w.particles.velocity, 3).x = nan; });
    EXPECT_EQ(world_hash(run.world), hash);
    EXPECT_EQ(measure(run.world).tears, tears);
    EXPECT_EQ(run.world.topology, topology);
    ASSERT_FALSE(run.frame().nonfinite) << f;
    undone += measure(run.world).tears > tears;
  }
  EXPECT_GT(undone, 2) << "frames in which something tore";
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::nonfinite_test
