// Plastic flow: how the rest values of a constraint follow a deformation beyond yield.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "engine/constraints/constraint_types.hpp"
#include "engine/geometry/symmetric3.hpp"

namespace limber {

/// Kinds of rest values that plastic flow changes.
enum class FlowTrait {
  none,
  volume,  ///< tetrahedra: rest has B = D_rest^-1 F_p^-1
  sheet,   ///< triangles: the same in their plane
  length,  ///< springs: rest length
  fold,    ///< hinges: rest angle
  bend     ///< bend constraints of rods: curvature and twist at rest
};

template <class Type>
consteval FlowTrait flows_as() {
  if constexpr (std::same_as<Type, NeoHookean> || std::same_as<Type, StvkTet> ||
                std::same_as<Type, CorotatedTet>)
    return FlowTrait::volume;
  else if constexpr (std::same_as<Type, StvkTriangle> || std::same_as<Type, StrainTriangle>)
    return FlowTrait::sheet;
  else if constexpr (std::same_as<Type, Distance>)
    return FlowTrait::length;
  else if constexpr (std::same_as<Type, Bending>)
    return FlowTrait::fold;
  else if constexpr (std::same_as<Type, RodBend>)
    return FlowTrait::bend;
  else
    return FlowTrait::none;
}

/// Rest length of a spring after flow. l0: rest length before, l: present length. The rest length changes by
/// `share` of the length beyond (1 +- yield) l0 (worked case plastic_distance of tests/vectors.json).
inline double flowed_length(double l0, double l, double yield, double share) {
  const double beyond = l - l0 * (l < l0 ? 1.0 - yield : 1.0 + yield);
  return (l < l0 ? beyond < 0.0 : beyond > 0.0) ? l0 + share * beyond : l0;
}

/// Rest angle of a hinge after flow. `bent`: present angle minus rest angle. The rest angle changes by
/// `share` of the part of `bent` beyond +-yield.
inline double flowed_angle(double rest, double bent, double yield, double share) {
  const double beyond = std::abs(bent) - yield;
  return beyond > 0.0 ? rest + std::copysign(share * beyond, bent) : rest;
}

/// Yield law of a rod for curvature and twist together: von Mises stress of a fibre at the surface. Hardening
/// is linear in the plastic curvature.
struct BendYield {
  double yield = 0.0;      ///< 1/m
  double hardening = 0.0;  ///< over Young's modulus
  double most = 0.0;       ///< largest plastic strain of that fibre
  double twist = 0.0;      ///< sqrt(3) G/E: weight of a radian of twist
  double radius = 0.0;     ///< m
  double share = 1.0;      ///< share of the curvature beyond yield that flows in this step
};

/// Plastic flow of a bend constraint of a rod in one step. The constraint stands for `length` m of rod and is
/// bent from its rest value by the rotation vector `beyond`. The rest value moves along that vector (radial
/// return) until |beyond|/length = yield + hardening gone. `first`: rest value before any flow; `gone`: sum
/// of the plastic curvature of all steps, 1/m, in either direction. Returns whether the rest value has
/// changed.
inline bool flow_bend(const glm::dvec3& beyond, const glm::dvec3& first, double length, const BendYield& law,
                      glm::dvec3& rest, double& gone) {
  const double curvature = glm::length(beyond * glm::dvec3(1.0, 1.0, law.twist)) / length;
  const double excess = curvature - (law.yield + law.hardening * gone);
  if (!(excess > 0.0)) return false;
  const double flow = law.share * excess / (1.0 + law.hardening);
  const glm::dvec3 next = rest + flow / curvature * beyond;
  const double strain = glm::length(next - first) / length * law.radius;
  if (!(strain <= law.most) && strain > glm::length(rest - first) / length * law.radius) return false;
  rest = next;
  gone += flow;
  return true;
}

/// Yield law of tetrahedra: von Mises stress. Hardening is linear in the plastic strain.
struct SolidYield {
  Lame elastic;            ///< Pa
  double yield = 0.0;      ///< Pa
  double hardening = 0.0;  ///< Pa
  double most = 0.0;       ///< largest plastic strain of the rest shape
  double share = 1.0;      ///< share of the strain beyond yield that flows in this step
};

// Principal Kirchhoff stress in Pa at the principal stretches s, from the energy of the constraint type.
inline glm::dvec3 principal_stress(const NeoHookean&, const glm::dvec3& s, const Lame& k) {
  const double J = s.x * s.y * s.z, square = glm::dot(s, s);
  const double lost = std::max(NeoHookean::crushed - J, 0.0), curved = std::min(lost, NeoHookean::crushed);
  const double small = std::max(1.0 - square / NeoHookean::least_square, 0.0);
  const double pull = 1.0 - small * small;
  const double push = 2.0 - J + NeoHookean::against_crushing * curved * curved;
  return k.mu * (pull * s * s - push * J) + k.lambda * (J - 1.0) * J;
}
inline glm::dvec3 principal_stress(const StvkTet&, const glm::dvec3& s, const Lame& k) {
  const glm::dvec3 green = 0.5 * (s * s - 1.0);
  return s * s * (2.0 * k.mu * green + k.lambda * (green.x + green.y + green.z));
}
inline glm::dvec3 principal_stress(const CorotatedTet&, const glm::dvec3& s, const Lame& k) {
  const glm::dvec3 strain = s - 1.0;
  return s * (2.0 * k.mu * strain + k.lambda * (strain.x + strain.y + strain.z));
}

/// Factor in Pa that bounds the von Mises stress of the type: stress <= factor * von Mises of F^T F.
/// `square`: trace of F^T F.
inline double stiffest(const NeoHookean&, double, const Lame& k) { return k.mu; }
inline double stiffest(const StvkTet&, double square, const Lame& k) {
  return 2.0 * k.mu * square + 0.5 * k.lambda * std::max(square - 3.0, 0.0);
}
inline double stiffest(const CorotatedTet&, double, const Lame&) {
  return std::numeric_limits<double>::infinity();
}

inline glm::dvec3 deviator(const glm::dvec3& v) { return v - (v.x + v.y + v.z) / 3.0; }
inline double von_mises(const glm::dvec3& stress) {
  const glm::dvec3 d = deviator(stress);
  return std::sqrt(1.5 * glm::dot(d, d));
}

/// Plastic strain of principal stretches s whose product is 1: log lambda for a bar that is stretched by
/// lambda.
inline double plastic_strain(const glm::dvec3& s) {
  const glm::dvec3 e = deviator(glm::log(s));
  return std::sqrt(2.0 / 3.0 * glm::dot(e, e));
}

/// D_rest^-1 as a matrix: F = D B.
inline glm::dmat3 rest_matrix(const std::array<double, 10>& rest) {
  glm::dmat3 B;
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a) B[a][i] = rest[std::size_t(3 * i + a)];
  return B;
}
inline void put_rest(const glm::dmat3& B, std::array<double, 10>& rest) {
  double steepest = 0.0;
  glm::dvec3 first(0.0);
  for (int i = 0; i < 3; ++i) {
    const glm::dvec3 row(B[0][i], B[1][i], B[2][i]);
    for (int a = 0; a < 3; ++a) rest[std::size_t(3 * i + a)] = row[a];
    first -= row;
    steepest = std::max(steepest, glm::length(row));
  }
  rest[TetStencil::step_rest] = TetStencil::longest_step / std::max(steepest, glm::length(first));
}

