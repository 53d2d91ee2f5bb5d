// The texts of the warnings that a scene starts with.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "app/watch/warnings.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber::test {

inline std::vector<std::string> start_warnings(const Simulation& simulation) {
  const Measures measures = simulation.measure();
  std::vector<std::string> texts;
  for (Warning& warning : find_warnings(Moment::start, {simulation, measures}))
    texts.push_back(std::move(warning.text));
  return texts;
}

inline std::vector<std::string> start_warnings(const SceneDesc& scene) {
  const auto simulation = make_simulation(scene, RunOptions{Precision::f32, Simd::scalar, 1});
  EXPECT_TRUE(simulation) << simulation.error().text();
  return start_warnings(**simulation);
}

}  // namespace limber::test
