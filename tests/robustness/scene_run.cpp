// Runs one scene for some frames. Built with a sanitizer, which reports faults.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/source_folder.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SCENE FRAMES MOST_SUBSTEPS\n", argv[0]);
    return 2;
  }
  using namespace limber;
  const SceneLibrary library({test::source("scenes")}, test::source("assets"));
  auto scene = library.find(argv[1]);
  if (!scene) return std::fprintf(stderr, "%s\n", scene.error().text().c_str()), 2;
  scene->solver.step->substeps = std::min(scene->solver.step->substeps, std::atoi(argv[3]));
  auto simulation = make_simulation(std::move(*scene), {Precision::f32, Simd::automatic, 2});
  if (!simulation) return std::fprintf(stderr, "%s\n", simulation.error().text().c_str()), 2;
  for (int frame = 0; frame < std::atoi(argv[2]); ++frame)
    if ((*simulation)->step().nonfinite) return std::printf("not finite in frame %d\n", frame + 1), 1;
  return 0;
}
