#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/bodies/manifold.hpp"
#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/contact/colliders/posed_surface.hpp"
#include "engine/geometry/convex/convex_distance.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr int samples_max = 512;
constexpr real first_step = real(0.25);  // first step of a descent, as a share of the bounding radius
constexpr real descent = 6;              // largest descent, in first steps
// Sine between normal and a cylinder's axis above which the side touches, not a rim.
constexpr real least_side = real(0.9);
constexpr real lying = real(0.02);  // largest cosine between a normal and the axis of a lying cylinder
constexpr real same_direction = real(0.9);  // least cosine between normals that share a manifold

/// Distance from a mesh at points of a body's frame, in metres. The mesh has a distance field, or it changes
/// its shape: then the distance is at most `within`, and beyond that the direction is undefined.
class FieldFromBody {
 public:
  FieldFromBody(const Placed& body, const Collider& mesh)
      : FieldFromBody(body, {mesh.position, mesh.rotation}) {
    mesh_ = &mesh;
  }
  FieldFromBody(const Placed& body, const Placed& at, const PosedSurface& surface, real within)
      : FieldFromBody(body, at) {
    surface_ = &surface, within_ = within;
  }
  SurfaceDistance<real> at(const vec3& p) const {
    const vec3 local = position_ + rotation_ * p;
    const SurfaceDistance<real> out = mesh_ ? local_distance(*mesh_, local) : surface_->at(0, local, within_);
    return {out.d, out.n * rotation_};
  }
  /// The distance at `p` with sharp edges of the mesh, if the mesh is nearer than `within` m. `rough` must be
  /// at(p).
  SurfaceDistance<real> sharp(const vec3& p, const SurfaceDistance<real>& rough, real within) const {
    if (!mesh_) return rough;
    const SurfaceDistance<real> out = sharp_distance(*mesh_, position_ + rotation_ * p, within);
    return {out.d, out.n * rotation_};
  }

 private:
  FieldFromBody(const Placed& body, const Placed& mesh) {
    rotation_ = glm::transpose(mesh.rotation) * body.rotation;
    position_ = (body.position - mesh.position) * mesh.rotation;
  }

  const Collider* mesh_ = nullptr;
  const PosedSurface* surface_ = nullptr;
  real within_ = 0;
  mat3 rotation_;  ///< body to mesh
  vec3 position_;  ///< m, of the body
};

struct Sample {
  vec3 p;  ///< m, on the body's core
  SurfaceDistance<real> to_mesh;
  std::uint32_t feature;
};

/// The points of a body that may touch the mesh first.
class Samples {
 public:
  Samples(const ConvexShape& shape, const FieldFromBody& field, real reach)
      : core_(shape), field_(field), reach_(reach) {
    const bool round = shape.kind == ConvexKind::sphere || shape.kind == ConvexKind::capsule;
    radius_ = round ? shape.size.x : real(0);
    if (round) core_.size.x = real(0);
    step_ = first_step * bounding_radius(shape);
  }
  /// Adds the point p.
  void take(const vec3& p) { keep({p, field_.at(p), name_++}); }
  /// Adds the point nearest to the mesh that a few steps of descent from p lead to. Does nothing if a body of
  /// this size could not reach the mesh from p.
  void descend(vec3 p) {
    Sample best{p, field_.at(p), name_++};
    real step = step_;
    if (best.to_mesh.d > radius_ + reach_ + descent * step) return;
    for (int i = 0; i < 10; ++i) {
      const vec3 lower = inside(best.p - step * best.to_mesh.n);
      const SurfaceDistance<real> there = field_.at(lower);
      if (there.d < best.to_mesh.d)
        best.p = lower, best.to_mesh = there;
      else
        step *= real(0.5);
    }
    if (core_.kind == ConvexKind::cylinder) turn_to_lowest(best);
    keep(best);
  }
  /// Adds the point of a lying cylinder's side that touches first at `y` along its axis: the point towards
  /// the part of the mesh nearest to the axis. Descents end beside that point, where the cylinder would
  /// rotate into the mesh.
  void lie(real y) {
    const vec3 middle(0, y, 0);
    const real radius = core_.size.x;
    const SurfaceDistance<real> near = field_.sharp(middle, field_.at(middle), radius + reach_);
    if (near.d > radius + reach_ || std::abs(near.n.y) > lying || count_ == samples_max) return;
    const vec3 across(near.n.x, 0, near.n.z);
    const real length = glm::length(across);
    samples_[count_++] = {middle - radius / length * across, {near.d - radius * length, near.n}, name_++};
  }
  /// Removes from the first `count` samples those that a later one represents: nearer, with a similar normal.
  void drop_beside(int count) {
    const auto stands_for = [](const Sample& later, const Sample& s) {
      return std::abs(s.to_mesh.n.y) <= lying && later.to_mesh.d <= s.to_mesh.d &&
             glm::dot(later.to_mesh.n, s.to_mesh.n) > same_direction;
    };
    Sample* const later = samples_ + count;
    Sample* const end = samples_ + count_;
    Sample* const kept = std::remove_if(samples_, later, [&](const Sample& s) {
      return std::any_of(later, end, [&](const Sample& l) { return stands_for(l, s); });
    });
    count_ = int(std::copy(later, end, kept) - samples_);
  }
  Sample* begin() { return samples_; }
  int count() const { return count_; }
  real radius() const { return radius_; }

