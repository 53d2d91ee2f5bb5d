#include "engine/geometry/convex/contact_features.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using TouchPoint = ContactPointOf<double>;

// The cap of a solid touches if the cosine to the axis exceeds this; otherwise the line along the side does.
constexpr double cap_from = 0.7;
// A capsule touches with a single tip if the cosine to the axis exceeds this.
constexpr double tip_from = 0.5;
// A cylinder tilted by less than this (sine) stands on four fixed points of its rim; one tilted more stands
// on its lowest point.
constexpr double level = 5e-4;
// An edge that is perpendicular to the direction within this (sine) touches along its length.
constexpr double across_within = 0.05;

glm::dvec3 box_corner(const glm::dvec3& half, int corner) {
  return half * glm::dvec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
}

int box_corner_towards(const glm::dvec3& m) { return (m.x > 0.0) | (m.y > 0.0) << 1 | (m.z > 0.0) << 2; }

void add_corner(ContactFeature& out, const glm::dvec3& p, std::uint32_t name) {
  out.corners[out.count] = p;
  out.names[out.count++] = name;
}

void box_face(const glm::dvec3& half, const glm::dvec3& m, ContactFeature& out) {
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(m[k]) > std::abs(m[axis])) axis = k;
  const bool positive = m[axis] > 0.0;
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = positive ? 1 << axis : 0;
  const int around[4] = {base, base | (positive ? u : v), base | u | v, base | (positive ? v : u)};
  for (const int corner : around) add_corner(out, box_corner(half, corner), std::uint32_t(corner));
  out.plane.normal = glm::dvec3(0.0);
  out.plane.normal[axis] = positive ? 1.0 : -1.0;
}

void hull_face(const ConvexPolyhedron& hull, const glm::dvec3& m, ContactFeature& out) {
  const Index corner = support_vertex(hull, m);
  Index best = hull.faces_at(corner)[0];
  for (const Index f : hull.faces_at(corner))
    if (glm::dot(hull.planes[std::size_t(f)].normal, m) > glm::dot(hull.planes[std::size_t(best)].normal, m))
      best = f;
  for (const Index v : hull.loop(best)) add_corner(out, hull.vertices[std::size_t(v)], std::uint32_t(v));
  out.plane.normal = hull.planes[std::size_t(best)].normal;
}

Index corner_after(const ConvexPolyhedron& hull, Index face, Index corner) {
  const std::span<const Index> loop = hull.loop(face);
  const std::size_t i = std::size_t(std::find(loop.begin(), loop.end(), corner) - loop.begin());
  return loop[(i + 1) % loop.size()];
}

glm::dvec3 edge_after(const ConvexPolyhedron& hull, Index face, Index corner) {
  return hull.vertices[std::size_t(corner_after(hull, face, corner))] - hull.vertices[std::size_t(corner)];
}

void hull_edge(const ConvexPolyhedron& hull, const glm::dvec3& m, ContactFeature& out) {
  const Index corner = support_vertex(hull, m);
  const glm::dvec3& p = hull.vertices[std::size_t(corner)];
  add_corner(out, p, std::uint32_t(corner));
  double least = across_within;
  Index other = no_index;
  for (const Index f : hull.faces_at(corner)) {
    const Index next = corner_after(hull, f, corner);
    const glm::dvec3 along = hull.vertices[std::size_t(next)] - p;
    const double slope = std::abs(glm::dot(along, m)) / glm::length(along);
    if (slope < least) least = slope, other = next;
  }
  if (other != no_index) add_corner(out, hull.vertices[std::size_t(other)], std::uint32_t(other));
}

/// The line along a capsule or along the side of a cylinder, `aside` m from the axis.
void along_axis(double half_length, const glm::dvec3& aside, ContactFeature& out) {
  add_corner(out, aside - glm::dvec3(0.0, half_length, 0.0), 0);
  add_corner(out, aside + glm::dvec3(0.0, half_length, 0.0), 1);
}

