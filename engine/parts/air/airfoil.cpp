#include "engine/parts/air/airfoil.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr double attached_sine = 0.08715574274765817, separated_sine = 0.3907311284892738;  // 5, 23 degrees

/// acos(s) for s in [0, 1] with an error of 7e-5, by arithmetic alone.
double arc_cosine(double s) {
  return std::sqrt(std::max(1.0 - s, 0.0)) * (1.5707288 + s * (-0.2121144 + s * (0.0742610 - 0.0187293 * s)));
}

}  // namespace

StripForce strip_force(double along, double normal, double spin, double chord, double density) {
  const double speed = std::sqrt(along * along + normal * normal);
  StripForce out;
  out.moment = -3.0 / 64.0 * density * chord * chord * chord * chord * std::abs(spin) * spin;
  if (!(speed > 0.0)) return out;
  const double sine = std::abs(normal) / speed, cosine = std::abs(along) / speed;
  const double step = std::clamp((sine - attached_sine) / (separated_sine - attached_sine), 0.0, 1.0);
  const double f = 1.0 - step * step * (3.0 - 2.0 * step);
  const double angle = 0.5 * std::numbers::pi - arc_cosine(sine);
  const double lift = f * 5.2 * sine + (1.0 - f) * 1.9 * sine * cosine;
  const double drag = f * (0.1 + 5.0 * sine * sine) + (1.0 - f) * 1.9 * sine * sine;
  const double ahead =
      chord * (f * (0.3 - 3.0 * angle * angle) + (1.0 - f) * 0.3 * (1.0 - 2.0 / std::numbers::pi * angle));
  // The sign of the circulation turns the flow away from the side on which it arrives.
  const double side = (along < 0.0) == (normal < 0.0) ? -1.0 : 1.0;
  const double bound = 0.5 * chord * lift * speed * side, spun = 0.55 * chord * chord * spin;
  const double brake = 0.5 * density * chord * drag * speed;
  out.along = -density * (bound + spun) * normal - brake * along;
  out.normal = density * (bound + spun) * along - brake * normal;
  out.moment += std::copysign(ahead, along) * (density * bound * along - brake * normal);
  return out;
}

Flyer::Flyer(double mass, const glm::dvec3& inertia, double density)
    : mass_(mass), density_(density), inertia_(inertia) {}

void Flyer::add(const AirfoilShape& airfoil) {
  if (count_ < most_airfoils) airfoils_[count_++] = &airfoil;
}

/// Calls visit(mass, inertia about the chord, inertia about the span, airfoil, strip) for the added mass of
/// each strip.
template <class Visit>
static void for_air(std::span<const AirfoilShape* const> airfoils, double density, const Visit& visit) {
  for (const AirfoilShape* foil : airfoils)
    for (const AirfoilStrip& strip : foil->strips) {
      const double square = strip.chord * strip.chord,
                   mass = density * std::numbers::pi / 4.0 * square * strip.width;
      visit(mass, mass * strip.width * strip.width / 12.0, mass * square / 32.0, *foil, strip);
    }
}

/// Inverts the mass matrix of body and air by elimination; it is positive definite.
void Flyer::prepare() {
  std::array<Six, 6> a{};
  for (int k = 0; k < 3; ++k) a[std::size_t(k)][std::size_t(k)] = mass_;
  for (int k = 0; k < 3; ++k) a[std::size_t(k + 3)][std::size_t(k + 3)] = inertia_[k];
  const auto add = [&](double mass, const glm::dvec3& push, const glm::dvec3& turn) {
    const Six row{push.x, push.y, push.z, turn.x, turn.y, turn.z};
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) a[i][j] += mass * row[i] * row[j];
  };
  for_air(airfoils(), density_,
          [&](double mass, double roll, double pitch, const AirfoilShape& foil, const AirfoilStrip& strip) {
            add(mass, foil.axes[1], glm::cross(strip.middle, foil.axes[1]));
            add(roll, glm::dvec3(0.0), foil.axes[0]);
            add(pitch, glm::dvec3(0.0), foil.axes[2]);
          });
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) inverse_[i][j] = i == j ? 1.0 : 0.0;
  for (std::size_t pivot = 0; pivot < 6; ++pivot) {
    const double scale = 1.0 / a[pivot][pivot];
    for (std::size_t j = 0; j < 6; ++j) a[pivot][j] *= scale, inverse_[pivot][j] *= scale;
    for (std::size_t i = 0; i < 6; ++i) {
      if (i == pivot) continue;
      const double share = a[i][pivot];
      for (std::size_t j = 0; j < 6; ++j)
        a[i][j] -= share * a[pivot][j], inverse_[i][j] -= share * inverse_[pivot][j];
    }
  }
}

