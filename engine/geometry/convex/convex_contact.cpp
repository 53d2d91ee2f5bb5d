#include "engine/geometry/convex/convex_contact.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "engine/geometry/convex/contact_features.hpp"
#include "engine/geometry/convex/convex_distance.hpp"
#include "engine/geometry/queries/closest_features.hpp"

namespace limber {
namespace {

using TouchPoint = ContactPointOf<double>;

// face_preference, same_point: shares of the smaller solid's least half extent.
constexpr double face_preference = 1e-3;  // a face is chosen unless a direction separates by this much more
constexpr double deeper = 8.0;       // multiple of SolidPair::slack from which an overlap is checked again
constexpr double same_point = 1e-3;  // points nearer than this count as one
constexpr int edge_points_max = 3;   // largest number of points of meet_edges()

constexpr glm::dvec3 any_direction(0.0, 1.0, 0.0);

glm::dvec3 unit(const glm::dvec3& v) { return detail::length_and_direction(v, any_direction).n; }

/// Two solids and their cores, in the frame of the first, with the distances that contacts depend on.
struct SolidPair {
  PlacedSolid a, b;
  ConvexCore core_a, core_b;
  double reach;  ///< m, largest separation at which contact points are made
  double slack;  ///< m, face_preference of the smaller solid

