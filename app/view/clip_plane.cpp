#include "app/view/clip_plane.hpp"

#include <cmath>
#include <sstream>
#include <string>

namespace limber {

ClipPlane ClipChoice::through(const glm::vec3& middle) const {
  const float sign = normal.x + normal.y + normal.z;  // of the axis: 1 or -1
  return {normal, place ? sign * *place : glm::dot(normal, middle)};
}

std::optional<ClipChoice> clip_named(std::string_view text) {
  float sign = 1.0f;
  if (text.starts_with('-')) sign = -1.0f, text.remove_prefix(1);
  if (text.empty() || text[0] < 'x' || text[0] > 'z') return std::nullopt;
  ClipChoice choice;
  choice.normal = glm::vec3(0.0f);
  choice.normal[text[0] - 'x'] = sign;
  text.remove_prefix(1);
  if (text.empty()) return choice;
  if (!text.starts_with('=')) return std::nullopt;
  std::istringstream number{std::string(text.substr(1))};
  float place = 0.0f;
  if (!(number >> place) || !number.eof() || !std::isfinite(place)) return std::nullopt;
  choice.place = place;
  return choice;
}

}  // namespace limber
