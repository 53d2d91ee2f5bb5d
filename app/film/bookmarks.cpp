#include "app/film/bookmarks.hpp"

#include <cstdio>

namespace limber {
namespace {

constexpr int seconds_between = 2;

std::string triple(const glm::dvec3& v) {
  char text[80];
  std::snprintf(text, sizeof text, "[%.4g, %.4g, %.4g]", v.x, v.y, v.z);
  return text;
}

}  // namespace

std::string film_keys(std::span<const CameraStand> views) {
  if (views.empty()) return {};
  std::string text = "\"camera\": [";
  for (std::size_t k = 0; k < views.size(); ++k) {
    const CameraStand& view = views[k];
    char angle[32];
    std::snprintf(angle, sizeof angle, "%.4g", view.fov_degrees);
    const bool end = k == 0 || k + 1 == views.size();
    text += std::string(k > 0 ? "," : "") + "\n  { \"time\": " + std::to_string(seconds_between * int(k)) +
            ", \"position\": " + triple(view.position) + ", \"target\": " + triple(view.target) +
            ", \"fov_degrees\": " + angle + (end ? ", \"ease\": true }" : " }");
  }
  return text + "\n]";
}

}  // namespace limber