void cylinder_cap(const glm::dvec3& size, const glm::dvec3& m, ContactFeature& out) {
  const double side = m.y < 0.0 ? -1.0 : 1.0, tilt = std::sqrt(m.x * m.x + m.z * m.z);
  out.count = 0;
  out.center = {0.0, side * size.y, 0.0};
  out.disc_radius = size.x;
  out.plane.normal = {0.0, side, 0.0};
  out.first = tilt > level ? glm::dvec3(m.x, 0.0, m.z) / tilt : glm::dvec3(1.0, 0.0, 0.0);
  out.second = glm::cross(out.plane.normal, out.first);
}

glm::dvec3 towards_side(const glm::dvec3& size, const glm::dvec3& m) {
  const double across = std::sqrt(m.x * m.x + m.z * m.z);
  return across > 0.0 ? size.x / across * glm::dvec3(m.x, 0.0, m.z) : glm::dvec3(size.x, 0.0, 0.0);
}

/// An edge is the same from either end: its corners in the order of their names, and one name for both.
void name_edge(ContactFeature& out) {
  out.tip = 0;
  if (out.count < 2) return;
  if (out.names[0] > out.names[1]) {
    std::swap(out.names[0], out.names[1]);
    std::swap(out.corners[0], out.corners[1]);
    out.tip = 1;
  }
  out.names[0] = (37 * out.names[0] + out.names[1]) & 0xfff;
}

void put_in_place(const Placement& at, ContactFeature& out) {
  for (int i = 0; i < out.count; ++i) out.corners[i] = at.position + at.rotation * out.corners[i];
  if (!out.is_face()) return;
  out.center = at.position + at.rotation * out.center;
  out.first = at.rotation * out.first;
  out.second = at.rotation * out.second;
  out.plane.normal = at.rotation * out.plane.normal;
  out.plane.offset = glm::dot(out.plane.normal, out.is_disc() ? out.center : out.corners[0]);
}

/// Makes contact points from points on the core of the incident feature.
class Gatherer {
 public:
  Gatherer(const HalfSpace& plane, double radius, double reach, TouchPoint* points)
      : plane_(plane), radius_(radius), reach_(reach), points_(points) {}

  void add(const glm::dvec3& p, std::uint32_t feature) {
    const double height = glm::dot(plane_.normal, p) - plane_.offset, separation = height - radius_;
    if (!(separation <= reach_) || count_ == feature_points_max) return;
    points_[count_++] = {p - (0.5 * separation + radius_) * plane_.normal, separation, feature};
  }
  int count() const { return count_; }

 private:
  const HalfSpace& plane_;
  double radius_, reach_;
  TouchPoint* points_;
  int count_ = 0;
};

/// The side half space of a face at the edge from corner i: perpendicular to the face, outside its edge.
HalfSpace side_of(const ContactFeature& face, int i) {
  const glm::dvec3& p = face.corners[i];
  const glm::dvec3 out = glm::cross(face.corners[i + 1 < face.count ? i + 1 : 0] - p, face.plane.normal);
  const glm::dvec3 normal = out / glm::length(out);
  return {normal, glm::dot(normal, p)};
}

double over(const HalfSpace& side, const glm::dvec3& p) { return glm::dot(side.normal, p) - side.offset; }

double size_of(const ContactFeature& f) {
  return f.is_disc() ? f.disc_radius : glm::length(f.corners[f.count / 2] - f.corners[0]);
}

/// Whether p is inside the prism over a face, or the tube over a disc, within rounding. Side `but` is
/// ignored.
bool is_over(const ContactFeature& face, const glm::dvec3& p, int but = -1) {
  const double rounding = 1e-9 * size_of(face);
  if (face.is_disc()) {
    const glm::dvec3 d = p - face.center;
    const glm::dvec3 flat = d - glm::dot(d, face.plane.normal) * face.plane.normal;
    return glm::length(flat) <= face.disc_radius + rounding;
  }
  for (int i = 0; i < face.count; ++i)
    if (i != but && over(side_of(face, i), p) > rounding) return false;
  return true;
}

/// A corner of the polygon that is being clipped. `edge` names the edge that starts there: one of the
/// incident face, or one along a side of the reference face.
struct CutCorner {
  glm::dvec3 p;
  std::uint32_t feature;
  std::uint32_t edge;
};

