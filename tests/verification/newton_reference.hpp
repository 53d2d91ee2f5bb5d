// Newton's method on the energies of a World, for tests: the limit to which every constraint solver should
// converge.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/state/elements.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Minimises F(x) = sum m |x - y|^2/(2 h^2) + sum E(x) over the particles of finite mass; with h = 0, without
/// inertia, sum E - sum m g . x. Newton steps with positive definite Hessians and a line search; a banded
/// Cholesky over particles sorted along x. Double only.
class NewtonReference {
 public:
  NewtonReference(const World& world, std::vector<glm::dvec3> y, double h)
      : world_(world), y_(std::move(y)), inverse_h2_(h > 0.0 ? 1.0 / (h * h) : 0.0) {
    const std::size_t count = std::size_t(world.particles.count);
    for (std::size_t i = 0; i < count; ++i) x.push_back(glm::dvec3(world.particles.position[i]));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return x[a].x < x[b].x; });
    number_.assign(count, -1);
    for (const std::size_t i : order)
      if (world.particles.position[i].w > real(0)) number_[i] = free_++;
    for_each([&](auto&& e) {
      int low = free_, high = -1;
      for (const std::int32_t i : e.particle)
        if (const int n = number_[std::size_t(i)]; n >= 0) low = std::min(low, n), high = std::max(high, n);
      if (high >= low) band_ = std::max(band_, 3 * (high - low) + 3);
    });
  }

  /// Returns the length of the last gradient, N.
  double minimise(int most_steps) {
    double length = 0.0;
    for (int step = 0; step < most_steps; ++step) {
      std::vector<double> g = gradient();
      length = std::sqrt(std::inner_product(g.begin(), g.end(), g.begin(), 0.0));
      if (length < 1e-9) break;
      const std::vector<double> d = solve(g);
      const double slope = -std::inner_product(g.begin(), g.end(), d.begin(), 0.0), before = objective();
      const std::vector<glm::dvec3> start = x;
      double share = 1.0;
      for (int halving = 0; halving < 40; ++halving, share *= 0.5) {
        for (std::size_t i = 0; i < x.size(); ++i)
          if (number_[i] >= 0)
            for (int a = 0; a < 3; ++a) x[i][a] = start[i][a] - share * d[std::size_t(3 * number_[i] + a)];
        if (objective() <= before + 1e-4 * share * slope + 1e-14 * std::abs(before)) break;
      }
    }
    return length;
  }

  double objective() const {
    double sum = 0.0;
    for_each([&](auto&& e) { sum += energy(e); });
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (number_[i] < 0) continue;
      const glm::dvec3 off = x[i] - y_[i];
      sum += inverse_h2_ > 0.0 ? 0.5 * inverse_h2_ * mass(i) * glm::dot(off, off)
                               : -mass(i) * glm::dot(world_.settings.solver.motion->gravity, x[i]);
    }
    return sum;
  }

  std::vector<glm::dvec3> x;  ///< m, per particle

 private:
  double mass(std::size_t i) const { return 1.0 / double(world_.particles.position[i].w); }

  template <class Visit>
  void for_each(const Visit& visit) const {
    for_each_constraint(world_, [&](auto, const auto& batch, std::size_t slot) {
      auto e = element_at(world_, batch, slot, world_.settings.solver.method->compliance_floor);
      if (!x.empty())
        for (std::size_t j = 0; j < e.arity; ++j) e.x[j] = x[std::size_t(e.particle[j])];
      visit(e);
    });
  }

  std::vector<double> gradient() const {
    std::vector<double> g(std::size_t(3 * free_), 0.0);
    for_each([&](auto&& e) {
      const auto own = energy_gradient(e);
      for (std::size_t j = 0; j < e.arity; ++j)
        if (const int n = number_[std::size_t(e.particle[j])]; n >= 0)
          for (int a = 0; a < 3; ++a) g[std::size_t(3 * n + a)] += own[j][a];
    });
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int a = 0; a < 3 && number_[i] >= 0; ++a)
        g[std::size_t(3 * number_[i] + a)] += inverse_h2_ > 0.0
                                                  ? inverse_h2_ * mass(i) * (x[i][a] - y_[i][a])
                                                  : -mass(i) * world_.settings.solver.motion->gravity[a];
    return g;
  }

  /// H d = g by a banded Cholesky factorisation: row i holds its entries from column i - band_ + 1 on.
  std::vector<double> solve(std::vector<double> g) const {
    const int n = 3 * free_;
    std::vector<double> rows(std::size_t(n) * std::size_t(band_), 0.0);
    const auto at = [&](int i, int j) -> double& {
      return rows[std::size_t(i) * std::size_t(band_) + std::size_t(j - i + band_ - 1)];
    };
    for_each([&](auto&& e) {
      const auto own = energy_hessian(e, HessianKind::positive);
      for (std::size_t r = 0; r < own.size(); ++r)
        for (std::size_t c = 0; c < own.size(); ++c) {
          const int i = number_[std::size_t(e.particle[r / 3])], j = number_[std::size_t(e.particle[c / 3])];
          if (i < 0 || j < 0) continue;
          const int row = 3 * i + int(r % 3), column = 3 * j + int(c % 3);
          if (column <= row) at(row, column) += own[r][c];
        }
    });
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int a = 0; a < 3 && number_[i] >= 0; ++a)
        at(3 * number_[i] + a, 3 * number_[i] + a) += inverse_h2_ * mass(i) + 1e-9;
    for (int i = 0; i < n; ++i) {
      const int first = std::max(0, i - band_ + 1);
      for (int j = first; j <= i; ++j) {
        double sum = at(i, j);
        for (int k = std::max(first, j - band_ + 1); k < j; ++k) sum -= at(i, k) * at(j, k);
        at(i, j) = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / at(j, j);
      }
      for (int k = first; k < i; ++k) g[std::size_t(i)] -= at(i, k) * g[std::size_t(k)];
      g[std::size_t(i)] /= at(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
      g[std::size_t(i)] /= at(i, i);
      for (int k = std::max(0, i - band_ + 1); k < i; ++k) g[std::size_t(k)] -= at(i, k) * g[std::size_t(i)];
    }
    return g;
  }

  const World& world_;
  std::vector<glm::dvec3> y_;
  double inverse_h2_;
  std::vector<int> number_;  ///< per particle; -1: fixed
  int free_ = 0, band_ = 3;
};

}}  // namespace limber::LIMBER_PRECISION
