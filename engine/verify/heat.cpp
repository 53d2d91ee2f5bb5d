#include "engine/verify/heat.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/schedule.hpp"
#include "engine/verify/evaluated.hpp"
#include "engine/verify/fluid_measure.hpp"
#include "engine/verify/heat_map.hpp"
#include "engine/verify/plastic_measure.hpp"
#include "engine/verify/soft_measure.hpp"
#include "engine/verify/tet_heat.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

class HeatWriter {
 public:
  HeatWriter(const World& world, std::span<float> out) : world_(world), out_(out) {
    std::fill(out.begin(), out.end(), 0.0f);
  }

  void strain() {
    for_each_constraint(world_, [&](auto type, const auto& batch, std::size_t slot) {
      using Type = std::tuple_element_t<type, ConstraintTypes>;
      if constexpr (std::is_same_v<Type, Distance>) {
        const auto c = evaluate(world_, batch, slot);
        const real rest = rest_row(batch, std::get<type>(*world_.matter.constraints), 0)[slot];
        if (!(rest > real(0))) return;
        for (std::int32_t i : c.particle) raise(i, c.misfit() / double(rest));
      }
      if constexpr (std::is_same_v<Type, RodStretch>) {  // along the segment
        const auto c = evaluate(world_, batch, slot);
        for (std::int32_t i : c.particle) raise(i, std::abs(c.C[2]) / double(batch.rest[0][slot]));
      }
    });
  }

  /// N, axial force of a rod's segments.
  void tension() {
    for_rows<RodStretch>([](const auto& force) { return std::abs(force[2]); });
  }
  /// N m, bending moment of a rod's joints; twist(): torque about the rod.
  void bending() {
    for_rows<RodBend>([](const auto& moment) { return std::hypot(moment[0], moment[1]); });
  }
  void twist() {
    for_rows<RodBend>([](const auto& moment) { return std::abs(moment[2]); });
  }

  void residual() {
    const bool compliant = is_compliant(world_.settings.solver.method->kind);
    const double per_h2 = inverse_h_squared(world_);
    for_each_constraint(world_, [&](auto, const auto& batch, std::size_t slot) {
      const auto c = evaluate(world_, batch, slot);
      const auto owed = owed_lambda(world_, c, slot, compliant, per_h2);
      for (std::size_t j = 0; j < c.particle.size(); ++j) raise(c.particle[j], c.moved(j, owed));
    });
  }

  void phase(const ConstraintSet& constraints, const Schedule& schedule) {
    for (std::size_t p = 0; p < schedule.phases.size(); ++p)
      for (std::int32_t t = 0; t < schedule.phases[p].task_count; ++t) {
        const Task& task = schedule.tasks[std::size_t(schedule.phases[p].first_task + t)];
        for (std::int32_t s = 0; s < task.segment_count; ++s)
          number_segment(constraints, schedule.segments[std::size_t(task.first_segment + s)],
                         double(p) + double(s));
      }
  }

  void velocity() {
    for (std::size_t v = 0; v < out_.size(); ++v) {
      const auto particle = std::size_t(world_.topology->external_to_internal[v]);
      out_[v] = float(glm::length(glm::dvec3(world_.particles.velocity[particle])));
    }
  }

  void temperature() {
    const std::vector<double>& degrees = world_.heat->temperature;
    for (std::size_t v = 0; v < out_.size() && !degrees.empty(); ++v)
      out_[v] = float(degrees[std::size_t(world_.topology->external_to_internal[v])]);
  }

  void field(MaterialField field) {
    for (std::size_t v = 0; v < out_.size(); ++v)
      out_[v] = float(field_at(world_, field, std::size_t(world_.topology->external_to_internal[v])));
  }

  void density() {
    const std::vector<double> densities = fluid_densities(world_);
    for_fluids([&](std::int32_t i) { return std::max(densities[std::size_t(i)] - 1.0, 0.0); });
  }

  void pressure() {
    const std::vector<double> pressures = fluid_pressures(world_);
    for_fluids([&](std::int32_t i) { return pressures[std::size_t(i)]; });
  }

 private:
  /// Passes the forces A^-1 C of a type's constraints on to `number`, and raises the result at their points
  /// and at those beside their orientations.
  template <class Type, class Number>
  void for_rows(const Number& number) {
    const RodMatter& rods = world_.topology->rods;
    const auto& batch = std::get<StencilBatch<Type>>(*world_.topology->constraints);
    for (std::size_t s = 0; s < batch.id.size(); ++s) {
      if (batch.id[s] < 0) continue;
      const Element<Type> e = element_at(world_, batch, s, 0.0);
      const double value = number(times_stiffness(e, Linearized<Type>(e).C));
      for (const std::int32_t i : e.particle)
        raise(i < rods.first_row ? i : std::int32_t(rods.home[std::size_t(i - rods.first_row)]), value);
    }
  }

