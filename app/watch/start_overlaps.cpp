#include "app/watch/start_overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/common.hpp>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/geometry/convex/convex_contact.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/joint_source.hpp"

namespace limber {
namespace {

constexpr double deep_share = 0.1;  // share of the smaller body's size
/// Largest number of pairs examined. A pair takes up to 20 ms, and bodies that all start in one place have
/// very many pairs.
constexpr std::size_t most_counted = 100;

struct Box {
  glm::dvec3 low{std::numeric_limits<double>::max()}, high{-low};  ///< m
};

/// A convex part of a body, placed in the world.
struct Piece {
  ConvexSolid<double> solid;
  Placement at;
  Box box;
  double size;  ///< m, size_of() its body
  Index body;
  bool fixed;
  TouchMask touches{};
};

ConvexSolid<double> solid_of(const BodyPart& part) { return {part.kind, part.size, part.hull.get()}; }

void include(Box& box, const ConvexSolid<double>& solid, const Placement& at) {
  for (int axis = 0; axis < 3; ++axis) {
    glm::dvec3 out(0.0);
    out[axis] = 1.0;
    const glm::dvec3 way = glm::transpose(at.rotation) * out;
    const auto reach = [&](double sign) {
      return (at.position + at.rotation * support(solid, sign * way))[axis];
    };
    box.low[axis] = std::min(box.low[axis], reach(-1.0));
    box.high[axis] = std::max(box.high[axis], reach(1.0));
  }
}

/// Size of a body, m: side of the cube with the volume of its bounding box (in its own frame).
double size_of(const BodyModel& body) {
  Box box;
  for (const BodyPart& part : body.parts) include(box, solid_of(part), part.place);
  const glm::dvec3 sides = box.high - box.low;
  return std::cbrt(sides.x * sides.y * sides.z);
}

Piece piece_of(const BodyPart& part, const BodyPose& pose) {
  const glm::dmat3 turn(pose.rotation);
  Piece piece{solid_of(part), {}, {}, 0.0, 0, false};
  piece.at = {glm::dvec3(pose.position) + turn * part.place.position, turn * part.place.rotation};
  include(piece.box, piece.solid, piece.at);
  return piece;
}

/// Number of a collider in a Pair. Colliders are negative, bodies are not.
Index number_of_collider(std::size_t collider) { return -1 - Index(collider); }

/// Spheres, boxes and capsules among the colliders, where they start. Leaves out planes and meshes.
std::vector<Piece> pieces_of_colliders(const SceneDesc& scene, const Touches& touches) {
  std::vector<Piece> pieces;
  for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
    const ColliderDesc& collider = scene.colliders[c];
    BodyPart part;
    if (collider.shape == ColliderShape::sphere)
      part.kind = ConvexKind::sphere, part.size = glm::dvec3(collider.radius);
    else if (collider.shape == ColliderShape::box)
      part.kind = ConvexKind::box, part.size = collider.half_extents;
    else if (collider.shape == ColliderShape::capsule)
      part.kind = ConvexKind::capsule, part.size = {collider.radius, collider.half_length, 0.0};
    else
      continue;
    if (!collider.parent.empty() || collider.amplitude != glm::dvec3(0.0) ||
        collider.swing != glm::dvec3(0.0))
      continue;
    BodyPose pose;
    pose.position = glm::vec3(collider.pose.position);
    pose.rotation = glm::mat3(rotation_matrix(collider.pose));
    Piece& piece = pieces.emplace_back(piece_of(part, pose));
    const glm::dvec3 sides = piece.box.high - piece.box.low;
    piece.size = std::cbrt(sides.x * sides.y * sides.z);
    piece.body = number_of_collider(c), piece.fixed = true;
    piece.touches = Touches::at(touches.colliders, c);
  }
  return pieces;
}

std::vector<Piece> pieces_of(const Simulation& simulation) {
  std::vector<BodyPose> poses(simulation.body_count());
  simulation.read(reading::Bodies{poses});
  const std::vector<BodyModel>& models = simulation.model()->bodies;
  const Touches touches = make_touches(simulation.scene(), {});
  std::vector<Piece> pieces;
  if (!models.empty()) pieces = pieces_of_colliders(simulation.scene(), touches);
  for (std::size_t m = 0; m < models.size(); ++m) {
    const double size = size_of(models[m]);
    for (Index body = models[m].first; body < models[m].first + models[m].count; ++body)
      for (const BodyPart& part : models[m].parts) {
        Piece& piece = pieces.emplace_back(piece_of(part, poses[std::size_t(body)]));
        piece.size = size, piece.body = body, piece.fixed = simulation.scene().bodies[m].fixed;
        piece.touches = Touches::at(touches.bodies, m);
      }
  }
  return pieces;
}

using Pair = std::pair<Index, Index>;  // two bodies, the lower number first

/// Pairs of bodies whose joint switches off their contact.
std::set<Pair> kept_apart(const SceneDesc& scene) {
  std::set<Pair> pairs;
  for (const JointDesc& joint : scene.joints)
    if (const auto joined = joined_pairs(scene, joint); joined && !joint.collide)
      for (const JointedPair& pair : *joined)
        pairs.insert(std::minmax(static_cast<Index>(pair.a), static_cast<Index>(pair.b)));
  return pairs;
}

/// Bodies with a joint, which may hold them inside a bearing or a post.
std::set<Index> jointed(const SceneDesc& scene) {
  std::set<Index> bodies;
  for (const JointDesc& joint : scene.joints)
    if (const auto joined = joined_pairs(scene, joint); joined)
      for (const JointedPair& pair : *joined)
        bodies.insert(static_cast<Index>(pair.a)), bodies.insert(static_cast<Index>(pair.b));
  return bodies;
}

/// Depth by which two pieces overlap, m; 0 or less if they are apart.
double depth_of(const Piece& a, const Piece& b) {
  const glm::dmat3 into = glm::transpose(a.at.rotation);
  ContactPatch patch;
  convex_contact(a.solid, b.solid, {into * (b.at.position - a.at.position), into * b.at.rotation}, 0.0,
                 patch);
  double depth = 0.0;
  for (int i = 0; i < patch.count; ++i) depth = std::max(depth, -patch.points[i].separation);
  return depth;
}

struct Overlaps {
  std::set<Pair> pairs;
  Pair deepest{0, 0};
  double depth = 0.0;  ///< m
};

void look_at(const Piece& a, const Piece& b, const std::set<Pair>& apart, const std::set<Index>& held,
             Overlaps& out) {
  const double deep = deep_share * std::min(a.size, b.size);
  const glm::dvec3 shared = glm::min(a.box.high, b.box.high) - glm::max(a.box.low, b.box.low);
  if (std::min({shared.x, shared.y, shared.z}) <= deep || a.body == b.body || (a.fixed && b.fixed) ||
      !touch(a.touches, b.touches))
    return;
  const Pair pair = std::minmax(a.body, b.body);
  if (apart.contains(pair) || (pair.first < 0 && held.contains(pair.second))) return;
  const double depth = depth_of(a, b);
  if (depth <= deep) return;
  out.pairs.insert(pair);
  if (depth > out.depth) out.deepest = pair, out.depth = depth;
}

/// Finds overlapping pairs by sweep and prune along the axis on which the pieces are spread farthest.
Overlaps find_overlaps(const Simulation& simulation) {
  Overlaps out;
  std::vector<Piece> pieces = pieces_of(simulation);
  if (pieces.empty()) return out;
  glm::dvec3 low = pieces.front().box.low, high = low;
  for (const Piece& piece : pieces) low = glm::min(low, piece.box.low), high = glm::max(high, piece.box.low);
  const glm::dvec3 spread = high - low;
  const int axis = spread.x > std::max(spread.y, spread.z) ? 0 : spread.y > spread.z ? 1 : 2;
  std::sort(pieces.begin(), pieces.end(),
            [&](const Piece& a, const Piece& b) { return a.box.low[axis] < b.box.low[axis]; });
  const std::set<Pair> apart = kept_apart(simulation.scene());
  const std::set<Index> held = jointed(simulation.scene());
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (std::size_t j = i + 1; j < pieces.size() && pieces[j].box.low[axis] < pieces[i].box.high[axis]; ++j)
      if (look_at(pieces[i], pieces[j], apart, held, out); out.pairs.size() == most_counted) return out;
  return out;
}

/// "crate", or "crates[3]" if there are several copies.
std::string name_of(const SceneDesc& scene, const SceneModel& model, Index body) {
  if (body < 0) return scene.colliders[std::size_t(-1 - body)].name;
  for (const BodyModel& one : model.bodies)
    if (body < one.first + one.count)
      return one.count == 1 ? one.name : one.name + "[" + std::to_string(body - one.first) + "]";
  return {};
}

}  // namespace

std::string overlap_note(const Simulation& simulation) {
  const Overlaps found = find_overlaps(simulation);
  if (found.pairs.empty()) return {};
  const SceneModel& model = *simulation.model();
  const std::size_t more = found.pairs.size() - 1;
  const std::string least = found.pairs.size() == most_counted ? "at least " : "";
  const std::string others = more == 0 ? ""
                                       : " (and " + least + std::to_string(more) +
                                             (more == 1 ? " more pair" : " more pairs") + " do)";
  char text[160];
  std::snprintf(text, sizeof text,
                ", %.3g m deep: pushed apart at %.3g m/s (solver.depenetration_speed); give them other "
                "positions or more 'spacing'",
                found.depth, simulation.scene().solver.contact->depenetration_speed);
  const SceneDesc& scene = simulation.scene();
  auto [first, second] = found.deepest;
  if (first < 0) std::swap(first, second);  // name a moving body first
  return name_of(scene, model, first) + " and " + name_of(scene, model, second) + " start inside each other" +
         others + text;
}

}  // namespace limber
