#include "engine/scene/objects/elastic.hpp"

#include <glm/geometric.hpp>
#include "engine/core/settings/material.hpp"

namespace limber {
namespace {

using TetCorners = std::array<glm::dvec3, 4>;

TetCorners corners_of(const ObjectGeometry& geometry, const Tet& tet) {
  TetCorners x;
  for (std::size_t j = 0; j < 4; ++j) x[j] = geometry.positions[std::size_t(tet[j])];
  return x;
}

template <class Type>
void add_elements(ObjectGeometry& geometry) {
  for (const Tet& tet : geometry.tets) {
    const TetCorners x = corners_of(geometry, tet);
    geometry.add<Type>(tet, Type::rest_of(x), 1.0 / TetStencil::volume_of(x));
  }
}

}  // namespace

void add_elastic_triangles(const Material& material, ObjectGeometry& geometry) {
  for (const Triangle& t : geometry.triangles) {
    std::array<glm::dvec3, 3> x;
    for (std::size_t j = 0; j < 3; ++j) x[j] = geometry.positions[std::size_t(t[j])];
    const double area = 0.5 * glm::length(glm::cross(x[1] - x[0], x[2] - x[0]));
    if (!(area > 0.0)) continue;
    const auto rest = TriangleStencil::rest_of(x, {1.0, 0.0, 0.0});
    material.sheet_model == SheetModel::stvk ? geometry.add<StvkTriangle>(t, rest, 1.0 / area)
                                             : geometry.add<StrainTriangle>(t, rest, 1.0 / area);
  }
}

void add_tet_constraints(const Material& material, ObjectGeometry& geometry) {
  switch (material.model) {
    case SolidModel::neo_hookean:
      return add_elements<NeoHookean>(geometry);
    case SolidModel::stvk:
      return add_elements<StvkTet>(geometry);
    case SolidModel::corotated:
      return add_elements<CorotatedTet>(geometry);
    case SolidModel::strain:
      return add_elements<StrainTet>(geometry);
    case SolidModel::volume:
      return add_elements<TetEdges>(geometry);
  }
}

}  // namespace limber
