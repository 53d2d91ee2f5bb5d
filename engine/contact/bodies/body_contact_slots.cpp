// Colours of the contacts between bodies, and the layout of their slots for the kernels.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/contact/bodies/body_contacts.hpp"
#include "engine/contact/mix.hpp"
#include "engine/core/first_fit.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real never_met = real(1e6);  // m, separation of the unused points of a manifold
constexpr int most_colors = first_fit_colors;

std::size_t body_of(const World& world, std::int32_t shape) {
  return std::size_t(world.bodies.parts->shapes[std::size_t(shape)].body);
}

vec3 any_tangent(const vec3& n) {
  const vec3 t = std::abs(n.x) > real(0.6) ? vec3(n.y, -n.x, 0) : vec3(0, n.z, -n.y);
  return t / glm::length(t);
}

}  // namespace

real BodyContacts::near_of(const World& world, const BodyContact& contact) const {
  return margin_share_ * world.bodies.parts->shapes[std::size_t(contact.a)].reach;
}

/// Sizes the list for note_links(). Serial.
void BodyContacts::begin_links(const World& world, const Team& team) {
  const std::size_t entries = world.contacts.bodies.size();
  noted_.assign(std::size_t(team.size()), {!colored_ || links_.size() != entries, false, false});
  links_.resize(entries);
}

/// Notes which bodies the entries of this thread link, and whether that is what it was in the last frame.
void BodyContacts::note_links(const World& world, const Team& team) {
  const auto& contacts = world.contacts.bodies;
  Noted noted = noted_[std::size_t(team.rank())];
  const Share mine = team.share(std::int64_t(contacts.size()), 16);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t c = std::size_t(k);
    const BodyContact& contact = contacts[c];
    Link link;
    if (contact.count > 0) {
      const bool a = movable_side(world, contact.a), both = a && movable_side(world, contact.b);
      link.one = std::int32_t(body_of(world, a ? contact.a : contact.b));
      if (both) link.other = std::int32_t(body_of(world, contact.b));
      for (int p = 0; both && p < contact.count; ++p)
        noted.deep |= manifolds_[c].points[p].separation < -near_of(world, contact);
      noted.rolling |= material_of(world, contact.a).rolling_resistance > 0 ||
                       material_of(world, contact.b).rolling_resistance > 0;
    }
    noted.changed |= !(link == links_[c]);
    links_[c] = link;
  }
  noted_[std::size_t(team.rank())] = noted;
}

/// Whether contacts link other bodies than in the last frame, and need other colours. Serial.
bool BodyContacts::links_changed() {
  Noted all;
  for (const Noted& noted : noted_)
    all.changed |= noted.changed, all.rolling |= noted.rolling, all.deep |= noted.deep;
  rolling_ = all.rolling, deep_ = all.deep;
  return all.changed;
}

/// Assigns colours by first fit, in the order of the entries. Serial.
void BodyContacts::color() {
  colored_ = true;
  slot_of_.assign(links_.size(), -1);
  color_of_.resize(links_.size());
  for (auto& used : used_) std::fill(used.begin(), used.end(), 0);
  std::int32_t count[2][most_colors + 1] = {};
  for (std::size_t c = 0; c < links_.size(); ++c) {
    if (links_[c].one < 0) continue;
    const bool both = links_[c].other >= 0;
    auto& used = used_[both];
    const std::size_t one = std::size_t(links_[c].one), other = both ? std::size_t(links_[c].other) : one;
    const int free = take_first_free_color([&](const auto& act) { act(used[one]), act(used[other]); });
    color_of_[c] = std::int16_t(free);
    ++count[both][free];
  }
  std::int32_t slots = 0;
  for (const int both : {1, 0}) {
    colors_[both].clear();
    for (int k = 0; k <= most_colors; ++k) {
      const std::int32_t members = std::exchange(count[both][k], slots);
      const ColorRun run{slots, slots + (members + lane_group - 1) / lane_group * lane_group};
      if (k == most_colors)
        overflow_[both] = {slots, slots + members};
      else if (members > 0)
        colors_[both].push_back(run);
      slots = run.end;
    }
  }
  side_a_.resize(std::size_t(slots));
  side_b_.resize(std::size_t(slots));
  data_.resize(std::size_t(slots) * contact_columns);
  std::fill(side_a_.begin(), side_a_.end(), -1);
  for (std::size_t c = 0; c < links_.size(); ++c) {
    if (links_[c].one < 0) continue;
    slot_of_[c] = count[links_[c].other >= 0][color_of_[c]]++;
    side_a_[std::size_t(slot_of_[c])] = 0;
  }
}

/// Fills unused slots with contacts between the rows of two padding bodies.
void BodyContacts::pad(const World& world) {
  const std::int32_t none = std::int32_t(rows(world)) - 2 * body_rows;
  for (std::int32_t i = 0; i < slots(); ++i) {
    if (side_a_[std::size_t(i)] >= 0) continue;
    side_a_[std::size_t(i)] = none;
    side_b_[std::size_t(i)] = none + body_rows;
    real* const slot = view().slot(i);
    for (int column = 0; column < contact_columns; ++column) slot[column * lane_group] = 0;
  }
}

void BodyContacts::fill(const World& world, const Team& team) {
  const Share mine = team.share(std::int64_t(world.contacts.bodies.size()), 16);
  for (std::int64_t c = mine.begin; c < mine.end; ++c)
    if (slot_of_[std::size_t(c)] >= 0) fill_slot(world, std::size_t(c));
}

