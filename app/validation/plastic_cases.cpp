// Plasticity: a bar of tetrahedra that is stretched and released, and a bent sheet.
#include <cmath>
#include <string>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

/// A bar whose ends move apart and back slowly, as a sine. Its middle third is measured.
class PulledBar {
 public:
  static constexpr double length = 0.9, young = 1e6, period = 12.0;

  PulledBar(double yield, double hardening) : simulation_(start(scene(yield, hardening))) {
    const std::vector<glm::dvec3> places = positions_of(*simulation_);
    for (std::size_t v = 0; v < places.size(); ++v) {
      const double x = places[v].x;
      for (std::size_t side = 0; side < 2; ++side)
        if (std::abs(x - (side ? 1 : -1) * length / 6.0) < 1e-6) planes_[side].push_back(v);
      if (std::abs(x) < length / 6.0 - 1e-6) middle_.push_back(v);
    }
  }
  void run(int frames) { run_frames(*simulation_, frames); }
  /// Logarithmic strain of the middle third.
  double strain() const {
    const std::vector<glm::dvec3> places = positions_of(*simulation_);
    double at[2]{};
    for (std::size_t side = 0; side < 2; ++side)
      for (const std::size_t v : planes_[side]) at[side] += places[v].x / double(planes_[side].size());
    return std::log((at[1] - at[0]) / (length / 3.0));
  }
  /// True stress, Pa: von Mises' stress for tension along one axis.
  double stress() const {
    std::vector<float> heat(positions_of(*simulation_).size(), 0.0f);
    simulation_->read(reading::Heat{HeatMap::stress, heat});
    double sum = 0.0;
    for (const std::size_t v : middle_) sum += double(heat[v]) / double(middle_.size());
    return sum;
  }

 private:
  static SceneDesc scene(double yield, double hardening) {
    ObjectDesc object;
    object.name = "bar";
    object.type = ObjectType::tets;
    object.tets->shape = TetShape::bar;
    object.tets->dimensions = {length, 0.1, 0.1}, object.tets->cells = {18, 2, 2};
    object.density = 1000.0;
    object.material->youngs_modulus = young, object.material->poisson_ratio = 0.3;
    object.material->yield = yield, object.material->hardening = hardening;
    object.material->damping_time = 0.002;
    for (const double side : {-1.0, 1.0}) {
      AttachmentDesc end;
      end.vertices = {VertexName(std::string(side < 0.0 ? "left" : "right"))};
      end.amplitude = {0.028 * side, 0.0, 0.0}, end.period = period;
      object.attachments.push_back(end);
    }
    SceneDesc scene;
    scene.solver.motion->gravity = glm::dvec3(0.0), scene.solver.motion->damping = 0.0;
    scene.solver.contact->cloth_collision = false;
    scene.solver.step->substeps = 40, scene.solver.step->iterations = 4;
    scene.objects.push_back(object);
    return scene;
  }

  std::unique_ptr<Simulation> simulation_;
  std::vector<std::size_t> planes_[2], middle_;
};

/// Stretches the bar by 5 % and moves it back until the stress vanishes. The remaining strain is the largest
/// strain minus its elastic part, because nothing yields on the way back.
void add_bar(double hardening, ValidationCases& out) {
  constexpr double yield = 1e4;
  const std::string kind = hardening > 0.0 ? "hardening bar" : "perfectly plastic bar";
  const auto frames = [](double share) { return int(std::lround(share * PulledBar::period * 60.0)); };
  PulledBar bar(yield, hardening);
  bar.run(frames(0.1));
  const double strain_a = bar.strain(), stress_a = bar.stress();
  bar.run(frames(0.25) - frames(0.1));
  const double strain = bar.strain(), stress = bar.stress(), elastic = stress / PulledBar::young;
  const double plastic = strain - elastic;
  out.push_back({kind + ", stress at 5 % over yield", 1.0, (stress - hardening * plastic) / yield, 0.02});
  if (hardening > 0.0)
    out.push_back({kind + ", slope of hardening (Pa)", hardening,
                   (stress - stress_a) / (plastic - (strain_a - stress_a / PulledBar::young)),
                   0.03 * hardening});
  double last_strain = strain, last = stress, zero = 0.0, along = 0.0;
  for (int f = 0; f < 400; ++f) {
    bar.run(1);
    const double now = bar.stress(), at = bar.strain();
    if (along == 0.0 && now < 0.5 * stress) along = (stress - now) / (strain - at);
    if (now > last) break;  // compression begins
    last = now, last_strain = at;
  }
  zero = last_strain - last / PulledBar::young;
  out.push_back({kind + ", strain that stays", plastic, zero, 0.02 * plastic});
  out.push_back({kind + ", E of unloading (Pa)", PulledBar::young, along, 0.03 * PulledBar::young});
}

}  // namespace

ValidationCases plastic_cases() {
  ValidationCases cases;
  add_bar(0.0, cases);
  add_bar(2e5, cases);
  return cases;
}

}  // namespace limber
