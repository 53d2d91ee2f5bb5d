// Rigid bodies as aligned four-number rows.
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/state/joints.hpp"
#include "engine/state/sleep_state.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct BodyParts;  // body_shapes.hpp

inline constexpr std::int64_t body_block = 16;  ///< bodies that threads share out together

/// Arrays by body index. A body's own frame has its origin at the centre of mass and principal axes.
///
/// Angular momentum, not velocity, is the state: without torques it is constant, bit for bit, whatever the
/// body does; the angular velocity R I^-1 R^T L follows from it.
///
/// A centre of mass is at position + remainder. A body at rest moves by less than the rounding of a float
/// position in a frame: a position alone would drop that motion, or turn it into a creep of one float a
/// frame.
struct Bodies {
  AlignedVector<vec4> position;            ///< m, of the centre of mass; {w}: inverse mass in 1/kg, 0: fixed
  AlignedVector<vec4> remainder;           ///< m, lost by the rounding of `position`
  AlignedVector<vec4> orientation;         ///< unit quaternion {x, y, z, w}: world = R own
  AlignedVector<vec4> velocity;            ///< m/s, w = 0
  AlignedVector<vec4> angular_momentum;    ///< kg m^2/s about the centre of mass, in the world; w = 0
  AlignedVector<vec4> inverse_inertia;     ///< 1/(kg m^2), principal; 0: fixed
  std::shared_ptr<const BodyParts> parts;  ///< never null
  Sleep sleep;
  bool parting = true;             ///< bodies that overlapped at the start have not separated yet
  std::vector<JointState> joints;  ///< per joint of the topology
  double joint_step = 0.0;         ///< s, substep to which the multipliers of joints belong
  std::int64_t swept_joints = 0;   ///< joints of nets that sweeps solved in the last frame

  Bodies();
  std::int32_t count() const { return std::int32_t(position.size()); }

  static constexpr auto all_members =
      std::tuple(&Bodies::position, &Bodies::remainder, &Bodies::orientation, &Bodies::velocity,
                 &Bodies::angular_momentum, &Bodies::inverse_inertia, &Bodies::parts, &Bodies::sleep,
                 &Bodies::parting, &Bodies::joints, &Bodies::joint_step, &Bodies::swept_joints);
};

/// Moves the centre of mass of body i to start + way, m.
inline void set_place(Bodies& bodies, std::size_t i, const vec3& start, const vec3& way) {
  const vec3 place = start + way;
  bodies.position[i] = vec4(place, bodies.position[i].w);
  bodies.remainder[i] = vec4((start - place) + way, real(0));
}

/// Contact parameters of a body; copies of a body share them.
struct BodyMaterial {
  real friction = 0, restitution = 0;
  real rolling_resistance = 0;  ///< m
};

/// The rotation matrix of a unit quaternion.
template <class T>
glm::mat<3, 3, T> matrix_of(const glm::vec<4, T>& q) {
  using V = glm::vec<3, T>;
  const T x = q.x + q.x, y = q.y + q.y, z = q.z + q.z;
  const T xx = q.x * x, yy = q.y * y, zz = q.z * z, xy = q.x * y, xz = q.x * z, yz = q.y * z;
  const T wx = q.w * x, wy = q.w * y, wz = q.w * z;
  return {V(1 - yy - zz, xy + wz, xz - wy), V(xy - wz, 1 - xx - zz, yz + wx),
          V(xz + wy, yz - wx, 1 - xx - yy)};
}
inline mat3 rotation_of(const vec4& q) { return matrix_of(q); }

/// The product of two quaternions, the rotation b followed by a.
template <class T>
glm::vec<4, T> rotated(const glm::vec<4, T>& a, const glm::vec<4, T>& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/// The quaternion of the rotation vector `turn` (rad) by the exponential map, up to most_turn. Taylor
/// polynomials instead of the libm's functions, so that the bits are the same everywhere: the first omitted
/// terms are (most_turn / 2)^18 / 18! = 3e-18.
inline constexpr real most_turn = real(1.6);
inline vec4 turn_quaternion(const vec3& turn) {
  const real z = real(0.25) * glm::dot(turn, turn);  // the square of half the angle
  real sine = 1, cosine = 1;
  const auto add = [&]<int k>(std::integral_constant<int, k>) {
    constexpr real by_sine = real(1.0 / (k * (k + 1))), by_cosine = real(1.0 / (k * (k - 1)));
    sine = 1 - by_sine * z * sine;
    cosine = 1 - by_cosine * z * cosine;
  };
  const auto add_all = [&]<int... half>(std::integer_sequence<int, half...>, auto last) {
    (add(std::integral_constant<int, int(last) - 2 * half>()), ...);
  };
  constexpr real short_square = real(0.04);  // terms beyond the tenth power are below 1e-17
  if (z < short_square)
    add_all(std::make_integer_sequence<int, 5>(), std::integral_constant<int, 10>());
  else
    add_all(std::make_integer_sequence<int, 8>(), std::integral_constant<int, 16>());
  return vec4(real(0.5) * sine * turn, cosine);
}

/// The unit quaternion of a rotation matrix (Shepperd: the largest of four candidates, so it is exact for
/// all).
inline glm::dvec4 precise_quaternion_of(const glm::dmat3& m) {
  const double trace = m[0][0] + m[1][1] + m[2][2];
  glm::dvec4 q;
  if (trace > 0.0) {
    q = {m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], 1.0 + trace};
  } else {
    const int i = m[1][1] > m[0][0] ? (m[2][2] > m[1][1] ? 2 : 1) : (m[2][2] > m[0][0] ? 2 : 0);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
    q[j] = m[i][j] + m[j][i];
    q[k] = m[i][k] + m[k][i];
    q[3] = m[j][k] - m[k][j];
  }
  return q / std::sqrt(glm::dot(q, q));
}
inline vec4 quaternion_of(const glm::dmat3& m) { return vec4(precise_quaternion_of(m)); }

/// A symmetric 3 x 3 matrix.
struct Symmetric {
  real xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  friend vec3 operator*(const Symmetric& m, const vec3& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
  }
};

/// R diag(d) R^T. If the three numbers are equal, the result is exactly d times the identity, so that
/// rounding does not make a cube wobble.
inline Symmetric in_world(const mat3& r, const vec3& d) {
  if (d.x == d.y && d.y == d.z) return {d.x, d.x, d.x, 0, 0, 0};
  const vec3 x = d.x * r[0], y = d.y * r[1], z = d.z * r[2];
  const auto entry = [&](int i, int j) { return x[i] * r[0][j] + y[i] * r[1][j] + z[i] * r[2][j]; };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

/// The principal moments of inertia, kg m^2; 0 for a fixed body.
inline vec3 inertia_of(const vec4& inverse) {
  return {inverse.x > 0 ? 1 / inverse.x : real(0), inverse.y > 0 ? 1 / inverse.y : real(0),
          inverse.z > 0 ? 1 / inverse.z : real(0)};
}

/// Angular velocity in the world, rad/s.
inline vec3 angular_velocity(const Bodies& bodies, std::size_t i) {
  return in_world(rotation_of(bodies.orientation[i]), vec3(bodies.inverse_inertia[i])) *
         vec3(bodies.angular_momentum[i]);
}

/// Vector from a body's centre of mass to the point `own` of its frame, m, along the axes of the world.
inline vec3 in_world_of(const Bodies& bodies, std::int32_t body, const vec3& own) {
  return rotation_of(bodies.orientation[std::size_t(body)]) * own;
}

}}  // namespace limber::LIMBER_PRECISION
