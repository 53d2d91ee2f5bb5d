#include "app/bench/reference_loops.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/coloring/coloring.hpp"
#include "engine/core/settings/method.hpp"

namespace limber {
namespace {

constexpr float side = 10.0f;  // m
constexpr float gravity = -9.81f;
constexpr float particle_mass = 0.01f;  // kg
constexpr float compliance = 0.0f;      // m/N

}  // namespace

ReferenceCloth::ReferenceCloth(int count, Order order) {
  const float spacing = side / float(count - 1);
  for (int row = 0; row < count; ++row) {
    for (int column = 0; column < count; ++column) {
      positions_.push_back({spacing * float(column), -spacing * float(row), 0.0f});
    }
  }
  previous_ = positions_;
  velocities_.assign(positions_.size(), glm::vec3(0.0f));
  inverse_masses_.assign(positions_.size(), 1.0f / particle_mass);
  inverse_masses_[0] = inverse_masses_[std::size_t(count) - 1] = 0.0f;
  add_edges(count);
  if (order == Order::coloured) colour_edges();
}

void ReferenceCloth::add_edges(int count) {
  const auto add = [&](int a, int b) {
    edges_.push_back({{a, b}, glm::distance(positions_[std::size_t(a)], positions_[std::size_t(b)]), 0.0f});
  };
  for (int row = 0; row < count; ++row) {
    for (int column = 0; column < count; ++column) {
      const int here = row * count + column, right = here + 1, below = here + count;
      const bool has_right = column + 1 < count, has_below = row + 1 < count;
      if (has_right) add(here, right);
      if (has_below) add(here, below);
      if (has_right && has_below) {
        if ((row + column) % 2 == 0) {
          add(here, below + 1);
        } else {
          add(right, below);
        }
      }
    }
  }
}

void ReferenceCloth::colour_edges() {
  std::vector<Index> vertices;
  for (const Edge& edge : edges_)
    vertices.insert(vertices.end(), edge.particles.begin(), edge.particles.end());
  const Coloring coloring = greedy_coloring(vertices, 2, Index(positions_.size()));
  colours_ = coloring.count;
  std::vector<Edge> sorted;
  for (int colour = 0; colour < colours_; ++colour) {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (coloring.color[i] == colour) sorted.push_back(edges_[i]);
    }
  }
  edges_ = std::move(sorted);
}

/// C = |x_a - x_b| - rest, dlambda = (-C - alpha~ lambda) / (w_a + w_b + alpha~), for one constraint after
/// another.
void ReferenceCloth::project_all(float alpha_tilde) {
  for (Edge& edge : edges_) {
    const std::size_t a = std::size_t(edge.particles[0]), b = std::size_t(edge.particles[1]);
    const float w_a = inverse_masses_[a], w_b = inverse_masses_[b];
    const float w = w_a + w_b + alpha_tilde;
    if (w == 0.0f) continue;
    const glm::vec3 d = positions_[a] - positions_[b];
    const float length = std::sqrt(glm::dot(d, d));
    if (length == 0.0f) continue;
    const float c = length - edge.rest;
    const float d_lambda = (-c - alpha_tilde * edge.lambda) / w;
    edge.lambda += d_lambda;
    const glm::vec3 impulse = d * (d_lambda / length);
    positions_[a] += w_a * impulse;
    positions_[b] -= w_b * impulse;
  }
}

double ReferenceCloth::step(float dt, int iterations) {
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    previous_[i] = positions_[i];
    if (inverse_masses_[i] == 0.0f) continue;
    velocities_[i].y += dt * gravity;
    positions_[i] += dt * velocities_[i];
  }
  for (Edge& edge : edges_) edge.lambda = 0.0f;

  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < iterations; ++i) project_all(compliance / (dt * dt));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  for (std::size_t i = 0; i < positions_.size(); ++i) velocities_[i] = (positions_[i] - previous_[i]) / dt;
  return seconds;
}

double ReferenceCloth::mean_strain() const {
  double total = 0.0;
  for (const Edge& edge : edges_) {
    const std::size_t a = std::size_t(edge.particles[0]), b = std::size_t(edge.particles[1]);
    total += std::abs(double(glm::distance(positions_[a], positions_[b])) / double(edge.rest) - 1.0);
  }
  return total / double(edges_.size());
}

}  // namespace limber
