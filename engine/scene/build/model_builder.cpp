#include "engine/scene/build/model_builder.hpp"

#include <glm/geometric.hpp>
#include <memory>
#include <utility>

#include "engine/core/material_field.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/geometry/mesh/creases.hpp"
#include "engine/scene/build/palette.hpp"
#include "engine/scene/build/varied_color.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

std::shared_ptr<const TriMesh> moved_mesh(TriMesh mesh, const glm::dvec3& shift) {
  for (glm::dvec3& x : mesh.positions) x += shift;
  return std::make_shared<const TriMesh>(std::move(mesh));
}

/// Adds colours, opacity and the mesh of grains, solids and fluids to the model.
void add_look(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry,
              const SceneModel& model, ObjectModel& out) {
  out.radius = float(scene.solver.contact->particle_radius);
  out.fluid = traits_of(object).fluid;
  if (out.fluid) out.opacity = float(object.fluid->opacity);
  if (out.fluid && object.fluid->emit_count > 0 && object.fluid->emit_share >= 1.0) {
    out.jet_speed = float(glm::length(object.velocity));
    out.jet_layer = Index(object.fluid->mouth_places(2.0 * scene.solver.contact->particle_radius).size());
  }
  if (!geometry.shape) {
    for (Index i = 0; i < out.vertex_count; ++i)
      out.colors.push_back(varied(out.color, scene.seed, std::uint64_t(i)));
    return;
  }
  const bool first = model.objects.empty() || model.objects.back().name != object.name;
  out.shape = first ? moved_mesh(*geometry.shape, -geometry.center) : model.objects.back().shape;
  out.color = varied(out.color, scene.seed, std::uint64_t(model.objects.size()));
}

/// Lists the rods of an object one by one if some of them are rings.
void add_rings(const RodGeometry& rods, Index first_vertex, RodModel& out) {
  bool any = false;
  for (Index s = 0; s < Index(rods.segments.size()); s += rods.strand) {
    const Index end = s + rods.strand, last = rods.segments[std::size_t(end - 1)].points[1];
    RodPiece piece{out.first_segment + s, {}, last == rods.segments[std::size_t(s)].points[0]};
    for (Index k = s; k < end; ++k)
      piece.points.push_back(first_vertex + rods.segments[std::size_t(k)].points[0]);
    if (!piece.closed) piece.points.push_back(first_vertex + last);
    any |= piece.closed;
    out.pieces.push_back(std::move(piece));
  }
  if (!any) out.pieces.clear();
}

}  // namespace

void add_object_model(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry,
                      Index first, const Topology& topology, SceneModel& model) {
  ObjectModel out;
  out.name = object.name;
  out.source = Index(topology.object_source.back());
  out.first_vertex = first;
  out.vertex_count = Index(geometry.positions.size());
  for (Triangle t : geometry.triangles) out.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  if (geometry.triangles.empty())
    for (const SpringGeometry& s : geometry.springs)
      out.springs.push_back({s.vertices[0] + first, s.vertices[1] + first});
  for (Tet t : geometry.tets) out.tets.push_back({t[0] + first, t[1] + first, t[2] + first, t[3] + first});
  out.skin = geometry.skin;
  out.has_clusters = !geometry.clusters.empty();
  out.clustered = out.has_clusters && geometry.skin;
  if (out.clustered) {
    out.skin = moved_mesh(*geometry.skin, -geometry.center);
    out.blends = geometry.blends;
    const SoftMatter& soft = topology.matter.soft;
    out.first_skin_vertex = soft.skin.solid_vertex[soft.solids.size() - 1];
    const std::int32_t first_cluster = soft.solids.back().first_cluster;
    for (ClusterBlend& blend : out.blends)
      for (std::int32_t& cluster : blend.cluster) cluster += first_cluster;
  }
  for (EmbeddedPoint point : geometry.carried) {
    for (Index& v : point.vertices) v += first;
    out.carried.push_back(point);
  }
  if (out.skin)
    out.smoothing = smoothing_groups(out.skin->triangles, out.skin->positions);
  else if (!out.tets.empty())
    out.smoothing = smoothing_groups(geometry.triangles, geometry.positions);
  out.uvs.assign(geometry.uvs.begin(), geometry.uvs.end());
  const ObjectColors colors = colors_of(scene, object);
  out.color = colors.front;
  out.back_color = colors.back;
  if (traits_of(object).particles) add_look(scene, object, geometry, model, out);
  if (!geometry.rod.segments.empty()) {
    const std::size_t count = geometry.rod.segments.size();
    out.rod = {Index(topology.rods.segments.size() - count),
               Index(count),
               float(geometry.rod.radius),
               float(geometry.rod.flatness),
               geometry.rod.closed,
               geometry.rod.strand};
    if (geometry.rod.strand > 0) add_rings(geometry.rod, first, out.rod);
  }
  if (!out.triangles.empty() && object.copies != glm::dvec3(1.0)) {
    const auto number = std::uint64_t(model.objects.size());
    out.color = varied(out.color, scene.seed, number);
    out.back_color = varied(out.back_color, scene.seed, number);
  }
  out.pattern = object.pattern;
  for (const FieldSource& source : object.fields) out.fields |= 1u << std::uint32_t(source.quantity);
  model.objects.push_back(std::move(out));
}

}}  // namespace limber::LIMBER_PRECISION
