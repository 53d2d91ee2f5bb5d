// Particles that flow over the seams of neighbouring solids, and over sharp edges there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/field/sharp_surface.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/queries/primitives.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/seam_track.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace seam_test { namespace {

/// Particles at the height of their thickness over a floor, on their way along x.
SceneDesc particles_on(ObjectType kind, double speed, int substeps) {
  constexpr double radius = 0.02;
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.motion->damping = 0.0;
  scene.solver.contact->particle_radius = radius;
  ObjectDesc object;
  object.name = "mover";
  object.type = kind;
  object.velocity = {speed, 0.0, 0.0};
  object.material->friction = 0.0;
  if (kind == ObjectType::grains) object.copies = {3.0, 1.0, 3.0};
  object.spacing = glm::dvec3(2.5 * radius);
  object.fluid->extent = {6.0 * radius, 6.0 * radius, 6.0 * radius};
  object.cloth->columns = object.cloth->rows = 5;
  object.cloth->width = object.cloth->height = 0.16;
  object.pose.position = {-tile,
                          kind == ObjectType::cloth   ? object.material->thickness
                          : kind == ObjectType::fluid ? 4.0 * radius
                                                      : radius,
                          0.0};
  if (kind == ObjectType::cloth) object.pose.rotation_degrees = {90.0, 0.0, 0.0};
  scene.objects = {object};
  return scene;
}

struct Flow {
  double speed = 0.0;    ///< m/s, mean along the track
  double highest = 0.0;  ///< m, of all particles at all times
};

Flow flow(Rig& rig, double way, double speed) {
  Flow out{.highest = -1.0};
  const Particles& particles = rig.world.particles;
  for (int f = 0; f < int(way / speed / rig.world.settings.solver.step->dt); ++f) {
    rig.step();
    out.speed = 0.0;
    for (std::size_t i = 0; i < std::size_t(particles.count); ++i) {
      out.speed += double(particles.velocity[i].x) / particles.count;
      out.highest = std::max(out.highest, double(particles.position[i].y));
    }
  }
  return out;
}

/// Grains, a drop and a patch of cloth move over a row of tiles as over a plane. Where tiles are lower, the
/// lost height becomes speed. Single particles of a drop are thrown up here and there, so its height says
/// little. An edge of cloth turns about the end of a body's face like a lever, so that its other end rises by
/// up to 3.2 mm where the next tile is lower. With two substeps, grains hop by 6 mm down a mesh.
TEST(Seams, ParticlesFlowOverThem) {
  for (const auto& [kind, ground] :
       {std::pair(ObjectType::grains, Ground::colliders), std::pair(ObjectType::grains, Ground::bodies),
        std::pair(ObjectType::grains, Ground::mesh), std::pair(ObjectType::cloth, Ground::colliders),
        std::pair(ObjectType::cloth, Ground::bodies), std::pair(ObjectType::cloth, Ground::hulls),
        std::pair(ObjectType::cloth, Ground::mesh), std::pair(ObjectType::fluid, Ground::colliders)})
    for (const double speed : {0.5, 5.0})
      for (const int substeps : {1, 2, 4, 8, 20, 40})
        for (const double step : {0.0, -1e-3}) {
          if (kind == ObjectType::fluid && substeps > 8) continue;
          SCOPED_TRACE(testing::Message() << name(ground));
          SceneDesc scene = particles_on(kind, speed, substeps), plane = scene;
          add_ground({.ground = ground, .step = step, .tiles = 3}, scene);
          ColliderDesc floor;
          floor.name = "floor";
          floor.shape = ColliderShape::plane;
          floor.friction = 0.0;
          plane.colliders = {floor};
          Rig rig(scene), even(plane);
          const Flow c = flow(rig, 4.0 * tile, speed), wanted = flow(even, 4.0 * tile, speed);
          const bool fluid = kind == ObjectType::fluid;
          const bool lever =
              kind == ObjectType::cloth && (ground == Ground::bodies || ground == Ground::hulls);
          const double fastest = std::sqrt(wanted.speed * wanted.speed - 4.0 * g * step);
          EXPECT_GT(c.speed, (fluid ? 0.99 : 0.998) * wanted.speed)
              << int(kind) << ' ' << speed << ' ' << substeps << ' ' << step;
          EXPECT_LT(c.speed, fastest + (lever && substeps < 4 ? 3e-3 : 2e-3) * speed)
              << int(kind) << ' ' << speed << ' ' << substeps << ' ' << step;
          if (fluid) continue;
          const bool hops = ground == Ground::mesh && substeps < 4;
          EXPECT_LT(c.highest, wanted.highest + 1e-4 +
                                   (lever  ? 4e-3
                                    : hops ? 8e-3
                                           : 0.0))
              << int(kind) << ' ' << speed << ' ' << substeps << ' ' << step;
        }
}

/// Against the closed form of a box, also where the field is rounded: within a cell of the edges.
TEST(Seams, SharpSurfacesAreExact) {
  const glm::dvec3 h(0.5, 0.3, 0.2);
  const Expected<ObjMesh> obj = read_obj(box_file("seam_sharp", h));
  ASSERT_TRUE(obj);
  for (const bool inwards : {false, true}) {
    TriMesh mesh = obj->mesh;
    if (inwards)
      for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    Pool pool(1);
    const Expected<SignedDistanceField> field = build_distance_field(mesh, 16, pool);
    ASSERT_TRUE(field);
    const SharpSurface sharp(mesh, *field, 0.0);
    for (int k = 0; k < 2000; ++k) {
      const auto along = [&](double length, int prime) {  // within 8 cm of the box
        const double share = std::fmod(k * std::sqrt(double(prime)), 1.0);
        return (2.0 * share - 1.0) * (length + 0.08);
      };
      const glm::dvec3 p(along(h.x, 2), along(h.y, 3), along(h.z, 5));
      const SurfaceDistance<double> wanted = box_distance(p, h), found = sharp.at(p, field->at(p), 1.0);
      EXPECT_NEAR(found.d, wanted.d, 1e-12);
      if (std::abs(wanted.d) > 1e-3 && wanted.d > 0.0) {
        EXPECT_GT(glm::dot(found.n, wanted.n), 1.0 - 1e-12);
      }
    }
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::seam_test
