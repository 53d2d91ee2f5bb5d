#include "engine/contact/bodies/box_manifold.hpp"

#include <algorithm>
#include <cmath>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real face_preference = real(1e-3);  // as in convex_contact.cpp
constexpr real deeper = 8;                    // multiple of slack; a deeper overlap is examined again
constexpr real parallel = real(1e-4);         // square of the sine below which edges count as parallel

/// Box b in the frame of box a.
struct TwoBoxes {
  vec3 a, b;          ///< m, half extents
  mat3 R, size_of_R;  ///< columns: b's axes in a's frame; their absolute values
  vec3 t;             ///< m, from a's centre to b's, in a's frame
};

/// A direction, and the separation of the boxes along it.
struct Axis {
  real separation = real(-1e30);
  int i = 0, j = 0;
};

mat3 without_signs(const mat3& R) {
  mat3 out;
  for (int j = 0; j < 3; ++j) out[j] = vec3(std::abs(R[j].x), std::abs(R[j].y), std::abs(R[j].z));
  return out;
}

vec3 row(const mat3& R, int i) { return {R[0][i], R[1][i], R[2][i]}; }

int largest(const vec3& v) {
  int i = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(v[k]) > std::abs(v[i])) i = k;
  return i;
}

Axis best_of(const vec3& separations) {
  Axis best{separations.x, 0, 0};
  for (int i = 1; i < 3; ++i)
    if (separations[i] > best.separation) best = {separations[i], i, 0};
  return best;
}

Axis faces_of_a(const TwoBoxes& p) {
  const vec3 distance(std::abs(p.t.x), std::abs(p.t.y), std::abs(p.t.z));
  return best_of(distance - p.a - p.size_of_R * p.b);
}

Axis faces_of_b(const TwoBoxes& p) {
  const vec3 t = p.t * p.R, distance(std::abs(t.x), std::abs(t.y), std::abs(t.z));
  return best_of(distance - p.b - p.a * p.size_of_R);
}

/// The axis of largest separation among cross products of edge i of a and edge j of b. Dividing for each of
/// the nine pairs would take most of the test's time, so only a pair that beats `least` is divided.
Axis best_edges(const TwoBoxes& p, real least) {
  Axis best{least, -1, -1};
  for (int i = 0; i < 3; ++i) {
    const int u = (i + 1) % 3, v = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3, l = (j + 2) % 3;
      const real square = real(1) - p.R[j][i] * p.R[j][i];  // square of the length of the cross product
      if (square < parallel) continue;
      const real along = std::abs(p.t[v] * p.R[j][u] - p.t[u] * p.R[j][v]);
      const real extent = p.a[u] * p.size_of_R[j][v] + p.a[v] * p.size_of_R[j][u] +
                          p.b[k] * p.size_of_R[l][i] + p.b[l] * p.size_of_R[k][i];
      const real scaled = along - extent;
      // Tests scaled / sqrt(square) > best without computing the root.
      const real b = best.separation;
      const bool better = scaled > real(0) ? b < real(0) || scaled * scaled > b * b * square
                                           : b < real(0) && scaled * scaled < b * b * square;
      if (better) best = {scaled / std::sqrt(square), i, j};
    }
  }
  return best;
}

/// A corner of the clipped incident face in the reference face's frame. `edge`: the incident edge, or the
/// side of the reference face, that the outline follows from this corner.
struct Corner {
  real u, v, w;  ///< m: u, v along the face; w above the centre of its box
  std::uint32_t feature, edge;
};

// Clipping a rectangle by four sides gives at most eight corners. Rounding can cut an edge along a side more
// than once, so each side may add half as many corners: 4, 6, 9, 13, 19.
constexpr int cut_corners_max = 20;

/// Clips a polygon at one side of the reference rectangle: keeps sign * (u or v) <= half.
template <int axis, int sign>
int cut(const Corner* in, int count, real half, Corner* out) {
  constexpr std::uint32_t side = 2 * axis + (sign > 0);
  const auto over = [half](const Corner& c) { return real(sign) * (axis == 0 ? c.u : c.v) - half; };
  int kept = 0;
  real here = over(in[0]);
  for (int i = 0; i < count; ++i) {
    const Corner &p = in[i], &q = in[i + 1 < count ? i + 1 : 0];
    const real next = over(q);
    if (here <= real(0)) out[kept++] = p;
    if ((here <= real(0)) != (next <= real(0))) {
      const real share = here / (here - next);
      const Meeting meeting = p.edge & along_side ? Meeting::outline : Meeting::crossing;
      out[kept++] = {p.u + share * (q.u - p.u), p.v + share * (q.v - p.v), p.w + share * (q.w - p.w),
                     feature_number(meeting, p.edge, side), here > real(0) ? p.edge : side | along_side};
    }
    here = next;
  }
  return kept;
}

