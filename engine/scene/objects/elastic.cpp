#include "engine/scene/objects/elastic.hpp"

#include <algorithm>
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

/// Springs whose stiffness is that of the volume around them (TetEdge).
void add_edges(ObjectGeometry& geometry) {
  struct Share {
    Edge edge;
    double volume;
  };
  std::vector<Share> shares;
  for (const Tet& tet : geometry.tets) {
    const double sixth = TetStencil::volume_of(corners_of(geometry, tet)) / 6.0;
    for (const auto& [a, b] : tet_edge_corners)
      shares.push_back({{std::min(tet[a], tet[b]), std::max(tet[a], tet[b])}, sixth});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.edge < b.edge; });
  for (std::size_t k = 0; k < shares.size();) {
    const Edge edge = shares[k].edge;
    double volume = 0.0;
    for (; k < shares.size() && shares[k].edge == edge; ++k) volume += shares[k].volume;
    const double length =
        glm::distance(geometry.positions[std::size_t(edge[0])], geometry.positions[std::size_t(edge[1])]);
    geometry.add<TetEdge>(edge, {length}, length * length / volume);
  }
}

void add_volumes(ObjectGeometry& geometry) {
  for (const Tet& tet : geometry.tets) {
    const TetCorners x = corners_of(geometry, tet);
    geometry.add<TetVolume>(tet, TetVolume::rest_of(x), TetStencil::volume_of(x));
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
      add_edges(geometry);
      return add_volumes(geometry);
  }
}

}  // namespace limber
