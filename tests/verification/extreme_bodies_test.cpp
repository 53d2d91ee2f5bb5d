// Bodies at the ends of what settings allow: whatever happens to them, numbers stay numbers.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

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

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION
