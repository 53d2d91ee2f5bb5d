#include "engine/parts/heat/body_warmth.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>

#include "engine/core/settings/heat.hpp"
#include "engine/state/body_extent.hpp"
#include "engine/state/heat_state.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// A heat substep is this share of the longest stable step.
constexpr double stable_share = 0.5;
/// Largest number of links per body to other bodies and to colliders; further ones are ignored.
constexpr std::size_t most_links = 64;
/// Smallest radius of a contact spot, as a share of the smaller body's radius.
constexpr double least_spot = 0.05;

/// Two conductances in series.
double in_series(double a, double b) { return a > 0.0 && b > 0.0 ? a * b / (a + b) : 0.0; }

const BodyHeat& material_of_body(const World& world, std::size_t body) {
  return world.settings.heat->bodies[std::size_t(world.bodies.parts->source[body])];
}

/// m^2, area spanned by the contact points that push.
double area_between(const BodyContact& contact) {
  glm::dvec3 at[4];
  int count = 0;
  for (int k = 0; k < contact.count; ++k)
    if (contact.push[k] > real(0)) at[count++] = glm::dvec3(contact.place[k]);
  const auto quad = [&](int a, int b, int c, int d) {  // quadrilateral with the diagonals ab and cd
    return 0.5 * glm::length(glm::cross(at[b] - at[a], at[d] - at[c]));
  };
  if (count == 3) return 0.5 * glm::length(glm::cross(at[1] - at[0], at[2] - at[0]));
  if (count == 4) return std::max({quad(0, 1, 2, 3), quad(0, 2, 1, 3), quad(0, 3, 1, 2)});
  return 0.0;
}

bool pushes(const BodyContact& contact) {
  return std::any_of(contact.push, contact.push + contact.count, [](real push) { return push > real(0); });
}

}  // namespace

bool BodyWarmth::enabled(const World& world) { return !world.heat->body.empty(); }

void BodyWarmth::reserve(const World& world) {
  parts_.clear(), touched_.clear(), linked_.clear();
  if (!enabled(world)) return;
  const std::size_t bodies = world.heat->body.size(), particles = std::size_t(world.particles.count);
  parts_.assign(bodies, {});
  for (std::size_t b = 0; b < bodies; ++b) {
    const BodyExtent extent = extent_of_body(world, b);
    parts_[b].surface = extent.surface;
    parts_[b].depth = extent.surface > 0.0 ? extent.volume / extent.surface : 0.0;
  }
  touched_.assign(particles, {});
  areas_.assign(particles, 0.0), linked_.assign(particles, 0.0);
  now_.assign(bodies, 0.0);
  particle_links_.reserve(most_touched * particles);
  links_.reserve(most_links * bodies);
}

/// W/(m^2 K), conductance from a body's surface to its middle.
double BodyWarmth::behind(const World& world, std::size_t body) const {
  const double depth = parts_[body].depth, conductivity = material_of_body(world, body).conductivity;
  return depth > 0.0 ? conductivity / depth : 0.0;
}

/// J/K, heat capacity of a body; 0: it keeps its temperature.
double BodyWarmth::capacity(const World& world, std::size_t body) const {
  const double w = double(world.bodies.position[body].w);
  return w > 0.0 ? material_of_body(world, body).capacity / w : 0.0;
}

void BodyWarmth::touch(const World& world, std::span<const Skin> skins, const Share& mine) {
  for (std::int64_t block = mine.begin; block < mine.end; block += particle_block) {
    const std::int64_t end = std::min<std::int64_t>(block + particle_block, mine.end);
    vec3 low(std::numeric_limits<real>::max()), high(-low);
    real farthest = 0;
    for (std::int64_t k = block; k < end; ++k) {
      const vec3 x(world.particles.position[std::size_t(k)]);
      touched_[std::size_t(k)] = {};
      if (!(skins[std::size_t(k)].area > 0.0)) continue;
      low = glm::min(low, x), high = glm::max(high, x);
      farthest = std::max(farthest, real(skins[std::size_t(k)].nearest));
    }
    for (const PlacedShape& shape : world.bodies.parts->shapes) {
      const std::size_t b = std::size_t(shape.body);
      if (!has_temperature(*world.heat, b)) continue;
      const vec3 center(world.bodies.position[b]);
      if (!(glm::distance(center, glm::clamp(center, low, high)) < shape.reach + farthest)) continue;
      const Placed place = placed(shape, world.bodies);
      for (std::int64_t k = block; k < end; ++k) {
        const std::size_t i = std::size_t(k);
        const Skin& skin = skins[i];
        const vec3 x(world.particles.position[i]);
        if (!(skin.area > 0.0) || glm::distance(x, center) > shape.reach + farthest) continue;
        if (!(double(surface_distance(shape.shape, place, x).d) < skin.nearest)) continue;
        if (!particle_touches_body(world, std::int32_t(k), shape.body)) continue;
        for (Touch& touch : touched_[i]) {
          if (touch.body == shape.body) break;  // touched already, by another shape of the body
          if (touch.body >= 0) continue;
          touch = {shape.body, skin.area * in_series(skin.exchange, behind(world, b))};
          break;
        }
      }
    }
    for (std::int64_t k = block; k < end; ++k) areas_[std::size_t(k)] = skins[std::size_t(k)].area;
  }
}

