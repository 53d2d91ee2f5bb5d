#include "app/tools/mouse_cut.hpp"

#include <glm/geometric.hpp>

#include "app/tools/picking.hpp"

namespace limber {
namespace {

constexpr float shortest_piece = 4.0f;  // px, least length of a piece of the path
constexpr double cut_reach = 1000.0;    // m, length of the rays: beyond everything

}  // namespace

void MouseCut::press(glm::vec2 pixel) { trail_.assign(1, pixel); }

std::optional<Command> MouseCut::move(const Viewpoint& view, glm::vec2 pixel) {
  if (trail_.empty() || glm::distance(pixel, trail_.back()) < shortest_piece) return std::nullopt;
  const Ray rays[2] = {view.camera.ray(trail_.back(), view.size), view.camera.ray(pixel, view.size)};
  Cut cut;
  cut.begins = trail_.size() == 1;
  for (std::size_t k = 0; k < 2; ++k) {
    cut.near[k] = glm::dvec3(rays[k].origin);
    cut.far[k] = cut.near[k] + cut_reach * glm::dvec3(rays[k].direction);
  }
  trail_.push_back(pixel);
  return cut;
}

}  // namespace limber
