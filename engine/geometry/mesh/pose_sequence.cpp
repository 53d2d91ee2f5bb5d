#include "engine/geometry/mesh/pose_sequence.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "engine/geometry/files/obj_scan.hpp"

namespace limber {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Three numbers of a `v` statement; false if they are not there.
bool read_numbers(std::string_view text, glm::dvec3& out) {
  const char *at = text.data(), *const end = at + text.size();
  for (int k = 0; k < 3; ++k) {
    while (at != end && is_space(*at)) ++at;
    if (at != end && *at == '+') ++at;
    const auto [next, error] = std::from_chars(at, end, out[k]);
    if (error != std::errc() || next == at || (next != end && !is_space(*next))) return false;
    if (!(std::abs(out[k]) <= obj_max_coordinate)) return false;
    at = next;
  }
  return true;
}

}  // namespace

void PoseSequence::at(double time, std::vector<glm::dvec3>& out) const {
  const auto count = std::int64_t(poses.size());
  double place = start + rate * time;
  place = loop ? place - double(count) * std::floor(place / double(count))
               : std::clamp(place, 0.0, double(count - 1));
  const auto first = std::min(std::int64_t(place), count - 1);
  const double t = place - double(first);
  const auto pose = [&](std::int64_t k) -> const std::vector<glm::dvec3>& {
    const std::int64_t known =
        loop ? (first + k + count) % count : std::clamp(first + k, std::int64_t(0), count - 1);
    return poses[std::size_t(known)];
  };
  const auto &a = pose(-1), &b = pose(0), &c = pose(1), &d = pose(2);
  const double t2 = t * t, t3 = t2 * t;
  const double of_a = 0.5 * (-t3 + 2 * t2 - t), of_b = 0.5 * (3 * t3 - 5 * t2 + 2);
  const double of_c = 0.5 * (-3 * t3 + 4 * t2 + t), of_d = 0.5 * (t3 - t2);
  out.resize(b.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = of_a * a[i] + of_b * b[i] + of_c * c[i] + of_d * d[i];
}

Expected<ObjVertices> read_obj_vertices(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{"the file cannot be read", path, 0, "give the path of an .obj file"};
  ObjVertices out;
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    std::string_view rest = text;
    while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
    if (rest.size() < 2 || rest[0] != 'v' || !is_space(rest[1])) continue;
    glm::dvec3 position;
    if (!read_numbers(rest.substr(2), position))
      return Error{"a vertex needs three numbers of at most 1e6", path, line, "as in v 0.5 1 -0.25"};
    if (long(out.positions.size()) == obj_max_vertices)
      return Error{"the file has more than 2 million vertices", path, line, "simplify the mesh"};
    out.positions.push_back(position);
    out.lines.push_back(line);
  }
  return out;
}

}  // namespace limber
