// The two reference loops for all speeds, in the usual plain form: scalar float XPBD with multipliers, on a
// square cloth hung by two corners.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <vector>

namespace limber {

/// A cloth of count x count particles over 10 m x 10 m, alternating diagonals, both upper corners fixed.
class ReferenceCloth {
 public:
  /// textbook: constraints cell by cell; each depends on the one before (bound by latency).
  /// coloured: the same code and constraints, colour by colour (bound by throughput).
  enum class Order { textbook, coloured };

  ReferenceCloth(int count, Order order);

  /// Takes one step of dt seconds with gravity. Returns the seconds spent on the constraints only.
  double step(float dt, int iterations);

  std::size_t constraints() const { return edges_.size(); }
  int colours() const { return colours_; }  ///< 0 for the textbook order
  double mean_strain() const;               ///< |length/rest - 1|

 private:
  struct Edge {
    std::array<int, 2> particles;
    float rest;  ///< m
    float lambda;
  };

  void add_edges(int count);
  void colour_edges();
  void project_all(float alpha_tilde);

  std::vector<glm::vec3> positions_, previous_, velocities_;
  std::vector<float> inverse_masses_;
  std::vector<Edge> edges_;
  int colours_ = 0;
};

}  // namespace limber