/// A face of one box, and the other box in its frame.
struct FaceToBox {
  const vec3 &reference, &incident;  ///< m, half extents
  mat3 R;                            ///< axes of the other (incident) box in the reference frame
  vec3 t;                            ///< m, centre of the incident box
  int axis;                          ///< axis of the reference face
  real sign;                         ///< sign of its outward normal along that axis
};

/// The corners of the face that points most against the reference face, in order around it.
void incident_face(const FaceToBox& f, Corner* out) {
  int j = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(f.R[k][f.axis]) > std::abs(f.R[j][f.axis])) j = k;
  const bool positive = f.sign * f.R[j][f.axis] < real(0);
  const int k = (j + 1) % 3, l = (j + 2) % 3, u = (f.axis + 1) % 3, v = (f.axis + 2) % 3;
  const vec3 center = f.t + (positive ? f.incident[j] : -f.incident[j]) * f.R[j];
  const vec3 p = f.incident[k] * f.R[k], q = f.incident[l] * f.R[l];
  const vec3 around[4] = {center - p - q, center + p - q, center + p + q, center - p + q};
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::uint32_t name = c | std::uint32_t(2 * j + positive) << 2;
    out[c] = {around[c][u], around[c][v], f.sign * around[c][f.axis], feature_number(Meeting::corner, name),
              name};
  }
}

/// Clips the incident face at the sides of the reference face. Returns the number of corners.
int clip(const FaceToBox& f, Corner (&corners)[cut_corners_max]) {
  Corner cut_once[cut_corners_max];
  incident_face(f, corners);
  const real half_u = f.reference[(f.axis + 1) % 3], half_v = f.reference[(f.axis + 2) % 3];
  real far_u = 0, far_v = 0;
  for (int c = 0; c < 4; ++c) {
    far_u = std::max(far_u, std::abs(corners[c].u));
    far_v = std::max(far_v, std::abs(corners[c].v));
  }
  int count = 4;
  if (far_u > half_u) {
    count = cut<0, 1>(corners, count, half_u, cut_once);
    count = count > 0 ? cut<0, -1>(cut_once, count, half_u, corners) : 0;
  }
  if (far_v > half_v && count > 0) {
    count = cut<1, 1>(corners, count, half_v, cut_once);
    count = count > 0 ? cut<1, -1>(cut_once, count, half_v, corners) : 0;
  }
  return count;
}

/// Contact points between the reference face and the other box, in the world. `least` becomes the smallest
/// separation.
int face_points(const FaceToBox& f, const Placed& at, real reach, ContactPoint* points, real& least) {
  Corner corners[cut_corners_max];
  const int found = clip(f, corners);
  const vec3 &x = at.rotation[(f.axis + 1) % 3], &y = at.rotation[(f.axis + 2) % 3];
  const vec3 z = f.sign * at.rotation[f.axis];
  const real half = f.reference[f.axis];
  int count = 0;
  for (int c = 0; c < found; ++c) {
    const Corner& p = corners[c];
    const real separation = p.w - half;
    least = std::min(least, separation);
    if (!(separation <= reach)) continue;
    points[count++] = {at.position + p.u * x + p.v * y + (half + real(0.5) * separation) * z, separation,
                       p.feature};
  }
  return count;
}

void apart(Manifold& manifold, const vec3& normal) {
  manifold.normal = normal;
  manifold.axis = ContactAxis::direction;
  manifold.count = 0;
}

/// Contact point of two crossing edges. False if the nearest points of their lines lie beyond the edges'
/// ends, which happens only to boxes that are apart.
bool edge_point(const TwoBoxes& p, const Axis& axis, const Placed& at_a, real reach, Manifold& manifold) {
  const vec3& other = p.R[axis.j];
  vec3 direction(0);
  direction[axis.i] = 1;
  vec3 normal = glm::cross(direction, other);
  normal *= (glm::dot(normal, p.t) > real(0) ? real(-1) : real(1)) / glm::length(normal);  // from b to a
  if (axis.separation > reach) return apart(manifold, at_a.rotation * normal), true;
  vec3 on_a, on_b = p.t;  // middles of the two edges
  std::uint32_t corner_a = 0, corner_b = 0;
  const vec3 in_b = normal * p.R;
  for (int k = 0; k < 3; ++k) {
    on_a[k] = k == axis.i ? real(0) : normal[k] < real(0) ? p.a[k] : -p.a[k];
    if (k != axis.i) corner_a |= std::uint32_t(normal[k] < real(0)) << k;
    if (k == axis.j) continue;
    on_b += (in_b[k] > real(0) ? p.b[k] : -p.b[k]) * p.R[k];
    corner_b |= std::uint32_t(in_b[k] > real(0)) << k;
  }
  const vec3 r = on_b - on_a;
  const real cosine = other[axis.i], square = real(1) - cosine * cosine;
  const real along_a = r[axis.i], along_b = glm::dot(r, other);
  const real s = (along_a - cosine * along_b) / square, t = (cosine * along_a - along_b) / square;
  const bool beyond = std::abs(s) > p.a[axis.i] || std::abs(t) > p.b[axis.j];
  if (beyond && axis.separation > real(0)) return false;
  on_a[axis.i] = std::clamp(s, -p.a[axis.i], p.a[axis.i]);
  on_b += std::clamp(t, -p.b[axis.j], p.b[axis.j]) * other;
  manifold.normal = at_a.rotation * normal;
  manifold.axis = ContactAxis::edges;
  manifold.count = 1;
  const std::uint32_t name_a = corner_a | std::uint32_t(axis.i) << 3,
                      name_b = corner_b | std::uint32_t(axis.j) << 3;
  manifold.points[0] = {at_a.position + at_a.rotation * (real(0.5) * (on_a + on_b)), axis.separation,
                        feature_number(Meeting::edges, name_a, name_b)};
  return true;
}

/// m, separation of the boxes along `normal`, a direction of the world from b to a.
real separation_along(const vec3& normal, const vec3& a, const Placed& at_a, const vec3& b,
                      const Placed& at_b) {
  const vec3 in_a = normal * at_a.rotation, in_b = normal * at_b.rotation;
  real extent = 0;
  for (int k = 0; k < 3; ++k) extent += std::abs(in_a[k]) * a[k] + std::abs(in_b[k]) * b[k];
  return glm::dot(normal, at_a.position - at_b.position) - extent;
}

/// Manifold of a face and the opposing face. False if the deepest corner does not lie over the face.
bool face_manifold(const TwoBoxes& p, const Axis& axis, bool of_a, const Placed& at, real reach, real slack,
                   Manifold& manifold) {
  const vec3 t = of_a ? p.t : -(p.t * p.R);
  const real sign = t[axis.i] < real(0) ? real(-1) : real(1);
  const FaceToBox face{of_a ? p.a : p.b, of_a ? p.b : p.a, of_a ? p.R : glm::transpose(p.R), t, axis.i, sign};
  ContactPoint points[cut_corners_max];
  real least = real(1e30);
  int count = face_points(face, at, reach, points, least);
  if (count == 0 || least > axis.separation + slack) return false;
  manifold.normal = (of_a ? -sign : sign) * at.rotation[axis.i];
  manifold.axis = of_a ? ContactAxis::face_of_a : ContactAxis::face_of_b;
  if (count > 4) count = keep_four(points, count, manifold.normal, slack);
  for (int i = 0; i < count; ++i) {
    manifold.points[i] = points[i];
    manifold.points[i].feature |= std::uint32_t(of_a ? 1 : 2) << 30;
  }
  manifold.count = count;
  return true;
}

