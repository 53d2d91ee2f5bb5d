#include "engine/verify/rod_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include "engine/state/bodies.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Forces on the corners of a constraint, -sum_k m_k grad_j C_k with m = A^-1 C: N, or N m on an orientation.
template <class Type>
struct CornerForces {
  std::array<double, std::size_t(row_count<Type>())> along;
  std::array<glm::dvec3, Type::arity> on;

  CornerForces(const World& world, const StencilBatch<Type>& batch, std::size_t slot) {
    const Element<Type> e = element_at(world, batch, slot, 0.0);
    const Linearized<Type> at(e);
    along = times_stiffness(e, at.C);
    for (std::size_t j = 0; j < on.size(); ++j) {
      on[j] = glm::dvec3(0.0);
      for (std::size_t k = 0; k < along.size(); ++k) on[j] -= along[k] * at.gradient[k][j];
    }
  }
};

/// Signed area, divided by 2 pi, of the unit sphere that the directions from segment p1 p2 to segment p3 p4
/// cover.
double pair_writhe(const glm::dvec3& p1, const glm::dvec3& p2, const glm::dvec3& p3, const glm::dvec3& p4) {
  const glm::dvec3 r13 = p3 - p1, r14 = p4 - p1, r23 = p3 - p2, r24 = p4 - p2;
  const glm::dvec3 n[4] = {glm::cross(r13, r14), glm::cross(r14, r24), glm::cross(r24, r23),
                           glm::cross(r23, r13)};
  glm::dvec3 unit[4];
  for (int i = 0; i < 4; ++i) {
    const double size = glm::length(n[i]);
    if (!(size > 0.0)) return 0.0;
    unit[i] = n[i] / size;
  }
  double area = 0.0;
  for (int i = 0; i < 4; ++i) area += std::asin(std::clamp(glm::dot(unit[i], unit[(i + 1) % 4]), -1.0, 1.0));
  const double side = glm::dot(glm::cross(p4 - p3, p2 - p1), r13);
  return std::copysign(area, side) / glm::two_pi<double>();
}

double writhe_of(const std::vector<glm::dvec3>& points) {
  const std::size_t n = points.size();
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j)
      if (i > 0 || j + 1 < n) sum += pair_writhe(points[i], points[i + 1], points[j], points[(j + 1) % n]);
  return sum;
}

void add_segment_forces(const World& world, Measures& m) {
  const auto& stretches = std::get<StencilBatch<RodStretch>>(*world.topology->constraints);
  for (std::size_t s = 0; s < stretches.id.size(); ++s)
    if (stretches.id[s] >= 0)
      m.rod_tension_max = std::max(m.rod_tension_max, CornerForces(world, stretches, s).along[2]);
  const auto& bends = std::get<StencilBatch<RodBend>>(*world.topology->constraints);
  for (std::size_t s = 0; s < bends.id.size(); ++s) {
    if (bends.id[s] < 0) continue;
    const Element<RodBend> e = element_at(world, bends, s, 0.0);
    const auto C = Linearized<RodBend>(e).C, moment = times_stiffness(e, C);
    m.rod_bend_energy += 0.5 * (moment[0] * C[0] + moment[1] * C[1]);
    m.rod_twist_energy += 0.5 * moment[2] * C[2];
  }
}

RodEndForce& end_of_object(Measures& m, std::int32_t object, bool last) {
  for (RodEndForce& end : m.rod_ends)
    if (end.object == object && end.last == last) return end;
  return m.rod_ends.emplace_back(RodEndForce{object, last});
}

/// Points of rods that ties hold.
std::vector<char> tied_points(const World& world) {
  std::vector<char> tied(std::size_t(world.particles.padded()), 0);
  for (const BodyTie& tie : world.user.ties) tied[std::size_t(tie.particle)] = 1;
  for (const PointTie& tie : world.user.point_ties)
    for (const TieEnd* end : {&tie.a, &tie.b})
      for (std::size_t k = 0; !tie.broken && end->is_of_particles() && k < end->points.size(); ++k)
        if (end->weight[k] != real(0)) tied[std::size_t(end->points[k])] = 1;
  return tied;
}

/// Share of a segment's force on an end point that passes on to what holds the point. A pin, a clamp or a tie
/// takes all of it. A point of mass m of which m_0 belongs to the rod passes on (m - m_0)/m: with a the
/// acceleration of both, F + m g = m a is the force of the segment, and (m - m_0)(a - g) that on the rest.
double passed_on(const World& world, std::int32_t point, bool tied, const RodSegment& segment) {
  constexpr double rounding = 1e-5;
  const std::size_t i = std::size_t(point);
  if (tied || !(world.particles.position[i].w > real(0))) return 1.0;
  const double share = 1.0 - 0.5 * double(segment.mass) * double(world.particles.inverse_mass[i]);
  return share > rounding ? share : 0.0;
}

