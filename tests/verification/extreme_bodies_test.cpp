// Bodies at the ends of what settings allow: whatever happens to them, numbers stay numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// A speck of 4e-10 kg hangs by a whole border of a cloth: across an arm of 25 cm a row sees 1/w = 2e-15 kg,
/// along it 4e-10 kg.
TEST(ExtremeBodies, TheLightestSpeckHangsFromCloth) {
  for (const int substeps : {1, 8, 30}) {
    SceneDesc scene;
    scene.solver.substeps = substeps;
    ObjectDesc strip;
    strip.name = "strip";
    strip.columns = 6, strip.rows = 10;
    strip.width = 0.5, strip.height = 1.0;
    strip.pose.position = {0.0, 2.0, 0.0};
    strip.pins = {std::string("top")};
    AttachmentDesc hook;
    hook.vertices = {std::string("bottom")};
    hook.attach_to = "speck";
    strip.attachments = {hook};
    BodyDesc speck;
    speck.name = "speck";
    speck.shape = BodyShape::sphere;
    speck.radius = 1e-3;
    speck.density = 0.1;
    speck.pose.position = {0.02, 1.45, 0.0};
    scene.objects = {strip};
    scene.bodies = {speck};
    Rig rig(scene);
    for (int f = 0; f < 60; ++f) ASSERT_FALSE(rig.step().nonfinite) << substeps << " substeps, frame " << f;
    EXPECT_LT(glm::length(vec3(rig.world.bodies.position[0]) - vec3(0, 1.5, 0)), real(0.5)) << substeps;
  }
}

/// Four boxes of 8 kg hang on levers of 2 m, by rods, from one lever of a box: an end that weighs 12 g feels
/// the spring of the rod's pull long before the box does. They fall by 4 m and hit the ground: no more energy
/// than the fall gave, to the few percent that impacts shift between frames.
TEST(ExtremeBodies, RodsOnLongLeversHitTheGroundAndComeToRest) {
  for (const int substeps : {5, 8, 14}) {
    SceneDesc scene;
    scene.solver.substeps = substeps;
    BodyDesc middle, around;
    middle.name = "middle";
    middle.half_extents = glm::dvec3(0.2);
    middle.pose.position = {0.0, 2.0, 0.0};
    around.name = "around";
    around.half_extents = glm::dvec3(0.1);
    around.pose.position = {0.0, 4.0, 0.0};
    around.copies = {4, 1, 1};
    around.arrangement = Arrangement::line;
    around.spacing = {0.3, 0.0, 0.0};
    JointDesc rods;
    rods.name = "rods";
    rods.type = JointType::distance;
    rods.a = "around", rods.b = "middle";
    rods.at = {0.5, 2.0, 0.0}, rods.at_b = {1.0, 2.0, 0.0};
    ColliderDesc floor;
    floor.name = "floor";
    floor.shape = ColliderShape::plane;
    scene.bodies = {middle, around};
    scene.joints = {rods};
    scene.colliders = {floor};
    Rig rig(scene);
    const double start = measure(rig.world).potential_energy;
    double most = 0.0;
    for (int f = 0; f < 240; ++f) {
      rig.step();
      const Measures m = measure(rig.world);
      most = std::max(most, m.kinetic_energy + m.potential_energy);
    }
    EXPECT_LT(most, 1.05 * start) << substeps << " substeps";
    EXPECT_LT(measure(rig.world).mean_speed, 0.3) << substeps << " substeps";
  }
}

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION
