#include "app/commands/strain_watch.hpp"

#include <algorithm>
#include <cstdio>

namespace limber {
namespace {

/// Mean strain that the material does not explain. Not the largest one: the few edges beside a pin carry all
/// of a cloth, so theirs grows with the mesh. Woven cloth breaks at 10 to 30 %. Of the shipped scenes one
/// comes to 15 % for a moment, the others stay below 5; one substep in a frame of 1/60 s leaves 20 to 35, in
/// one of 0.1 s 30 to 110.
constexpr double too_much = 0.2;
constexpr double share_of_slivers = 0.5;         // where edges of all lengths are off, both means are alike
constexpr int frames_between = 10, lasting = 2;  // looks: what an impact or a bad start does is over by then

bool is_watched(const ObjectDesc& object) {
  return (object.type == ObjectType::cloth || object.type == ObjectType::chain) &&
         object.material.tear_strain == 0.0;
}

}  // namespace

void StrainWatch::look(const Simulation& simulation) {
  const std::vector<ObjectDesc>& objects = simulation.scene().objects;
  if (simulation.frame() % frames_between != 0 || std::none_of(objects.begin(), objects.end(), is_watched))
    return;
  const Measures measures = simulation.measure();
  const std::vector<double>& misfit = measures.object_misfit;
  objects_.resize(misfit.size());
  for (std::size_t o = 0; o < misfit.size(); ++o) {
    Watched& watched = objects_[o];
    watched.in_a_row = is_watched(objects[o]) && misfit[o] > too_much ? watched.in_a_row + 1 : 0;
    if (watched.in_a_row < lasting || misfit[o] <= watched.worst) continue;
    watched.worst = misfit[o];
    watched.by_length = measures.object_length_misfit[o];
  }
}

std::string StrainWatch::note(const SceneDesc& scene) const {
  const auto worst = std::max_element(objects_.begin(), objects_.end(),
                                      [](const Watched& a, const Watched& b) { return a.worst < b.worst; });
  if (worst == objects_.end() || worst->worst == 0.0) return {};
  const ObjectDesc& object = scene.objects[std::size_t(worst - objects_.begin())];
  char text[240];
  if (!object.mesh.empty() && worst->by_length < share_of_slivers * worst->worst) {
    std::snprintf(
        text, sizeof text,
        ": its edges are off their lengths by up to %.0f %% on average, weighted by their lengths by "
        "%.0f %%: its mesh has edges far shorter than others (a larger objects.%.40s.weld, now %.3g, "
        "takes more of them out)",
        100.0 * worst->worst, 100.0 * worst->by_length, object.name.c_str(), object.weld);
    return object.name + text;
  }
  std::snprintf(
      text, sizeof text,
      ": its edges are off their lengths by up to %.0f %% on average, more than its material gives: "
      "more solver.substeps (now %d) or a shorter solver.dt (now %.3g s) help",
      100.0 * worst->worst, scene.solver.substeps, scene.solver.dt);
  return object.name + text;
}

}  // namespace limber
