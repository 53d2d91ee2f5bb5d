#include "engine/geometry/convex/convex_distance.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

double square(const glm::dvec3& v) { return glm::dot(v, v); }

/// A simplex of up to four support points.
struct Simplex {
  glm::dvec3 corner[4];
  int count = 0;
};

/// Keeps the corners in `kept` (a bit each) of `s`.
Simplex only(const Simplex& s, int kept) {
  Simplex out;
  for (int i = 0; i < s.count; ++i)
    if (kept >> i & 1) out.corner[out.count++] = s.corner[i];
  return out;
}

glm::dvec3 nearest_of_segment(const Simplex& s, int& kept) {
  const glm::dvec3 along = s.corner[1] - s.corner[0];
  const double t = -glm::dot(s.corner[0], along), length = square(along);
  if (!(t > 0.0)) return kept = 1, s.corner[0];
  if (!(t < length)) return kept = 2, s.corner[1];
  kept = 3;
  return s.corner[0] + t / length * along;
}

/// The nearest point of a triangle to the origin (Ericson, Real-Time Collision Detection, 5.1.5). The foot of
/// the perpendicular is computed from the normal, which keeps the direction of a small gap.
glm::dvec3 nearest_of_triangle(const Simplex& s, int& kept) {
  const glm::dvec3 &a = s.corner[0], &b = s.corner[1], &c = s.corner[2];
  const glm::dvec3 normal = glm::cross(b - a, c - a);
  const double area = square(normal);
  const bool flat = !(area > 1e-24 * square(b - a) * square(c - a));
  if (!flat && glm::dot(glm::cross(a, b), normal) > 0.0 && glm::dot(glm::cross(b, c), normal) > 0.0 &&
      glm::dot(glm::cross(c, a), normal) > 0.0) {
    kept = 7;
    return glm::dot(a, normal) / area * normal;
  }
  glm::dvec3 best(0.0);
  double least = INFINITY;
  constexpr int sides[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  for (const auto& side : sides) {
    const Simplex edge{{s.corner[side[0]], s.corner[side[1]]}, 2};
    int of_edge = 0;
    const glm::dvec3 p = nearest_of_segment(edge, of_edge);
    if (!(square(p) < least)) continue;
    least = square(p), best = p;
    kept = (of_edge & 1) << side[0] | (of_edge >> 1 & 1) << side[1];
  }
  return best;
}

/// The nearest point of a tetrahedron to the origin; kept == 15: the origin is inside.
glm::dvec3 nearest_of_tetrahedron(const Simplex& s, int& kept) {
  glm::dvec3 best(0.0);
  double least = INFINITY;
  kept = 15;
  constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  for (const auto& f : faces) {
    const Simplex face{{s.corner[f[0]], s.corner[f[1]], s.corner[f[2]]}, 3};
    const glm::dvec3 normal = glm::cross(face.corner[1] - face.corner[0], face.corner[2] - face.corner[0]);
    const double origin = -glm::dot(normal, face.corner[0]);
    const double opposite = glm::dot(normal, s.corner[f[3]] - face.corner[0]);
    const double rounding = 1e-14 * std::sqrt(square(normal) * square(s.corner[f[3]] - face.corner[0]));
    const bool inside = opposite > rounding ? origin > 0.0 : opposite < -rounding && origin < 0.0;
    if (inside) continue;
    int of_face = 0;
    const glm::dvec3 p = nearest_of_triangle(face, of_face);
    if (!(square(p) < least)) continue;
    least = square(p), best = p, kept = 0;
    for (int k = 0; k < 3; ++k) kept |= (of_face >> k & 1) << f[k];
  }
  return best;
}

glm::dvec3 nearest(const Simplex& s, int& kept) {
  switch (s.count) {
    case 1:
      return kept = 1, s.corner[0];
    case 2:
      return nearest_of_segment(s, kept);
    case 3:
      return nearest_of_triangle(s, kept);
    default:
      return nearest_of_tetrahedron(s, kept);
  }
}

}  // namespace

