#include "app/bench/soft_rows.hpp"

#include <utility>

#include "app/bench/scene_row.hpp"
#include "app/commands/scene_source.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/solid.hpp"

namespace limber {
namespace {

struct Brick {
  double size, radius, cluster;  // m: length, radius of its particles, size of its clusters
};

Expected<std::vector<BenchRow>> measure_bricks(const BenchJob& job, const Brick& brick,
                                               const glm::dvec3& copies) {
  SceneDesc scene;
  const Expected<SceneDesc> shipped = load_scene("pile_meshes");
  if (!shipped) return shipped.error();
  scene.name = "bench";
  scene.assets = shipped->assets;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.contact->particle_radius = brick.radius;
  ObjectDesc solid;
  solid.name = "bricks";
  solid.type = ObjectType::solid;
  solid.mesh = "brick.obj";
  solid.size = brick.size;
  solid.copies = copies;
  solid.spacing = glm::dvec3(1.5 * brick.size);
  solid.solid->cluster_size = brick.cluster;
  scene.objects.push_back(std::move(solid));
  return measure_frames(
      job, std::move(scene), [](const Measures& m) { return m.clusters; }, 8);
}

Expected<std::vector<BenchRow>> measure_brick(const BenchJob& job) {
  return measure_bricks(job, {0.4, 0.0117, 0.12}, glm::dvec3(1.0));
}
template <int side>
Expected<std::vector<BenchRow>> measure_many(const BenchJob& job) {
  return measure_bricks(job, {0.2, 0.0132, 0.09}, {side, 1.0, side});
}

}  // namespace

std::vector<BenchJob> soft_jobs(int threads) {
  return {{"soft 1143 particles, 36 clusters", threads, measure_brick},
          {"soft 100 x 91 particles, 8 clusters", threads, measure_many<10>},
          {"soft 144 x 91 particles, 8 clusters", threads, measure_many<12>}};
}

}  // namespace limber
