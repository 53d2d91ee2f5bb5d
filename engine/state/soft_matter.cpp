#include "engine/state/soft_matter.hpp"

#include <algorithm>
#include <cmath>
#include <glm/mat3x3.hpp>

#include "engine/geometry/clusters/quadratic_modes.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

// share of the largest eigenvalue (a third in length) below which an axis counts as flat
constexpr double flat_share = 0.1;

/// Diagonalises `a` by Jacobi's rotations: eigenvalues on its diagonal, eigenvectors in the columns of `v`.
void diagonalise(glm::dmat3& a, glm::dmat3& v) {
  v = glm::dmat3(1.0);
  for (int sweep = 0; sweep < 12; ++sweep) {
    const double off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
    const double all = a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2];
    if (!(off > 1e-32 * all)) return;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0.0) continue;
        const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
        const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
          const double m = v[p][k], n = v[q][k];
          v[p][k] = c * m - s * n, v[q][k] = s * m + c * n;
        }
      }
  }
}

SoftMoment moment_of(const glm::dmat3& m) {
  return {vec3(glm::dvec3(m[0][0], m[1][1], m[2][2])), vec3(glm::dvec3(m[1][2], m[0][2], m[0][1]))};
}

double bending_share(const vec4* rest, std::int32_t entries) {
  double mass = 0.0;
  glm::dvec3 square(0.0), fourth(0.0), mixed(0.0);  // means of q_a^2, q_a^4, q_a^2 q_b^2
  for (std::int32_t e = 0; e < entries; ++e) {
    const glm::dvec3 q = glm::dvec3(rest[e]) * glm::dvec3(rest[e]);
    const double w = double(rest[e].w);
    mass += w, square += w * q, fourth += w * q * q;
    mixed += w * glm::dvec3(q.y * q.z, q.x * q.z, q.x * q.y);
  }
  square /= mass, fourth /= mass, mixed /= mass;
  const double trace = square.x + square.y + square.z;
  double stored = 0.0, met = 0.0;
  for (int along = 0; along < 3; ++along)
    for (int across = 0; across < 3; ++across) {
      if (across == along) continue;
      stored += square[across];
      met +=
          3.0 / trace * (mixed[3 - along - across] + 0.25 * (fourth[along] - square[along] * square[along]));
    }
  return met > 0.0 ? std::min(1.0, stored / met) : 1.0;
}

}  // namespace

void take_moment(const vec4* rest, std::int32_t entries, SoftCluster& cluster) {
  glm::dmat3 moment(0.0);
  for (std::int32_t e = 0; e < entries; ++e) {
    const glm::dvec3 q(rest[e]);
    const double w = double(rest[e].w);
    for (int k = 0; k < 3; ++k) moment[k] += (w * q[k]) * q;
  }
  cluster.moment = moment_of(moment);
  cluster.bending = real(bending_share(rest, entries));
  glm::dmat3 axes, values = moment;
  diagonalise(values, axes);
  const double most = std::max({values[0][0], values[1][1], values[2][2]});
  glm::dmat3 inverse(0.0);
  double stiffest = 0.0;
  bool flat = false;
  for (int k = 0; k < 3; ++k) {
    if (!(values[k][k] > flat_share * most)) {
      flat = true;
      continue;
    }
    stiffest = std::max(stiffest, 1.0 / values[k][k]);
    for (int j = 0; j < 3; ++j) inverse[j] += (axes[k][j] / values[k][k]) * axes[k];
  }
  cluster.inverse = moment_of(inverse);
  cluster.stiffest = real(stiffest);
  cluster.flat = real(flat ? 1 : 0);
}

int take_modes(const vec4* rest, std::int32_t entries, vec4* modes) {
  return quadratic_modes_of(rest, entries, modes);
}

void retake_modes(const SoftMatter& matter, SoftState& state, std::size_t c) {
  if (state.modes.empty()) return;
  const std::size_t begin = std::size_t(matter.cluster_entry[c]);
  take_modes(&rest_of(matter, state)[begin], matter.cluster_entry[c + 1] - matter.cluster_entry[c],
             &state.modes[2 * begin]);
}

}}  // namespace limber::LIMBER_PRECISION
