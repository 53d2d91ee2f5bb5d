#include "engine/geometry/files/obj_reader.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <sstream>
#include <string_view>

#include "engine/geometry/files/mesh_format.hpp"
#include "engine/geometry/files/mesh_text.hpp"
#include "engine/geometry/files/obj_scan.hpp"
#include "engine/geometry/mesh/coincident_triangles.hpp"
#include "engine/geometry/mesh/face_triangles.hpp"
#include "engine/geometry/mesh/weld.hpp"

// The packaged library is built for float. This copy reads double; its own namespace keeps the linker from
// confusing the two.
#define TINYOBJLOADER_USE_DOUBLE
#define TINYOBJLOADER_IMPLEMENTATION
#define tinyobj limber_tinyobj
#include <tiny_obj_loader.h>
#undef tinyobj

namespace limber {
namespace {

constexpr double weld_tolerance = 1e-6;   // share of the diagonal of the bounding box
constexpr double smallest_extent = 1e-9;  // m, diagonal of a mesh too small to be simulated

/// A corner of a face: 0-based positions (of the file, or of UsedVertices once triangulated) and texture
/// coordinates of the file, `uv` none if absent.
struct Corner {
  Index vertex, uv;
};
struct CornerTriangle {
  std::array<Corner, 3> corners;
  int line;  ///< of its face in the file
};

/// The vertices of the file, and its faces one after another.
struct Polygons {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> colors;  ///< per position, or empty
  std::vector<glm::dvec2> uvs;
  std::vector<Corner> corners;
  std::vector<std::size_t> ends;  ///< per face: one past its last corner
  std::vector<int> lines;         ///< per face: its line in the file
};

Polygons load_polygons(PlainObj plain) {
  Polygons polygons;
  polygons.lines = std::move(plain.face_lines);
  polygons.colors = std::move(plain.colors);
  limber_tinyobj::callback_t callback;
  callback.vertex_cb = [](void* out, double x, double y, double z, double) {
    static_cast<Polygons*>(out)->positions.push_back({x, y, z});
  };
  callback.texcoord_cb = [](void* out, double u, double v, double) {
    static_cast<Polygons*>(out)->uvs.push_back({u, v});
  };
  callback.index_cb = [](void* out, limber_tinyobj::index_t* indices, int count) {
    auto& to = *static_cast<Polygons*>(out);
    for (int i = 0; i < count; ++i) {
      to.corners.push_back({indices[i].vertex_index - 1, indices[i].texcoord_index - 1});
    }
    to.ends.push_back(to.corners.size());
  };
  std::istringstream stream(std::move(plain.text));
  limber_tinyobj::LoadObjWithCallback(stream, callback, &polygons);
  return polygons;
}

struct Box {
  glm::dvec3 low{std::numeric_limits<double>::infinity()};
  glm::dvec3 high{-std::numeric_limits<double>::infinity()};

  void add(const glm::dvec3& p) {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  glm::dvec3 extent() const { return high - low; }
};

/// The vertices that some face uses, without gaps, with the maps to and from the vertices of the file.
struct UsedVertices {
  std::vector<glm::dvec3> positions;
  std::vector<Index> file_vertices;  ///< per position: its number in the file
  std::vector<Index> number;         ///< per file vertex: its place in positions, or none
  Box box;
};

UsedVertices keep_used(const Polygons& polygons) {
  UsedVertices used;
  used.number.assign(polygons.positions.size(), no_index);
  for (const Corner& corner : polygons.corners) used.number[corner.vertex] = 0;
  for (std::size_t v = 0; v < used.number.size(); ++v) {
    if (used.number[v] == no_index) continue;
    used.number[v] = static_cast<Index>(used.positions.size());
    used.positions.push_back(polygons.positions[v]);
    used.file_vertices.push_back(static_cast<Index>(v));
    used.box.add(polygons.positions[v]);
  }
  return used;
}

/// Triangulates all faces. `becomes`: for each used vertex the one to which it is welded. The result names
/// used vertices.
std::vector<CornerTriangle> triangulate(const Polygons& polygons, const UsedVertices& used,
                                        const std::vector<Index>& becomes) {
  std::vector<glm::dvec3> places;
  std::vector<Index> vertices;
  places.reserve(polygons.corners.size());
  vertices.reserve(polygons.corners.size());
  for (const Corner& corner : polygons.corners) {
    places.push_back(polygons.positions[corner.vertex]);
    vertices.push_back(becomes[used.number[corner.vertex]]);
  }
  std::vector<CornerTriangle> triangles;
  for (const FaceTriangle& cut : triangulate_faces({places, vertices, polygons.ends})) {
    CornerTriangle& triangle = triangles.emplace_back(CornerTriangle{{}, polygons.lines[cut.face]});
    for (std::size_t k = 0; k < 3; ++k)
      triangle.corners[k] = {vertices[cut.corners[k]], polygons.corners[cut.corners[k]].uv};
  }
  return triangles;
}

/// True if the area cannot be distinguished from zero: the height over the longest side is within the
/// rounding of the coordinates, of which `largest` has the largest magnitude.
bool is_degenerate(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, double largest) {
  const double side = std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)});
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * largest;
  return glm::length(glm::cross(b - a, c - a)) <= rounding * side;
}

