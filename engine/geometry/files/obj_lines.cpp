#include "engine/geometry/files/obj_lines.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/geometry/files/mesh_text.hpp"
#include "engine/geometry/files/obj_scan.hpp"

namespace limber {
namespace {

constexpr const char* lines_like_this = "a line is written as 'l 1 2 3', a vertex as 'v 0 1 0'";

constexpr const char* no_way_back =
    "a rod goes through each place once; where several meet, give each a line and join them by ties";

/// Message why a rod cannot follow this line; empty if it can. A line that ends at its first vertex is a
/// ring. O(n log n).
std::string fault_of(const std::vector<long>& numbers, const std::vector<glm::dvec3>& line) {
  constexpr double straight_back = -1.0 + 1e-9;  // cosine
  const auto vertex = [&](std::size_t k) { return "vertex " + std::to_string(numbers[k]); };
  const auto runs_back = [&](const glm::dvec3& before, const glm::dvec3& way) {
    return glm::dot(way, before) < straight_back * glm::length(way) * glm::length(before);
  };
  const bool ring = numbers.size() > 3 && numbers.front() == numbers.back();
  for (std::size_t k = 1; k < line.size(); ++k) {
    if (numbers[k] == numbers[k - 1]) return "the line has " + vertex(k) + " twice in a row";
    const glm::dvec3 way = line[k] - line[k - 1];
    if (!(glm::length(way) > 0.0))
      return vertex(k - 1) + " and " + vertex(k) + " of the line lie in one place";
    if (k < 2) continue;
    if (runs_back(line[k - 1] - line[k - 2], way)) return "the line runs back on itself at " + vertex(k - 1);
  }
  if (ring && runs_back(line.back() - line[line.size() - 2], line[1] - line[0]))
    return "the line runs back on itself at " + vertex(0);
  std::vector<long> sorted(numbers.begin(), numbers.end() - (ring ? 1 : 0));
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  return twice == sorted.end() ? std::string()
                               : "the line comes through vertex " + std::to_string(*twice) + " twice";
}

}  // namespace

Expected<std::vector<std::vector<glm::dvec3>>> lines_of_obj(std::string_view text, const std::string& name) {
  StatementReader reader(text);
  const auto refuse = [&](const std::string& what) {
    return Error{what, name, reader.line(), lines_like_this};
  };
  std::vector<glm::dvec3> points;
  std::vector<std::vector<glm::dvec3>> lines;
  std::vector<long> numbers;  // of the vertices of a line
  while (reader.next_statement()) {
    const std::string_view keyword = reader.next_word();
    if (keyword == "v") {
      glm::dvec3 point;
      for (int k = 0; k < 3; ++k) {
        const std::string_view word = reader.next_word();
        const std::optional<double> value = parse_number(word);
        if (!value) return refuse(printable(word) + " is not a number");
        if (std::abs(*value) > obj_max_coordinate)
          return refuse("coordinate " + printable(word) + " is out of bounds (largest: 1e6 m)");
        point[k] = *value;
      }
      points.push_back(point);
      if (long(points.size()) > obj_max_vertices)
        return refuse("more than " + std::to_string(obj_max_vertices) + " vertices");
    }
    if (keyword != "l") continue;
    std::vector<glm::dvec3>& line = lines.emplace_back();
    numbers.clear();
    for (std::string_view word = reader.next_word(); !word.empty(); word = reader.next_word()) {
      const std::optional<long> number = parse_integer(word.substr(0, word.find('/')));
      const long count = long(points.size());
      const long index = !number ? 0 : *number < 0 ? count + *number + 1 : *number;
      if (index < 1 || index > count)
        return refuse("the line refers to vertex " + printable(word) + ", the file has " +
                      std::to_string(count) + " so far");
      numbers.push_back(index);
      line.push_back(points[std::size_t(index - 1)]);
    }
    if (line.size() < 2) return refuse("a line needs two vertices or more");
    if (const std::string fault = fault_of(numbers, line); !fault.empty())
      return Error{fault, name, reader.line(), no_way_back};
  }
  if (lines.empty()) return Error{"the file has no lines", name, 0, lines_like_this};
  return lines;
}

Expected<std::vector<std::vector<glm::dvec3>>> read_obj_lines(const std::string& path) {
  const Expected<std::string> text = read_mesh_file(path, obj_max_bytes, "name an OBJ file with 'l' lines");
  if (!text) return text.error();
  return lines_of_obj(*text, path);
}

}  // namespace limber