void BodyWarmth::link_contact(const World& world, const BodyContact& contact) {
  const HeatSettings& settings = *world.settings.heat;
  const std::vector<PlacedShape>& shapes = world.bodies.parts->shapes;
  if (!pushes(contact) || std::size_t(contact.a) >= shapes.size() || links_.size() == links_.capacity())
    return;
  const PlacedShape& first = shapes[std::size_t(contact.a)];
  const std::size_t a = std::size_t(first.body);
  if (!has_temperature(*world.heat, a)) return;
  const bool between = std::size_t(contact.b) < shapes.size();
  double smaller = double(first.reach);
  double inner = behind(world, a), outside = 0.0;
  std::int32_t other = -1;
  if (between) {
    const PlacedShape& second = shapes[std::size_t(contact.b)];
    other = second.body;
    if (!has_temperature(*world.heat, std::size_t(other))) return;
    smaller = std::min(smaller, double(second.reach));
    inner = in_series(inner, behind(world, std::size_t(other)));
  } else {
    const std::size_t collider = std::size_t(contact.b) - shapes.size();
    if (collider >= settings.colliders.size() || !(settings.colliders[collider] > -273.15)) return;
    outside = settings.colliders[collider];
  }
  const double spot = least_spot * smaller,
               area = std::max(area_between(contact), std::numbers::pi * spot * spot);
  links_.push_back({std::int32_t(a), other, area * in_series(settings.contact, inner), outside});
  parts_[a].covered += area;
  if (between) parts_[std::size_t(other)].covered += area;
}

void BodyWarmth::link(const World& world) {
  const HeatSettings& settings = *world.settings.heat;
  links_.clear(), particle_links_.clear();
  for (Part& part : parts_) part.covered = 0.0, part.given = 0.0;
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    linked_[i] = 0.0;
    for (const Touch& touch : touched_[i]) {
      if (touch.body < 0) break;
      particle_links_.push_back({std::int32_t(i), touch.body, touch.conductance});
      parts_[std::size_t(touch.body)].covered += areas_[i];
      linked_[i] += touch.conductance;
    }
  }
  for (const BodyContact& contact : world.contacts.bodies) link_contact(world, contact);
  for (const BodyContact& contact : world.bodies.sleep.contacts) link_contact(world, contact);
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    if (!has_temperature(*world.heat, b) || links_.size() == links_.capacity()) continue;
    const double open = std::max(parts_[b].surface - parts_[b].covered, 0.0);
    links_.push_back(
        {std::int32_t(b), -1, open * in_series(settings.exchange, behind(world, b)), settings.ambient});
  }
  for (const ParticleLink& link : particle_links_) parts_[std::size_t(link.body)].given += link.conductance;
  for (const Link& link : links_) {
    parts_[std::size_t(link.a)].given += link.conductance;
    if (link.b >= 0) parts_[std::size_t(link.b)].given += link.conductance;
  }
  limit_ = std::numeric_limits<double>::max();
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    const double heat_of_a_kelvin = capacity(world, b);
    if (heat_of_a_kelvin > 0.0 && parts_[b].given > 0.0)
      limit_ = std::min(limit_, stable_share * heat_of_a_kelvin / parts_[b].given);
  }
}

double BodyWarmth::into(std::size_t i, double temperature) const {
  if (touched_.empty()) return 0.0;
  double sum = 0.0;
  for (const Touch& touch : touched_[i]) {
    if (touch.body < 0) break;
    sum += touch.conductance * (now_[std::size_t(touch.body)] - temperature);
  }
  return sum;
}

void BodyWarmth::take(const World& world) {
  std::copy(world.heat->body.begin(), world.heat->body.end(), now_.begin());
}

void BodyWarmth::step(World& world, std::span<const double> temperatures, double seconds) {
  HeatState& heat = *world.heat;
  for (Part& part : parts_) part.given = 0.0;
  for (const ParticleLink& link : particle_links_)
    parts_[std::size_t(link.body)].given -=
        link.conductance * (now_[std::size_t(link.body)] - temperatures[std::size_t(link.particle)]);
  for (const Link& link : links_) {
    const std::size_t a = std::size_t(link.a);
    if (link.b >= 0) {
      const double flow = link.conductance * (now_[std::size_t(link.b)] - now_[a]);
      parts_[a].given += flow, parts_[std::size_t(link.b)].given -= flow;
      continue;
    }
    const double flow = link.conductance * (link.outside - now_[a]);
    parts_[a].given += flow;
    if (capacity(world, a) > 0.0) heat.supplied += seconds * flow;
  }
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    if (!has_temperature(heat, b)) continue;
    const double heat_of_a_kelvin = capacity(world, b);
    if (heat_of_a_kelvin > 0.0)
      heat.body[b] += seconds * parts_[b].given / heat_of_a_kelvin;
    else
      heat.supplied -= seconds * parts_[b].given;
  }
}

}}  // namespace limber::LIMBER_PRECISION
