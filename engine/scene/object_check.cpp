#include "engine/scene/object_check.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "engine/geometry/mesh/grid.hpp"

namespace limber {
namespace {

bool has_grid(const ObjectDesc& object) { return object.type == ObjectType::cloth && object.mesh.empty(); }

/// Vertices of one copy; empty while only the mesh file knows.
std::optional<long> vertex_count(const ObjectDesc& object) {
  switch (object.type) {
    case ObjectType::chain:
      return long{object.links} + 1;
    case ObjectType::points:
      return static_cast<long>(object.points.size());
    case ObjectType::cloud:
    case ObjectType::grains:
      return static_cast<long>(object.copies.x * object.copies.y * object.copies.z);
    case ObjectType::cloth:
    case ObjectType::solid:
      break;
  }
  if (!has_grid(object)) return std::nullopt;
  return long{object.columns} * object.rows;
}

Expected<void> check_index(long index, long count) {
  if (index >= 0 && index < count) return {};
  return Error{"there is no vertex " + std::to_string(index), "", 0, "0 to " + std::to_string(count - 1)};
}

Expected<void> check_copies(const ObjectDesc& object) {
  const glm::dvec3& n = object.copies;
  for (int axis = 0; axis < 3; ++axis)
    if (!(n[axis] >= 1.0) || n[axis] != std::floor(n[axis]))
      return Error{"'copies' must be three whole numbers", "", 0, "at least 1 each"};
  const double each = object.type == ObjectType::cloud || object.type == ObjectType::grains
                          ? 1.0
                          : static_cast<double>(vertex_count(object).value_or(1));
  const double vertices = each * n.x * n.y * n.z;
  if (object.type == ObjectType::grains && vertices > max_particles)
    return Error{"the object would have " + to_text(vertices) + " grains", "", 0,
                 "at most " + to_text(max_particles)};
  if (vertices <= max_vertices) return {};
  return Error{"the object would have " + to_text(vertices) + " vertices", "", 0,
               "at most " + to_text(max_vertices)};
}

}  // namespace

Expected<void> check_vertex(const ObjectDesc& object, const VertexName& name) {
  if (const long* index = std::get_if<long>(&name)) {
    const std::optional<long> count = vertex_count(object);
    return check_index(*index, count.value_or(static_cast<long>(max_vertices)));
  }
  const std::string& word = std::get<std::string>(name);
  if (!has_grid(object))
    return Error{"'" + word + "' names vertices of a grid, and this object is none", "", 0,
                 "give vertex numbers, counted from 0"};
  const Expected<std::vector<Index>> vertices = grid_vertices(word, object.columns, object.rows);
  if (!vertices) return vertices.error();
  return {};
}

Expected<void> check_spring(const ObjectDesc& object, const SpringDesc& spring) {
  for (const Index point : spring.points)
    if (const Expected<void> known = check_index(point, static_cast<long>(object.points.size())); !known)
      return known;
  const auto [a, b] = spring.points;
  if (a == b) return Error{"a spring needs two different points", "", 0, ""};
  const auto place = [&](Index point) { return object.points[static_cast<std::size_t>(point)].position; };
  if (!spring.rest_length && glm::distance(place(a), place(b)) < 1e-6)
    return Error{"the spring has no length: its points start in the same place", "", 0,
                 "give a 'rest_length'"};
  return {};
}

Expected<void> check_spacing(const ObjectDesc& object) {
  const bool grains = object.type == ObjectType::grains;
  if (!grains && object.type != ObjectType::solid) return {};
  double in_one_place = 1.0;
  for (int axis = 0; axis < 3; ++axis)
    if (object.copies[axis] > 1.0 && !(object.spacing[axis] > 0.0)) in_one_place *= object.copies[axis];
  if (in_one_place > 1.0)
    return Error{"'spacing' = " + to_text(object.spacing) + " puts " + to_text(in_one_place) +
                     (grains ? " grains" : " solids") + " into one place",
                 "", 0,
                 grains ? "grains touch at twice solver.particle_radius: give a little more along every axis"
                        : "along every axis with several copies, give at least the size of one"};
  return {};
}

namespace {

/// Each name once: one like "all" stands for many vertices.
Expected<void> check_names(const ObjectDesc& object, const std::vector<VertexName>& names) {
  std::set<VertexName> known;
  for (const VertexName& name : names)
    if (known.insert(name).second)
      if (const Expected<void> there = check_vertex(object, name); !there) return there;
  return {};
}

}  // namespace

Expected<void> check_object(const ObjectDesc& object) {
  if (const Expected<void> copies = check_copies(object); !copies) return copies;
  if (const Expected<void> apart = check_spacing(object); !apart) return apart;
  if (object.type == ObjectType::chain && glm::length(object.direction) < 1e-6)
    return Error{"'direction' must not be zero", "", 0, ""};
  if (object.type == ObjectType::solid && object.mesh.empty())
    return Error{"an object of type 'solid' needs a 'mesh'", "", 0, "name a closed OBJ file"};
  if (object.type == ObjectType::points && object.points.empty())
    return Error{"an object of type 'points' needs 'points'", "", 0,
                 R"("points": [{"position": [0, 1, 0]}])"};
  if (const Expected<void> known = check_names(object, object.pins); !known) return known;
  for (const AttachmentDesc& attachment : object.attachments)
    if (const Expected<void> known = check_names(object, attachment.vertices); !known) return known;
  for (const SpringDesc& spring : object.springs)
    if (const Expected<void> known = check_spring(object, spring); !known) return known;
  return {};
}

}  // namespace limber