/// Adds contact points to the point where two edges cross: points of the faces behind the edges that can
/// touch within the frame. Without them, boxes that lie almost flat on each other would rotate about the
/// single point until they overlap deeply. Both ends of an added point lie in their boxes, so none is deeper
/// than the crossing.
void add_face_points(const TwoBoxes& p, const Placed& at_a, const Placed& at_b, real reach, real slack,
                     Manifold& manifold) {
  const vec3 normal = manifold.normal * at_a.rotation, in_b = normal * p.R;
  const int of_normal = largest(normal), of_other = largest(in_b);
  const bool of_a = std::abs(normal[of_normal]) >= std::abs(in_b[of_other]);
  const int axis = of_a ? of_normal : of_other;
  const real towards = of_a ? -normal[axis] : in_b[axis], cosine = std::abs(towards);
  if (cosine < real(face_behind_edges)) return;
  const FaceToBox face{of_a ? p.a : p.b,
                       of_a ? p.b : p.a,
                       of_a ? p.R : glm::transpose(p.R),
                       of_a ? p.t : -(p.t * p.R),
                       axis,
                       towards < real(0) ? real(-1) : real(1)};
  ContactPoint points[1 + cut_corners_max] = {manifold.points[0]};
  real least = 0;
  const int count = 1 + face_points(face, of_a ? at_a : at_b, reach / cosine, points + 1, least);
  for (int k = 1; k < count; ++k) {
    points[k].separation *= cosine;
    points[k].feature |= std::uint32_t(of_a ? 1 : 2) << 30;
  }
  manifold.count = keep_four(points, count, manifold.normal, slack);
  std::copy(points, points + manifold.count, manifold.points);
}

/// Tries the reference face of the last frame: it remains valid if the deepest corner of the other box lies
/// over it. For separated boxes the separation is then their distance; for overlapping boxes the face is a
/// local minimum of the penetration.
bool same_face(const TwoBoxes& p, const Placed& at_a, const Placed& at_b, real reach, real slack,
               Manifold& manifold) {
  const bool of_a = manifold.axis == ContactAxis::face_of_a;
  const vec3 facing = manifold.normal * (of_a ? at_a : at_b).rotation;
  const int i = largest(facing);
  const real separation = of_a ? std::abs(p.t[i]) - p.a[i] - glm::dot(row(p.size_of_R, i), p.b)
                               : std::abs(glm::dot(p.t, p.R[i])) - p.b[i] - glm::dot(p.size_of_R[i], p.a);
  if (separation > reach || separation < -deeper * slack) return false;
  return face_manifold(p, {separation, i, 0}, of_a, of_a ? at_a : at_b, reach, slack, manifold);
}

}  // namespace

bool collide_boxes(const vec3& a, const Placed& at_a, const vec3& b, const Placed& at_b, real reach,
                   Manifold& manifold) {
  const ContactAxis before = manifold.axis;
  if (before == ContactAxis::direction && separation_along(manifold.normal, a, at_a, b, at_b) > reach) {
    manifold.count = 0;
    return true;
  }
  TwoBoxes p{a, b};
  p.R = glm::transpose(at_a.rotation) * at_b.rotation;
  p.size_of_R = without_signs(p.R);
  p.t = (at_b.position - at_a.position) * at_a.rotation;
  const real slack = face_preference * std::min({a.x, a.y, a.z, b.x, b.y, b.z});
  if ((before == ContactAxis::face_of_a || before == ContactAxis::face_of_b) &&
      same_face(p, at_a, at_b, reach, slack, manifold))
    return true;
  const Axis of_a = faces_of_a(p);
  if (of_a.separation > reach)
    return apart(manifold, (p.t[of_a.i] > real(0) ? real(-1) : real(1)) * at_a.rotation[of_a.i]), true;
  const Axis of_b = faces_of_b(p);
  const vec3 towards_a = at_a.position - at_b.position;
  if (of_b.separation > reach) {
    const vec3& axis = at_b.rotation[of_b.i];
    return apart(manifold, (glm::dot(axis, towards_a) < real(0) ? real(-1) : real(1)) * axis), true;
  }
  const bool a_is_better =
      of_a.separation + (before == ContactAxis::face_of_b ? -slack : slack) >= of_b.separation;
  const Axis& face = a_is_better ? of_a : of_b;
  const bool same = before == (a_is_better ? ContactAxis::face_of_a : ContactAxis::face_of_b);
  const Axis edges = best_edges(p, face.separation + (same ? real(2) : real(1)) * slack);
  if (edges.i >= 0) {
    if (!edge_point(p, edges, at_a, reach, manifold)) return false;
    if (manifold.count > 0) add_face_points(p, at_a, at_b, reach, slack, manifold);
    return true;
  }
  return face_manifold(p, face, a_is_better, a_is_better ? at_a : at_b, reach, slack, manifold);
}

}}  // namespace limber::LIMBER_PRECISION
