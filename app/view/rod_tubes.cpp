#include "app/view/rod_tubes.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <utility>

#include "app/view/rod_pieces.hpp"
#include "engine/geometry/rods/catmull_rom.hpp"

namespace limber {
namespace {

constexpr std::size_t finest_pieces = 4, most_sides = 10, fewest_sides = 4;
constexpr std::size_t most_positions = 400000;  // of all tubes; beyond this, segments are divided into fewer
                                                // rings

std::size_t rings_of(Index segments, bool closed, std::size_t pieces) {
  return std::size_t(segments) * pieces + (closed ? 0 : 1);
}

/// Axes of a cross section interpolated between two frames. Not necessarily unit vectors.
struct SectionAxes {
  glm::vec3 width, height;
};

SectionAxes axes_of_turn(const glm::dvec4& q) {
  const glm::dvec3 v(q);
  const auto turned = [&](const glm::dvec3& a) {
    return glm::vec3(a + 2.0 * glm::cross(v, glm::cross(v, a) + q.w * a));
  };
  return {turned({1.0, 0.0, 0.0}), turned({0.0, 1.0, 0.0})};
}

}  // namespace

void RodTubes::add(const SceneModel& model, SurfaceTopology& surfaces) {
  tubes_.clear();
  std::size_t segments = 0, rods = 0;
  for (const ObjectModel& object : model.objects)
    segments += std::size_t(object.rod.segments),
        rods += object.rod.strand > 0 ? std::size_t(object.rod.segments / object.rod.strand)
                                      : std::size_t(object.rod.segments > 0);
  carried_ = surfaces.carried.size();
  if (rods == 0) return;
  const std::size_t sides = rods > 50 ? fewest_sides + 1 : most_sides;
  const std::size_t pieces = std::clamp(most_positions / (segments * sides), std::size_t(1), finest_pieces);

  std::vector<std::uint32_t> stripe;
  SurfaceDraw draw;
  const auto close = [&] {  // rods of one look share a draw: first their sides, then their stripes
    const auto end = std::uint32_t(surfaces.indices.size());
    if (end > draw.first_index) {
      draw.index_count = end - draw.first_index;
      surfaces.draws.push_back(draw);
      draw.first_index = end;
      surfaces.indices.insert(surfaces.indices.end(), stripe.begin(), stripe.end());
      draw.index_count = std::uint32_t(stripe.size());
      draw.color = draw.back_color;
      surfaces.draws.push_back(draw);
    }
    stripe.clear();
    draw.first_index = std::uint32_t(surfaces.indices.size());
  };
  draw.first_index = std::uint32_t(surfaces.indices.size());
  for (const ObjectModel& object : model.objects) {
    if (object.rod.segments == 0) continue;
    if (object.color != draw.color || object.back_color != draw.back_color) close();
    draw.color = object.color, draw.back_color = object.back_color;
    for (RodPiece& piece : pieces_of(object)) {
      const Index count = Index(piece.points.size()) - (piece.closed ? 0 : 1);
      tubes_.push_back({surfaces.carried.size(), std::move(piece.points), piece.first_segment, count,
                        object.rod.radius, object.rod.flatness, piece.closed, pieces, sides});
      add_tube(tubes_.back(), std::size_t(model.vertex_count), surfaces, stripe);
    }
  }
  close();
  carried_ = surfaces.carried.size();
}

/// Adds rings of vertices, the sides between them and the caps. `vertices`: number of the scene's vertices,
/// which precede the carried ones. Appends the triangles of two opposite sides to `stripe`.
void RodTubes::add_tube(const Tube& tube, std::size_t vertices, SurfaceTopology& surfaces,
                        std::vector<std::uint32_t>& stripe) {
  const std::size_t rings = rings_of(tube.segments, tube.closed, tube.pieces), sides = tube.sides;
  const auto carried = [&](std::size_t ring) {
    CarriedVertex out;
    const std::size_t k = ring / tube.pieces % tube.points.size(), next = (k + 1) % tube.points.size();
    const float share = float(ring % tube.pieces) / float(tube.pieces);
    out.vertices.fill(std::uint32_t(tube.points[k]));
    out.vertices[1] = std::uint32_t(tube.points[next]);
    out.weights = {1.0f - share, share, 0.0f, 0.0f};
    return out;
  };
  for (std::size_t ring = 0; ring < rings; ++ring)
    surfaces.carried.insert(surfaces.carried.end(), sides, carried(ring));
  const auto at = [&](std::size_t ring, std::size_t side) {
    return std::uint32_t(vertices + tube.first + (ring % rings) * sides + side % sides);
  };
  for (std::size_t ring = 0; ring < std::size_t(tube.segments) * tube.pieces; ++ring)
    for (std::size_t side = 0; side < sides; ++side) {
      auto& out = side == 0 || side == sides / 2 ? stripe : surfaces.indices;
      const std::uint32_t a = at(ring, side), b = at(ring, side + 1), c = at(ring + 1, side),
                          d = at(ring + 1, side + 1);
      out.insert(out.end(), {a, b, c, b, d, c});
    }
  if (tube.closed) return;
  for (const std::size_t ring : {std::size_t(0), rings - 1}) {
    surfaces.carried.push_back(carried(ring));
    const auto middle = std::uint32_t(vertices + surfaces.carried.size() - 1);
    for (std::size_t side = 0; side < sides; ++side) {
      const std::uint32_t a = at(ring, side), b = at(ring, side + 1);
      surfaces.indices.insert(surfaces.indices.end(), {middle, ring == 0 ? b : a, ring == 0 ? a : b});
    }
  }
}

void RodTubes::write(const Simulation& simulation, std::vector<glm::vec3>& positions) {
  if (tubes_.empty()) return;
  simulation.read(reading::Turns{turns_});
  const std::size_t carried = positions.size() - carried_;
  for (const Tube& tube : tubes_) write_tube(tube, positions, carried);
}

void RodTubes::write_tube(const Tube& tube, std::vector<glm::vec3>& positions, std::size_t carried) const {
  const std::ptrdiff_t points = std::ptrdiff_t(tube.points.size()), segments = std::ptrdiff_t(tube.segments);
  const auto wrapped = [&](std::ptrdiff_t k, std::ptrdiff_t count) { return (k % count + count) % count; };
  const auto point = [&](std::ptrdiff_t k) {  // beyond an end, the last segment continues
    const auto place = [&](std::ptrdiff_t i) { return positions[std::size_t(tube.points[std::size_t(i)])]; };
    if (tube.closed) return place(wrapped(k, points));
    if (k < 0) return 2.0f * place(0) - place(1);
    return k < points ? place(k) : 2.0f * place(points - 1) - place(points - 2);
  };
  const auto axes = [&](std::ptrdiff_t k) {
    k = tube.closed ? wrapped(k, segments) : std::clamp(k, std::ptrdiff_t(0), segments - 1);
    return axes_of_turn(turns_[std::size_t(tube.first_segment) + std::size_t(k)]);
  };
  const float height = tube.radius, width = tube.radius * tube.flatness;
  std::size_t out = carried + tube.first;
  const std::size_t rings = rings_of(tube.segments, tube.closed, tube.pieces);
  glm::vec3 ends[2];
  for (std::size_t ring = 0; ring < rings; ++ring) {
    std::ptrdiff_t k = std::ptrdiff_t(ring / tube.pieces);
    float t = float(ring % tube.pieces) / float(tube.pieces);
    if (k == segments) --k, t = 1.0f;
    const glm::vec3 p[4] = {point(k - 1), point(k), point(k + 1), point(k + 2)};
    const glm::vec3 middle = catmull_rom(p[0], p[1], p[2], p[3], t);
    const glm::vec3 slope = catmull_rom_slope(p[0], p[1], p[2], p[3], t);
    const float length = glm::length(slope);
    const glm::vec3 tangent = length > 0.0f ? slope / length : glm::vec3(0.0f, 1.0f, 0.0f);
    // the frame of a segment is that of its midpoint
    const SectionAxes before = axes(t < 0.5f ? k - 1 : k), after = axes(t < 0.5f ? k : k + 1);
    const float share = t < 0.5f ? t + 0.5f : t - 0.5f;
    glm::vec3 across = glm::mix(before.width, after.width, share);
    across -= glm::dot(across, tangent) * tangent;
    const float wide = glm::length(across);
    across = wide > 1e-6f ? across / wide : glm::normalize(glm::cross(tangent, after.height));
    const glm::vec3 up = glm::cross(tangent, across);
    for (std::size_t side = 0; side < tube.sides; ++side) {  // the first side is centred at the first axis
      const float angle = 2.0f * glm::pi<float>() * (float(side) - 0.5f) / float(tube.sides);
      positions[out++] = middle + width * std::cos(angle) * across + height * std::sin(angle) * up;
    }
    if (ring == 0) ends[0] = middle;
    ends[1] = middle;
  }
  if (!tube.closed) positions[out] = ends[0], positions[out + 1] = ends[1];
}

}  // namespace limber
