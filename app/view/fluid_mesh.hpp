// Smooth closed meshes of fluids, for saved pictures.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "app/view/point_cloud.hpp"

namespace limber {

class FluidGrid;

/// A fluid at least this opaque is drawn as a solid, and casts the shadow of one.
inline constexpr float least_opaque = 0.75f;

/// All fluid of one colour, or the common outside of all clear fluids: triangles `first_index` to
/// `first_index` + `index_count` of FluidMeshes.
struct FluidBody {
  std::uint32_t color = 0;  ///< packed_light()
  std::uint32_t first_index = 0, index_count = 0;

  glm::vec3 light() const;  ///< linear RGB
  float opacity() const { return float(color >> 24) / 255.0f; }
  bool opaque() const { return opacity() >= least_opaque; }
};

/// Level set of f(x) = sum_j v_j W(|x - x_j|, 4 r), with the kernel W = 8 r^3 315 / (64 pi h^3) (1 - q^2)^3
/// and the volumes v_j = rho_j^-0.9, where rho is f with v = 1. Without that factor f would hardly reach the
/// level in a film, a jet or a drop; with it, a lone particle becomes a ball of its own volume and f remains
/// as smooth as a density. Fluids of different colours share space by the largest part of f. Meshes are
/// surface nets on cubes of side r, smoothed with G. Taubin's filter ("A Signal Processing Approach to Fair
/// Surface Design", 1995), which keeps the volume. Each body is closed and wound outwards.
class FluidMeshes {
 public:
  /// Meshes the fluids of `points`. Returns false and does nothing if they equal those of the last call.
  bool update(const PointCloud& points);

  struct Vertex {
    glm::vec3 position;  ///< m
    glm::vec3 normal;    ///< unit, outwards
  };
  const std::vector<Vertex>& vertices() const { return vertices_; }
  const std::vector<std::uint32_t>& indices() const { return indices_; }
  const std::vector<FluidBody>& bodies() const { return bodies_; }  ///< one per colour
  const FluidBody& clear() const { return clear_; }  ///< around all that is not opaque; may be empty
  glm::vec3 least() const { return least_; }         ///< m, low corner of a box around all vertices
  glm::vec3 most() const { return most_; }

 private:
  FluidBody mesh(const FluidGrid& grid, std::span<const std::uint8_t> wanted, float radius);
  void smooth(std::size_t first_vertex, std::size_t first_index);
  void set_normals(std::size_t first_vertex, std::size_t first_index);

  std::vector<glm::vec4> spheres_;
  std::vector<std::uint32_t> colors_;
  std::vector<Vertex> vertices_;
  std::vector<std::uint32_t> indices_;
  std::vector<FluidBody> bodies_;
  FluidBody clear_;
  std::vector<glm::vec4> sums_;  ///< scratch, per vertex
  glm::vec3 least_{0.0f}, most_{0.0f};
};

}  // namespace limber
