// The strain at which edges tear, and when in a frame.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace tear_strain_test { namespace {

/// An edge overstretched in the last substep of a frame tears in the next frame: self contact must have
/// processed every tear before it is shown. A frame of one substep has no other substep; the next frame
/// begins with the tear. Edges tear once they exceed their strain, and not before.
TEST(Tearing, BeginsAtItsStrain) {
  const auto tears = [](SheetModel model, double strain) {
    SceneDesc scene = test::square_cloth(6);
    scene.solver.motion->gravity = glm::dvec3(0.0);
    scene.solver.step->substeps = 2;
    Material& material = *scene.objects[0].material;  // measures and holds nothing
    material.sheet_model = model;
    material.tear_strain = 0.2;
    material.youngs_modulus = 1.0;
    material.stretch_compliance = material.warp_compliance = material.weft_compliance = 1e6;
    material.shear_compliance = 1e6;
    Rig rig(scene);
    World& world = rig.world;
    adopt_tear_room(world, with_tear_room(world));
    refresh_softness(world);
    world.changed(Change::everything), rig.solver.follow(world);
    for (std::int32_t i = 0; i < world.particles.count; ++i)
      put_particle(world.particles, std::size_t(i),
                   world.particles.position[std::size_t(i)] * vec4(real(1.0 + strain), 1, 1, 1));
    const glm::dvec3 before = measure(world).momentum;
    rig.step();
    EXPECT_LT(glm::length(measure(world).momentum - before), sizeof(real) == 8 ? 1e-10 : 1e-4);
    return measure(world).tears;
  };
  for (const SheetModel model : {SheetModel::springs, SheetModel::stvk, SheetModel::strain}) {
    EXPECT_EQ(tears(model, 0.19), 0) << int(model);
    EXPECT_GT(tears(model, 0.21), 0) << int(model);
  }
}

TEST(Tearing, NothingTearsAfterTheLastSubstep) {
  for (int substeps = 1; substeps <= 6; ++substeps) {
    SceneDesc scene = test::square_cloth(3);
    scene.solver.step->substeps = substeps;
    scene.solver.motion->gravity = glm::dvec3(0.0);
    scene.solver.contact->cloth_collision = true;
    scene.objects[0].material->stretch_compliance = 1e6;  // springs that measure and hold nothing
    scene.objects[0].material->tear_strain = 0.5;
    Rig rig(scene);
    World& world = rig.world;
    adopt_tear_room(world, with_tear_room(world));
    refresh_softness(world);
    world.changed(Change::everything), rig.solver.follow(world);
    const double rate =
        0.5 / (scene.solver.step->dt * (substeps - 0.5) / substeps);  // 1/s: torn in the last substep
    for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i)
      world.particles.velocity[i] = vec4(real(rate) * vec3(world.particles.position[i]), real(0));
    rig.step();
    EXPECT_GT(measure(world).strain.max, 0.5) << substeps;
    EXPECT_EQ(measure(world).tears > 0, substeps == 1) << substeps;
    EXPECT_EQ(world.contacts.parted, substeps == 1) << substeps;
    if (substeps == 1) world.settings.materials[0].tear_strain = 10.0;
    rig.step();
    EXPECT_GT(measure(world).tears, 0) << substeps;
    EXPECT_FALSE(world.contacts.parted) << substeps;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::tear_strain_test
