#include "app/watch/particle_starts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <set>
#include <vector>

#include "engine/scene/build/scene_model.hpp"

namespace limber {
namespace {

/// A ball of grains or of a solid, at the start.
struct Ball {
  glm::dvec3 at;
  double radius;  ///< m
  std::size_t object;
};

bool is_solid(const ObjectModel& object) { return object.shape != nullptr || object.clustered; }

std::vector<Ball> balls_of(const Simulation& simulation) {
  const SceneModel& model = *simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
  std::vector<Ball> balls;
  for (std::size_t o = 0; o < model.objects.size(); ++o) {
    const ObjectModel& object = model.objects[o];
    if (!(object.radius > 0.0f) || object.fluid) continue;
    for (Index v = object.first_vertex; v < object.first_vertex + object.vertex_count; ++v)
      balls.push_back({positions[std::size_t(v)], double(object.radius), o});
  }
  return balls;
}

using Cell = std::array<std::int64_t, 3>;

Cell cell_of(const glm::dvec3& at, double width) {
  const glm::dvec3 cell = glm::floor(at / width);
  return {std::int64_t(cell.x), std::int64_t(cell.y), std::int64_t(cell.z)};
}

}  // namespace

std::string crowded_particles_note(const Simulation& simulation) {
  const std::vector<Ball> balls = balls_of(simulation);
  if (balls.empty()) return {};
  const std::vector<ObjectModel>& objects = simulation.model()->objects;
  const double width = 2.0 * std::max_element(balls.begin(), balls.end(), [](const Ball& a, const Ball& b) {
                               return a.radius < b.radius;
                             })->radius;
  std::map<Cell, std::vector<std::size_t>> cells;
  for (std::size_t i = 0; i < balls.size(); ++i) cells[cell_of(balls[i].at, width)].push_back(i);
  std::set<std::string> names;
  std::size_t crowded = 0;
  double deepest = 0.0;  // m
  for (const Ball& ball : balls) {
    const Cell middle = cell_of(ball.at, width);
    double depth = 0.0;
    for (int n = 0; n < 27; ++n) {
      const auto cell = cells.find({middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1});
      if (cell == cells.end()) continue;
      for (const std::size_t j : cell->second) {
        const Ball& other = balls[j];
        if (&other == &ball || (ball.object == other.object && is_solid(objects[ball.object]))) continue;
        const double inside = ball.radius + other.radius - glm::distance(ball.at, other.at);
        if (inside > 0.5 * std::min(ball.radius, other.radius)) depth = std::max(depth, inside);
      }
    }
    if (depth == 0.0) continue;
    ++crowded, deepest = std::max(deepest, depth);
    names.insert(objects[ball.object].name);
  }
  if (crowded == 0) return {};
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  char depth[32];
  std::snprintf(depth, sizeof depth, "%.3g", deepest);
  return text + ": " + std::to_string(crowded) + " particles start inside others, up to " + depth +
         " m deep: contacts push them apart at solver.depenetration_speed; give the objects other positions, "
         "or less jitter";
}

}  // namespace limber
