#include "engine/geometry/files/obj_scan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "engine/geometry/files/mesh_text.hpp"

namespace limber {
namespace {

constexpr const char* count_from_1 = "an OBJ counts 1, 2, 3 from its start, or -1, -2, -3 back from the face";
constexpr const char* like_this = "numbers are written as in 'v 0.5 1 -0.25'";

/// "nan", "-inf" and other words for a missing number.
bool stands_for_no_number(std::string_view word) {
  if (!word.empty() && (word[0] == '+' || word[0] == '-')) word.remove_prefix(1);
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return lower == "nan" || lower == "inf" || lower == "infinity" || lower.starts_with("nan(") ||
         lower == "1.#ind" || lower == "1.#qnan" || lower == "1.#inf";
}

/// Counts the elements of one kind. In practice faces may refer to elements that come later, so indices are
/// checked only at the end of the file. Many exporters write indices of normals and texture coordinates but
/// not these themselves; this is an error only if the kind is `needed`.
class Elements {
 public:
  Elements(const char* kind, bool needed) : kind_(kind), needed_(needed) {}

  long count() const { return count_; }
  void add() { ++count_; }

  /// The absolute 1-based index that `word` stands for, or an error.
  Expected<long> resolve(std::string_view word, int line) {
    long index = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), index);
    const bool number = status == std::errc() && end == word.data() + word.size();
    if (!number || std::abs(index) > long{obj_max_bytes}) {  // no file has so many: an int is enough
      return Error{printable(word) + " is not an index", {}, 0, count_from_1};
    }
    if (index == 0) return Error{"index 0 of a " + std::string(kind_), {}, 0, count_from_1};
    if (first_named_ == 0) first_named_ = line;
    if (index < -count_) {
      const Error error = out_of_range(index);
      if (needed_ || count_ > 0) return error;
      if (!too_early_) too_early_ = error, too_early_->line = line;
      return 1;
    }
    if (index < 0) return count_ + index + 1;
    if (index > count_ && (ahead_.empty() || index > ahead_.back().first)) ahead_.push_back({index, line});
    return index;
  }

  /// Error of the first reference to an element that the file does not have.
  std::optional<Error> missing() const {
    if (line_without_any() > 0 && !needed_) return {};
    if (too_early_) return too_early_;
    for (const auto& [index, line] : ahead_) {
      if (index <= count_) continue;
      Error error = out_of_range(index);
      error.line = line;
      return error;
    }
    return {};
  }

  /// Line of the first face that names such an element although the file has none at all; 0 if there is no
  /// such face.
  int line_without_any() const { return count_ == 0 ? first_named_ : 0; }

 private:
  Error out_of_range(long index) const {
    return Error{"the face refers to " + std::string(kind_) + " " + std::to_string(index) +
                     ", the file has " + std::to_string(count_) + (index < 0 ? " so far" : ""),
                 {},
                 0,
                 count_from_1};
  }

