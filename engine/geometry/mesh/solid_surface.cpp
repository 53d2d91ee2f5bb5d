#include "engine/geometry/mesh/solid_surface.hpp"

#include "engine/geometry/mesh/shapes.hpp"

namespace limber {

TriMesh solid_surface(ConvexKind kind, const glm::dvec3& size, const ConvexPolyhedron* hull) {
  constexpr int around = 32;
  switch (kind) {
    case ConvexKind::sphere:
      return make_icosphere(3, size.x);
    case ConvexKind::capsule:
      return make_capsule(size.x, size.y, around, around / 4);
    case ConvexKind::box:
      return make_box(size, 1);
    case ConvexKind::cylinder:
      return make_cylinder(size.x, size.y, around);
    case ConvexKind::hull:
      break;
  }
  return hull_mesh(*hull);
}

}  // namespace limber