 private:
  vec3 inside(const vec3& p) const {
    const SurfaceDistance<real> out = surface_distance(core_, p);
    return out.d > real(0) ? p - out.d * out.n : p;
  }
  /// Moves `best` to the point of a cylinder's side that faces the mesh exactly: a contact point ahead of it
  /// or behind it would stop a rolling cylinder.
  void turn_to_lowest(Sample& best) const {
    const vec3 n = best.to_mesh.n, across(n.x, 0, n.z);
    const real length = glm::length(across);
    if (!(length > least_side)) return;
    const vec3 lowest = vec3(0, best.p.y, 0) - core_.size.x / length * across;
    const SurfaceDistance<real> there = field_.at(lowest);
    if (there.d < best.to_mesh.d) best.p = lowest, best.to_mesh = there;
  }
  void keep(Sample sample) {
    sample.to_mesh = field_.sharp(sample.p, sample.to_mesh, radius_ + reach_);
    if (sample.to_mesh.d - radius_ <= reach_ && count_ < samples_max) samples_[count_++] = sample;
  }

  ConvexShape core_;
  const FieldFromBody& field_;
  real reach_, radius_ = 0, step_ = 0;
  std::uint32_t name_ = 0;
  int count_ = 0;
  Sample samples_[samples_max];
};

void sample_box(const vec3& half, Samples& out) {
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const vec3 p = half * vec3(real(x), real(y), real(z));
        const int flat = (x == 0) + (y == 0) + (z == 0);  // 0: corner, 1: edge, 2: face
        if (flat == 0) out.take(p);
        if (flat == 1 || flat == 2) out.descend(p);
      }
}

void sample_axis(real half_length, Samples& out) {
  for (const real share : {real(-1), real(1)}) out.take({0, share * half_length, 0});
  for (const real share : {real(-0.5), real(0), real(0.5)}) out.descend({0, share * half_length, 0});
}

void sample_cylinder(const vec3& size, const vec3& downhill, Samples& out) {
  const vec3 flat(downhill.x, 0, downhill.z);
  const vec3 first = glm::dot(flat, flat) > real(1e-6) ? glm::normalize(flat) : vec3(1, 0, 0);
  const vec3 second(-first.z, 0, first.x);
  for (const real y : {-size.y, size.y}) {
    for (const vec3& along : {first, second, -first, -second}) out.take(size.x * along + vec3(0, y, 0));
    out.descend({0, y, 0});
  }
  for (const vec3& along : {first, second, -first, -second}) out.descend(size.x * along);
  const int beside = out.count();
  for (const real share : {real(-1), real(-0.5), real(0), real(0.5), real(1)}) out.lie(share * size.y);
  out.drop_beside(beside);
}

void sample_hull(const ConvexPolyhedron& hull, Samples& out) {
  for (const glm::dvec3& v : hull.vertices) out.take(vec3(v));
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    glm::dvec3 middle(0.0);
    const std::span<const Index> loop = hull.loop(Index(f));
    for (const Index v : loop) middle += hull.vertices[std::size_t(v)] / double(loop.size());
    out.descend(vec3(middle));
  }
}

void sample(const ConvexShape& shape, const vec3& downhill, Samples& out) {
  switch (shape.kind) {
    case ConvexKind::sphere:
      return out.take(vec3(0));
    case ConvexKind::capsule:
      return sample_axis(shape.size.y, out);
    case ConvexKind::box:
      return sample_box(shape.size, out);
    case ConvexKind::cylinder:
      return sample_cylinder(shape.size, downhill, out);
    case ConvexKind::hull:
      return sample_hull(*shape.hull, out);
  }
}

