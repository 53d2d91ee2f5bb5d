#include "engine/scene/build/rod_builder.hpp"

#include <glm/trigonometric.hpp>

#include "engine/constraints/constraint_types.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/turns.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void RodBuilder::add(const ObjectDesc& object, const RodGeometry& rod, const glm::dmat3& rotation,
                     std::span<const Index> to_particle, RawConstraintSet& raw, Topology& topology) {
  RodMatter& rods = topology.rods;
  const std::int32_t owner = std::int32_t(topology.objects.size()), first_turn = std::int32_t(turns_.size()),
                     first_segment = std::int32_t(rods.segments.size());
  const glm::dvec4 lead = precise_quaternion_of(rotation);
  const auto turn = [&](Index frame) { return Index(first_turn) + frame; };
  const auto particle = [&](Index point) { return to_particle[std::size_t(point)]; };
  const glm::dvec3 spin = glm::radians(object.angular_velocity);
  for (std::size_t f = 0; f < rod.frames.size(); ++f) {
    const bool moves = f < rod.segments.size();
    const double inertia = moves ? object.density * rod.section.polar * rod.segments[f].length : 0.0;
    turns_.push_back(
        {rotated(lead, rod.frames[f]), inertia, moves ? spin : glm::dvec3(0.0), owner, !rod.only_pulls});
    rods.home.push_back(moves ? particle(rod.segments[f].points[0]) : Index(0));
  }
  for (std::size_t k = 0; k < rod.segments.size(); ++k) {
    const RodGeometry::Segment& segment = rod.segments[k];
    const Index a = particle(segment.points[0]), b = particle(segment.points[1]);
    append(std::get<RawConstraints<RodStretch>>(raw), owner, {a, b, turn(Index(k))},
           {segment.length, rod.only_pulls ? 1.0 : 0.0}, segment.length / rod.section.area);
    rods.segments.push_back({{std::int32_t(a), std::int32_t(b)},
                             std::int32_t(turn(Index(k))),
                             real(segment.length),
                             real(object.density * rod.section.area * segment.length)});
  }
  for (const RodGeometry::Joint& joint : rod.joints)
    append(std::get<RawConstraints<RodBend>>(raw), owner, {turn(joint.frames[0]), turn(joint.frames[1])},
           {joint.rest.x, joint.rest.y, joint.rest.z, rod.section.i1 / rod.section.i2,
            2.0 * rod.section.i1 / rod.section.torsion},
           joint.length / rod.section.i1);
  for (const RodGeometry::Hold& hold : rod.holds) {
    const std::size_t held = std::size_t(turn(hold.frame));
    rods.home[held] = particle(hold.point);
    rods.holds.push_back({std::int32_t(held), turns_[held].orientation, hold.spin});
  }
  const std::int32_t all = std::int32_t(rod.segments.size()),
                     each = rod.strand > 0 ? std::int32_t(rod.strand) : all;
  for (std::int32_t k = 0; k < all; k += each) {
    const bool closed =
        rod.segments[std::size_t(k)].points[0] == rod.segments[std::size_t(k + each - 1)].points[1];
    rods.runs.push_back({first_segment + k, each, owner, closed});
  }
}

void RodBuilder::finish(RawConstraintSet& raw, RodMatter& rods, Particles& particles) const {
  const std::int32_t first = rods.first_row = particles.rows();
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    for (auto& stencil : std::get<type>(raw).vertices)
      for (int j = 0; j < Type::arity; ++j)
        if (node_of<Type>(j) == Node::turn) stencil[std::size_t(j)] += Index(first);
  });
  particles.turns = std::int32_t(turns_.size());
  const std::size_t rows = std::size_t(first + turn_rows(particles.turns));
  for (auto* list :
       {&particles.position, &particles.previous, &particles.origin, &particles.moved, &particles.predicted,
        &particles.moved_before, &particles.velocity, &particles.acceleration})
    list->resize(rows, vec4(0));
  particles.inverse_mass.resize(rows, real(0));
  particles.object.resize(rows, 0);
  for (std::size_t t = 0; t < turns_.size(); ++t) {
    const std::size_t row = std::size_t(first) + t;
    const real w = turns_[t].inertia > 0.0 ? real(1.0 / turns_[t].inertia) : real(0);
    put_turn(particles, row, turns_[t].orientation, w);
    if (!turns_[t].rolls) particles.previous[row].w = real(0);
    particles.velocity[row] = vec4(vec3(turns_[t].spin), real(0));
    particles.inverse_mass[row] = w;
    particles.object[row] = turns_[t].object;
  }
}

}}  // namespace limber::LIMBER_PRECISION