/// Principal stretches of F from the eigenvalues of F^T F, without sign and at least 1e-6.
inline glm::dvec3 stretches(const SymmetricEigen& square) {
  return glm::sqrt(glm::max(square.values, glm::dvec3(1e-12)));
}

/// Plastic strain between the rest shapes of `first` and `rest`: that of F_p = B^-1 B_first.
inline double plastic_strain(const std::array<double, 10>& first, const std::array<double, 10>& rest) {
  const glm::dmat3 P = glm::inverse(rest_matrix(rest)) * rest_matrix(first);
  return plastic_strain(stretches(eigen_symmetric(glm::transpose(P) * P)));
}

/// Elastic principal stretches after flow from s. They return along the deviator of log s, at constant J,
/// until the von Mises stress equals the yield stress after hardening, or until the deviator vanishes. (To
/// first order in the elastic strain the deviators of log s and of the stress are parallel.) `gone`: plastic
/// strain of this flow.
template <class Type>
glm::dvec3 returned(const glm::dvec3& s, double yielding, const SolidYield& law, double& gone) {
  const double J = s.x * s.y * s.z;
  const glm::dvec3 log_s = glm::log(s), strange = deviator(log_s);
  const double size = glm::length(strange);
  gone = 0.0;
  if (!(size > 0.0)) return s;
  const glm::dvec3 along = std::sqrt(1.5) / size * strange;
  const auto at = [&](double flow) { return glm::exp(log_s - flow * along); };
  const auto excess = [&](double flow) {
    return von_mises(principal_stress(Type(), at(flow), law.elastic)) / J - (yielding + law.hardening * flow);
  };
  double low = 0.0, high = size * std::sqrt(2.0 / 3.0), at_low = excess(low), at_high = excess(high);
  int side = 0;  // regula falsi, after Illinois
  for (int k = 0; k < 80 && std::abs(at_low) > 1e-13 * yielding; ++k) {
    const double middle = (low * at_high - high * at_low) / (at_high - at_low), value = excess(middle);
    if (value > 0.0 || std::abs(value) <= 1e-13 * yielding) {
      low = middle, at_low = value;
      if (side == 1) at_high *= 0.5;
      side = 1;
    } else {
      high = middle, at_high = value;
      if (side == -1) at_low *= 0.5;
      side = -1;
    }
  }
  gone = low;
  return at(low);
}

