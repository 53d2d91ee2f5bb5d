#include "app/view/surfaces.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace limber {

namespace {

/// Whether each side of a triangle is also a side of another triangle, in the opposite direction.
bool is_closed(const std::vector<Triangle>& triangles) {
  std::vector<std::array<Index, 2>> sides, opposite;
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      sides.push_back({t[k], t[(k + 1) % 3]});
      opposite.push_back({t[(k + 1) % 3], t[k]});
    }
  std::ranges::sort(sides);
  std::ranges::sort(opposite);
  return sides == opposite;
}

Matter matter_of(const ObjectModel& object) {
  if (!object.tets.empty()) return Matter::jelly;
  if (object.clustered) return Matter::rubber;
  if (object.rod.segments > 0) return Matter::rubber;
  return !object.triangles.empty() && is_closed(object.triangles) ? Matter::rubber : Matter::cloth;
}

SurfaceDraw surface_look(const ObjectModel& object) {
  SurfaceDraw draw;
  draw.color = object.color;
  draw.back_color = object.back_color;
  draw.pattern = object.uvs.empty() ? 0 : int(object.pattern);
  draw.matter = matter_of(object);
  return draw;
}

/// Adds the triangles of an object, or of its skin. A vertex on a crease gets one position per smoothing
/// group.
void add_corners(const ObjectModel& object, Index vertex_count, SurfaceTopology& surfaces, SoftSkins& skins) {
  const auto add_carried = [&](const CarriedVertex& carried) {
    surfaces.carried.push_back(carried);
    return std::uint32_t(vertex_count) + std::uint32_t(surfaces.carried.size() - 1);
  };
  const auto carried_by = [](const EmbeddedPoint& point) {
    CarriedVertex out;
    for (std::size_t k = 0; k < 4; ++k)
      out.vertices[k] = std::uint32_t(point.vertices[k]), out.weights[k] = float(point.weights[k]);
    return out;
  };
  const auto& triangles = object.skin ? object.skin->triangles : object.triangles;
  std::map<std::pair<Index, std::uint8_t>, std::uint32_t> places;
  for (std::size_t corner = 0; corner < 3 * triangles.size(); ++corner) {
    const Index vertex = triangles[corner / 3][corner % 3];
    const std::uint8_t group = object.smoothing.empty() ? 0 : object.smoothing[corner];
    if (!object.skin && group == 0) {
      surfaces.indices.push_back(std::uint32_t(vertex));
      continue;
    }
    const auto [place, added] = places.try_emplace({vertex, group}, 0u);
    if (added && !object.skin) {
      CarriedVertex copy;
      copy.vertices.fill(std::uint32_t(vertex));
      place->second = add_carried(copy);
    } else if (added) {
      if (object.clustered) skins.add(object, vertex, surfaces.carried.size());
      place->second = add_carried(carried_by(object.carried[std::size_t(vertex)]));
    }
    surfaces.indices.push_back(place->second);
  }
}

/// Adds the tetrahedra of the surface that was added last.
void add_tets(const ObjectModel& object, SurfaceTopology& surfaces) {
  surfaces.solids.push_back({std::uint32_t(surfaces.tets.size()), std::uint32_t(object.tets.size()),
                             object.back_color, std::uint32_t(surfaces.draws.size() - 1),
                             object.skin != nullptr});
  for (const Tet& tet : object.tets)
    surfaces.tets.push_back(
        {std::uint32_t(tet[0]), std::uint32_t(tet[1]), std::uint32_t(tet[2]), std::uint32_t(tet[3])});
}

/// Splits off the faces that tears opened from the surface that was added last, with the interior colour.
SurfaceDraw part_inside(const ObjectModel& object, SurfaceTopology& surfaces) {
  SurfaceDraw& skin = surfaces.draws.back();
  SurfaceDraw inside = skin;
  const std::uint32_t corners = 3 * std::uint32_t(object.inside_from);
  inside.first_index += corners, inside.index_count -= corners;
  inside.color = object.back_color;
  skin.index_count = corners;
  return inside;
}

}  // namespace

std::shared_ptr<const SurfaceTopology> make_surfaces(const SceneModel& model, RodTubes& tubes,
                                                     SoftSkins& skins) {
  auto surfaces = std::make_shared<SurfaceTopology>();
  skins.clear();
  std::vector<SurfaceDraw> insides;  // appended last, so that earlier surfaces keep their indices
  surfaces->uvs.assign(std::size_t(model.vertex_count), glm::vec2(0.5f));
  for (const ObjectModel& object : model.objects) {
    std::copy(object.uvs.begin(), object.uvs.end(), surfaces->uvs.begin() + object.first_vertex);
    if (object.triangles.empty() && !object.skin) continue;
    SurfaceDraw draw = surface_look(object);
    draw.first_index = std::uint32_t(surfaces->indices.size());
    add_corners(object, model.vertex_count, *surfaces, skins);
    draw.index_count = std::uint32_t(surfaces->indices.size()) - draw.first_index;
    surfaces->draws.push_back(draw);
    if (!object.tets.empty()) add_tets(object, *surfaces);
    if (object.inside_from >= 0) insides.push_back(part_inside(object, *surfaces));
  }
  tubes.add(model, *surfaces);
  surfaces->draws.insert(surfaces->draws.end(), insides.begin(), insides.end());
  for (std::size_t k = 0, first = surfaces->uvs.size() - model.split_from.size(); k < model.split_from.size();
       ++k)
    surfaces->uvs[first + k] = surfaces->uvs[std::size_t(model.split_from[k])];
  for (const CarriedVertex& carried : surfaces->carried) surfaces->uvs.push_back(carried.of(surfaces->uvs));
  return surfaces;
}

}  // namespace limber