/// Drops what coincident_triangles() marks; returns the line of the first one, 0 if there is none.
int drop_coincident(std::vector<CornerTriangle>& triangles, ObjMesh& obj) {
  std::vector<Triangle> plain;
  plain.reserve(triangles.size());
  for (const CornerTriangle& t : triangles)
    plain.push_back({t.corners[0].vertex, t.corners[1].vertex, t.corners[2].vertex});
  const std::vector<std::size_t> surplus = coincident_triangles(plain);
  if (surplus.empty()) return 0;
  obj.coincident = static_cast<int>(surplus.size());
  const int first = triangles[surplus.front()].line;
  std::size_t number = 0, next = 0;
  std::erase_if(triangles, [&](const CornerTriangle&) {
    const bool drop = next < surplus.size() && surplus[next] == number++;
    next += drop;
    return drop;
  });
  return first;
}

/// Fills positions, triangles and file_vertices with the vertices of the remaining triangles, in the file's
/// order.
void compact(const std::vector<CornerTriangle>& triangles, const UsedVertices& used, ObjMesh& obj) {
  std::vector<Index> number(used.positions.size(), no_index);
  for (const CornerTriangle& triangle : triangles) {
    for (const Corner& corner : triangle.corners) number[corner.vertex] = 0;
  }
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] == no_index) continue;
    number[v] = static_cast<Index>(obj.mesh.positions.size());
    obj.mesh.positions.push_back(used.positions[v]);
    obj.file_vertices.push_back(used.file_vertices[v]);
  }
  obj.mesh.triangles.reserve(triangles.size());
  for (const CornerTriangle& triangle : triangles) {
    const auto& [a, b, c] = triangle.corners;
    obj.mesh.triangles.push_back({number[a.vertex], number[b.vertex], number[c.vertex]});
    obj.triangle_lines.push_back(triangle.line);
  }
}

/// The file's texture coordinates, if it has any and every vertex has exactly one.
std::vector<glm::dvec2> file_uvs(const std::vector<CornerTriangle>& triangles,
                                 const std::vector<glm::dvec2>& uvs, const TriMesh& mesh) {
  constexpr double same = 1e-6;  // a millionth of the texture: seams are far wider, written digits finer
  if (uvs.empty()) return {};
  std::vector<glm::dvec2> of_vertex(mesh.positions.size());
  std::vector<bool> known(mesh.positions.size(), false);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const Index v = mesh.triangles[t][k], uv = triangles[t].corners[k].uv;
      if (uv == no_index) return {};
      if (known[v] && glm::distance(of_vertex[v], uvs[uv]) > same) return {};
      if (!known[v]) of_vertex[v] = uvs[uv];
      known[v] = true;
    }
  }
  return of_vertex;
}

/// The two longest axes of the bounding box stretched over [0,1]^2, the later axis (y before z) upwards.
std::vector<glm::dvec2> projected_uvs(const TriMesh& mesh) {
  Box box;
  for (const glm::dvec3& p : mesh.positions) box.add(p);
  const glm::dvec3 extent = box.extent();
  int shortest = 2;
  for (int axis : {1, 0}) {
    if (extent[axis] < extent[shortest]) shortest = axis;
  }
  const int u = shortest == 0 ? 2 : 0, v = shortest == 1 ? 2 : 1;
  const auto along = [&](const glm::dvec3& p, int axis) {
    return extent[axis] > 0.0 ? (p[axis] - box.low[axis]) / extent[axis] : 0.0;
  };
  std::vector<glm::dvec2> uvs;
  uvs.reserve(mesh.positions.size());
  for (const glm::dvec3& p : mesh.positions) uvs.push_back({along(p, u), along(p, v)});
  return uvs;
}