glm::dvec3 ConvexCore::support(const glm::dvec3& direction) const {
  switch (kind) {
    case ConvexKind::sphere:
      return glm::dvec3(0.0);
    case ConvexKind::capsule:
      return {0.0, std::copysign(size.y, direction.y), 0.0};
    case ConvexKind::box:
      return {std::copysign(size.x, direction.x), std::copysign(size.y, direction.y),
              std::copysign(size.z, direction.z)};
    case ConvexKind::cylinder: {
      const double across = direction.x * direction.x + direction.z * direction.z;
      const double y = std::copysign(size.y, direction.y);
      if (!(across > 1e-24 * direction.y * direction.y)) return {size.x, y, 0.0};
      const double scale = size.x / std::sqrt(across);
      return {scale * direction.x, y, scale * direction.z};
    }
    case ConvexKind::hull:
      break;
  }
  const glm::dvec3 corner = limber::support(ConvexSolid<double>{kind, size, hull}, direction);
  return hull->center + share * (corner - hull->center);
}

ConvexCore core_of(const ConvexSolid<double>& solid) {
  const bool round = solid.kind == ConvexKind::sphere || solid.kind == ConvexKind::capsule;
  return {solid.kind, solid.size, solid.hull, 1.0, round ? solid.size.x : 0.0};
}

double least_extent(const ConvexSolid<double>& solid) {
  switch (solid.kind) {
    case ConvexKind::sphere:
    case ConvexKind::capsule:
      return solid.size.x;
    case ConvexKind::box:
      return std::min({solid.size.x, solid.size.y, solid.size.z});
    case ConvexKind::cylinder:
      return std::min(solid.size.x, solid.size.y);
    case ConvexKind::hull:
      break;
  }
  return solid.hull->inradius;
}

ConvexCore inner_core_of(const ConvexSolid<double>& solid) {
  constexpr double taken_off = 0.05;
  ConvexCore core = core_of(solid);
  if (solid.kind == ConvexKind::box || solid.kind == ConvexKind::cylinder)
    core.size -= taken_off * least_extent(solid);
  if (solid.kind == ConvexKind::hull) core.share = 1.0 - taken_off;
  return core;
}

CoreGap core_gap(const CorePair& pair, const glm::dvec3& start, double limit) {
  Simplex simplex;
  CoreGap out;
  glm::dvec3 v = square(start) > 0.0 ? start : glm::dvec3(0.0, 1.0, 0.0);
  double size = 0.0;  // square of the farthest corner seen
  for (int iteration = 0; iteration < 64; ++iteration) {
    const glm::dvec3 w = pair.support(-v);
    const double vv = square(v), vw = glm::dot(v, w);
    size = std::max(size, square(w));
    if (vw > 0.0 && vw * vw > limit * limit * vv) {
      const double length = std::sqrt(vv);
      return {CoreGap::State::beyond, v / length, vw / length};
    }
    bool known = false;
    for (int i = 0; i < simplex.count; ++i) known |= simplex.corner[i] == w;
    if (known || (simplex.count > 0 && !(vv - vw > 1e-13 * vv))) break;
    simplex.corner[simplex.count++] = w;
    int kept = 0;
    const glm::dvec3 closer = nearest(simplex, kept);
    if (kept == 15 || !(square(closer) > 1e-16 * size)) return out;
    if (iteration > 0 && !(square(closer) < vv)) break;  // rounding: no progress any more
    simplex = only(simplex, kept);
    v = closer;
  }
  const double length = glm::length(v);
  return {CoreGap::State::apart, v / length, length};
}

namespace {

/// Expanding polytope: a convex polytope of support points of a - b that grows towards the point of the
/// boundary nearest to the origin.
class Polytope {
 public:
  explicit Polytope(const CorePair& pair) : pair_(pair) {}

  bool start();
  bool expand(glm::dvec3& outward);

 private:
  struct Face {
    int corner[3];
    glm::dvec3 normal;  ///< unit, outward
    double offset;      ///< m, of the plane from the origin
  };
  static constexpr int corners_max = 80, faces_max = 2 * corners_max, horizon_max = 64;

  bool add_face(int a, int b, int c);
  int nearest_face() const;
  bool replace_visible(int eye);