/// Clips a polygon by one side (Sutherland and Hodgman 1974).
int cut(const CutCorner* in, int count, const HalfSpace& side, std::uint32_t side_name, CutCorner* out) {
  int kept = 0;
  for (int i = 0; i < count && kept + 2 <= feature_points_max; ++i) {
    const CutCorner &p = in[i], &q = in[i + 1 < count ? i + 1 : 0];
    const double dp = over(side, p.p), dq = over(side, q.p);
    if (!(dp > 0.0)) out[kept++] = p;
    if ((dp > 0.0) == (dq > 0.0)) continue;
    const glm::dvec3 crossing = p.p + dp / (dp - dq) * (q.p - p.p);
    const Meeting meeting = p.edge & along_side ? Meeting::outline : Meeting::crossing;
    out[kept++] = {crossing, feature_number(meeting, p.edge, side_name),
                   dp > 0.0 ? p.edge : side_name | along_side};
  }
  return kept;
}

void face_over_face(const ContactFeature& reference, const ContactFeature& incident, Gatherer& out) {
  CutCorner buffers[2][feature_points_max];
  int count = incident.count, from = 0;
  for (int i = 0; i < count; ++i)
    buffers[0][i] = {incident.corners[i], feature_number(Meeting::corner, incident.names[i]),
                     incident.names[i]};
  for (int s = 0; s < reference.count && count > 0; ++s, from = 1 - from)
    count = cut(buffers[from], count, side_of(reference, s), reference.names[s], buffers[1 - from]);
  for (int i = 0; i < count; ++i) out.add(buffers[from][i].p, buffers[from][i].feature);
}

void edge_over_face(const ContactFeature& reference, const ContactFeature& incident, Gatherer& out) {
  const glm::dvec3& p = incident.corners[0];
  if (incident.count == 1) {
    if (is_over(reference, p)) out.add(p, feature_number(Meeting::corner, incident.names[0]));
    return;
  }
  const glm::dvec3 along = incident.corners[1] - p;
  double t[2] = {0.0, 1.0};
  std::uint32_t feature[2] = {feature_number(Meeting::corner, incident.names[0]),
                              feature_number(Meeting::corner, incident.names[1])};
  for (int s = 0; s < reference.count; ++s) {
    const HalfSpace side = side_of(reference, s);
    const double start = over(side, p), rate = glm::dot(side.normal, along);
    if (rate == 0.0 ? start > 0.0 : false) return;
    if (rate == 0.0) continue;
    const int end = rate > 0.0 ? 1 : 0;
    const double crossing = -start / rate;
    if (end == 1 ? !(crossing < t[1]) : !(crossing > t[0])) continue;
    t[end] = crossing;
    feature[end] = feature_number(Meeting::crossing, incident.names[end], reference.names[s]);
  }
  if (!(t[0] <= t[1])) return;
  for (int k = 0; k < 2; ++k) out.add(p + t[k] * along, feature[k]);
}

/// Finds the points, at most two, in which the rim of a disc crosses a plane.
int rim_crossings(const ContactFeature& disc, const HalfSpace& side, glm::dvec3 (&crossings)[2]) {
  const double a = disc.disc_radius * glm::dot(side.normal, disc.first);
  const double b = disc.disc_radius * glm::dot(side.normal, disc.second);
  const double c = -over(side, disc.center), square = a * a + b * b, root = square - c * c;
  if (!(root > 0.0)) return 0;
  for (int k = 0; k < 2; ++k) {
    const double s = k ? -std::sqrt(root) : std::sqrt(root);
    const double cosine = (a * c - b * s) / square, sine = (b * c + a * s) / square;
    crossings[k] = disc.center + disc.disc_radius * (cosine * disc.first + sine * disc.second);
  }
  return 2;
}

/// `p` moved along the normal of `reference` into the plane of `incident`.
glm::dvec3 onto(const ContactFeature& incident, const HalfSpace& reference, const glm::dvec3& p) {
  const double rate = glm::dot(incident.plane.normal, reference.normal);
  return std::abs(rate) > 1e-6 ? p - over(incident.plane, p) / rate * reference.normal : p;
}

