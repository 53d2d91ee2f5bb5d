#include "engine/scene/objects/object_geometry.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <limits>
#include <set>

#include "engine/core/material_field.hpp"
#include "engine/geometry/field/material_share.hpp"
#include "engine/scene/bodies/body_carrier.hpp"
#include "engine/scene/build/start_positions.hpp"
#include "engine/scene/build/tethers.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_place.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/solid.hpp"

namespace limber {
namespace {

Error in_object(const SceneDesc& scene, const ObjectDesc& object, Error error) {
  return placed_in_part(std::move(error), scene.file, "object", "objects", object.name);
}

/// The particles at one end of a solid: those nearer than `geometry.layer` to the outermost one.
Expected<std::vector<Index>> layer_of(const ObjectGeometry& geometry, std::string_view word) {
  const Expected<SolidEnd> end = solid_end(word);
  if (!end) return end.error();
  double most = -std::numeric_limits<double>::max();
  const auto along = [&](const glm::dvec3& x) { return end->sign * x[end->axis]; };
  for (const glm::dvec3& x : geometry.positions) most = std::max(most, along(x));
  std::vector<Index> out;
  for (std::size_t v = 0; v < geometry.positions.size(); ++v)
    if (end->all || along(geometry.positions[v]) > most - geometry.layer) out.push_back(Index(v));
  return out;
}

/// Vertex indices of a name. Checks indices, whose range was unknown before the mesh was read.
Expected<std::vector<Index>> resolve(const ObjectDesc& object, const VertexName& name,
                                     const ObjectGeometry& geometry) {
  if (const std::string* word = std::get_if<std::string>(&name)) {
    if (!geometry.fields.empty()) return layer_of(geometry, *word);
    return named_vertices(object, *word);
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

namespace {

/// Multiplies the masses by the density field. Fails if a field needs vertex colours that the mesh lacks.
Expected<void> apply_fields(const ObjectDesc& object, ObjectGeometry& geometry) {
  for (const FieldSource& source : object.fields)
    if (source.type == FieldSourceType::colors && geometry.colors.empty())
      return Error{"the field '" + source.name + "' takes vertex colours, and the mesh has none", "", 0,
                   "write every vertex of the OBJ with its colour, as in 'v 0 1 0 1 0.5 0'"};
  const auto is_density = [](const FieldSource& s) { return s.quantity == MaterialField::density; };
  if (std::none_of(object.fields.begin(), object.fields.end(), is_density)) return {};
  for (std::size_t v = 0; v < geometry.masses.size(); ++v)
    geometry.masses[v] *= factor_at(object.fields, MaterialField::density, geometry.positions[v],
                                    geometry.colors.empty() ? glm::dvec3(0.0) : geometry.colors[v]);
  return {};
}

}  // namespace

double longest_extent(std::span<const glm::dvec3> positions) {
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (const glm::dvec3& x : positions) low = glm::min(low, x), high = glm::max(high, x);
  const glm::dvec3 extent = high - low;
  return std::max({extent.x, extent.y, extent.z});
}

Error in_file(const std::string& file, Error error) {
  if (error.file.empty()) error.file = file;
  return error;
}

void normalise(std::vector<glm::dvec3>& positions, double size) {
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (const glm::dvec3& x : positions) low = glm::min(low, x), high = glm::max(high, x);
  const double longest = longest_extent(positions);
  const double scale = longest > 0.0 ? size / longest : 1.0;
  for (glm::dvec3& x : positions) x = scale * (x - 0.5 * (low + high));
}

Expected<ObjectGeometry> build_geometry(const SceneDesc& scene, const ObjectDesc& object) {
  if (Expected<void> checked = check_object(object); !checked)
    return in_object(scene, object, checked.error());
  ObjectGeometry out;
  if (Expected<void> built = traits_of(object).does.build(scene, object, out); !built)
    return in_object(scene, object, built.error());
  if (const Expected<void> colored = apply_fields(object, out); !colored)
    return in_object(scene, object, colored.error());
  if (!object.pins.empty()) out.attachments.push_back({object.pins, glm::dvec3(0.0), 1.0, {}});
  out.attachments.insert(out.attachments.end(), object.attachments.begin(), object.attachments.end());
  for (const AttachmentDesc& attachment : out.attachments) {
    std::vector<Index> vertices;
    std::set<VertexName> named;  // each name once: a second "all" would cost as much as the first
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
      if (out.fixes(a))  // fixed vertices start in place
        for (Index vertex : out.attached[a])
          out.starts[std::size_t(vertex)] = out.positions[std::size_t(vertex)];
  }
  if (object.tethers) out.tethers = make_tethers(out, object.tether_slack);
  return out;
}

}  // namespace limber
