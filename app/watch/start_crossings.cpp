#include "app/watch/start_crossings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/core/settings/contact.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

constexpr double flat = 1e-4;                    // sizes of a triangle, largest distance of coplanar ones
constexpr double inside = 1e-3;                  // sides of a triangle, least width of an overlap
constexpr std::size_t most_triangles = 300'000;  // per object; larger ones would take too long

struct Face {
  std::array<glm::dvec3, 3> at;
  glm::dvec3 normal, middle;
  double size;  ///< m, longest side
};

Face face_of(const Triangle& triangle, std::span<const glm::dvec3> positions) {
  Face face;
  for (std::size_t k = 0; k < 3; ++k) face.at[k] = positions[std::size_t(triangle[k])];
  const glm::dvec3 cross = glm::cross(face.at[1] - face.at[0], face.at[2] - face.at[0]);
  const double area = glm::length(cross);
  face.normal = area > 0.0 ? cross / area : glm::dvec3(0.0);
  face.middle = (face.at[0] + face.at[1] + face.at[2]) / 3.0;
  face.size = std::max({glm::distance(face.at[0], face.at[1]), glm::distance(face.at[1], face.at[2]),
                        glm::distance(face.at[2], face.at[0])});
  return face;
}

bool in_one_plane(const Face& a, const Face& b) {
  if (std::abs(glm::dot(a.normal, b.normal)) < 1.0 - 1e-6) return false;
  return std::all_of(b.at.begin(), b.at.end(), [&](const glm::dvec3& p) {
    return std::abs(glm::dot(p - a.at[0], a.normal)) <= flat * std::min(a.size, b.size);
  });
}

/// Whether a direction in the common plane separates two coplanar triangles up to a sliver, so that they only
/// touch. The separating axes of two triangles are perpendicular to their sides.
bool apart_in_the_plane(const Face& a, const Face& b) {
  for (const Face* one : {&a, &b})
    for (std::size_t k = 0; k < 3; ++k) {
      const glm::dvec3 across = glm::normalize(glm::cross(one->normal, one->at[(k + 1) % 3] - one->at[k]));
      double a_low = 1e300, a_high = -1e300, b_low = 1e300, b_high = -1e300;
      for (std::size_t j = 0; j < 3; ++j) {
        const double in_a = glm::dot(across, a.at[j]), in_b = glm::dot(across, b.at[j]);
        a_low = std::min(a_low, in_a), a_high = std::max(a_high, in_a);
        b_low = std::min(b_low, in_b), b_high = std::max(b_high, in_b);
      }
      if (std::min(a_high, b_high) - std::max(a_low, b_low) <= inside * std::min(a.size, b.size)) return true;
    }
  return false;
}

/// Grid of cubes. Each cube lists the triangles whose bounding boxes meet it.
class CubeGrid {
 public:
  CubeGrid(const std::vector<Face>& faces, double side) : side_(side) {
    for (std::size_t f = 0; f < faces.size(); ++f)
      for_each_cube(faces[f], [&](std::uint64_t key) { cubes_[key].push_back(f); });
  }
  /// Calls meet(i, j), i < j, for all pairs of triangles that share a cube. A pair may be met several times.
  template <class Meet>
  void for_each_pair(Meet meet) const {
    for (const auto& [key, all] : cubes_)
      for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j) meet(all[i], all[j]);
  }

 private:
  template <class Act>
  void for_each_cube(const Face& face, Act act) const {
    const auto cell = [&](double x) { return std::int64_t(std::floor(x / side_)); };
    const glm::dvec3 low = glm::min(face.at[0], glm::min(face.at[1], face.at[2]));
    const glm::dvec3 high = glm::max(face.at[0], glm::max(face.at[1], face.at[2]));
    for (std::int64_t x = cell(low.x); x <= cell(high.x); ++x)
      for (std::int64_t y = cell(low.y); y <= cell(high.y); ++y)
        for (std::int64_t z = cell(low.z); z <= cell(high.z); ++z)
          act((std::uint64_t(x) & 0x1fffff) << 42 | (std::uint64_t(y) & 0x1fffff) << 21 |
              (std::uint64_t(z) & 0x1fffff));
  }

  double side_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> cubes_;
};