void disc_over_face(const ContactFeature& reference, const ContactFeature& disc, Gatherer& out) {
  for (int quarter = 0; quarter < 4; ++quarter)
    if (is_over(reference, disc.rim(quarter)))
      out.add(disc.rim(quarter), feature_number(Meeting::corner, std::uint32_t(quarter)));
  for (int s = 0; s < reference.count; ++s) {
    glm::dvec3 crossings[2];
    const int count = rim_crossings(disc, side_of(reference, s), crossings);
    for (int k = 0; k < count; ++k)
      if (is_over(reference, crossings[k], s))
        out.add(crossings[k], feature_number(Meeting::crossing, std::uint32_t(k), reference.names[s]));
    const glm::dvec3 corner = onto(disc, reference.plane, reference.corners[s]);
    if (glm::length(corner - disc.center) <= disc.disc_radius)
      out.add(corner, feature_number(Meeting::outline, reference.names[s]));
  }
}

/// Adds points of the reference rim over a flat incident feature, from the rim's point nearest to it in
/// quarters.
void rim_over(const ContactFeature& disc, const ContactFeature& incident, Gatherer& out) {
  ContactFeature turned;
  turned.center = disc.center, turned.disc_radius = disc.disc_radius, turned.plane = disc.plane;
  const glm::dvec3 tilt =
      incident.plane.normal - glm::dot(incident.plane.normal, disc.plane.normal) * disc.plane.normal;
  turned.first = glm::length(tilt) > level ? tilt / glm::length(tilt) : disc.first;
  turned.second = glm::cross(disc.plane.normal, turned.first);
  for (int quarter = 0; quarter < 4; ++quarter) {
    const glm::dvec3 p = onto(incident, disc.plane, turned.rim(quarter));
    if (is_over(incident, p)) out.add(p, feature_number(Meeting::outline, std::uint32_t(quarter)));
  }
}

void polygon_over_disc(const ContactFeature& disc, const ContactFeature& incident, Gatherer& out) {
  const glm::dvec3& n = disc.plane.normal;
  for (int i = 0; i < incident.count; ++i) {
    const glm::dvec3& p = incident.corners[i];
    if (is_over(disc, p)) out.add(p, feature_number(Meeting::corner, incident.names[i]));
    if (incident.count < 3 && i + 1 == incident.count) break;
    const glm::dvec3 along = incident.corners[i + 1 < incident.count ? i + 1 : 0] - p, d = p - disc.center;
    const glm::dvec3 step = along - glm::dot(along, n) * n, from = d - glm::dot(d, n) * n;
    const double a = glm::dot(step, step), b = glm::dot(step, from);
    const double root = b * b - a * (glm::dot(from, from) - disc.disc_radius * disc.disc_radius);
    if (!(a > 0.0) || !(root > 0.0)) continue;
    for (int k = 0; k < 2; ++k) {
      const double t = (-b + (k ? std::sqrt(root) : -std::sqrt(root))) / a;
      if (t > 0.0 && t < 1.0)
        out.add(p + t * along, feature_number(Meeting::crossing, incident.names[i], std::uint32_t(k)));
    }
  }
  if (incident.is_face()) rim_over(disc, incident, out);
}

/// Finds the point of the incident rim, near the angle with (cosine, sine), that is on the tube over a disc,
/// by Newton's method. Returns false if it does not converge.
bool tube_crossing(const ContactFeature& disc, const ContactFeature& incident, double cosine, double sine,
                   glm::dvec3& p) {
  const glm::dvec3& n = disc.plane.normal;
  const auto flat = [&n](const glm::dvec3& v) { return v - glm::dot(v, n) * n; };
  const glm::dvec3 c = flat(incident.center - disc.center), u = incident.disc_radius * flat(incident.first),
                   v = incident.disc_radius * flat(incident.second);
  const double square = disc.disc_radius * disc.disc_radius;
  for (int i = 0; i < 8; ++i) {
    const glm::dvec3 d = c + cosine * u + sine * v;
    const double value = glm::dot(d, d) - square, rate = 2.0 * glm::dot(d, cosine * v - sine * u);
    p = incident.center + incident.disc_radius * (cosine * incident.first + sine * incident.second);
    if (std::abs(value) < 1e-9 * square) return true;
    if (rate == 0.0) return false;
    const double turn = std::clamp(-value / rate, -0.5, 0.5), x = cosine - turn * sine,
                 y = sine + turn * cosine;
    const double length = std::sqrt(x * x + y * y);
    cosine = x / length, sine = y / length;
  }
  return false;
}

