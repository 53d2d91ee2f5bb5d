#include "app/commands/joint_watch.hpp"

#include <algorithm>
#include <cstdio>

namespace limber {
namespace {

constexpr double too_far_apart = 0.01;  // m
constexpr int frames_between_looks = 10;

}  // namespace

void JointWatch::look(const Simulation& simulation) {
  if (simulation.frame() % frames_between_looks != 0 || simulation.scene().joints.empty()) return;
  const Measures measures = simulation.measure();
  if (!(measures.joint_error_max > std::max(worst_, too_far_apart))) return;
  worst_ = measures.joint_error_max;
  joint_ = measures.joint_farthest_apart;
  frame_ = simulation.frame();
}

std::string JointWatch::note(const SceneDesc& scene) const {
  if (joint_ < 0) return {};
  const std::string& name = scene.joints[std::size_t(joint_)].name;
  char text[200];
  std::snprintf(
      text, sizeof text,
      ": the joint's ends come as far as %.3g m apart (at frame %lld): what it does is not to be trusted. A "
      "joints.%.40s.compliance of 1e-7 or more solver.substeps (now %d) may hold it",
      worst_, static_cast<long long>(frame_), name.c_str(), scene.solver.substeps);
  return name + text;
}

}  // namespace limber
