#include "engine/scene/object_geometry.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <set>

#include "engine/constraints/bending.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/even_masses.hpp"
#include "engine/geometry/mesh/grid.hpp"
#include "engine/geometry/mesh/slivers.hpp"
#include "engine/scene/body_carrier.hpp"
#include "engine/scene/mesh_path.hpp"
#include "engine/scene/object_check.hpp"
#include "engine/scene/particle_source.hpp"
#include "engine/scene/scene_place.hpp"
#include "engine/scene/start_positions.hpp"
#include "engine/scene/tethers.hpp"

namespace limber {
namespace {

Error in_object(const SceneDesc& scene, const ObjectDesc& object, Error error) {
  return placed_in_part(std::move(error), scene.file, "object", "objects", object.name);
}

HingeGeometry make_hinge(const std::vector<glm::dvec3>& x, const Hinge& hinge) {
  using L = Lanes<double, 1>;
  Vec3<L> p[4];
  for (int j = 0; j < 4; ++j) {
    const glm::dvec3& q = x[std::size_t(hinge[std::size_t(j)])];
    p[j] = {q.x, q.y, q.z};
  }
  const L flat[1] = {0.0};
  const Vec3<L> e = p[1] - p[0];
  const Vec3<L> na = cross(p[2] - p[0], e), nb = cross(e, p[3] - p[0]);
  const double area = 0.5 * (sqrt(dot(na, na)).v + sqrt(dot(nb, nb)).v);
  return {hinge, Bending::evaluate(p, flat).C.v, area / (3.0 * dot(e, e).v)};
}

std::string number_of(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// What remove_slivers() did, in a sentence; "" if that was nothing.
std::string sliver_note(const SliverReport& report, double weld) {
  std::string done;
  const auto add = [&](int count, const char* one, const char* many, const std::string& what) {
    if (count > 0) done += (done.empty() ? "" : ", ") + number_of(count, one, many) + what;
  };
  add(report.short_edges, "edge", "edges",
      " shorter than a thousandth of the median (" + to_text(report.median_edge) + " m) collapsed");
  add(report.collapsed, "edge", "edges",
      " shorter than " + to_text(shortest_around * weld) + " of the longest at their ends collapsed");
  const std::string thin = " thinner than " + to_text(weld) + " of their longest side ";
  add(report.flipped, "triangle", "triangles", thin + "flipped");
  add(report.left, "triangle", "triangles", thin + "left");
  return done.empty() ? done : done + R"(; "weld": 0 keeps all of them)";
}

Expected<void> add_cloth(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  TriMesh mesh;
  ObjMesh read;  // whose names errors use
  std::string file;
  if (object.mesh.empty()) {
    mesh = make_grid(object.columns, object.rows, object.width, object.height, object.upright);
  } else {
    Expected<std::string> path = find_mesh(scene, object.mesh);
    if (!path) return path.error();
    Expected<ObjMesh> obj = read_obj(*path);
    if (!obj) return obj.error();
    read = std::move(*obj);
    mesh = std::move(read.mesh);
    out.notes = std::move(read.notes);
    file = *path;
    if (object.size > 0.0) normalise(mesh.positions, object.size);
  }
  const Triangle first = mesh.triangles.front();
  if (const Expected<Enclosure> inside = enclose(mesh, read.names()))
    out.enclosure = *inside;
  else if (object.pressure > 0.0)
    return Error{inside.error().message, file, inside.error().line,
                 inside.error().hint + "; or leave 'pressure' at 0"};
  if (mesh.triangles.front() != first) out.notes.push_back("turned: its triangles faced inwards");
  const auto find_edges = [&] {
    return build_topology(mesh.triangles, Index(mesh.positions.size()), read.names());
  };
  Expected<MeshTopology> topology = find_edges();
  if (!topology) {
    Error error = topology.error();
    error.file = file;
    return error;
  }
  if (!object.mesh.empty() && object.weld > 0.0) {
    SliverReport report = remove_slivers(mesh, read.triangle_lines, read.file_vertices, object.weld);
    if (std::string note = sliver_note(report, object.weld); !note.empty())
      out.notes.push_back(std::move(note));
    if (report.changed()) {
      topology = find_edges();  // as before: a collapse keeps the surface one
      out.numbers = std::move(report.becomes);
      if (out.enclosure.volume > 0.0) out.enclosure = enclosed(mesh.triangles, mesh.positions);
    }
  }
  out.masses = vertex_masses(mesh, object.material.density);
  if (!object.mesh.empty() && object.weld > 0.0) even_masses(out.masses, topology->edges);
  for (const Edge& e : topology->edges)
    out.springs.push_back(
        {e, glm::distance(mesh.positions[std::size_t(e[0])], mesh.positions[std::size_t(e[1])])});
  if (object.material.bending)
    for (const Hinge& hinge : topology->hinges) out.hinges.push_back(make_hinge(mesh.positions, hinge));
  out.positions = std::move(mesh.positions);
  out.uvs = std::move(mesh.uvs);
  out.triangles = std::move(mesh.triangles);
  return {};
}

void add_chain(const ObjectDesc& object, ObjectGeometry& out) {
  const glm::dvec3 step = object.link_length * glm::normalize(object.direction);
  for (int i = 0; i <= object.links; ++i) {
    out.positions.push_back(double(i) * step);
    out.masses.push_back(i == 0 ? 0.0 : object.particle_mass);
    if (i > 0) out.springs.push_back({{Index(i - 1), Index(i)}, object.link_length});
  }
}

void add_points(const ObjectDesc& object, ObjectGeometry& out) {
  for (const PointDesc& point : object.points) {
    out.positions.push_back(point.position);
    out.masses.push_back(point.mass);
  }
  for (const SpringDesc& spring : object.springs) {
    const double length = glm::distance(out.positions[std::size_t(spring.points[0])],
                                        out.positions[std::size_t(spring.points[1])]);
    out.springs.push_back({{spring.points[0], spring.points[1]}, spring.rest_length.value_or(length)});
  }
}

void add_cloud(const ObjectDesc& object, ObjectGeometry& out) {
  const glm::ivec3 n(object.copies);
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y)
      for (int x = 0; x < n.x; ++x) {
        out.positions.push_back(object.spacing *
                                (glm::dvec3(x, y, z) - 0.5 * glm::dvec3(n.x - 1, 0, n.z - 1)));
        out.masses.push_back(object.particle_mass);
      }
}

/// Vertex indices of a name; the range was unknown before the mesh was read.
Expected<std::vector<Index>> resolve(const ObjectDesc& object, const VertexName& name,
                                     const ObjectGeometry& geometry) {
  if (const std::string* word = std::get_if<std::string>(&name)) {
    if (object.type == ObjectType::cloth && object.mesh.empty())
      return grid_vertices(*word, object.columns, object.rows);
    return Error{"'" + *word + "' names a vertex of a grid, and this is none", {}, 0, "use a vertex number"};
  }
  const long index = std::get<long>(name);
  const std::size_t vertex_count = geometry.named_vertices();
  if (index < 0 || std::size_t(index) >= vertex_count)
    return Error{"there is no vertex " + std::to_string(index),
                 {},
                 0,
                 "0 to " + std::to_string(long(vertex_count) - 1)};
  return std::vector<Index>{geometry.numbers.empty() ? Index(index) : geometry.numbers[std::size_t(index)]};
}

}  // namespace

void normalise(std::vector<glm::dvec3>& positions, double size) {
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (const glm::dvec3& x : positions) low = glm::min(low, x), high = glm::max(high, x);
  const glm::dvec3 extent = high - low;
  const double longest = std::max(extent.x, std::max(extent.y, extent.z));
  const double scale = longest > 0.0 ? size / longest : 1.0;
  for (glm::dvec3& x : positions) x = scale * (x - 0.5 * (low + high));
}

Expected<ObjectGeometry> build_geometry(const SceneDesc& scene, const ObjectDesc& object) {
  if (Expected<void> checked = check_object(object); !checked)
    return in_object(scene, object, checked.error());
  ObjectGeometry out;
  switch (object.type) {
    case ObjectType::cloth:
      if (Expected<void> added = add_cloth(scene, object, out); !added)
        return in_object(scene, object, added.error());
      break;
    case ObjectType::chain:
      add_chain(object, out);
      break;
    case ObjectType::points:
      add_points(object, out);
      break;
    case ObjectType::cloud:
      add_cloud(object, out);
      break;
    case ObjectType::grains:
      add_grains(scene, object, out);
      break;
    case ObjectType::solid:
      if (Expected<void> added = add_solid(scene, object, out); !added)
        return in_object(scene, object, added.error());
      for (const glm::dvec3& x : out.positions) out.center += x / double(out.positions.size());
      break;
  }
  if (!object.pins.empty()) out.attachments.push_back({object.pins, glm::dvec3(0.0), 1.0, {}});
  out.attachments.insert(out.attachments.end(), object.attachments.begin(), object.attachments.end());
  for (const AttachmentDesc& attachment : out.attachments) {
    std::vector<Index> vertices;
    std::set<VertexName> named;  // "all" a second time would cost as much as the first
    for (const VertexName& name : attachment.vertices) {
      if (!named.insert(name).second) continue;
      Expected<std::vector<Index>> found = resolve(object, name, out);
      if (!found) return in_object(scene, object, found.error());
      vertices.insert(vertices.end(), found->begin(), found->end());
    }
    out.attached.push_back(std::move(vertices));
    out.tied.push_back(!fixes_vertices(scene, attachment));
  }
  if (object.start != Start::rest) {
    out.starts = start_positions(object.start, out.positions, scene.seed);
    for (std::size_t a = 0; a < out.attached.size(); ++a)
      if (out.fixes(a))  // what is fixed is in place
        for (Index vertex : out.attached[a])
          out.starts[std::size_t(vertex)] = out.positions[std::size_t(vertex)];
  }
  if (object.tethers) out.tethers = make_tethers(out, object.tether_slack);
  return out;
}

}  // namespace limber