/// If an object has copies, the end with the largest force counts.
void add_end_forces(const World& world, Measures& m) {
  const RodMatter& rods = world.topology->rods;
  const auto& stretches = std::get<StencilBatch<RodStretch>>(*world.topology->constraints);
  const auto& bends = std::get<StencilBatch<RodBend>>(*world.topology->constraints);
  std::vector<std::int32_t> slot_of(std::size_t(rods.turns()), -1), held(std::size_t(rods.turns()), -1);
  for (std::size_t s = 0; s < stretches.id.size(); ++s)
    if (stretches.id[s] >= 0)
      slot_of[std::size_t(stretches.vertices[2][s] - rods.first_row)] = std::int32_t(s);
  std::vector<char> holds(std::size_t(rods.turns()), 0);
  for (const RodHold& hold : rods.holds) holds[std::size_t(hold.turn)] = 1;
  for (std::size_t s = 0; s < bends.id.size(); ++s)
    for (std::size_t j = 0; j < 2 && bends.id[s] >= 0; ++j) {
      const std::size_t turn = std::size_t(bends.vertices[j][s] - rods.first_row),
                        other = std::size_t(bends.vertices[1 - j][s] - rods.first_row);
      if (holds[turn]) held[other] = std::int32_t(2 * s + j);
    }
  const std::vector<char> tied = tied_points(world);
  for (const RodRun& run : rods.runs) {
    if (run.closed) continue;
    const std::int32_t object = world.topology->object_source[std::size_t(run.object)];
    for (const bool last : {false, true}) {
      const RodSegment& segment = rods.segments[std::size_t(last ? run.end() - 1 : run.first)];
      RodEndForce& end = end_of_object(m, object, last);
      const std::int32_t slot = slot_of[std::size_t(segment.turn)];
      const std::int32_t point = segment.points[last ? 1 : 0];
      const double share = passed_on(world, point, tied[std::size_t(point)] != 0, segment);
      if (slot >= 0 && share > 0.0)
        end.force =
            std::max(end.force,
                     share * glm::length(CornerForces(world, stretches, std::size_t(slot)).on[last ? 1 : 0]));
      const std::int32_t clamp = held[std::size_t(segment.turn)];
      if (clamp >= 0 && std::size_t(clamp % 2) == (last ? 1u : 0u))
        end.torque = std::max(
            end.torque,
            glm::length(CornerForces(world, bends, std::size_t(clamp / 2)).on[std::size_t(clamp % 2)]));
    }
  }
  for (const RodEndForce& end : m.rod_ends) {
    m.end_force_max = std::max(m.end_force_max, end.force);
    m.end_torque_max = std::max(m.end_torque_max, end.torque);
  }
}

}  // namespace

RingTurns ring_turns(const World& world, const RodRun& ring) {
  const RodMatter& rods = world.topology->rods;
  const std::size_t n = std::size_t(ring.count);
  std::vector<glm::dvec3> points, tangents, sides;
  for (std::int32_t k = ring.first; k < ring.end(); ++k) {
    const RodSegment& segment = rods.segments[std::size_t(k)];
    const glm::dvec3 a = place_of(world.particles, std::size_t(segment.points[0])),
                     b = place_of(world.particles, std::size_t(segment.points[1]));
    points.push_back(a);
    tangents.push_back(glm::normalize(b - a));
    const glm::dvec4 q = orientation_of(world.particles, std::size_t(rods.first_row + segment.turn));
    const glm::dvec3 side = matrix_of(q)[0];
    sides.push_back(glm::normalize(side - glm::dot(side, tangents.back()) * tangents.back()));
  }
  RingTurns out;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const glm::dvec3 &t = tangents[i], &u = tangents[j], across = glm::cross(t, u);
    // The shortest rotation that takes t to u, applied to sides[i].
    const double cosine = glm::dot(t, u);
    const glm::dvec3 carried = cosine * sides[i] + glm::cross(across, sides[i]) +
                               glm::dot(across, sides[i]) / (1.0 + cosine) * across;
    out.twist += std::atan2(glm::dot(glm::cross(carried, sides[j]), u), glm::dot(carried, sides[j]));
  }
  out.twist /= glm::two_pi<double>();
  out.writhe = writhe_of(points);
  return out;
}

void add_rods(const World& world, Measures& m) {
  const RodMatter& rods = world.topology->rods;
  if (rods.empty()) return;
  m.measured.rods = true;
  m.rod_segments = std::int64_t(rods.segments.size());
  add_segment_forces(world, m);
  add_end_forces(world, m);
  const auto ring = std::find_if(rods.runs.begin(), rods.runs.end(), [](const RodRun& run) {
    return run.closed && run.count <= most_writhe_segments;
  });
  if (ring == rods.runs.end()) return;
  const RingTurns turns = ring_turns(world, *ring);
  if (!std::isfinite(turns.link())) return;
  m.measured.rings = true;
  m.rod_twist = turns.twist, m.rod_writhe = turns.writhe, m.rod_link = turns.link();
}

}}  // namespace limber::LIMBER_PRECISION