struct Tangled {
  std::int64_t coincident = 0, crossing = 0;
};

/// Indices in the model of the objects with a mesh that start in their rest shape.
std::vector<std::size_t> meshes_in_place(const Simulation& simulation) {
  const SceneDesc& scene = simulation.scene();
  const SceneModel& model = *simulation.model();
  std::vector<std::size_t> out;
  for (std::size_t o = 0; o < model.objects.size(); ++o) {
    const auto desc = std::find_if(scene.objects.begin(), scene.objects.end(),
                                   [&](const ObjectDesc& one) { return one.name == model.objects[o].name; });
    if (desc == scene.objects.end() || desc->mesh.empty() || desc->start != Start::rest) continue;
    const std::size_t count = model.objects[o].triangles.size();
    if (count > 0 && count <= most_triangles) out.push_back(o);
  }
  return out;
}

void count_crossings(const Simulation& simulation, const std::vector<std::size_t>& meshes,
                     std::map<std::string, Tangled>& found) {
  const SceneModel& model = *simulation.model();
  std::vector<std::array<Triangle, 2>> pairs;
  simulation.read(reading::Intersections{pairs});
  for (const auto& pair : pairs)
    for (const std::size_t o : meshes) {
      const ObjectModel& object = model.objects[o];
      const auto owns = [&](const Triangle& t) {
        return t[0] >= object.first_vertex && t[0] < object.first_vertex + object.vertex_count;
      };
      if (owns(pair[0]) && owns(pair[1])) ++found[object.name].crossing;
    }
}

}  // namespace

std::int64_t count_coincident(std::span<const Triangle> triangles, std::span<const glm::dvec3> positions) {
  std::vector<Face> faces;
  double sides = 0.0, longest = 0.0;
  for (const Triangle& triangle : triangles) {
    faces.push_back(face_of(triangle, positions));
    sides += faces.back().size;
    longest = std::max(longest, faces.back().size);
  }
  if (faces.empty() || !(longest > 0.0) || !std::isfinite(longest)) return 0;
  const CubeGrid grid(faces, std::max(2.0 * sides / double(faces.size()), longest / 16.0));
  std::vector<std::pair<std::size_t, std::size_t>> found;
  grid.for_each_pair([&](std::size_t i, std::size_t j) {
    if (in_one_plane(faces[i], faces[j]) && !apart_in_the_plane(faces[i], faces[j])) found.emplace_back(i, j);
  });
  std::sort(found.begin(), found.end());
  return std::unique(found.begin(), found.end()) - found.begin();
}

std::string crossing_note(const Simulation& simulation) {
  const std::vector<std::size_t> meshes = meshes_in_place(simulation);
  if (meshes.empty()) return {};
  const SceneModel& model = *simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
  std::map<std::string, Tangled> found;
  // Without cloth_collision, find_crossings() reports crossings while the scene runs.
  if (simulation.scene().solver.contact->cloth_collision) count_crossings(simulation, meshes, found);
  for (const std::size_t o : meshes)
    if (const std::int64_t count = count_coincident(model.objects[o].triangles, positions); count > 0)
      found[model.objects[o].name].coincident += count;
  std::string text;
  for (const auto& [name, tangled] : found) {
    text += (text.empty() ? "" : "; ") + name + ": ";
    const auto pairs = [](std::int64_t count) {
      return std::to_string(count) + (count == 1 ? " pair of its triangles" : " pairs of its triangles");
    };
    if (tangled.coincident > 0) text += pairs(tangled.coincident) + " lie on each other";
    if (tangled.crossing > 0)
      text += (tangled.coincident > 0 ? " and " : "") + pairs(tangled.crossing) + " cross";
    text += " at the start";
  }
  if (!text.empty())
    text += ": contact cannot part these; merge the parts of the mesh, or take the inner faces out";
  return text;
}

}  // namespace limber
