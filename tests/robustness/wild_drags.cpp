// Drags cloth that touches itself in extreme ways: vertices at up to 30 m/s, jumps of the mouse, drops in the
// air, and cuts if the cloth tears. Nothing may ever intersect, and the recording must replay to the same
// state with another number of threads.
//   limber_wild_drags SCENES_FOLDER SECONDS [--seed N] [SCENE...]     simulated seconds of each scene
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/input_recording.hpp"

namespace limber {
namespace {

constexpr double fastest_hand = 30.0;  // m/s

std::unique_ptr<Simulation> open(const SceneDesc& scene, int threads) {
  auto made = make_simulation(scene, {Precision::f32, Simd::automatic, threads});
  if (made) return std::move(*made);
  std::fprintf(stderr, "%s\n", made.error().text().c_str());
  std::exit(2);
}

/// A hand that grabs, drags along a path of its own with a jump now and then, and lets go.
class Hand {
 public:
  /// `cuts`: the hand also cuts.
  Hand(bool cuts, std::uint64_t seed) : cuts_(cuts), seed_(seed) {}

  /// The commands of the hand before the next frame of dt s.
  std::vector<Command> act(const Simulation& simulation, double dt) {
    positions_.resize(std::size_t(simulation.model()->vertex_count));  // tears make new ones
    simulation.read(reading::Positions{std::span<glm::dvec3>(positions_)});
    if (cuts_ && random() > 0.9) return {cut()};
    if (left_ == 0) return grab(simulation);
    if (--left_ == 0) return {ReleaseGrab{random() > 0.8}};
    if (random() > 0.9) velocity_ = fastest_hand * direction();
    if (random() > 0.97) target_ += direction();  // m, at once
    target_ += dt * velocity_;
    target_.y = std::max(target_.y, 0.0);
    return {MoveGrab{target_}};
  }

 private:
  double random() { return random_signed(seed_, drawn_++); }
  glm::dvec3 direction() {
    const double x = random(), y = random(), z = random();
    return {x, y, z};
  }
  /// Straight through the line between two vertices, seen from anywhere.
  Cut cut() {
    Cut cut;
    const glm::dvec3 view = 5.0 * direction();
    for (int end = 0; end < 2; ++end) {
      const glm::dvec3 at = positions_[std::size_t(std::abs(random()) * double(positions_.size()))];
      cut.near[std::size_t(end)] = at + view;
      cut.far[std::size_t(end)] = at - view;
    }
    cut.begins = true;
    return cut;
  }
  std::vector<Command> grab(const Simulation& simulation) {
    if (random() > 0.6) return {};  // hands off for a moment
    const auto vertex = Index(std::abs(random()) * double(positions_.size()));
    if (simulation.model()->objects.empty()) return {};
    left_ = 5 + int(40.0 * std::abs(random()));
    target_ = positions_[std::size_t(vertex)];
    velocity_ = fastest_hand * direction();
    return {SetPinned{vertex, false}, GrabVertex{vertex, target_}};
  }

  bool cuts_;
  std::uint64_t seed_;
  std::vector<glm::dvec3> positions_;
  glm::dvec3 target_{0.0}, velocity_{0.0};
  int left_ = 0;  ///< frames until it lets go
  std::uint64_t drawn_ = 0;
};

/// False, with a line that says why, if anything was found.
bool play(const SceneDesc& scene, double seconds, std::uint64_t seed) {
  const std::unique_ptr<Simulation> simulation = open(scene, 2);
  InputHistory history;
  history.begin(scene);
  Hand hand(std::any_of(scene.objects.begin(), scene.objects.end(),
                        [](const ObjectDesc& object) { return object.material->tear_strain > 0.0; }),
            seed);
  const auto frames = std::int64_t(std::ceil(seconds / scene.solver.step->dt));
  const auto wrong = [&](const char* what) {
    std::printf("%s: frame %lld: %s\n", scene.name.c_str(), (long long)simulation->frame(), what);
    return false;
  };
  while (simulation->frame() < frames) {
    for (const Command& command : hand.act(*simulation, scene.solver.step->dt))
      if (simulation->submit(command)) history.add(command, simulation->frame());
    if (simulation->step().nonfinite) return wrong("not finite");
    if (simulation->count_intersections() > 0) return wrong("cloth intersects");
  }
  const auto recording = history.recording(*simulation);
  if (!recording) return wrong("no recording");
  for (int threads : {1, 3}) {
    const std::unique_ptr<Simulation> again = open(scene, threads);
    std::size_t next = 0;
    const auto& inputs = recording->inputs;
    while (again->frame() < frames || next < inputs.size()) {
      for (; next < inputs.size() && inputs[next].frame <= again->frame(); ++next)
        if (!again->submit(inputs[next].command)) return wrong("the replay refused a command");
      if (again->frame() < frames) again->step();
    }
    if (again->state_hash() != recording->state_hash) return wrong("the replay ends elsewhere");
  }
  std::printf("%-14s %5lld frames, %zu inputs: no intersection, the same on 1, 2 and 3 threads\n",
              scene.name.c_str(), (long long)frames, recording->inputs.size());
  return true;
}

}  // namespace
}  // namespace limber

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: limber_wild_drags SCENES_FOLDER SECONDS [--seed N] [SCENE...]\n");
    return 2;
  }
  std::vector<std::string> names(argv + 3, argv + argc);
  std::uint64_t seed = 7;
  if (names.size() >= 2 && names[0] == "--seed") {
    seed = std::strtoull(names[1].c_str(), nullptr, 10);
    names.erase(names.begin(), names.begin() + 2);
  }
  if (names.empty()) names = {"folded_cloth", "cloth_stack", "barrel", "knot", "press"};
  const std::string folder = argv[1];
  const limber::SceneLibrary library({folder}, folder + "/../assets");
  int failed = 0;
  for (const std::string& name : names) {
    auto scene = library.find(name);
    if (!scene) std::fprintf(stderr, "%s\n", scene.error().text().c_str());
    if (scene) scene->solver.contact->cloth_collision = true;
    failed += !(scene && limber::play(*scene, std::atof(argv[2]), seed));
    std::fflush(stdout);
  }
  std::printf("%zu passed, %d failed\n", names.size() - std::size_t(failed), failed);
  return failed > 0;
}