std::string counted(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string of_lines(int count, int first) {
  return (count > 1 ? "the first of line " : "of line ") + std::to_string(first);
}

/// `first_degenerate`, `first_coincident`: the lines of the first triangles that were dropped.
void describe(ObjMesh& obj, int first_degenerate, int first_coincident) {
  if (obj.welded > 0)
    obj.notes.push_back(counted(obj.welded, "duplicate vertex", "duplicate vertices") + " welded");
  if (obj.unused > 0)
    obj.notes.push_back(counted(obj.unused, "unused vertex", "unused vertices") + " dropped");
  if (obj.degenerate > 0) {
    obj.notes.push_back(counted(obj.degenerate, "triangle", "triangles") + " without area dropped, " +
                        of_lines(obj.degenerate, first_degenerate));
  }
  if (obj.coincident > 0) {
    obj.notes.push_back(counted(obj.coincident, "triangle", "triangles") +
                        " with the same three vertices as another dropped, " +
                        of_lines(obj.coincident, first_coincident));
  }
}

/// Names the elements that faces refer to and the file lacks, "" if none. Neither kind is needed: uvs are
/// projected, normals follow from the triangles.
std::string left_out(const PlainObj& plain, const std::string& name) {
  std::string what;
  int first = 0;
  for (const auto& [line, kind] :
       {std::pair(plain.without_uvs, "texture coordinates"), {plain.without_normals, "normals"}}) {
    if (line == 0) continue;
    what += (what.empty() ? "" : " and ") + std::string(kind);
    first = first == 0 ? line : std::min(first, line);
  }
  if (first == 0) return {};
  return "the faces name " + what + " that the file does not have (" + name + ":" + std::to_string(first) +
         "): Limber makes its own";
}

Error not_text(const std::string& name) {
  return {"this is no text file, so no Wavefront OBJ (it has zero bytes)", name, 0,
          "export the mesh as OBJ, in UTF-8 or ASCII"};
}

}  // namespace

Expected<void> check_obj_text(const std::string& path) {
  if (const Expected<void> known = check_no_foreign_mesh(path); !known) return known;
  std::ifstream file(path, std::ios::binary);
  char start[4096];
  file.read(start, sizeof start);
  const std::string_view read(start, static_cast<std::size_t>(file.gcount()));
  if (read.find('\0') != std::string_view::npos) return not_text(path);
  return {};
}

Expected<ObjMesh> parse_obj(std::string_view text, const std::string& name) {
  if (text.find('\0') != std::string_view::npos) return not_text(name);
  auto plain = scan_obj(text, name);
  if (!plain) return plain.error();
  const std::string incomplete = left_out(*plain, name);
  const Polygons polygons = load_polygons(std::move(*plain));
  UsedVertices used = keep_used(polygons);
  const double diagonal = glm::length(used.box.extent());
  if (!(diagonal >= smallest_extent)) {
    return Error{"all vertices are in one place", name, 0, "the mesh must be larger than 1e-9 m"};
  }
  const std::vector<Index> becomes = weld(used.positions, weld_tolerance * diagonal);

  ObjMesh obj;
  std::vector<CornerTriangle> triangles = triangulate(polygons, used, becomes);
  const glm::dvec3 reach = glm::max(glm::abs(used.box.low), glm::abs(used.box.high));
  const double largest = std::max({reach.x, reach.y, reach.z});
  int first_degenerate = 0;
  const auto degenerate = [&](const CornerTriangle& triangle) {
    const auto& [a, b, c] = triangle.corners;
    const bool flat =
        is_degenerate(used.positions[a.vertex], used.positions[b.vertex], used.positions[c.vertex], largest);
    if (flat && first_degenerate == 0) first_degenerate = triangle.line;
    return flat;
  };
  obj.degenerate = static_cast<int>(std::erase_if(triangles, degenerate));
  if (triangles.empty()) {
    return Error{"no triangle of the mesh has an area, this one is the first", name, first_degenerate,
                 "its corners are in one line or in one place"};
  }

  const int first_coincident = drop_coincident(triangles, obj);
  compact(triangles, used, obj);
  if (!polygons.colors.empty())
    for (const Index v : obj.file_vertices) obj.mesh.colors.push_back(polygons.colors[std::size_t(v)]);
  obj.mesh.uvs = file_uvs(triangles, polygons.uvs, obj.mesh);
  if (obj.mesh.uvs.empty()) obj.mesh.uvs = projected_uvs(obj.mesh);
  for (std::size_t v = 0; v < becomes.size(); ++v) obj.welded += becomes[v] != static_cast<Index>(v);
  obj.unused = static_cast<int>(polygons.positions.size() - obj.mesh.positions.size()) - obj.welded;
  describe(obj, first_degenerate, first_coincident);
  if (!incomplete.empty()) obj.notes.push_back(incomplete);
  return obj;
}

Expected<ObjMesh> read_obj(const std::string& path) {
  if (const Expected<void> known = check_no_foreign_mesh(path); !known) return known.error();
  const Expected<std::string> text = read_mesh_file(path, obj_max_bytes, "give the path of an .obj file");
  if (!text) return text.error();
  return parse_obj(*text, path);
}

}  // namespace limber
