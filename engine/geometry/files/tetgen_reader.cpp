#include "engine/geometry/files/tetgen_reader.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "engine/geometry/files/mesh_text.hpp"
#include "engine/geometry/files/obj_scan.hpp"
#include "engine/geometry/tets/tet_repair.hpp"

namespace limber {
namespace {

/// Reader for one file of the pair: its lines that have words, and errors at these lines.
class TetGenFile {
 public:
  TetGenFile(std::string_view text, const std::string& name) : reader_(text), name_(name) {}

  /// Moves to the next line with a word, which is then the first of word(); false at the end of the file.
  bool next() {
    while (reader_.next_statement()) {
      first_ = reader_.next_word();
      if (!first_.empty()) return true;
    }
    return false;
  }
  std::string_view word() {
    if (first_.empty()) return reader_.next_word();
    return std::exchange(first_, {});
  }
  int line() const { return reader_.line(); }

  Error error(const std::string& message, const std::string& hint) const {
    return {message, name_, reader_.line(), hint};
  }

  /// An integer of this line, or an error.
  Expected<long> integer(const char* what) {
    const std::string_view text = word();
    if (text.empty()) return error("the line ends before " + std::string(what), "the line is incomplete");
    if (const std::optional<long> value = parse_integer(text)) return *value;
    return error(printable(text) + " is not " + what, "a whole number");
  }

  Expected<double> coordinate() {
    const std::string_view text = word();
    if (text.empty()) return error("a point needs three coordinates", "as in '0 0.5 1 -0.25'");
    const std::optional<double> value = parse_number(text);
    if (!value) return error(printable(text) + " is not a number", "as in '0 0.5 1 -0.25'");
    if (std::abs(*value) > obj_max_coordinate)
      return error("coordinate " + printable(text) + " is out of bounds (largest: 1e6 m)",
                   "scale the mesh to metres");
    return *value;
  }

  /// Reads the counts of the first line; counts that are left out keep their values.
  Expected<void> header(const char* of_what, long most, std::span<long> values) {
    if (!next()) return error("the file has no " + std::string(of_what), "its first line says how many");
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::string_view text = word();
      if (text.empty() && k > 0) break;
      const std::optional<long> value = parse_integer(text);
      if (!value || *value < 0)
        return error(printable(text) + " is not a count",
                     "the first line says how many " + std::string(of_what) + " there are");
      values[k] = *value;
    }
    if (values[0] == 0) return error("the file has no " + std::string(of_what), "mesh the solid again");
    if (values[0] > most)
      return error("the file has " + std::to_string(values[0]) + " " + of_what + ", and " +
                       std::to_string(most) + " is the most",
                   "a coarser mesh");
    return {};
  }

  Error ends_early(const char* of_what, std::size_t have, long want) const {
    return error(
        "the file ends after " + std::to_string(have) + " of " + std::to_string(want) + " " + of_what,
        "it was cut short, or its first line is wrong");
  }

