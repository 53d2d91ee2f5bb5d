#include "engine/scene/bodies/body_source.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <string>

#include "engine/core/tunable.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/mass_properties.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_place.hpp"

namespace limber {
namespace {

constexpr double smallest_hull = 1e-3, largest_hull = 200.0;  // m, diagonal of the bounding box

/// Adds the line of the body in the scene file to an error, or `file` if the error is about another file.
Error in_body(const SceneDesc& scene, const BodyDesc& body, const std::string& file, Error error) {
  if (error.file.empty()) error.file = file;
  return placed_in_part(std::move(error), scene.file, "body", "bodies", body.name);
}

Expected<ConvexPolyhedron> read_hull(const SceneDesc& scene, const BodyDesc& body, const BodyPartDesc& part) {
  if (part.mesh.empty())
    return in_body(scene, body, "", {"the shape 'hull' needs a 'mesh'", "", 0, "name an OBJ file"});
  const Expected<std::string> path = find_mesh(scene, part.mesh);
  if (!path) return in_body(scene, body, "", path.error());
  Expected<ObjMesh> read = read_obj(*path);
  if (!read) return in_body(scene, body, *path, read.error());
  std::vector<glm::dvec3>& points = read->mesh.positions;
  if (part.size > 0.0) {
    glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
    for (const glm::dvec3& x : points) low = glm::min(low, x), high = glm::max(high, x);
    const glm::dvec3 extent = high - low;
    const double longest = std::max({extent.x, extent.y, extent.z});
    for (glm::dvec3& x : points) x = (x - 0.5 * (low + high)) * (longest > 0.0 ? part.size / longest : 1.0);
  }
  glm::dvec3 low = points.empty() ? glm::dvec3(0.0) : points.front(), high = low;
  for (const glm::dvec3& x : points) low = glm::min(low, x), high = glm::max(high, x);
  const double longest = glm::length(high - low);
  if (!points.empty() && (longest < smallest_hull || longest > largest_hull))
    return in_body(scene, body, *path,
                   {"the hull is " + to_text(longest) + " m large, not between 0.001 and 200 m", "", 0,
                    "set 'size', its longest side in metres"});
  Expected<ConvexPolyhedron> hull = convex_hull(points);
  if (!hull) return in_body(scene, body, *path, hull.error());
  return hull;
}

glm::dvec3 size_of(const BodyPartDesc& part) {
  if (part.shape == BodyShape::box) return part.half_extents;
  if (part.shape == BodyShape::hull) return glm::dvec3(0.0);
  return {part.radius, part.shape == BodyShape::sphere ? 0.0 : part.half_length, 0.0};
}

/// A part with its mass properties, both in the body's frame.
struct Solid {
  BodyPart part;
  MassProperties mass;
};

Expected<Solid> make_solid(const SceneDesc& scene, const BodyDesc& body, const BodyPartDesc& desc) {
  Solid solid;
  solid.part.kind = kind_of(desc.shape);
  solid.part.size = size_of(desc);
  if (desc.shape != BodyShape::hull) {
    solid.mass = solid_mass_properties(solid.part.kind, solid.part.size);
    return solid;
  }
  Expected<ConvexPolyhedron> hull = read_hull(scene, body, desc);
  if (!hull) return hull.error();
  solid.mass = mesh_mass_properties(hull_mesh(*hull));
  solid.part.hull = std::make_shared<const ConvexPolyhedron>(std::move(*hull));
  return solid;
}

/// `part` relative to `frame`; both are given in the same frame.
Placement relative(const Placement& part, const Placement& frame) {
  const glm::dmat3 back = glm::transpose(frame.rotation);
  return {back * (part.position - frame.position), back * part.rotation};
}

Placement compose(const Placement& outer, const Placement& inner) {
  return {outer.position + outer.rotation * inner.position, outer.rotation * inner.rotation};
}

/// Gives a part its airfoil, in the frame of the part.
Expected<void> add_airfoil(const BodyPartDesc& desc, BodyPart& part) {
  const bool thin_shape = desc.shape == BodyShape::box || desc.shape == BodyShape::hull;
  if (desc.airfoil == AirfoilChord::none || !thin_shape) return {};
  const std::vector<glm::dvec3> corners =
      part.hull ? part.hull->vertices : box_polyhedron(desc.half_extents).vertices;
  const glm::dvec3 extent = extent_of(corners);
  const int chord = int(desc.airfoil) - 1;
  if (2.0 * std::min(extent[(chord + 1) % 3], extent[(chord + 2) % 3]) > extent[chord])
    return Error{"an 'airfoil' is at most half as thick as its chord is long", "", 0,
                 "make it thinner, or name another axis"};
  part.airfoil = std::make_shared<const AirfoilShape>(make_airfoil(corners, chord));
  return {};
}

}  // namespace

Expected<void> check_body(const BodyDesc& body) {
  for (const BodyPartDesc& part : body.parts)
    if (part.shape == BodyShape::compound)
      return Error{"a part cannot be a compound itself", "", 0, "list its parts beside it"};
  const glm::dvec3& n = body.copies;
  for (int axis = 0; axis < 3; ++axis)
    if (!(n[axis] >= 1.0) || n[axis] != std::floor(n[axis]))
      return Error{"'copies' must be three whole numbers", "", 0, "at least 1 each"};
  if (n.x * n.y * n.z > max_bodies)
    return Error{"there would be " + to_text(n.x * n.y * n.z) + " bodies", "", 0,
                 "at most " + to_text(max_bodies)};
  const bool compound = body.shape == BodyShape::compound;
  if (compound && body.parts.empty())
    return Error{"a compound needs 'parts'", "", 0, R"("parts": [{"shape": "box"}])"};
  if (!compound && !body.parts.empty()) return Error{"only the shape 'compound' has 'parts'", "", 0, ""};
  return {};
}

Expected<BodyGeometry> build_body(const SceneDesc& scene, const BodyDesc& body) {
  if (const Expected<void> sound = check_body(body); !sound) return in_body(scene, body, "", sound.error());
  std::vector<BodyPartDesc> descs = body.parts;
  if (descs.empty()) {
    descs.push_back(body);
    descs[0].pose = {};  // the pose of a body places its copies, not its only part
  }
  BodyGeometry out;
  std::vector<MassProperties> masses;
  for (const BodyPartDesc& desc : descs) {
    Expected<Solid> solid = make_solid(scene, body, desc);
    if (!solid) return solid.error();
    solid->part.place = {desc.pose.position, rotation_matrix(desc.pose)};
    if (const Expected<void> wing = add_airfoil(desc, solid->part); !wing)
      return in_body(scene, body, "", wing.error());
    masses.push_back(moved(solid->mass, solid->part.place));
    out.parts.push_back(std::move(solid->part));
  }
  const MassProperties whole = compound(masses);
  const PrincipalInertia principal = principal_inertia(whole.second);
  out.mass = body.density * whole.volume;
  out.inertia = body.density * principal.moments;
  if (!(out.mass > 0.0) || !(std::min({out.inertia.x, out.inertia.y, out.inertia.z}) > 0.0))
    return in_body(scene, body, "", {"it has no volume", "", 0, ""});
  out.frame = {whole.center, principal.axes};
  if (std::count_if(out.parts.begin(), out.parts.end(),
                    [](const BodyPart& part) { return bool(part.airfoil); }) > most_airfoils)
    return in_body(
        scene, body, "",
        {"a body has at most " + to_text(double(most_airfoils)) + " parts with 'airfoil'", "", 0, ""});
  for (BodyPart& part : out.parts) {
    part.place = relative(part.place, out.frame);
    if (part.airfoil) part.airfoil = std::make_shared<const AirfoilShape>(moved(*part.airfoil, part.place));
    if (!part.hull) continue;  // hulls are stored in the body's frame, without a placement
    part.hull = std::make_shared<const ConvexPolyhedron>(moved_hull(
        *part.hull, -(glm::transpose(part.place.rotation) * part.place.position), part.place.rotation));
    part.place = {};
  }
  return out;
}

BodyDesc thrown_ball(double radius, double density) {
  BodyDesc ball;
  ball.name = "ball";
  ball.shape = BodyShape::sphere;
  ball.radius = radius;
  ball.density = density;
  ball.friction = 0.3;
  ball.restitution = 0.5;
  ball.rolling_resistance = 0.02 * radius;
  return ball;
}

std::vector<Placement> body_placements(const SceneDesc& scene, const BodyDesc& body, std::uint64_t& drawn) {
  const auto draw = [&] { return random_signed(scene.seed, drawn++); };
  const glm::ivec3 n(glm::max(body.copies, glm::dvec3(1.0)));
  const Placement pose{body.pose.position, rotation_matrix(body.pose)};
  std::vector<Placement> out;
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y) {
      const int row = body.arrangement == Arrangement::pyramid ? n.x - y : n.x;
      for (int x = 0; x < row; ++x) {
        const glm::dvec3 offset =
            body.arrangement == Arrangement::line
                ? double(x + n.x * (y + n.y * z)) * body.spacing
                : body.spacing * (glm::dvec3(x, y, z) - 0.5 * glm::dvec3(row - 1, 0, n.z - 1));
        glm::dvec3 jitter;
        for (int k = 0; k < 3; ++k) jitter[k] = body.jitter * draw();
        const glm::dmat3 yaw = turn_about({0.0, 1.0, 0.0}, body.yaw_jitter / 360.0 * draw());
        out.push_back(compose({pose.position + offset + jitter, yaw}, {glm::dvec3(0.0), pose.rotation}));
      }
    }
  return out;
}

}  // namespace limber