/// Makes a manifold of the deepest sample and all samples with a similar normal. Returns how many samples are
/// left.
int take_manifold(Sample* samples, int count, real radius, real slack, const Placed& at, Manifold& out) {
  const Sample* deepest = std::min_element(
      samples, samples + count, [](const Sample& a, const Sample& b) { return a.to_mesh.d < b.to_mesh.d; });
  const vec3 normal = deepest->to_mesh.n;
  ContactPoint points[samples_max];
  int left = 0, taken = 0;
  for (int i = 0; i < count; ++i) {
    const Sample& s = samples[i];
    if (glm::dot(s.to_mesh.n, normal) < same_direction) {
      samples[left++] = s;
      continue;
    }
    const real separation = s.to_mesh.d - radius;
    const vec3 midway = s.p - (radius + real(0.5) * separation) * s.to_mesh.n;
    points[taken++] = {at.position + at.rotation * midway, separation, s.feature};
  }
  out.normal = at.rotation * normal;
  out.axis = ContactAxis::direction;
  out.count = keep_four(points, taken, out.normal, slack);
  std::copy(points, points + out.count, out.points);
  return left;
}

int collide_mesh(const ConvexShape& a, const Placed& at_a, const FieldFromBody& field, real reach,
                 Manifold* manifolds) {
  const SurfaceDistance<real> middle = field.at(vec3(0));
  if (middle.d > bounding_radius(a) + reach) return 0;
  Samples samples(a, field, reach);
  sample(a, -middle.n, samples);
  const real slack = real(1e-3) * real(least_extent({a.kind, glm::dvec3(a.size), a.hull}));
  int filled = 0;
  for (int left = samples.count(); left > 0 && filled < field_manifolds_max;)
    left = take_manifold(samples.begin(), left, samples.radius(), slack, at_a, manifolds[filled++]);
  return filled;
}

}  // namespace

int collide_field(const ConvexShape& a, const Placed& at_a, const Collider& mesh, real reach,
                  Manifold* manifolds) {
  if (!mesh.field) return 0;
  return collide_mesh(a, at_a, {at_a, mesh}, reach, manifolds);
}

int collide_skin(const ConvexShape& a, const Placed& at_a, const PosedSurface& surface, const Placed& at,
                 real reach, Manifold* manifolds) {
  const real within = reach + (1 + descent * first_step) * bounding_radius(a);
  return collide_mesh(a, at_a, {at_a, at, surface, within}, reach, manifolds);
}

bool roll_onto_plane(const ConvexShape& a, const Placed& at_a, const vec3& normal, real reach,
                     Manifold& manifold) {
  const bool round = a.kind == ConvexKind::sphere || a.kind == ConvexKind::capsule;
  const bool lies = a.kind == ConvexKind::cylinder && std::abs(glm::dot(at_a.rotation[1], normal)) <= lying;
  if (manifold.count == 0 || !(round || lies)) return false;
  real height = std::numeric_limits<real>::lowest();  // m, above the shape's position
  for (int k = 0; k < manifold.count; ++k) {
    const ContactPoint& p = manifold.points[k];
    const vec3 on_mesh = p.point - real(0.5) * p.separation * manifold.normal;
    height = std::max(height, glm::dot(normal, on_mesh - at_a.position));
  }
  collide_plane(a, {vec3(0), at_a.rotation}, normal, height, reach, manifold);
  for (int k = 0; k < manifold.count; ++k) manifold.points[k].point += at_a.position;
  return true;
}

ConvexShape convex_of(const Collider& collider) {
  ConvexShape shape;
  shape.size = collider.size;
  if (collider.shape == ColliderShape::box) shape.kind = ConvexKind::box;
  if (collider.shape == ColliderShape::capsule) shape.kind = ConvexKind::capsule;
  return shape;
}

int collide_collider(const ConvexShape& a, const Placed& at_a, const Collider& collider, real reach,
                     Manifold* manifolds) {
  if (collider.shape == ColliderShape::mesh) return collide_field(a, at_a, collider, reach, manifolds);
  if (collider.shape == ColliderShape::plane) {
    const vec3& up = collider.rotation[1];
    collide_plane(a, at_a, up, glm::dot(up, collider.position), reach, manifolds[0]);
    return manifolds[0].count > 0;
  }
  collide(a, at_a, convex_of(collider), {collider.position, collider.rotation}, reach, manifolds[0]);
  return manifolds[0].count > 0;
}

}}  // namespace limber::LIMBER_PRECISION
