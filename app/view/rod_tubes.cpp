#include "app/view/rod_tubes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <utility>

#include "app/view/rod_pieces.hpp"
#include "engine/geometry/rods/catmull_rom.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"

namespace limber {
namespace {

constexpr std::size_t finest_pieces = 4, most_sides = 10, fewest_sides = 4;
constexpr std::size_t most_positions = 400000;  // of all tubes; beyond this, segments are divided into fewer
                                                // rings

constexpr RodTuft hair_tuft{6, 0.5f, 3.3f, 0.35f, 0.85f}, grass_tuft{5, 1.0f, 18.0f, 0.08f, 0.6f};
constexpr std::size_t tuft_sides = 3;
constexpr std::array<float, 3> shade_light{0.72f, 1.0f, 1.45f};
constexpr float least_blade = 3.0f;  // flatness of blades
constexpr std::size_t many_rods = 50;

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

void RodTubes::note_hairs(const SceneDesc& scene) {
  hairs_.clear();
  for (const ObjectDesc& object : scene.objects) hairs_.push_back(object.rod->form == RodForm::hair);
}

/// Null: the object is drawn as the rods that it has.
const RodTuft* RodTubes::tuft_of(const ObjectModel& object, std::size_t rods) const {
  if (std::size_t(object.source) < hairs_.size() && hairs_[std::size_t(object.source)]) return &hair_tuft;
  return object.rod.flatness >= least_blade && rods > many_rods ? &grass_tuft : nullptr;
}

/// Adds the tuft's rods of one shade. Their places follow H. Vogel's sunflower, turned from rod to rod.
void RodTubes::add_tuft(const ObjectModel& object, const RodTuft& tuft, SurfaceTopology& surfaces,
                        std::size_t vertices, std::size_t shade) {
  std::vector<std::uint32_t> no_stripe;
  for (const RodPiece& piece : pieces_of(object)) {
    const std::size_t rod = std::size_t(piece.points.front());
    for (int k = 0; k < tuft.count; ++k) {
      if ((std::size_t(k) + rod) % shade_light.size() != shade) continue;
      const float turn = 2.39996f * (float(k) + 1.7f * float(rod % 997));
      const float share = (float(k) + 0.5f) / float(tuft.count);
      Tube tube{surfaces.carried.size(),
                piece.points,
                piece.first_segment,
                Index(piece.points.size()) - (piece.closed ? 0 : 1),
                tuft.radius * object.rod.radius,
                object.rod.flatness,
                piece.closed,
                1,
                tuft_sides};
      tube.aside =
          tuft.spread * object.rod.radius * std::sqrt(share) * glm::vec2(std::cos(turn), std::sin(turn));
      tube.tip = tuft.tip;
      tube.length = piece.closed ? 1.0f : glm::mix(1.0f, tuft.shortest, share);
      tube.striped = false;
      tubes_.push_back(std::move(tube));
      add_tube(tubes_.back(), vertices, surfaces, no_stripe);
    }
  }
}

void RodTubes::add(const SceneModel& model, SurfaceTopology& surfaces) {
  tubes_.clear();
  std::size_t segments = 0, rods = 0;
  for (const ObjectModel& object : model.objects)
    segments += std::size_t(object.rod.segments),
        rods += object.rod.strand > 0 ? std::size_t(object.rod.segments / object.rod.strand)
                                      : std::size_t(object.rod.segments > 0);
  carried_ = surfaces.carried.size();
  if (rods == 0) return;
  const std::size_t sides = rods > many_rods ? fewest_sides + 1 : most_sides;
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
      if (!stripe.empty()) surfaces.draws.push_back(draw);
    }
    stripe.clear();
    draw.first_index = std::uint32_t(surfaces.indices.size());
  };
  draw.first_index = std::uint32_t(surfaces.indices.size());
  std::vector<std::pair<const ObjectModel*, const RodTuft*>> tufted;
  for (const ObjectModel& object : model.objects) {
    if (object.rod.segments == 0) continue;
    if (const RodTuft* tuft = tuft_of(object, rods)) {
      tufted.push_back({&object, tuft});
      continue;
    }
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
  for (std::size_t shade = 0; shade < shade_light.size(); ++shade)
    for (const auto& [object, tuft] : tufted) {
      const glm::vec3 color = shade_light[shade] * object->color;
      if (color != draw.color) close();
      draw.color = draw.back_color = color;
      add_tuft(*object, *tuft, surfaces, std::size_t(model.vertex_count), shade);
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
      auto& out = tube.striped && (side == 0 || side == sides / 2) ? stripe : surfaces.indices;
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
    const float along = tube.length * float(ring) / float(tube.pieces);
    const std::ptrdiff_t k = std::min(std::ptrdiff_t(along), segments - 1);
    const float t = along - float(k);
    const glm::vec3 p[4] = {point(k - 1), point(k), point(k + 1), point(k + 2)};
    glm::vec3 middle = catmull_rom(p[0], p[1], p[2], p[3], t);
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
    middle += tube.aside.x * across + tube.aside.y * up;
    const float thin = glm::mix(1.0f, tube.tip, float(ring) / float(std::max<std::size_t>(rings - 1, 1)));
    for (std::size_t side = 0; side < tube.sides; ++side) {  // the first side is centred at the first axis
      const float angle = 2.0f * glm::pi<float>() * (float(side) - 0.5f) / float(tube.sides);
      positions[out++] = middle + thin * (width * std::cos(angle) * across + height * std::sin(angle) * up);
    }
    if (ring == 0) ends[0] = middle;
    ends[1] = middle;
  }
  if (!tube.closed) positions[out] = ends[0], positions[out + 1] = ends[1];
}

}  // namespace limber
