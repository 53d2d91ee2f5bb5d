#include "engine/method/fast_projection.hpp"

#include <algorithm>
#include <numeric>

#include "engine/constraints/constraint_types.hpp"
#include "engine/method/objective.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void FastProjection::prepare(const World& world) { list_rows(world); }

/// Lists rows and their points, and the rows that have a particle in common.
void FastProjection::list_rows(const World& world) {
  edition_ = world.topology->edition;
  rows_.clear(), points_.clear(), point_row_.clear(), first_compliance_.clear();
  std::int32_t compliances = 0;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*world.topology->constraints);
    row_of_[type].assign(batch.id.size(), -1);
    for (std::size_t s = 0; s < batch.id.size(); ++s) {
      if (batch.id[s] < 0) continue;
      row_of_[type][s] = std::int32_t(rows_.size());
      for (int k = 0; k < row_count<Type>(); ++k) {
        rows_.push_back(
            {std::int32_t(points_.size()), written_points<Type>(), std::int32_t(type), std::int32_t(s), k});
        first_compliance_.push_back(compliances);
        compliances += row_count<Type>();
        for (int j = 0; j < written_points<Type>(); ++j) {
          points_.push_back({batch.vertices[std::size_t(j)][s], glm::dvec3(0.0)});
          point_row_.push_back(std::int32_t(rows_.size()) - 1);
        }
      }
    }
  });
  compliance_.assign(std::size_t(compliances), 0.0);
  first_at_.assign(std::size_t(world.particles.padded()) + 1, 0);
  for (const Point& point : points_) ++first_at_[std::size_t(point.particle) + 1];
  std::partial_sum(first_at_.begin(), first_at_.end(), first_at_.begin());
  at_.resize(points_.size());
  std::vector<std::int32_t> next(first_at_.begin(), first_at_.end() - 1), members(points_.size());
  for (std::size_t p = 0; p < points_.size(); ++p)
    at_[std::size_t(next[std::size_t(points_[p].particle)]++)] = std::int32_t(p);
  for (std::size_t k = 0; k < at_.size(); ++k) members[k] = point_row_[std::size_t(at_[k])];
  pattern_.build(std::int32_t(rows_.size()), first_at_, members);
  factor_.analyze(pattern_);
  values_.assign(std::size_t(pattern_.entries()), 0.0);
  dlambda_.assign(rows_.size(), 0.0);
}

void FastProjection::load(const World& world, Team& team) {
  if (team.rank() == 0 && world.topology->edition != edition_) list_rows(world);
}

/// Computes C, grad C and A~ of every row at the present positions; sets dlambda_ to the right-hand side.
void FastProjection::linearize(const World& world, const Sweep<real>& sweep, Team& team) {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    constexpr std::size_t rows = std::size_t(row_count<Type>());
    const auto& batch = std::get<type>(*world.topology->constraints);
    const auto& lambda = std::get<type>(*world.matter.constraints).lambda;
    const Share mine = team.share(batch.slots(), chunk_slots);
    for (std::int64_t i = mine.begin; i < mine.end; ++i) {
      const std::size_t s = std::size_t(i);
      if (row_of_[type][s] < 0) continue;
      const std::size_t first = std::size_t(row_of_[type][s]);
      const Element<Type> element = element_at(world, batch, s, 0.0);
      const Linearized<Type> c(element);
      const bool acts = c.acts() && anchors_hold(world, element);
      DoubleLane matrix[rows][rows];
      compliance_of<Type, DoubleLane>(c.softness, c.rest, matrix);
      for (std::size_t k = 0; k < rows; ++k) {
        double owed = -c.C[k];
        for (std::size_t l = 0; l < rows; ++l) {
          const double soft = double(sweep.inverse_h_squared) * matrix[std::max(k, l)][std::min(k, l)].v;
          compliance_[std::size_t(first_compliance_[first + k]) + l] = soft;
          if (!sweep.first) owed -= soft * double(lambda[l][s]);
        }
        dlambda_[first + k] = acts ? owed : 0.0;
        for (std::size_t j = 0; j < std::size_t(written_points<Type>()); ++j)
          points_[std::size_t(rows_[first + k].first) + j].gradient =
              acts ? c.gradient[k][j] : glm::dvec3(0.0);
      }
    }
  });
}

/// Assembles the matrix. Serial, in the order of particles.
void FastProjection::assemble(const World& world) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t i = 0; i + 1 < first_at_.size(); ++i) {
    const double w = double(world.particles.position[i].w);
    if (w == 0.0) continue;
    for (std::int32_t k = first_at_[i]; k < first_at_[i + 1]; ++k)
      for (std::int32_t l = first_at_[i]; l <= k; ++l) {
        const std::size_t p = std::size_t(at_[std::size_t(k)]), q = std::size_t(at_[std::size_t(l)]);
        values_[std::size_t(pattern_.entry(point_row_[p], point_row_[q]))] +=
            w * glm::dot(points_[p].gradient, points_[q].gradient);
      }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const std::int32_t first = std::int32_t(r) - rows_[r].k;
    for (std::int32_t l = 0; l <= rows_[r].k; ++l)
      values_[std::size_t(pattern_.entry(std::int32_t(r), first + l))] +=
          compliance_[std::size_t(first_compliance_[r] + l)];
    double& diagonal = values_[std::size_t(pattern_.diagonal(std::int32_t(r)))];
    diagonal = diagonal > 0.0 ? diagonal * (1.0 + 1e-9) : 1.0;
  }
}

void FastProjection::move(World& world, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    glm::dvec3 push(0.0);
    for (std::int32_t k = first_at_[std::size_t(i)]; k < first_at_[std::size_t(i) + 1]; ++k) {
      const std::size_t p = std::size_t(at_[std::size_t(k)]);
      push += dlambda_[std::size_t(point_row_[p])] * points_[p].gradient;
    }
    vec4& x = world.particles.moved[std::size_t(i)];
    x += vec4(vec3(double(x.w) * push), real(0));
  }
}

void FastProjection::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  linearize(world, sweep, team);
  team.barrier();
  if (team.rank() == 0) {
    assemble(world);
    solved_ = factor_.factor(values_);
    if (solved_) factor_.solve(dlambda_);
    if (!solved_) std::fill(dlambda_.begin(), dlambda_.end(), 0.0);
  }
  team.barrier();
  for_each_type([&](auto type) {
    auto& lambda = std::get<type>(*world.matter.constraints).lambda;
    const Share mine = team.share(std::int64_t(row_of_[type].size()), chunk_slots);
    for (std::int64_t s = mine.begin; s < mine.end; ++s) {
      const std::int32_t first = row_of_[type][std::size_t(s)];
      for (std::size_t k = 0; first >= 0 && k < lambda.size(); ++k)
        lambda[k][std::size_t(s)] =
            (sweep.first ? real(0) : lambda[k][std::size_t(s)]) + real(dlambda_[std::size_t(first) + k]);
    }
  });
  move(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
