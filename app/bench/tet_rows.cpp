#include "app/bench/tet_rows.hpp"

#include "app/bench/scene_row.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/tets.hpp"

namespace limber {
namespace {

SceneDesc hanging_bar(const glm::dvec3& cells, SolidModel model) {
  SceneDesc scene;
  ObjectDesc bar;
  bar.name = "bar";
  bar.type = ObjectType::tets;
  bar.tets->shape = TetShape::bar;
  bar.tets->cells = cells;
  bar.tets->dimensions = 0.05 * cells;
  bar.density = 1000.0;
  bar.pins = {std::string("left")};
  bar.material->model = model;
  bar.material->youngs_modulus = 1e6;
  bar.material->poisson_ratio = 0.4;
  scene.objects.push_back(bar);
  return scene;
}

Expected<std::vector<BenchRow>> measure_bar(const BenchJob& job, const glm::dvec3& cells, SolidModel model) {
  return measure_frames(job, hanging_bar(cells, model), [](const Measures& m) { return m.tets; });
}

template <SolidModel model>
Expected<std::vector<BenchRow>> measure_model(const BenchJob& job) {
  return measure_bar(job, {32, 8, 6}, model);
}
Expected<std::vector<BenchRow>> measure_large(const BenchJob& job) {
  return measure_bar(job, {64, 16, 12}, SolidModel::neo_hookean);
}

}  // namespace

std::vector<BenchJob> tet_jobs(int threads) {
  return {{"tets 7680 neo_hookean", threads, measure_model<SolidModel::neo_hookean>},
          {"tets 7680 stvk", threads, measure_model<SolidModel::stvk>},
          {"tets 7680 corotated", threads, measure_model<SolidModel::corotated>},
          {"tets 7680 strain", threads, measure_model<SolidModel::strain>},
          {"tets 7680 volume", threads, measure_model<SolidModel::volume>},
          {"tets 61440 neo_hookean", threads, measure_large}};
}

}  // namespace limber
