// The law of contact, for contacts that are solved one by one: non-penetration, Coulomb friction,
// restitution.
//
// Let n be the unit normal from side B to side A and u the displacement of A's contact point against B's
// since the substep began; then
//
//   C = n . u + gap >= 0,   lambda_n >= 0,   |lambda_t| <= mu lambda_n
//
// lambda_n is accumulated over all sweeps of a substep: dlambda = max(lambda_n - C / w, 0) - lambda_n with w
// the sum of both sides' inverse masses along n. Friction reduces the tangential displacement of the whole
// substep, within the cone (Macklin et al. 2014, eq. 24), or acts on velocities (line 16 of Mueller et al.
// 2006). Both sides get opposite impulses at one point, so a row conserves linear and angular momentum.
//
// The template parameter Sides is a type with the members of side.hpp. Its numbers are positions in
// project_contact() and lift_contact(), velocities in bounce_contact() and filter_contact().
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// State of a contact that does not depend on the kinds of its sides.
struct ContactRow {
  vec3 normal{0};           ///< unit, from B to A
  real gap = 0;             ///< m, at the substep's start, minus the distance to be kept
  real friction = 0;        ///< Coulomb mu
  real mass = 0;            ///< kg, 1/w along the normal; 0: nothing can move
  real normal_lambda = 0;   ///< kg m, multiplier along the normal
  vec3 friction_lambda{0};  ///< kg m, multipliers across the normal
  real restitution = 0;     ///< e
  /// m, predicted displacement of A relative to B along the normal; negative: approaching.
  real approach = 0;
  real bounce_lambda = 0;   ///< kg m/s, impulse of the bounce

  vec3 lambda() const { return normal_lambda * normal + friction_lambda; }
  /// Sets the mass of the row. `w`: 1/kg, sum of both sides along the normal.
  void weigh(real w) { mass = w > real(0) ? 1 / w : real(0); }
};

// The friction cone. cone.hpp has these functions over lanes, and kernels use those; the test ContactRows
// compares each kernel's rows with project_contact().

/// Factor that shortens a vector of `length` to at most `most`; 1 if it is shorter.
inline real share_within(real length, real most) { return length > most ? most / length : real(1); }

/// The number nearest to v that is at most `most` in magnitude.
inline real within_bound(real v, real most) { return std::clamp(v, -most, most); }

/// The vector nearest to v in the friction cone, |v| <= most.
inline vec3 within_cone(const vec3& v, real most) { return v * share_within(glm::length(v), most); }

/// Projects a row once: along the normal, then friction unless `positional_friction` is off.
template <class Sides>
void project_contact(ContactRow& row, bool positional_friction, Sides&& sides) {
  if (row.mass == real(0)) return;
  vec3 moved = sides.moved();
  const real C = glm::dot(row.normal, moved) + row.gap;
  const real now = std::max(row.normal_lambda - C * row.mass, real(0)), change = now - row.normal_lambda;
  if (change != real(0)) {
    sides.push(change * row.normal);
    row.normal_lambda = now;
    moved = sides.moved();
  }
  const bool holds = row.normal_lambda > real(0) || row.friction_lambda != vec3(0);
  if (!positional_friction || !(row.friction > real(0)) || !holds) return;
  const vec3 slid = moved - glm::dot(row.normal, moved) * row.normal;
  const real length = glm::length(slid);
  vec3 wanted = row.friction_lambda;
  if (length > real(0))
    if (const real w = sides.inverse_mass_along(slid / length); w > real(0)) wanted -= slid / w;
  wanted = within_cone(wanted, row.friction * row.normal_lambda);
  sides.push(wanted - row.friction_lambda);
  row.friction_lambda = wanted;
}

/// Removes an overlap by displacements that move x and p alike, so that it gives no velocity: n . u >= want,
/// m. `lift_lambda`: kg m, multiplier accumulated over the sweeps.
template <class Sides>
void lift_contact(const ContactRow& row, real want, real& lift_lambda, Sides&& sides) {
  const real now = std::max(lift_lambda + (want - glm::dot(row.normal, sides.moved())) * row.mass, real(0));
  if (now == lift_lambda) return;
  sides.push((now - lift_lambda) * row.normal);
  lift_lambda = now;
}

/// Number of sweeps over the bounces of one group. Rows of a group share a body, so a later sweep corrects
/// the excess impulse of an earlier row.
inline constexpr int group_bounce_sweeps = 8;

/// Restitution, after velocities were computed: A separates with at least -e times `approach`, the normal
/// velocity before the contact (m/s, negative). The accumulated impulse never pulls.
template <class Sides>
void bounce_contact(ContactRow& row, real restitution, real approach, Sides&& sides) {
  const real missing = -restitution * approach - glm::dot(row.normal, sides.moved());
  const real now = std::max(row.bounce_lambda + missing * row.mass, real(0));
  if (now == row.bounce_lambda) return;
  sides.push((now - row.bounce_lambda) * row.normal);
  row.bounce_lambda = now;
}

/// Whether a row bounces after a substep of h s: it has pushed, and its approach was faster than 2 g h, the
/// speed that gravity `g` gives in two substeps. Slower impacts do not bounce, so that objects can come to
/// rest.
inline bool bounces(const ContactRow& row, real h, real g) {
  return row.restitution > real(0) && row.normal_lambda > real(0) && row.approach <= -2 * g * h * h;
}

/// Applies the bounces of one group of rows. `for_rows(act)` calls act(row); `sides_of(row)` returns the
/// row's sides in velocities.
template <class ForRows, class SidesOf>
void bounce_group(real h, real g, const ForRows& for_rows, const SidesOf& sides_of) {
  bool any = true;
  for (int sweep = 0; sweep < group_bounce_sweeps && std::exchange(any, false); ++sweep)
    for_rows([&](auto& row) {
      if (!bounces(row, h, g)) return;
      bounce_contact(row, row.restitution, row.approach / h, sides_of(row));
      any = true;
    });
}

/// The velocity filter: friction reduces the sliding velocity by an impulse of at most mu times the normal
/// impulse.
template <class Sides>
void filter_contact(const ContactRow& row, real h, Sides&& sides) {
  const vec3 v = sides.moved(), slid = v - glm::dot(row.normal, v) * row.normal;
  const real speed = glm::length(slid);
  if (!(speed > real(0))) return;
  const vec3 along = slid / speed;
  const real w = sides.inverse_mass_along(along);
  if (w > real(0)) sides.push(-within_bound(speed / w, row.friction * row.normal_lambda / h) * along);
}

}}  // namespace limber::LIMBER_PRECISION
