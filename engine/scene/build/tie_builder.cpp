#include "engine/scene/build/tie_builder.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/geometry/queries/closest_features.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/joints/tie_ends.hpp"
#include "engine/scene/objects/object_check.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

using Corners = std::array<std::int32_t, 4>;

constexpr double most_pairs_of_vertices = 1e9;  // about one or two seconds

/// Finds the particles, weights and bodies of tie ends that the scene names.
class Ends {
 public:
  Ends(const SceneDesc& scene, const Topology& topology, const SceneModel& model, const World& world)
      : scene_(scene), topology_(topology), model_(model), world_(world) {}

  glm::dvec3 place(std::int32_t particle) const {
    const std::size_t i = std::size_t(particle);
    return glm::dvec3(world_.particles.position[i]) + glm::dvec3(world_.particles.moved[i]);
  }

  /// The particles of the named vertices, in the order of `names`.
  std::vector<std::int32_t> particles_of(const TieTarget& target,
                                         const std::vector<VertexName>& names) const {
    std::vector<std::int32_t> out;
    const Index first = Index(range_of(target).first);
    const auto add = [&](Index vertex) {
      out.push_back(topology_.external_to_internal[std::size_t(first + vertex)]);
    };
    for (const VertexName& name : names) {
      if (const long* const index = std::get_if<long>(&name)) {
        add(Index(*index));
        continue;
      }
      const Expected<std::vector<Index>> vertices =
          named_vertices(scene_.objects[target.number], std::get<std::string>(name));
      for (const Index vertex : *vertices) add(vertex);
    }
    return out;
  }

  TieEnd vertex(std::int32_t particle) const {
    TieEnd end;
    end.points.fill(particle);
    end.weight[0] = 1;
    return end;
  }

  /// The tie end nearest to x: on the surface or in the interior of an object; for a body or collider, x
  /// itself.
  TieEnd nearest(const TieTarget& target, const glm::dvec3& x) const {
    if (target.kind == TieTarget::Kind::object) return nearest_of_object(target, x);
    TieEnd end;
    if (target.kind == TieTarget::Kind::body) {
      end.body = model_.bodies[target.number].first + std::int32_t(target.copy);
      const std::size_t b = std::size_t(end.body);
      end.own = vec3(x - glm::dvec3(world_.bodies.position[b])) * rotation_of(world_.bodies.orientation[b]);
    } else {
      end.collider = std::int32_t(target.number);
      const Collider& collider = world_.colliders[target.number];
      end.own = vec3(x - glm::dvec3(collider.position)) * collider.rotation;
    }
    return end;
  }

  std::vector<ParticleRange> copies(const TieTarget& target) const {
    std::vector<ParticleRange> ranges;
    for (std::size_t o = 0; o < topology_.objects.size(); ++o)
      if (std::size_t(topology_.object_source[o]) == target.number) ranges.push_back(topology_.objects[o]);
    return ranges;
  }

  /// Number of vertex pairs that for_crossings() compares.
  double pairs_of_vertices(const TieTarget& a, const TieTarget& b) const {
    double counts[2] = {0.0, 0.0};
    for (const ParticleRange& range : copies(a)) counts[0] += double(range.count);
    for (const ParticleRange& range : copies(b)) counts[1] += double(range.count);
    return counts[0] * counts[1];
  }

  /// Calls act(i, j) once for each pair of a copy of `a` and a copy of `b`, with their two closest vertices,
  /// if these are at most `within` m apart.
  template <class Act>
  void for_crossings(const TieTarget& a, const TieTarget& b, double within, const Act& act) const {
    for (const ParticleRange& own : copies(a))
      for (const ParticleRange& other : copies(b)) {
        if (a.number == b.number && own.first >= other.first) continue;  // visit each pair of copies once
        double nearest = within;
        std::optional<std::array<std::int32_t, 2>> found;
        for (std::int32_t i = own.first; i < own.end(); ++i)
          for (std::int32_t j = other.first; j < other.end(); ++j)
            if (const double away = glm::distance(place(i), place(j));
                away <= nearest && (!found || away < nearest))
              nearest = away, found = {i, j};
        if (found) act((*found)[0], (*found)[1]);
      }
  }

 private:
  ParticleRange range_of(const TieTarget& target) const {
    std::size_t copy = target.copy;
    for (std::size_t o = 0; o < topology_.objects.size(); ++o)
      if (std::size_t(topology_.object_source[o]) == target.number && copy-- == 0)
        return topology_.objects[o];
    return {};
  }

  /// Barycentric weights of the nearest candidate seen so far.
  struct Nearest {
    double distance = std::numeric_limits<double>::max();
    TieEnd end;

    void see(double away, const Corners& points, const std::array<double, 4>& weight) {
      if (!(away < distance)) return;
      distance = away;
      end.points = points;
      for (std::size_t k = 0; k < 4; ++k) end.weight[k] = real(weight[k]);
    }
  };

  /// The tie end nearest to x: in a tetrahedron, else on a triangle, a segment or a vertex.
  TieEnd nearest_of_object(const TieTarget& target, const glm::dvec3& x) const {
    const ParticleRange range = range_of(target);
    const auto mine = [&](std::int32_t i) { return i >= range.first && i < range.end(); };
    Nearest best;
    for (const auto& tet : topology_.tets)
      if (mine(tet[0])) see_tet(tet, x, best);
    if (best.distance == 0.0) return best.end;
    for (const auto& t : topology_.triangles)
      if (mine(t[0])) see_triangle(t, x, best);
    for (const ObjectModel& object : model_.objects)
      for (const auto& spring : object.springs) {
        const std::int32_t a = topology_.external_to_internal[std::size_t(spring[0])],
                           b = topology_.external_to_internal[std::size_t(spring[1])];
        if (mine(a)) see_segment(a, b, x, best);
      }
    for (std::int32_t i = range.first; i < range.end(); ++i)
      best.see(glm::distance(place(i), x) * (1.0 + 1e-9), {i, i, i, i}, {1.0, 0.0, 0.0, 0.0});
    return best.end;
  }