void Flyer::velocities(const Motion& m, glm::dvec3& v, glm::dvec3& w) const {
  const Six of{m.p.x, m.p.y, m.p.z, m.l.x, m.l.y, m.l.z};
  Six out{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) out[i] += inverse_[i][j] * of[j];
  v = {out[0], out[1], out[2]};
  w = {out[3], out[4], out[5]};
}

Flyer::Motion Flyer::rate(const Motion& m, const glm::dvec3& gravity, double skin,
                          const glm::dvec3* eddies) const {
  glm::dvec3 v, w;
  velocities(m, v, w);
  glm::dvec3 force = mass_ * (gravity.x * m.world[0] + gravity.y * m.world[1] + gravity.z * m.world[2]);
  glm::dvec3 torque(0.0);
  for_air(airfoils(), density_,
          [&](double mass, double, double, const AirfoilShape& foil, const AirfoilStrip& strip) {
            const glm::dvec3 turning = glm::cross(w, strip.middle);
            torque += glm::cross(turning, mass * glm::dot(foil.axes[1], v + turning) * foil.axes[1]);
            glm::dvec3 u = v + turning;
            if (eddies) u -= *eddies++;
            const double along = glm::dot(u, foil.axes[0]), across = glm::dot(u, foil.axes[1]),
                         aside = glm::dot(u, foil.axes[2]), spin = glm::dot(w, foil.axes[2]);
            const StripForce on = strip_force(along, across, spin, strip.chord, density_);
            const double rub = density_ * strip.chord * skin * std::sqrt(glm::dot(u, u)) * aside;
            const glm::dvec3 push =
                strip.width * (on.along * foil.axes[0] + on.normal * foil.axes[1] - rub * foil.axes[2]);
            force += push;
            torque += glm::cross(strip.middle, push) + strip.width * on.moment * foil.axes[2];
          });
  Motion out;
  out.p = force + glm::cross(m.p, w);
  out.l = torque + glm::cross(m.l, w);
  for (std::size_t k = 0; k < 3; ++k) out.world[k] = glm::cross(m.world[k], w);
  return out;
}

Flyer::State Flyer::flown(const State& from, const glm::dvec3& gravity, double skin, const glm::dvec3* eddies,
                          double h) {
  prepare();
  Motion m;
  for (std::size_t k = 0; k < 3; ++k) m.world[k] = from.to_body[int(k)];
  const glm::dvec3 v = from.to_body * from.velocity;
  const glm::dvec3 own = from.to_body * from.angular_momentum;
  const glm::dvec3 w = own / inertia_;
  m.p = mass_ * v, m.l = own;
  double longest = 0.0;
  for_air(airfoils(), density_,
          [&](double mass, double roll, double pitch, const AirfoilShape& foil, const AirfoilStrip& strip) {
            const glm::dvec3 pushed =
                mass * glm::dot(foil.axes[1], v + glm::cross(w, strip.middle)) * foil.axes[1];
            m.p += pushed;
            m.l += glm::cross(strip.middle, pushed) + roll * glm::dot(foil.axes[0], w) * foil.axes[0] +
                   pitch * glm::dot(foil.axes[2], w) * foil.axes[2];
            longest = std::max(longest, strip.chord);
          });
  const double rates = 4.0 * std::sqrt(glm::dot(v, v)) / longest + 2.0 * std::sqrt(glm::dot(w, w));
  const int parts = int(std::clamp(std::ceil(2.0 * h * rates), 1.0, 200.0));
  const double dt = h / parts;
  const auto moved = [](const Motion& a, const Motion& rate, double t) {
    Motion out{a.p + t * rate.p, a.l + t * rate.l, {}};
    for (std::size_t k = 0; k < 3; ++k) out.world[k] = a.world[k] + t * rate.world[k];
    return out;
  };
  for (int part = 0; part < parts; ++part) {
    const Motion a = rate(m, gravity, skin, eddies), b = rate(moved(m, a, dt / 2), gravity, skin, eddies),
                 c = rate(moved(m, b, dt / 2), gravity, skin, eddies),
                 d = rate(moved(m, c, dt), gravity, skin, eddies);
    m = moved(moved(moved(moved(m, a, dt / 6), b, dt / 3), c, dt / 3), d, dt / 6);
  }
  glm::dvec3 end, turning;
  velocities(m, end, turning);
  State out;
  for (int k = 0; k < 3; ++k) {
    out.to_body[k] = m.world[std::size_t(k)];
    out.velocity[k] = glm::dot(m.world[std::size_t(k)], end);
    out.angular_momentum[k] = glm::dot(m.world[std::size_t(k)], inertia_ * turning);
  }
  return out;
}

}}  // namespace limber::LIMBER_PRECISION