  const char* kind_;
  bool needed_;
  long count_ = 0;
  int first_named_ = 0;                      // line
  std::optional<Error> too_early_;           // the first reference back to before the first element
  std::vector<std::pair<long, int>> ahead_;  // (index, line), each index larger than those before
};

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& name) : reader_(text), name_(name) {
    plain_.reserve(text.size());
  }

  Expected<PlainObj> scan() {
    while (reader_.next_statement()) {
      const std::string_view keyword = reader_.next_word();
      std::optional<Error> error;
      if (keyword == "v") error = vertex();
      if (keyword == "vt") error = texture_coordinate();
      if (keyword == "vn") normals_.add();
      if (keyword == "f") error = face();
      if (error) return located(*error, reader_.line());
    }
    for (const Elements* elements : {&vertices_, &texture_coordinates_, &normals_}) {
      if (auto error = elements->missing()) return located(*error, error->line);
    }
    if (triangles_ == 0) {
      return located({"the mesh has no faces", {}, 0, "an OBJ lists faces as 'f 1 2 3'"}, 0);
    }
    if (long(colors_.size()) != vertices_.count()) colors_.clear();
    return PlainObj{std::move(plain_), std::move(colors_), std::move(face_lines_),
                    texture_coordinates_.line_without_any(), normals_.line_without_any()};
  }

 private:
  Error located(Error error, int line) const {
    error.file = name_;
    error.line = line;
    return error;
  }

  /// Copies the first `kept` of at least `least` numbers to the output. The others (colours, for example)
  /// must have the form of numbers, or be words like nan, which exporters write where a vertex has none. The
  /// three after those kept are written to `color`, and their number to `colored`.
  std::optional<Error> numbers(int least, int kept, double bound, glm::dvec3* color = nullptr,
                               int* colored = nullptr) {
    int count = 0;
    for (auto word = reader_.next_word(); !word.empty(); word = reader_.next_word(), ++count) {
      const auto value = parse_number(word);
      if (!value && count >= kept && stands_for_no_number(word)) continue;
      if (!value) return Error{printable(word) + " is not a number", {}, 0, like_this};
      if (count >= kept) {
        if (color && count < kept + 3 && std::isfinite(*value)) (*color)[count - kept] = *value, ++*colored;
        continue;
      }
      if (std::abs(*value) > bound) {
        return Error{"coordinate " + printable(word) + " is out of bounds (largest: 1e6 m)",
                     {},
                     0,
                     "scale the mesh to metres"};
      }
      plain_ += ' ';
      append_number(plain_, *value);
    }
    if (count < least) {
      return Error{
          "expected " + std::to_string(least) + " numbers, found " + std::to_string(count), {}, 0, like_this};
    }
    for (; count < kept; ++count) plain_ += " 0";
    plain_ += '\n';
    return {};
  }

  std::optional<Error> vertex() {
    vertices_.add();
    if (vertices_.count() > obj_max_vertices) {
      return Error{"more than " + std::to_string(obj_max_vertices) + " vertices", {}, 0, "simplify the mesh"};
    }
    plain_ += 'v';
    glm::dvec3 color(0.0);
    int colored = 0;
    auto error = numbers(3, 3, obj_max_coordinate, &color, &colored);
    if (colored == 3) colors_.push_back(color);
    return error;
  }

  std::optional<Error> texture_coordinate() {
    texture_coordinates_.add();
    plain_ += "vt";
    return numbers(1, 2, std::numeric_limits<double>::max());
  }

  std::optional<Error> face() {
    plain_ += 'f';
    face_lines_.push_back(reader_.line());
    long corners = 0;
    for (auto word = reader_.next_word(); !word.empty(); word = reader_.next_word(), ++corners) {
      if (auto error = corner(word)) return error;
    }
    plain_ += '\n';
    if (corners < 3) {
      return Error{"a face needs at least 3 vertices, this one has " + std::to_string(corners),
                   {},
                   0,
                   "remove it, or complete it"};
    }
    triangles_ += corners - 2;
    if (corners > obj_max_corners || triangles_ > obj_max_triangles) {
      return Error{corners > obj_max_corners
                       ? "a face with more than " + std::to_string(obj_max_corners) + " vertices"
                       : "more than " + std::to_string(obj_max_triangles) + " triangles",
                   {},
                   0,
                   "triangulate or simplify the mesh"};
    }
    return {};
  }

  /// Reads a corner: v, v/vt, v//vn or v/vt/vn. The normal is checked and dropped.
  std::optional<Error> corner(std::string_view word) {
    Elements* const kinds[] = {&vertices_, &texture_coordinates_, &normals_};
    std::string_view rest = word;
    for (int k = 0; k < 3; ++k) {
      const std::size_t slash = std::min(rest.find('/'), rest.size());
      const std::string_view field = rest.substr(0, slash);
      if (k == 0 || !field.empty()) {
        const auto index = kinds[k]->resolve(field, reader_.line());
        if (!index) return index.error();
        if (k < 2) plain_ += (k == 0 ? ' ' : '/') + std::to_string(*index);
      }
      if (slash == rest.size()) return {};
      rest.remove_prefix(slash + 1);
    }
    return Error{printable(word) + " is not a face corner", {}, 0, "v, v/vt, v//vn or v/vt/vn"};
  }

  StatementReader reader_;
  const std::string& name_;
  std::string plain_;
  std::vector<glm::dvec3> colors_;
  std::vector<int> face_lines_;
  Elements vertices_{"vertex", true}, texture_coordinates_{"texture coordinate", false},
      normals_{"normal", false};
  long triangles_ = 0;
};

}  // namespace

Expected<PlainObj> scan_obj(std::string_view text, const std::string& name) {
  if (text.size() > obj_max_bytes) {
    return Error{"the file is larger than " + std::to_string(obj_max_bytes >> 20) + " MiB", name, 0,
                 "simplify the mesh"};
  }
  return Scanner(text, name).scan();
}

}  // namespace limber
