// What the renderer draws: plain arrays. It knows no physics, and the engine knows no renderer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <string_view>
#include <vector>

#include "app/view/heat_look.hpp"
#include "app/view/overlay.hpp"
#include "app/view/point_cloud.hpp"
#include "app/view/stage.hpp"

namespace limber {

/// A surface in the light: woven; smooth and glossy; glossy, with light that goes through thin parts.
enum class Matter : int { cloth, rubber, jelly };

/// A range of triangles with one look.
struct SurfaceDraw {
  std::uint32_t first_index = 0, index_count = 0;
  glm::vec3 color{0.7f}, back_color{0.7f};  ///< linear RGB
  int pattern = 0;                          ///< 0 plain, 1 border, 2 stripes, 3 checker, in uv space
  Matter matter = Matter::cloth;
};

/// The tetrahedra of a solid, seen where its surface is cut open.
struct TetDraw {
  std::uint32_t first_tet = 0, tet_count = 0;
  glm::vec3 color{0.7f};      ///< linear RGB, inside
  std::uint32_t surface = 0;  ///< its place in SurfaceTopology::draws
  bool in_skin = false;       ///< the tetrahedra reach out of the surface, which is what they are seen within
};

/// Goes where four vertices go: the skin of a solid of tetrahedra, or (one of weight 1) a vertex that is
/// there again for a second normal beyond a crease.
struct CarriedVertex {
  std::array<std::uint32_t, 4> vertices{};
  std::array<float, 4> weights{1.0f, 0.0f, 0.0f, 0.0f};

  template <class T>
  T of(const std::vector<T>& by_vertex) const {
    T sum = weights[0] * by_vertex[vertices[0]];
    for (std::size_t k = 1; k < 4; ++k) sum += weights[k] * by_vertex[vertices[k]];
    return sum;
  }
  std::uint32_t heaviest() const {
    return vertices[std::size_t(std::max_element(weights.begin(), weights.end()) - weights.begin())];
  }
};

/// Changes identity (a new shared_ptr) only when triangles change, so buffers are uploaded once.
struct SurfaceTopology {
  std::vector<std::uint32_t> indices;  ///< triangles over the frame's positions
  std::vector<CarriedVertex> carried;  ///< their positions follow those of the vertices
  std::vector<glm::vec2> uvs;          ///< one per position
  std::vector<SurfaceDraw> draws;
  std::vector<std::array<std::uint32_t, 4>> tets;
  std::vector<TetDraw> solids;
};

/// Triangles, three corners each, counter-clockwise from outside. Another shape is another object, so buffers
/// are uploaded once.
struct SolidGeometry {
  std::vector<glm::vec3> positions;  ///< m
  std::vector<glm::vec3> normals;    ///< unit, smooth
  glm::vec3 reach{0.0f};             ///< largest |x|, |y|, |z|
};

/// A solid: unit sphere (radius 1), unit cube (half extent 1), unit cylinder (radius and half length 1, axis
/// y), capsule or mesh, placed by `transform`.
struct SolidDraw {
  enum class Shape { sphere, box, capsule, cylinder, mesh } shape = Shape::sphere;
  glm::mat4 transform{1.0f};                ///< for capsule: rotation and translation only
  float radius = 0.5f, half_length = 0.5f;  ///< m, capsule only
  glm::vec3 color{0.5f};                    ///< linear RGB
  bool glass = false;                       ///< a pane
  std::int32_t body = -1;                   ///< the rigid body that it is part of; -1: none
  bool added = false;                       ///< part of a body that was added while the scene ran
  bool fixed = false;                       ///< part of a body that nothing moves
  bool octants = false;                     ///< every other octant is darker, so that its turning shows
  std::int32_t first_vertex = -1, vertex_count = 0;  ///< external ids of the particles it is drawn instead of
  std::shared_ptr<const SolidGeometry> geometry{};   ///< mesh only

  bool moves() const { return body >= 0 && !added && !fixed; }  ///< a body of the scene that forces move
};

struct LineDraw {
  glm::vec3 a, b;   ///< m
  glm::vec3 color;  ///< linear RGB
  float width_px = 2.0f;
};

/// A round dot of fixed screen size: pinned vertices, the held vertex and its target.
struct DotDraw {
  glm::vec3 position;
  glm::vec3 color;
  float diameter_px = 8.0f;
  float alpha = 1.0f;
};

/// What the numbers of a heat map are and which of them get the first and the last colour.
struct HeatScale {
  std::string_view label, unit;  ///< "" when dimensionless
  float low = 0.0f, high = 1.0f;
  bool whole = false;  ///< the numbers count something: nothing lies between two of them
  ColorMap colors = ColorMap::viridis;
  bool isolines = false;
  std::string_view range{};  ///< how the scale came to its end, for the legend
};

struct VertexRange {
  std::int32_t first = 0, count = 0;  ///< external ids
};

/// One picture's worth of the world.
struct RenderFrame {
  std::uint64_t model_version = 0;
  std::int64_t frame = 0;
  double time = 0.0;                 ///< s
  std::vector<glm::vec3> positions;  ///< m, by external vertex id; behind them those of surfaces->carried
  std::vector<glm::vec3> normals;    ///< unit, smooth up to creases
  std::shared_ptr<const SurfaceTopology> surfaces;
  std::vector<std::int32_t> absent;  ///< vertices of fluids that are not in the scene now, ascending
  bool is_absent(std::size_t vertex) const {
    return std::binary_search(absent.begin(), absent.end(), std::int32_t(vertex));
  }
  std::size_t vertex_count() const { return positions.size() - (surfaces ? surfaces->carried.size() : 0); }
  /// The vertex that the position `index` belongs to most.
  std::uint32_t vertex_of(std::uint32_t index) const {
    return index < vertex_count() ? index : surfaces->carried[index - vertex_count()].heaviest();
  }
  std::vector<SolidDraw> solids;
  PointCloud points;               ///< particles that no surface shows
  bool fluids = false;             ///< some of them are fluid
  std::vector<VertexRange> loose;  ///< vertices of fluids and of grains by themselves
  std::vector<SolidDraw> panes;    ///< of glass: seen through, without a shadow, never picked
  std::vector<LineDraw> lines;
  std::vector<DotDraw> dots;
  std::vector<LineDraw> lines_on_top;  ///< never hidden: what the hand holds
  std::vector<DotDraw> dots_on_top;
  std::vector<float> heat;       ///< as positions, in the unit of the scale; empty: no heat map
  std::vector<float> body_heat;  ///< the same by rigid body
  HeatScale heat_scale;
  std::string_view heat_note;  ///< what of the scene the heat map has no numbers for; "" if there is nothing
  bool has_heat() const { return !heat.empty() || !body_heat.empty() || !heat_note.empty(); }
  OverlayNote overlay;
  glm::vec3 bounds_min{-1.0f}, bounds_max{1.0f};  ///< of everything that casts a shadow
  /// m, of what moves, without what has left it far behind; the wrong way round where nothing is there
  glm::vec3 subject_min{1e9f}, subject_max{-1e9f};
  glm::vec3 focus_min{-1.0f}, focus_max{1.0f};  ///< m, of what moves and what stands near it
  Stage stage = Stage::studio;                  ///< as the scene says
  bool ground = true;                           ///< drawn at y = 0, where a plane is
  float ground_cell = 0.5f;                     ///< m, side of the squares of a checker
  float shown_radius = 1.6f;  ///< m, of what the scene's own camera shows, or was in focus at first
};

}  // namespace limber
