#include "engine/scene/build/constraint_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <span>

#include "engine/coloring/patches.hpp"
#include "engine/coloring/schedule_builder.hpp"
#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

void append_spring(RawConstraintSet& raw, SpringAction action, std::int32_t object, const Edge& ends,
                   const SpringGeometry& spring) {
  const double length = spring.rest_length, scale = spring.compliance_scale;
  switch (action) {
    case SpringAction::spring:
      return append(std::get<RawConstraints<Distance>>(raw), object, ends, {length}, scale);
    case SpringAction::rope:
      return append(std::get<RawConstraints<Rope>>(raw), object, ends, {length}, scale);
    case SpringAction::strut:
      return append(std::get<RawConstraints<Strut>>(raw), object, ends, {length}, scale);
  }
}

/// 3 |e|^2/(A0+A1) of a hinge with rest positions `x`: the ratio of the square of C of IsometricBending to
/// the square of the angle of a small fold.
double isometric_weight(const std::array<glm::dvec3, 4>& x) {
  const glm::dvec3 e = x[1] - x[0];
  const double areas =
      0.5 * (glm::length(glm::cross(e, x[2] - x[0])) + glm::length(glm::cross(e, x[3] - x[0])));
  return areas > 0.0 ? 3.0 * glm::dot(e, e) / areas : 1.0;
}

/// Appends a hinge with the rest positions `x` of its corners.
void append_hinge(RawConstraintSet& raw, BendingModel model, std::int32_t object, const Hinge& particles,
                  const HingeGeometry& hinge, const std::array<glm::dvec3, 4>& x) {
  switch (model) {
    case BendingModel::dihedral:
      return append(std::get<RawConstraints<Bending>>(raw), object, particles, {hinge.rest_angle},
                    hinge.compliance_scale);
    case BendingModel::isometric:
      return append(std::get<RawConstraints<IsometricBending>>(raw), object, particles,
                    IsometricBending::rest_of(x), isometric_weight(x) * hinge.compliance_scale);
    case BendingModel::acos:  // the angle of a flat hinge is pi, and folds have no sign
      return append(std::get<RawConstraints<AcosBending>>(raw), object, particles,
                    {glm::pi<double>() - std::abs(hinge.rest_angle)}, hinge.compliance_scale);
  }
}

}  // namespace

void add_constraints(const ObjectDesc& object, const ObjectGeometry& geometry,
                     std::span<const Index> to_particle, RawConstraintSet& raw, Topology& topology) {
  const std::int32_t owner = std::int32_t(topology.objects.size());
  const auto particle = [&](Index vertex) { return to_particle[std::size_t(vertex)]; };
  const auto place = [&](Index vertex) { return geometry.positions[std::size_t(vertex)]; };
  for (const SpringGeometry& spring : geometry.springs)
    append_spring(raw, object.spring_action, owner,
                  {particle(spring.vertices[0]), particle(spring.vertices[1])}, spring);
  for (const HingeGeometry& hinge : geometry.hinges) {
    const Hinge& h = hinge.vertices;
    append_hinge(raw, object.material->bending_model, owner,
                 {particle(h[0]), particle(h[1]), particle(h[2]), particle(h[3])}, hinge,
                 {place(h[0]), place(h[1]), place(h[2]), place(h[3])});
  }
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const StencilGeometry<Type>& list = std::get<type>(geometry.constraints);
    for (std::size_t k = 0; k < list.vertices.size(); ++k) {
      std::array<Index, Type::arity> particles;
      std::transform(list.vertices[k].begin(), list.vertices[k].end(), particles.begin(), particle);
      append(std::get<type>(raw), owner, particles, list.rest[k], list.compliance_scale[k]);
    }
  });
  for (Index k : tree_order(geometry.positions, geometry.triangles, 0, surface_leaf)) {
    const Triangle& t = geometry.triangles[std::size_t(k)];
    topology.triangles.push_back({particle(t[0]), particle(t[1]), particle(t[2])});
  }
  for (const Tet& t : geometry.tets) {
    topology.tets.push_back({particle(t[0]), particle(t[1]), particle(t[2]), particle(t[3])});
    topology.tet_volumes.push_back(real(tet_volume(geometry.positions, t)));
  }
  for (const SpringGeometry& tether : geometry.tethers)
    append(std::get<RawConstraints<Tether>>(raw), owner,
           {particle(tether.vertices[0]), particle(tether.vertices[1])}, {tether.rest_length});
}

}}  // namespace limber::LIMBER_PRECISION