/// Adds the crossings of two rims; the search starts from those of parallel discs.
void disc_over_disc(const ContactFeature& disc, const ContactFeature& incident, Gatherer& out) {
  for (int quarter = 0; quarter < 4; ++quarter)
    if (is_over(disc, incident.rim(quarter)))
      out.add(incident.rim(quarter), feature_number(Meeting::corner, std::uint32_t(quarter)));
  rim_over(disc, incident, out);
  const glm::dvec3 d = disc.center - incident.center;
  const double x = glm::dot(d, incident.first), y = glm::dot(d, incident.second);
  const double between = std::sqrt(x * x + y * y), r = incident.disc_radius, R = disc.disc_radius;
  if (!(between > 1e-9 * r) || !(between < r + R) || !(between > std::abs(r - R))) return;
  const double cosine = (between * between + r * r - R * R) / (2.0 * between * r);
  const double sine = std::sqrt(std::max(1.0 - cosine * cosine, 0.0));
  for (int k = 0; k < 2; ++k) {
    const double s = k ? -sine : sine;
    glm::dvec3 p;
    if (tube_crossing(disc, incident, (cosine * x - s * y) / between, (s * x + cosine * y) / between, p))
      out.add(p, feature_number(Meeting::crossing, std::uint32_t(k)));
  }
}

}  // namespace

void facing_feature(const PlacedSolid& placed, const glm::dvec3& towards, ContactFeature& out) {
  const ConvexSolid<double>& solid = placed.solid;
  const glm::dvec3 m = towards * placed.at.rotation;
  const std::uint32_t end = m.y < 0.0 ? 0 : 1;  // of a capsule
  const glm::dvec3 tip(0.0, end ? solid.size.y : -solid.size.y, 0.0);
  out.count = 0, out.radius = 0.0;
  switch (solid.kind) {
    case ConvexKind::sphere:
      add_corner(out, glm::dvec3(0.0), 0), out.radius = solid.size.x;
      break;
    case ConvexKind::capsule:
      out.radius = solid.size.x;
      std::abs(m.y) < tip_from ? along_axis(solid.size.y, glm::dvec3(0.0), out) : add_corner(out, tip, end);
      break;
    case ConvexKind::box:
      box_face(solid.size, m, out);
      break;
    case ConvexKind::hull:
      hull_face(*solid.hull, m, out);
      break;
    case ConvexKind::cylinder:
      if (std::abs(m.y) >= cap_from)
        cylinder_cap(solid.size, m, out);
      else
        along_axis(solid.size.y, towards_side(solid.size, m), out);
  }
  put_in_place(placed.at, out);
}