  void see_tet(const Corners& tet, const glm::dvec3& x, Nearest& best) const {
    const glm::dvec3 p = place(tet[3]);
    const glm::dmat3 edges(place(tet[0]) - p, place(tet[1]) - p, place(tet[2]) - p);
    if (!(std::abs(glm::determinant(edges)) > 0.0)) return;
    const glm::dvec3 b = glm::inverse(edges) * (x - p);
    const double last = 1.0 - b.x - b.y - b.z;
    if (std::min({b.x, b.y, b.z, last}) >= 0.0) best.see(0.0, tet, {b.x, b.y, b.z, last});
  }

  void see_triangle(const std::array<std::int32_t, 3>& t, const glm::dvec3& x, Nearest& best) const {
    const glm::dvec3 corners[3] = {place(t[0]), place(t[1]), place(t[2])};
    const glm::dvec3 b = nearest_weights(x, corners);
    const glm::dvec3 foot = b.x * corners[0] + b.y * corners[1] + b.z * corners[2];
    best.see(glm::distance(foot, x), {t[0], t[1], t[2], t[0]}, {b.x, b.y, b.z, 0.0});
  }

  void see_segment(std::int32_t a, std::int32_t b, const glm::dvec3& x, Nearest& best) const {
    const glm::dvec3 from = place(a), along = place(b) - from;
    const double squared = glm::dot(along, along);
    const double t = squared > 0.0 ? std::clamp(glm::dot(x - from, along) / squared, 0.0, 1.0) : 0.0;
    best.see(glm::distance(from + t * along, x), {a, b, a, a}, {1.0 - t, t, 0.0, 0.0});
  }

  const SceneDesc& scene_;
  const Topology& topology_;
  const SceneModel& model_;
  const World& world_;
};

bool can_move(const World& world, const TieEnd& end) {
  if (end.collider >= 0) return false;
  if (end.body >= 0) return world.bodies.position[std::size_t(end.body)].w > real(0);
  for (std::size_t k = 0; k < 4; ++k)
    if (end.weight[k] != real(0) && world.particles.position[std::size_t(end.points[k])].w > real(0))
      return true;
  return false;
}

}  // namespace

TieMaterial tie_material(const TieDesc& tie) {
  TieMaterial material;
  material.compliance = real(tie.compliance);
  if (tie.break_force > 0.0) material.break_force = real(tie.break_force);
  return material;
}

Expected<void> add_ties(const SceneDesc& scene, const Topology& topology, const SceneModel& model,
                        World& world) {
  const Ends ends(scene, topology, model, world);
  for (std::size_t s = 0; s < scene.ties.size(); ++s) {
    const TieDesc& desc = scene.ties[s];
    const auto fail = [&](const std::string& message, const std::string& suggestion) {
      return Error{"tie '" + desc.name + "': " + message, "", 0, suggestion};
    };
    const TieTarget a = *find_tie_target(scene, desc.a), b = *find_tie_target(scene, desc.b);
    const std::vector<std::int32_t> from = ends.particles_of(a, desc.a_points);
    const std::vector<std::int32_t> to =
        b.kind == TieTarget::Kind::object ? ends.particles_of(b, desc.b_points) : std::vector<std::int32_t>();
    if (!to.empty() && !desc.at && to.size() != 1 && to.size() != from.size())
      return fail("'a_points' are " + std::to_string(from.size()) + " vertices, 'b_points' " +
                      std::to_string(to.size()),
                  "as many of both, or one for all");
    const std::size_t count = desc.at ? 1 : from.size();
    const std::size_t before = world.user.point_ties.size();
    if (desc.within > 0.0 && ends.pairs_of_vertices(a, b) > most_pairs_of_vertices)
      return fail("'within' would look at more than a thousand million pairs of vertices",
                  "name 'a_points', or take fewer vertices");
    if (desc.within > 0.0)
      ends.for_crossings(a, b, desc.within, [&](std::int32_t i, std::int32_t j) {
        PointTie tie;
        tie.source = std::int32_t(s);
        tie.a = ends.vertex(i), tie.b = ends.vertex(j);
        if (can_move(world, tie.a) || can_move(world, tie.b)) world.user.point_ties.push_back(tie);
      });
    for (std::size_t k = 0; k < count; ++k) {
      PointTie tie;
      tie.source = std::int32_t(s);
      tie.a = desc.at ? ends.nearest(a, *desc.at) : ends.vertex(from[k]);
      const glm::dvec3 x = desc.at ? *desc.at : ends.place(from[k]);
      tie.b = to.empty() ? ends.nearest(b, x) : ends.vertex(to[to.size() == 1 ? 0 : k]);
      if (can_move(world, tie.a) || can_move(world, tie.b)) world.user.point_ties.push_back(tie);
    }
    if (world.user.point_ties.size() == before && desc.within > 0.0)
      return fail(
          "no vertices of '" + desc.a + "' and '" + desc.b + "' that can move are so close to each other",
          "raise 'within', or place vertices where the two cross");
    if (world.user.point_ties.size() == before)
      return fail("nothing that it holds can move", "one of its ends must be free");
  }
  return {};
}

}}  // namespace limber::LIMBER_PRECISION