  const CorePair& pair_;
  glm::dvec3 corner_[corners_max];
  Face face_[faces_max];
  int corners_ = 0, faces_ = 0;
  double extent_ = 0.0;
};

bool Polytope::add_face(int a, int b, int c) {
  const glm::dvec3 normal = glm::cross(corner_[b] - corner_[a], corner_[c] - corner_[a]);
  const double length = glm::length(normal);
  if (faces_ == faces_max || !(length > 1e-14 * extent_ * extent_)) return false;
  face_[faces_++] = {{a, b, c}, normal / length, glm::dot(normal, corner_[a]) / length};
  return true;
}

/// Finds four corners that are not in a plane; the origin may lie outside of them.
bool Polytope::start() {
  const glm::dvec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double longest = -1.0;
  for (const glm::dvec3& axis : axes) {
    const glm::dvec3 p = pair_.support(axis), q = pair_.support(-axis);
    if (square(p - q) > longest) longest = square(p - q), corner_[0] = p, corner_[1] = q;
  }
  extent_ = std::sqrt(longest);
  const glm::dvec3 along = corner_[1] - corner_[0];
  const glm::dvec3 least = std::abs(along.x) < std::abs(along.y)
                               ? (std::abs(along.x) < std::abs(along.z) ? axes[0] : axes[2])
                               : (std::abs(along.y) < std::abs(along.z) ? axes[1] : axes[2]);
  const glm::dvec3 side = glm::cross(along, least), other = glm::cross(along, side) / extent_;
  const auto farthest = [&](std::initializer_list<glm::dvec3> directions, const auto& measure) {
    glm::dvec3 best = corner_[0];
    for (const glm::dvec3& direction : directions) {
      const glm::dvec3 p = pair_.support(direction);
      if (measure(p) > measure(best)) best = p;
    }
    return best;
  };
  corner_[2] = farthest({side, -side, other, -other},
                        [&](const glm::dvec3& p) { return square(glm::cross(p - corner_[0], along)); });
  const glm::dvec3 up = glm::cross(along, corner_[2] - corner_[0]);
  corner_[3] =
      farthest({up, -up}, [&](const glm::dvec3& p) { return std::abs(glm::dot(p - corner_[0], up)); });
  const double volume = glm::dot(corner_[3] - corner_[0], up);
  if (!(std::abs(volume) > 1e-12 * extent_ * extent_ * extent_)) return false;
  if (volume > 0.0) std::swap(corner_[1], corner_[2]);
  corners_ = 4;
  return add_face(0, 1, 2) && add_face(1, 0, 3) && add_face(2, 1, 3) && add_face(0, 2, 3);
}

int Polytope::nearest_face() const {
  int best = 0;
  for (int f = 1; f < faces_; ++f)
    if (face_[f].offset < face_[best].offset) best = f;
  return best;
}

/// Replaces the faces that the new corner `eye` sees by a cone from it to their border.
bool Polytope::replace_visible(int eye) {
  int border[horizon_max][2], edges = 0;
  // an edge between two visible faces does not belong to the border
  const auto flip = [&](int from, int to) {
    for (int e = 0; e < edges; ++e) {
      if (border[e][0] != to || border[e][1] != from) continue;
      --edges;
      border[e][0] = border[edges][0], border[e][1] = border[edges][1];
      return true;
    }
    if (edges == horizon_max) return false;
    border[edges][0] = from, border[edges++][1] = to;
    return true;
  };
  for (int f = 0; f < faces_;) {
    const Face& face = face_[f];
    if (!(glm::dot(face.normal, corner_[eye]) - face.offset > 1e-12 * extent_)) {
      ++f;
      continue;
    }
    for (int k = 0; k < 3; ++k)
      if (!flip(face.corner[k], face.corner[(k + 1) % 3])) return false;
    face_[f] = face_[--faces_];
  }
  for (int e = 0; e < edges; ++e)
    if (!add_face(border[e][0], border[e][1], eye)) return false;
  return edges > 0;
}

/// Expands the polytope once. Returns true if `outward`, the normal of the nearest face, cannot be improved.
bool Polytope::expand(glm::dvec3& outward) {
  const Face& nearest = face_[nearest_face()];
  outward = nearest.normal;
  const double offset = nearest.offset;
  if (corners_ == corners_max) return true;
  corner_[corners_] = pair_.support(outward);
  const double depth = glm::dot(corner_[corners_], outward);
  if (!(depth - offset > 1e-4 * std::abs(depth) + 1e-10 * extent_)) return true;
  return !replace_visible(corners_++);
}

}  // namespace

bool least_overlap(const CorePair& pair, glm::dvec3& normal) {
  Polytope polytope(pair);
  if (!polytope.start()) return false;
  glm::dvec3 outward;
  while (!polytope.expand(outward)) {
  }
  normal = -outward;
  return true;
}

}  // namespace limber