void facing_edge(const PlacedSolid& placed, const glm::dvec3& towards, ContactFeature& out) {
  const ConvexSolid<double>& solid = placed.solid;
  const glm::dvec3 m = towards * placed.at.rotation;
  out.count = 0, out.radius = 0.0;
  const bool across = std::abs(m.y) < across_within;  // the axis of a capsule or cylinder is perpendicular
  const std::uint32_t end = m.y < 0.0 ? 0 : 1;
  const glm::dvec3 tip(0.0, end ? solid.size.y : -solid.size.y, 0.0);
  switch (solid.kind) {
    case ConvexKind::sphere:
      add_corner(out, glm::dvec3(0.0), 0), out.radius = solid.size.x;
      break;
    case ConvexKind::capsule:
      out.radius = solid.size.x;
      across ? along_axis(solid.size.y, glm::dvec3(0.0), out) : add_corner(out, tip, end);
      break;
    case ConvexKind::cylinder: {
      const glm::dvec3 side = towards_side(solid.size, m);
      across ? along_axis(solid.size.y, side, out) : add_corner(out, side + tip, end);
      break;
    }
    case ConvexKind::box: {
      int axis = 0;
      for (int k = 1; k < 3; ++k)
        if (std::abs(m[k]) < std::abs(m[axis])) axis = k;
      const int corner = box_corner_towards(m), other = corner ^ 1 << axis;
      add_corner(out, box_corner(solid.size, corner), std::uint32_t(corner));
      if (std::abs(m[axis]) < across_within)
        add_corner(out, box_corner(solid.size, other), std::uint32_t(other));
      break;
    }
    case ConvexKind::hull:
      hull_edge(*solid.hull, m, out);
      break;
  }
  name_edge(out);
  put_in_place(placed.at, out);
}

void edge_of_face(const ContactFeature& face, int i, const glm::dvec3& towards, ContactFeature& out) {
  const int next = i + 1 < face.count ? i + 1 : 0;
  const bool first = glm::dot(towards, face.corners[i] - face.corners[next]) >= 0.0;
  out.count = 0, out.radius = face.radius;
  for (const int k : {first ? i : next, first ? next : i}) add_corner(out, face.corners[k], face.names[k]);
  name_edge(out);
}

int clip_to_face(const ContactFeature& reference, const ContactFeature& incident, double reach,
                 TouchPoint* points) {
  Gatherer out(reference.plane, incident.radius, reach, points);
  if (reference.is_disc())
    incident.is_disc() ? disc_over_disc(reference, incident, out)
                       : polygon_over_disc(reference, incident, out);
  else if (incident.is_disc())
    disc_over_face(reference, incident, out);
  else if (incident.count <= 2)
    edge_over_face(reference, incident, out);
  else
    face_over_face(reference, incident, out);
  return out.count();
}

int clip_to_plane(const HalfSpace& plane, const ContactFeature& incident, double reach, TouchPoint* points) {
  Gatherer out(plane, incident.radius, reach, points);
  for (int i = 0; i < incident.count; ++i)
    out.add(incident.corners[i], feature_number(Meeting::corner, incident.names[i]));
  for (int quarter = 0; incident.is_disc() && quarter < 4; ++quarter)
    out.add(incident.rim(quarter), feature_number(Meeting::corner, std::uint32_t(quarter)));
  return out.count();
}

void directions_around(const PlacedSolid& placed, const glm::dvec3& towards, FeatureDirections& out) {
  const ConvexSolid<double>& solid = placed.solid;
  const glm::dmat3& R = placed.at.rotation;
  const glm::dvec3 m = towards * R;
  out.edges = out.faces = 0;
  const auto add_edge = [&](const glm::dvec3& v) {
    if (out.edges < FeatureDirections::most) out.edge[out.edges++] = R * v;
  };
  const auto add_face = [&](const glm::dvec3& n) {
    if (out.faces < FeatureDirections::most) out.face[out.faces++] = R * n;
  };
  const glm::dvec3 up(0.0, 1.0, 0.0);
  switch (solid.kind) {
    case ConvexKind::sphere:
      break;
    case ConvexKind::capsule:
      add_edge(up);
      break;
    case ConvexKind::cylinder:
      add_edge(up);
      add_edge({-m.z, 0.0, m.x});
      add_face(m.y < 0.0 ? -up : up);
      break;
    case ConvexKind::box:
      for (int k = 0; k < 3; ++k) {
        glm::dvec3 axis(0.0);
        axis[k] = m[k] < 0.0 ? -1.0 : 1.0;
        add_edge(axis);
        add_face(axis);
      }
      break;
    case ConvexKind::hull: {
      const Index corner = support_vertex(*solid.hull, m);
      for (const Index f : solid.hull->faces_at(corner)) {
        add_face(solid.hull->planes[std::size_t(f)].normal);
        add_edge(edge_after(*solid.hull, f, corner));
      }
    }
  }
}

}  // namespace limber