 private:
  StatementReader reader_;
  const std::string& name_;
  std::string_view first_;
};

Expected<void> read_points(TetGenFile& file, TetGenMesh& out) {
  std::array<long, 4> header{0, 3, 0, 0};  // points, dimension, attributes, markers
  if (const Expected<void> read = file.header("points", obj_max_vertices, header); !read) return read;
  if (header[1] != 3)
    return file.error("the points have " + std::to_string(header[1]) + " coordinates, and a solid has 3",
                      "files of Triangle describe a plane mesh");
  const long count = header[0];
  while (long(out.mesh.positions.size()) < count) {
    if (!file.next()) return file.ends_early("points", out.mesh.positions.size(), count);
    const Expected<long> number = file.integer("the number of a point");
    if (!number) return number.error();
    if (out.mesh.positions.empty()) {
      if (*number != 0 && *number != 1)
        return file.error("the first point has number " + std::to_string(*number),
                          "points are numbered from 0 or from 1");
      out.first = *number;
    }
    const long expected = out.first + long(out.mesh.positions.size());
    if (*number != expected)
      return file.error("expected point " + std::to_string(expected) + ", found " + std::to_string(*number),
                        "points are numbered one after another");
    glm::dvec3 x;
    for (int k = 0; k < 3; ++k) {
      const Expected<double> coordinate = file.coordinate();
      if (!coordinate) return coordinate.error();
      x[k] = *coordinate;
    }
    out.mesh.positions.push_back(x);
  }
  if (file.next())
    return file.error("there are more than the " + std::to_string(count) + " points that the first line says",
                      "correct its first number");
  return {};
}

/// Reads the corners of one tetrahedron. Fails on a point that does not exist.
Expected<Tet> read_corners(TetGenFile& file, const TetGenMesh& out) {
  Tet tet;
  for (Index& corner : tet) {
    const Expected<long> number = file.integer("the number of a corner");
    if (!number) return number.error();
    const long index = *number - out.first, count = long(out.mesh.positions.size());
    if (*number < out.first || index >= count)
      return file.error(
          "the tetrahedron refers to point " + std::to_string(*number) + ", which does not exist",
          "points " + std::to_string(out.first) + " to " + std::to_string(out.first + count - 1));
    corner = Index(index);
  }
  return tet;
}

Expected<bool> read_elements(TetGenFile& file, TetGenMesh& out) {
  std::array<long, 3> header{0, 4, 0};  // tetrahedra, their points, attributes
  if (const Expected<void> read = file.header("tetrahedra", long(most_tets), header); !read)
    return read.error();
  if (header[1] != 4 && header[1] != 10)
    return file.error(
        "the elements have " + std::to_string(header[1]) + " points, and tetrahedra have 4 or 10",
        header[1] == 3 ? "files of Triangle describe a plane mesh" : "mesh with tetrahedra");
  while (long(out.mesh.tets.size()) < header[0]) {
    if (!file.next()) return file.ends_early("tetrahedra", out.mesh.tets.size(), header[0]);
    const Expected<long> number = file.integer("the number of a tetrahedron");
    if (!number) return number.error();
    const Expected<Tet> tet = read_corners(file, out);
    if (!tet) return tet.error();
    out.mesh.tets.push_back(*tet);
    out.tet_lines.push_back(file.line());
  }
  if (file.next())
    return file.error(
        "there are more than the " + std::to_string(header[0]) + " tetrahedra that the first line says",
        "correct its first number");
  return header[1] == 10;
}

void add_notes(bool curved, TetGenMesh& out) {
  const std::string all = out.turned == int(out.mesh.tets.size()) ? "all " : "";
  if (out.turned > 0)
    out.notes.push_back(all + std::to_string(out.turned) +
                        (out.turned == 1 ? " tetrahedron was inside out and is turned"
                                         : " tetrahedra were inside out and are turned"));
  if (curved)
    out.notes.push_back("of the ten points of a tetrahedron its four corners are used: edges are straight");
  if (out.unused > 0)
    out.notes.push_back(std::to_string(out.unused) +
                        (out.unused == 1 ? " unused point dropped" : " unused points dropped"));
}

std::optional<Error> binary(std::string_view text, const std::string& name) {
  if (text.find('\0') == std::string_view::npos) return {};
  return Error{"this is no text file (it has zero bytes)", name, 0, "TetGen writes text"};
}

}  // namespace

bool is_tetgen(std::string_view path) { return path.ends_with(".node") || path.ends_with(".ele"); }

Expected<TetGenMesh> parse_tetgen(std::string_view nodes, const std::string& node_name,
                                  std::string_view elements, const std::string& element_name) {
  if (const auto error = binary(nodes, node_name)) return *error;
  if (const auto error = binary(elements, element_name)) return *error;
  TetGenMesh out;
  TetGenFile node_file(nodes, node_name), element_file(elements, element_name);
  if (const Expected<void> read = read_points(node_file, out); !read) return read.error();
  const Expected<bool> curved = read_elements(element_file, out);
  if (!curved) return curved.error();
  out.turned = turn_inverted_tets(out.mesh);
  if (const Expected<void> sound = check_tet_mesh(out.mesh, {out.first, {}, out.tet_lines}); !sound) {
    Error error = sound.error();
    error.file = element_name;
    return error;
  }
  const std::size_t points = out.mesh.positions.size();
  out.file_vertices = drop_unused_vertices(out.mesh);
  out.unused = int(points - out.mesh.positions.size());
  add_notes(*curved, out);
  return out;
}

Expected<TetGenMesh> read_tetgen(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string node_name = fs::path(path).replace_extension(".node").string(),
                    element_name = fs::path(path).replace_extension(".ele").string();
  const auto read = [&](const std::string& name) {
    return read_mesh_file(name, obj_max_bytes,
                          name == path ? "give the path of a .node or .ele file"
                                       : "TetGen writes a pair, '" + fs::path(node_name).filename().string() +
                                             "' and '" + fs::path(element_name).filename().string() + "'");
  };
  const Expected<std::string> nodes = read(node_name);
  if (!nodes) return nodes.error();
  const Expected<std::string> elements = read(element_name);
  if (!elements) return elements.error();
  return parse_tetgen(*nodes, node_name, *elements, element_name);
}

Expected<void> write_tetgen(const TetMesh& mesh, const std::string& stem) {
  std::string nodes = std::to_string(mesh.positions.size()) + " 3 0 0\n";
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    nodes += std::to_string(v);
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(mesh.positions[v][k]))
        return Error{"the position of vertex " + std::to_string(v) + " is not finite; nothing was written",
                     stem + ".node", 0, ""};
      nodes += ' ';
      append_number(nodes, mesh.positions[v][k]);
    }
    nodes += '\n';
  }
  std::string elements = std::to_string(mesh.tets.size()) + " 4 0\n";
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    elements += std::to_string(t);
    for (const Index v : mesh.tets[t]) elements += ' ' + std::to_string(v);
    elements += '\n';
  }
  if (const Expected<void> written = write_mesh_file(nodes, stem + ".node"); !written) return written;
  return write_mesh_file(elements, stem + ".ele");
}

}  // namespace limber
