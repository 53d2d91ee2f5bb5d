#include "engine/geometry/files/obj_lines.hpp"

#include <cmath>
#include <optional>

#include "engine/geometry/files/mesh_text.hpp"
#include "engine/geometry/files/obj_scan.hpp"

namespace limber {
namespace {

constexpr const char* lines_like_this = "a line is written as 'l 1 2 3', a vertex as 'v 0 1 0'";

}  // namespace

Expected<std::vector<std::vector<glm::dvec3>>> lines_of_obj(std::string_view text, const std::string& name) {
  StatementReader reader(text);
  const auto refuse = [&](const std::string& what) {
    return Error{what, name, reader.line(), lines_like_this};
  };
  std::vector<glm::dvec3> points;
  std::vector<std::vector<glm::dvec3>> lines;
  while (reader.next_statement()) {
    const std::string_view keyword = reader.next_word();
    if (keyword == "v") {
      glm::dvec3 point;
      for (int k = 0; k < 3; ++k) {
        const std::string_view word = reader.next_word();
        const std::optional<double> value = parse_number(word);
        if (!value) return refuse("'" + printable(word) + "' is not a number");
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
    for (std::string_view word = reader.next_word(); !word.empty(); word = reader.next_word()) {
      const std::optional<long> number = parse_integer(word.substr(0, word.find('/')));
      const long count = long(points.size());
      const long index = !number ? 0 : *number < 0 ? count + *number + 1 : *number;
      if (index < 1 || index > count)
        return refuse("the line refers to vertex '" + printable(word) + "', the file has " +
                      std::to_string(count) + " so far");
      line.push_back(points[std::size_t(index - 1)]);
    }
    if (line.size() < 2) return refuse("a line needs two vertices or more");
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