  template <class Number>
  void for_fluids(const Number& number) {
    for (const std::int32_t i : world_.topology->fluid.members)
      if (world_.matter.fluid.present[std::size_t(i)]) raise(i, number(i));
  }

  /// Keeps the largest finite value of all elements at the particle.
  void raise(std::int32_t particle, double value) {
    const auto& numbers = world_.topology->internal_to_external;
    if (!std::isfinite(value) || std::size_t(particle) >= numbers.size()) return;  // or an orientation
    const auto vertex = std::size_t(numbers[std::size_t(particle)]);
    if (vertex < out_.size()) out_[vertex] = std::max(out_[vertex], float(value));
  }

  void number_segment(const ConstraintSet& constraints, const Segment& segment, double number) {
    for_each_type([&](auto type) {
      if (segment.type != std::int32_t(type)) return;
      const auto& batch = std::get<type>(constraints);
      for (std::int32_t s = segment.begin; s < segment.end; ++s) {
        if (batch.id[std::size_t(s)] < 0) continue;
        for (const auto& corner : batch.vertices) raise(corner[std::size_t(s)], number);
      }
    });
  }

  const World& world_;
  std::span<float> out_;
};

void write_body_speeds(const World& world, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const glm::dvec3 v(world.bodies.velocity[i]);
    out[i] = float(glm::length(v));
  }
}

void write_body_forces(const World& world, std::span<float> out) {
  const double h = double(world.contacts.body_step);
  if (!(h > 0.0)) return;
  const auto& shapes = world.bodies.parts->shapes;
  const auto add = [&](std::int32_t shape, double force) {
    if (std::size_t(shape) < shapes.size()) out[std::size_t(shapes[std::size_t(shape)].body)] += float(force);
  };
  const auto add_contact = [&](const BodyContact& contact) {
    double push = 0.0;  // kg m
    for (int k = 0; k < contact.count; ++k) push += double(contact.push[k]);
    add(contact.a, push / (h * h));
    add(contact.b, push / (h * h));
  };
  for (const BodyContact& contact : world.contacts.bodies) add_contact(contact);
  for (const BodyContact& contact : world.bodies.sleep.contacts) add_contact(contact);
}

void write_body_temperatures(const World& world, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = float(has_temperature(*world.heat, i) ? world.heat->body[i] : world.settings.heat->ambient);
}

/// 0: asleep. Otherwise the share that is left of the time at rest after which a body falls asleep.
void write_body_wakefulness(const World& world, std::span<float> out) {
  const double needed = world.settings.solver.sleep->sleep_time;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double calm = i < world.bodies.sleep.calm.size() ? double(world.bodies.sleep.calm[i]) : 0.0;
    out[i] = is_asleep(world, i) ? 0.0f : float(std::max(1.0 - calm / needed, 0.0));
  }
}

}  // namespace

void write_heat(const World& world, const ConstraintSet& constraints, const Schedule& schedule, HeatMap map,
                std::span<float> out) {
  HeatWriter writer(world, out);
  switch (map) {
    case HeatMap::none:
    case HeatMap::force:
    case HeatMap::awake:
      return;
    case HeatMap::strain:
      writer.strain();
      return write_tet_strain(world, out);
    case HeatMap::stress:
      return write_stress(world, out);
    case HeatMap::volume:
      return write_volume_change(world, out);
    case HeatMap::residual:
      return writer.residual();
    case HeatMap::phase:
      return writer.phase(constraints, schedule);
    case HeatMap::velocity:
      return writer.velocity();
    case HeatMap::density:
      return writer.density();
    case HeatMap::pressure:
      return writer.pressure();
    case HeatMap::tension:
      return writer.tension();
    case HeatMap::bending:
      return writer.bending();
    case HeatMap::twist:
      return writer.twist();
    case HeatMap::temperature:
      return writer.temperature();
    case HeatMap::plastic:
      write_cluster_plastic(world, out);
      return write_plastic_strain(world, out);
    case HeatMap::cluster:
      return write_cluster_numbers(world, out);
    case HeatMap::yield:
      return write_yield_ratio(world, out);
    case HeatMap::stiffness_field:
    case HeatMap::density_field:
    case HeatMap::thickness_field:
    case HeatMap::damping_field:
      return writer.field(MaterialField(info_of(map).field));
  }
}

void write_body_heat(const World& world, HeatMap map, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0f);
  if (map == HeatMap::velocity) write_body_speeds(world, out);
  if (map == HeatMap::force) write_body_forces(world, out);
  if (map == HeatMap::awake) write_body_wakefulness(world, out);
  if (map == HeatMap::temperature) write_body_temperatures(world, out);
}

}}  // namespace limber::LIMBER_PRECISION