void BodyContacts::fill_slot(const World& world, std::size_t c) {
  const BodyContact& contact = world.contacts.bodies[c];
  const SideRow a = side_of(world, c, contact.a), b = side_of(world, c, contact.b);
  const bool swapped = !movable_side(world, contact.a);
  const std::size_t i = std::size_t(slot_of_[c]);
  side_a_[i] = (swapped ? b : a).row, side_b_[i] = (swapped ? a : b).row;
  fill_slot(world, c, manifolds_[c], a.center, b.center);
}

/// Writes the columns of the slot of entry c. `shape_a_center`, `shape_b_center`: m, points from which the
/// arms of the entry's shapes a and b are measured.
void BodyContacts::fill_slot(const World& world, std::size_t c, const Manifold& manifold,
                             const vec3& shape_a_center, const vec3& shape_b_center) {
  const BodyContact& contact = world.contacts.bodies[c];
  const bool swapped = !movable_side(world, contact.a);  // the side that can move comes first
  const std::int32_t a = swapped ? contact.b : contact.a, b = swapped ? contact.a : contact.b;
  const real sign = swapped ? real(-1) : real(1);
  const std::int32_t i = slot_of_[c];
  real* const slot = view().slot(i);
  const auto put = [&](real* at, int column, real x) { at[column * lane_group] = x; };
  const auto put_vector = [&](real* at, int column, const vec3& v) {
    for (int k = 0; k < 3; ++k) put(at, column + k, v[k]);
  };
  const vec3 n = sign * manifold.normal, t = any_tangent(n), side = glm::cross(n, t);
  const vec3 &center_a = swapped ? shape_b_center : shape_a_center,
             &center_b = swapped ? shape_a_center : shape_b_center;
  const real near = near_of(world, contact);
  put_vector(slot, column_normal, n);
  put_vector(slot, column_tangent, t);
  vec3 middle(0);
  real weights = 0;
  for (int k = 0; k < manifold.count; ++k) {  // a point farther than `near` gets a smaller weight
    const real weight = std::clamp(2 - manifold.points[k].separation / near, real(1e-3), real(1));
    middle += weight * (manifold.points[k].point - center_a);
    weights += weight;
  }
  middle /= weights;
  for (int k = 0; k < contact_points; ++k) {
    real* const p = BodyContactView<real>::point(slot, k);
    const bool there = k < manifold.count;
    const vec3 at_a = there ? manifold.points[k].point - center_a : vec3(0);
    const vec3 at_b = there ? manifold.points[k].point - center_b : vec3(0);
    const real separation = there ? manifold.points[k].separation : never_met;
    put_vector(p, point_at_a, at_a);
    put_vector(p, point_at_b, at_b);
    put(p, point_base, separation - glm::dot(n, at_a - at_b));
    put(p, point_separation, separation);
    put(p, point_push, there ? contact.push[k] : real(0));
    put(p, point_arm, there ? glm::length(at_a - middle) : real(0));
  }
  put_vector(slot, column_middle_a, middle);
  put_vector(slot, column_middle_b, middle + (center_a - center_b));
  const BodyMaterial x = material_of(world, a), y = material_of(world, b);
  put(slot, column_friction, mixed_friction(x.friction, y.friction));
  put(slot, column_restitution, mixed_restitution(x.restitution, y.restitution));
  put(slot, column_rolling_arm, mixed_rolling(x.rolling_resistance, y.rolling_resistance));
  put(slot, column_friction_lambda, sign * glm::dot(contact.friction, t));
  put(slot, column_friction_lambda + 1, sign * glm::dot(contact.friction, side));
  put(slot, column_twist, contact.twist);
  put_vector(slot, column_rolling, sign * contact.rolling);
}

void BodyContacts::replace(World& world, std::size_t c, const Meeting& meeting, const real* rows) {
  BodyContact& contact = world.contacts.bodies[c];
  const Manifold& manifold = meeting.manifold;
  contact = {contact.a, contact.b, contact.patch, manifold.count, manifold.axis, manifold.normal};
  for (int k = 0; k < manifold.count; ++k)
    contact.place[k] = (manifold.points[k].point - meeting.place_a.position) * meeting.place_a.rotation;
  manifolds_[c] = manifold;
  for (int k = 0; k < manifold.count; ++k) manifolds_[c].points[k].point += meeting.origin;
  fill_slot(world, c, manifold, meeting.center_a, meeting.center_b);
  // Separations are stored relative to the frame's start, but the arms are the present ones.
  const std::int32_t i = slot_of_[c];
  real* const slot = view().slot(i);
  const auto at = [&](std::int32_t side, BodyRow which) {
    const real* const x = rows + 4 * (side + which);
    return vec4(x[0], x[1], x[2], x[3]);
  };
  const auto get_vector = [](const real* column) {
    return vec3(column[0], column[lane_group], column[2 * lane_group]);
  };
  const std::int32_t a = side_a_[std::size_t(i)], b = side_b_[std::size_t(i)];
  const mat3 turned_a = rotation_of(at(a, row_rotated)), turned_b = rotation_of(at(b, row_rotated));
  const vec3 moved(at(a, row_moved) - at(b, row_moved)), n = get_vector(slot + column_normal * lane_group);
  for (int k = 0; k < manifold.count; ++k) {
    real* const p = BodyContactView<real>::point(slot, k);
    const vec3 ra = get_vector(p + point_at_a * lane_group), rb = get_vector(p + point_at_b * lane_group);
    p[point_base * lane_group] =
        p[point_separation * lane_group] - glm::dot(n, moved + (turned_a * ra - turned_b * rb));
  }
}

}}  // namespace limber::LIMBER_PRECISION