/// Flow of a tetrahedron in one step. F = F_e F_p, and the energy depends on F_e = D B. The principal
/// stretches of F_e return to the yield surface (`returned`); F_p has no rotation, and det F_p = 1. `first`:
/// rest values before any flow; `gone`: sum of the plastic strain of all steps. Returns whether the rest
/// values have changed.
template <class Type>
bool flow_solid(const glm::dvec3 (&x)[4], const std::array<double, 10>& first, const SolidYield& law,
                std::array<double, 10>& rest, double& gone) {
  const glm::dmat3 B = rest_matrix(rest), F = glm::dmat3(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * B;
  const double J = glm::determinant(F), yielding = law.yield + law.hardening * gone;
  // such an element is only unfolded (TetStencil::turn_outward)
  if (!(J > TetStencil::least_ratio)) return false;
  const glm::dmat3 C = glm::transpose(F) * F;
  const double third = (C[0][0] + C[1][1] + C[2][2]) / 3.0;
  double off = 0.0;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      off += (C[c][r] - (c == r ? third : 0.0)) * (C[c][r] - (c == r ? third : 0.0));
  if (stiffest(Type(), 3.0 * third, law.elastic) * std::sqrt(1.5 * off) < yielding * J) return false;
  const SymmetricEigen square = eigen_symmetric(C);
  const glm::dvec3 s = stretches(square);
  if (!(von_mises(principal_stress(Type(), s, law.elastic)) > yielding * J)) return false;
  double flow = 0.0;
  const glm::dvec3 left = returned<Type>(s, yielding, law, flow);
  const glm::dvec3 scale = glm::exp(law.share * glm::log(left / s));
  glm::dmat3 spread(0.0);  // V diag(scale) V^T
  for (int k = 0; k < 3; ++k) spread += glm::outerProduct(scale[k] * square.vectors[k], square.vectors[k]);
  glm::dmat3 flowed = B * spread;
  flowed *= std::cbrt(glm::determinant(rest_matrix(first)) / glm::determinant(flowed));
  std::array<double, 10> next = rest;
  put_rest(flowed, next);
  const double strain = plastic_strain(first, next);
  if (!(strain <= law.most) && strain > plastic_strain(first, rest)) return false;
  rest = next;
  gone += law.share * flow;
  return true;
}

/// Plastic flow of a triangle in its plane: principal stretches return to 1 +- yield.
inline bool flow_sheet(const glm::dvec3 (&x)[3], double yield, double share, std::array<double, 5>& rest,
                       double& gone) {
  const glm::dvec3 a = x[1] - x[0], b = x[2] - x[0];
  const glm::dvec3 f = rest[0] * a + rest[2] * b, g = rest[1] * a + rest[3] * b;
  const double xx = glm::dot(f, f), yy = glm::dot(g, g), xy = glm::dot(f, g);
  const double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy), radius = std::sqrt(half * half + xy * xy);
  const double most = std::sqrt(mean + radius), least = std::sqrt(std::max(mean - radius, 0.0));
  const double to[2] = {most / flowed_length(1.0, most, yield, share),
                        least / flowed_length(1.0, least, yield, share)};
  if ((to[0] == most && to[1] == least) || !(least > 0.1)) return false;
  const double angle = 0.5 * std::atan2(xy, half), c = std::cos(angle), s = std::sin(angle);
  const double p = to[0] / most, q = to[1] / least;  // B becomes B V diag(p, q) V^T
  const double mxx = p * c * c + q * s * s, myy = p * s * s + q * c * c, mxy = (p - q) * c * s;
  for (std::size_t i = 0; i < 4; i += 2) {
    const double u = rest[i], v = rest[i + 1];
    rest[i] = u * mxx + v * mxy, rest[i + 1] = u * mxy + v * myy;
  }
  gone += std::max(std::abs(std::log(p)), std::abs(std::log(q)));
  return true;
}

}  // namespace limber
