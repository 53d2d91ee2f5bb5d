// Runs one scene for some frames. Built with a sanitizer, which reports faults. Compares the bits of two
// frames with those of one lane, one thread and new scratch memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/source_folder.hpp"

namespace {

using namespace limber;

/// Runs frames and returns the hash of the state after each; fewer hashes if the scene does not open or a
/// frame becomes non-finite, which is printed.
std::vector<std::uint64_t> run(const SceneDesc& scene, int frames, Simd simd, int threads,
                               bool anew = false) {
  auto simulation = make_simulation(scene, {Precision::f32, simd, threads});
  if (!simulation)
    return std::fprintf(stderr, "%s\n", simulation.error().text().c_str()), std::vector<std::uint64_t>{};
  std::vector<std::uint64_t> hashes;
  for (int frame = 0; frame < frames; ++frame) {
    if ((*simulation)->step().nonfinite) {
      std::printf("not finite in frame %d\n", frame + 1);
      break;
    }
    hashes.push_back((*simulation)->state_hash());
    if (anew) *simulation = (*simulation)->clone();
  }
  return hashes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SCENE FRAMES MOST_SUBSTEPS\n", argv[0]);
    return 2;
  }
  constexpr int compared =
      2;  // frames that run once more on one lane and one thread, each by a new simulation
  const SceneLibrary library({test::source("scenes")}, test::source("assets"));
  auto scene = library.find(argv[1]);
  if (!scene) return std::fprintf(stderr, "%s\n", scene.error().text().c_str()), 2;
  scene->solver.step->substeps = std::min(scene->solver.step->substeps, std::atoi(argv[3]));
  const std::size_t frames = std::size_t(std::atoi(argv[2]));
  const auto wide = run(*scene, int(frames), Simd::automatic, 2),
             narrow = run(*scene, compared, Simd::scalar, 1, true);
  if (wide.size() < frames || narrow.size() < std::size_t(compared)) return 1;
  for (std::size_t frame = 0; frame < std::min(frames, narrow.size()); ++frame)
    if (wide[frame] != narrow[frame])
      return std::printf("frame %zu has other bits on one lane and one thread, with new scratch memory\n",
                         frame + 1),
             1;
  return 0;
}