  CorePair pair() const { return {core_a, core_b, b.at.rotation, b.at.position}; }
  double separation(const glm::dvec3& normal) const { return pair().separation(normal); }
};

/// The normal for cores that overlap, whose distance therefore gives no direction.
glm::dvec3 deep_normal(const SolidPair& m, const glm::dvec3& start) {
  glm::dvec3 best = unit(start), candidate;
  double farthest = m.separation(best);
  const auto consider = [&](const glm::dvec3& normal) {
    const double separation = m.separation(normal);
    if (separation > farthest) farthest = separation, best = normal;
  };
  if (least_overlap(m.pair(), candidate)) return consider(candidate), best;
  // the pair is too flat for a polytope (two axes that cross or overlap): tries the directions across both
  const glm::dvec3 up(0.0, 1.0, 0.0), other = m.b.at.rotation[1], across = glm::cross(up, other);
  const glm::dvec3 aside = glm::length(across) > 1e-6 ? across : glm::cross(other, glm::dvec3(1.0, 0.0, 0.0));
  const glm::dvec3 side = unit(glm::length(aside) > 1e-6 ? aside : glm::dvec3(0.0, 0.0, 1.0));
  consider(side);
  consider(-side);
  return best;
}

/// Finds the direction in which the solids are farthest apart or overlap least, with rounded edges. Returns
/// false if they are farther apart than `reach`.
bool find_normal(const SolidPair& m, glm::dvec3& normal) {
  const ConvexCore inner_a = inner_core_of(m.a.solid), inner_b = inner_core_of(m.b.solid);
  const double taken_off = std::sqrt(3.0) * (glm::length(m.core_a.size - inner_a.size) +
                                             glm::length(m.core_b.size - inner_b.size));
  const double scaled = (1.0 - inner_a.share) * (m.a.solid.hull ? m.a.solid.hull->circumradius : 0.0) +
                        (1.0 - inner_b.share) * (m.b.solid.hull ? m.b.solid.hull->circumradius : 0.0);
  const double limit = m.reach + m.core_a.radius + m.core_b.radius + taken_off + scaled;
  const CorePair inner{inner_a, inner_b, m.b.at.rotation, m.b.at.position};
  const CoreGap gap = core_gap(inner, normal, limit);
  if (gap.state == CoreGap::State::overlapping) {
    normal = deep_normal(m, normal);
    return true;
  }
  normal = gap.normal;
  if (gap.state == CoreGap::State::beyond || m.separation(normal) > m.reach) return false;
  return true;
}

/// Replaces the result of find_normal() by that for sharp edges, if the solids are apart. Returns false if
/// they are farther apart than `reach`.
bool sharpen_normal(const SolidPair& m, glm::dvec3& normal) {
  const double limit = m.reach + m.core_a.radius + m.core_b.radius;
  const CoreGap gap = core_gap(m.pair(), normal, limit);
  if (gap.state == CoreGap::State::beyond) return normal = gap.normal, false;
  if (gap.state == CoreGap::State::apart && gap.distance > 1e-3 * m.slack) normal = gap.normal;
  return true;
}

/// Considers, for each edge of the face of `other` that faces `towards`, the shortest direction between that
/// edge and the cylinder's axis. If edge and axis are parallel, their cross product does not give this
/// direction. If they are nearly parallel, the shortest direction is not exactly perpendicular to both; two
/// candidates are considered, one perpendicular to the axis and one to the edge. `sign`: 1 if the cylinder is
/// the first solid, -1 if the second.
template <class Consider>
void consider_radii(const PlacedSolid& cylinder, double sign, const PlacedSolid& other,
                    const glm::dvec3& towards, const Consider& consider) {
  using Exact = Lanes<double, 1>;
  const auto exact = [](const glm::dvec3& x) { return Vec3<Exact>{x.x, x.y, x.z}; };
  ContactFeature face;
  facing_feature(other, towards, face);
  const glm::dvec3 half = cylinder.solid.size.y * cylinder.at.rotation[1];
  const glm::dvec3 low = cylinder.at.position - half, high = cylinder.at.position + half;
  for (int i = 0; i < face.count; ++i) {
    const glm::dvec3 &p = face.corners[i], &q = face.corners[i + 1 < face.count ? i + 1 : 0];
    const auto near = closest_on_edges(exact(low), exact(high), exact(p), exact(q));
    const glm::dvec3 way = glm::mix(low, high, near.s.v) - glm::mix(p, q, near.t.v);
    for (const glm::dvec3& along : {high - low, q - p}) {
      const glm::dvec3 across = way - glm::dot(way, along) / glm::dot(along, along) * along;
      if (const double length = glm::length(across); length > 0.0) consider(sign / length * across);
    }
  }
}

/// Improves `normal`: considers all faces and pairs of edges around the deepest points, and repeats this from
/// the best of them until nothing separates the solids more.
void refine_overlap(const SolidPair& m, glm::dvec3& normal) {
  double best = m.separation(normal);
  const bool rims = m.a.solid.kind == ConvexKind::cylinder || m.b.solid.kind == ConvexKind::cylinder;
  for (int round = 0; round < (rims ? 12 : 4); ++round) {
    FeatureDirections of_a, of_b;
    directions_around(m.a, -normal, of_a);
    directions_around(m.b, normal, of_b);
    const glm::dvec3 before = normal;
    const auto consider = [&](const glm::dvec3& candidate) {
      const double separation = m.separation(candidate);
      if (separation > best) best = separation, normal = candidate;
    };
    if (m.a.solid.kind == ConvexKind::cylinder) consider_radii(m.a, 1.0, m.b, normal, consider);
    if (m.b.solid.kind == ConvexKind::cylinder) consider_radii(m.b, -1.0, m.a, -normal, consider);
    for (int i = 0; i < of_a.faces; ++i) consider(-of_a.face[i]);
    for (int j = 0; j < of_b.faces; ++j) consider(of_b.face[j]);
    for (int i = 0; i < of_a.edges; ++i)
      for (int j = 0; j < of_b.edges; ++j) {
        const glm::dvec3 across = glm::cross(of_a.edge[i], of_b.edge[j]);
        const double length = glm::length(across);
        if (!(length > 1e-3 * glm::length(of_a.edge[i]) * glm::length(of_b.edge[j]))) continue;
        const glm::dvec3 candidate = across / (glm::dot(across, before) < 0.0 ? -length : length);
        consider(candidate);
        if (rims) consider(unit(before + candidate));  // the tangent of a rim changes with the direction
      }
    if (normal == before) return;
  }
}

struct FaceChoice {
  ContactAxis axis = ContactAxis::edges;
  double separation = -INFINITY;
};

/// Chooses the face along whose normal the separation is as large as `separation`, within the slack (more for
/// the face of the last frame, so that the choice does not flicker). Returns ContactAxis::edges if there is
/// none.
FaceChoice choose_face(const SolidPair& m, const ContactFeature& face_a, const ContactFeature& face_b,
                       double separation, ContactAxis before) {
  const double for_a = face_a.is_face() ? m.separation(-face_a.plane.normal) : -INFINITY;
  const double for_b = face_b.is_face() ? m.separation(face_b.plane.normal) : -INFINITY;
  const double bias = before == ContactAxis::face_of_b ? -m.slack : m.slack;
  const bool a_is_better = for_a + bias >= for_b;
  const FaceChoice best{a_is_better ? ContactAxis::face_of_a : ContactAxis::face_of_b,
                        a_is_better ? for_a : for_b};
  const double patience = best.axis == before ? 2.0 * m.slack : m.slack;
  return best.separation >= separation - patience ? best : FaceChoice{};
}

/// Finds the contact points between the reference face and the opposing feature of the other solid. Returns 0
/// if that feature's deepest point is not over the face.
int points_on_face(const SolidPair& m, const FaceChoice& choice, const ContactFeature& face,
                   TouchPoint* points) {
  const bool of_a = choice.axis == ContactAxis::face_of_a;
  ContactFeature incident;
  facing_feature(of_a ? m.b : m.a, -face.plane.normal, incident);
  const int count = clip_to_face(face, incident, m.reach, points);
  double least = INFINITY;
  for (int i = 0; i < count; ++i) {
    least = std::min(least, points[i].separation);
    points[i].feature |= std::uint32_t(of_a ? 1 : 2) << 30;
  }
  return least <= choice.separation + 2.0 * m.slack ? count : 0;
}

void keep(const SolidPair& m, TouchPoint* points, int count, ContactPatch& patch) {
  const double near = same_point / face_preference * m.slack;
  patch.count = keep_four(points, count, patch.normal, near);
  std::copy(points, points + patch.count, patch.points);
}

/// The contact point if the deepest points of two edges or corners do not coincide, because a round cap, or a
/// face almost perpendicular to the direction, has no deepest corner. Of the two points the one nearer to the
/// other solid's surface is taken.
glm::dvec3 middle_of(const SolidPair& m, const EdgeMeeting& met, const glm::dvec3& normal,
                     double separation) {
  const auto off = [](const PlacedSolid& s, const glm::dvec3& p) {
    return std::abs(surface_distance(s.solid, (p - s.at.position) * s.at.rotation).d);
  };
  const double off_b = off(m.b, met.on_a - separation * normal),
               off_a = off(m.a, met.on_b + separation * normal);
  return off_b < off_a ? met.on_a - 0.5 * separation * normal : met.on_b + 0.5 * separation * normal;
}

/// Finds the pair of edges that meets first along the normal. If the normal is that of a face, all its
/// corners are equally deep, and the first edge found may be far from the place of contact: then all edges of
/// the face are tried.
EdgeMeeting meet_nearest_edges(const SolidPair& m, const glm::dvec3& normal, double separation,
                               TouchPoint* points) {
  ContactFeature edge_a, edge_b, face_a, face_b;
  facing_edge(m.a, -normal, edge_a);
  facing_edge(m.b, normal, edge_b);
  const EdgeMeeting first = meet_edges(edge_a, edge_b, normal, separation, points);
  if (!(first.miss > m.slack)) return first;
  EdgeMeeting best = first;
  best.miss = m.slack;
  facing_feature(m.a, -normal, face_a);
  facing_feature(m.b, normal, face_b);
  const auto edges = [](const ContactFeature& face) { return std::max(face.count > 2 ? face.count : 0, 1); };
  for (int i = 0; i < edges(face_a); ++i)
    for (int j = 0; j < edges(face_b); ++j) {
      if (face_a.count > 2) edge_of_face(face_a, i, -normal, edge_a);
      if (face_b.count > 2) edge_of_face(face_b, j, normal, edge_b);
      TouchPoint candidates[edge_points_max];
      const EdgeMeeting met = meet_edges(edge_a, edge_b, normal, separation, candidates);
      if (!(met.miss < best.miss)) continue;
      best = met;
      std::copy(candidates, candidates + met.count, points);
    }
  return best;
}

/// Adds to the `count` points at which edges meet the points of the faces behind the edges that can come into
/// contact within the frame. Without these, solids that lie almost flat on each other would rotate about the
/// edges until they overlap deeply. Both ends of an added point lie in their solids, so that none is deeper
/// than the point at which the edges meet. Returns the new number of points.
int add_face_points(const SolidPair& m, const glm::dvec3& normal, TouchPoint* points, int count) {
  ContactFeature face_a, face_b, incident;
  facing_feature(m.a, -normal, face_a);
  facing_feature(m.b, normal, face_b);
  const double cosine_a = face_a.is_face() ? -glm::dot(face_a.plane.normal, normal) : 0.0;
  const double cosine_b = face_b.is_face() ? glm::dot(face_b.plane.normal, normal) : 0.0;
  const bool of_a = cosine_a >= cosine_b;
  const double cosine = of_a ? cosine_a : cosine_b;
  if (cosine < face_behind_edges) return count;
  const ContactFeature& face = of_a ? face_a : face_b;
  facing_feature(of_a ? m.b : m.a, -face.plane.normal, incident);
  const int end = count + clip_to_face(face, incident, m.reach / cosine, points + count);
  for (int i = count; i < end; ++i) {
    points[i].separation *= cosine;
    points[i].feature |= std::uint32_t(of_a ? 1 : 2) << 30;
  }
  return end;
}

/// Whether the reference face of the last frame is still valid: the deepest point of the other solid is over
/// the face. For separated solids the separation along its normal is then their distance; for overlapping
/// solids the face is a local minimum of the overlap.
bool same_face(const SolidPair& m, ContactAxis before, TouchPoint* points, ContactPatch& patch) {
  const bool of_a = before == ContactAxis::face_of_a;
  ContactFeature face;
  facing_feature(of_a ? m.a : m.b, of_a ? -patch.normal : patch.normal, face);
  if (!face.is_face()) return false;
  const glm::dvec3 normal = of_a ? -face.plane.normal : face.plane.normal;
  const FaceChoice choice{before, m.separation(normal)};
  if (choice.separation + m.core_a.radius + m.core_b.radius < -deeper * m.slack) return false;
  const int count = points_on_face(m, choice, face, points);
  if (count == 0) return false;
  patch.normal = normal;
  patch.axis = before;
  keep(m, points, count, patch);
  return true;
}

/// Whether the two edges that crossed in the last frame are still the contact: both solids must have their
/// support points along the edges' cross product at the crossing.
bool same_edges(const SolidPair& m, TouchPoint* points, ContactPatch& patch) {
  ContactFeature a, b;
  facing_edge(m.a, -patch.normal, a);
  facing_edge(m.b, patch.normal, b);
  if (a.count < 2 || b.count < 2) return false;
  const glm::dvec3 u = a.corners[1] - a.corners[0], v = b.corners[1] - b.corners[0],
                   across = glm::cross(u, v);
  const double length = glm::length(across);
  if (!(length > 0.1 * glm::length(u) * glm::length(v))) return false;
  const glm::dvec3 normal = across / (glm::dot(across, patch.normal) < 0.0 ? -length : length);
  const double separation = m.separation(normal);
  if (separation + m.core_a.radius + m.core_b.radius < -deeper * m.slack || separation > m.reach)
    return false;
  const EdgeMeeting met = meet_edges(a, b, normal, separation, points);
  if (!(met.miss < 1e-3 * m.slack)) return false;
  patch.normal = normal;
  patch.axis = ContactAxis::edges;
  keep(m, points, add_face_points(m, normal, points, met.count), patch);
  return true;
}

}  // namespace

void convex_contact(const ConvexSolid<double>& a, const ConvexSolid<double>& b, const Placement& b_in_a,
                    double reach, ContactPatch& patch) {
  const SolidPair m{
      {a, Placement{}}, {b, b_in_a}, core_of(a),
      core_of(b),       reach,       face_preference * std::min(least_extent(a), least_extent(b))};
  const ContactAxis before = patch.axis;
  const bool known = before != ContactAxis::unknown;
  patch.count = 0;
  patch.axis = ContactAxis::direction;
  if (known && m.separation(patch.normal) > reach) return;
  TouchPoint points[edge_points_max + feature_points_max];
  if ((before == ContactAxis::face_of_a || before == ContactAxis::face_of_b) &&
      same_face(m, before, points, patch))
    return;
  if (before == ContactAxis::edges && same_edges(m, points, patch)) return;
  glm::dvec3 normal = known ? patch.normal : -b_in_a.position;
  const bool in_reach = find_normal(m, normal);
  patch.normal = normal;
  if (!in_reach) return;

  ContactFeature face_a, face_b;
  double separation = 0.0;
  // The direction of a shallow overlap is right; for a deeper one there may be a better face than the first
  // found.
  if (m.separation(normal) + m.core_a.radius + m.core_b.radius < -deeper * m.slack) refine_overlap(m, normal);
  for (bool sure = false;; sure = true) {
    facing_feature(m.a, -normal, face_a);
    facing_feature(m.b, normal, face_b);
    separation = m.separation(normal);
    const FaceChoice choice = choose_face(m, face_a, face_b, separation, before);
    if (choice.axis != ContactAxis::edges) {
      const ContactFeature& face = choice.axis == ContactAxis::face_of_a ? face_a : face_b;
      const int count = points_on_face(m, choice, face, points);
      if (count > 0) {
        patch.normal = choice.axis == ContactAxis::face_of_a ? -face.plane.normal : face.plane.normal;
        patch.axis = choice.axis;
        return keep(m, points, count, patch);
      }
    }
    if (sure) break;
    const bool cores_apart = separation + m.core_a.radius + m.core_b.radius > 0.0;
    if (!cores_apart) refine_overlap(m, normal);
    const bool near = !cores_apart || sharpen_normal(m, normal);
    patch.normal = normal;
    if (!near) return;
  }
  patch.axis = ContactAxis::edges;
  const EdgeMeeting met = meet_nearest_edges(m, normal, separation, points);
  int count = 0;
  for (int i = 0; i < met.count; ++i)
    if (points[i].separation <= reach) points[count++] = points[i];
  count = std::max(count, 1);
  if (count == 1) points[0].separation = separation;
  if (count == 1 && met.miss > m.slack) points[0].point = middle_of(m, met, normal, separation);
  keep(m, points, add_face_points(m, normal, points, count), patch);
}

bool contact_along(const ConvexSolid<double>& a, const ConvexSolid<double>& b, const Placement& b_in_a,
                   double reach, ContactPatch& patch) {
  const PlacedSolid at_a{a, Placement{}}, at_b{b, b_in_a};
  ContactFeature face_a, face_b;
  facing_feature(at_a, -patch.normal, face_a);
  facing_feature(at_b, patch.normal, face_b);
  const double cosine_a = face_a.is_face() ? -glm::dot(face_a.plane.normal, patch.normal) : 0.0;
  const double cosine_b = face_b.is_face() ? glm::dot(face_b.plane.normal, patch.normal) : 0.0;
  const bool of_a = cosine_a > cosine_b;
  if (std::max(cosine_a, cosine_b) < face_behind_edges) return false;
  const ContactFeature& face = of_a ? face_a : face_b;
  TouchPoint points[feature_points_max];
  const int count = clip_to_face(face, of_a ? face_b : face_a, reach, points);
  for (int i = 0; i < count; ++i) points[i].feature |= std::uint32_t(of_a ? 1 : 2) << 30;
  patch.normal = of_a ? -face.plane.normal : face.plane.normal;
  patch.axis = of_a ? ContactAxis::face_of_a : ContactAxis::face_of_b;
  patch.count =
      keep_four(points, count, patch.normal, same_point * std::min(least_extent(a), least_extent(b)));
  std::copy(points, points + patch.count, patch.points);
  return true;
}

void plane_contact(const ConvexSolid<double>& a, const Placement& a_at, const HalfSpace& plane, double reach,
                   ContactPatch& patch) {
  ContactFeature feature;
  facing_feature({a, a_at}, -plane.normal, feature);
  TouchPoint points[feature_points_max];
  const int count = clip_to_plane(plane, feature, reach, points);
  patch.normal = plane.normal;
  patch.axis = ContactAxis::face_of_b;
  patch.count = keep_four(points, count, plane.normal, same_point * least_extent(a));
  std::copy(points, points + patch.count, patch.points);
}

}  // namespace limber
