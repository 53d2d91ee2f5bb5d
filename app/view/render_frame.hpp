// Drawing data of one picture, as plain arrays. The renderer knows no physics, and the engine no renderer.
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
#include "engine/scene/colliders/look.hpp"

namespace limber {

/// Appearance of a surface. cloth: woven. rubber: smooth and glossy. jelly: glossy, translucent where thin.
enum class Matter : int { cloth, rubber, jelly };

/// A range of triangles with one look.
struct SurfaceDraw {
  std::uint32_t first_index = 0, index_count = 0;
  glm::vec3 color{0.7f}, back_color{0.7f};  ///< linear RGB
  int pattern = 0;                          ///< 0 plain, 1 border, 2 stripes, 3 checker, in uv space
  Matter matter = Matter::cloth;
};

/// Tetrahedra of a solid, visible where the clipping plane cuts its surface open.
struct TetDraw {
  std::uint32_t first_tet = 0, tet_count = 0;
  glm::vec3 color{0.7f};      ///< linear RGB, inside
  std::uint32_t surface = 0;  ///< index in SurfaceTopology::draws
  bool in_skin = false;       ///< the tetrahedra extend beyond the surface, so their section is limited to
                              ///< its inside
};

/// A vertex that moves with four other vertices by fixed weights: part of the skin of a solid of tetrahedra,
/// or (with a single weight of 1) a copy of a vertex for a second normal at a crease.
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

/// Triangles of all surfaces. A new shared_ptr is made only when triangles change, so that buffers are
/// uploaded once.
struct SurfaceTopology {
  std::vector<std::uint32_t> indices;  ///< triangles over the frame's positions
  std::vector<CarriedVertex> carried;  ///< vertices appended to the frame's positions
  std::vector<glm::vec2> uvs;          ///< one per position
  std::vector<SurfaceDraw> draws;
  std::vector<std::array<std::uint32_t, 4>> tets;
  std::vector<TetDraw> solids;
};

/// Triangles with three corners each, counter-clockwise from outside. Another shape is another object, so
/// that buffers are uploaded once.
struct PrimitiveGeometry {
  std::vector<glm::vec3> positions;  ///< m
  std::vector<glm::vec3> normals;    ///< unit, smooth
  glm::vec3 reach{0.0f};             ///< largest |x|, |y|, |z|
};

/// A drawn solid, placed by `transform`: unit sphere (radius 1), unit cube (half extent 1), unit cylinder
/// (radius and half length 1, axis y), capsule or mesh.
struct PrimitiveDraw {
  enum class Shape { sphere, box, capsule, cylinder, mesh } shape = Shape::sphere;
  glm::mat4 transform{1.0f};                ///< for capsule: rotation and translation only
  float radius = 0.5f, half_length = 0.5f;  ///< m, capsule only
  glm::vec3 color{0.5f};                    ///< linear RGB
  bool glass = false;                       ///< a glass pane
  std::int32_t body = -1;                   ///< rigid body of which it is a part; -1: none
  bool added = false;                       ///< part of a body that was added while the scene ran
  bool fixed = false;                       ///< part of a body of inverse mass zero
  Look look = Look::plain;
  bool octants = false;  ///< every other octant is darker, to make rotation visible
  std::int32_t first_vertex = -1, vertex_count = 0;     ///< external ids of the particles that it replaces
  std::shared_ptr<const PrimitiveGeometry> geometry{};  ///< mesh only
  bool deforms = false;  ///< a collider that changes its shape, as a walker does

  bool moves() const { return body >= 0 && !added && !fixed; }  ///< a free body of the scene file
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

/// Label and range of a heat map: `low` and `high` get the first and the last colour.
struct HeatScale {
  std::string_view label, unit;  ///< "" when dimensionless
  float low = 0.0f, high = 1.0f;
  bool whole = false;  ///< the numbers are whole: the legend shows no values between them
  ColorMap colors = ColorMap::viridis;
  bool isolines = false;
  std::string_view range{};  ///< for the legend, how the end of the scale was chosen
};

struct VertexRange {
  std::int32_t first = 0, count = 0;  ///< external ids
};

/// Drawing data of one picture.
struct RenderFrame {
  std::uint64_t model_version = 0;
  std::int64_t frame = 0;
  double time = 0.0;                 ///< s, simulated
  std::vector<glm::vec3> positions;  ///< m, by external vertex id, then those of surfaces->carried
  std::vector<glm::vec3> normals;    ///< unit, smooth except at creases
  std::shared_ptr<const SurfaceTopology> surfaces;
  std::vector<std::int32_t> absent;  ///< fluid vertices not yet emitted or drained, ascending
  bool is_absent(std::size_t vertex) const {
    return std::binary_search(absent.begin(), absent.end(), std::int32_t(vertex));
  }
  std::size_t vertex_count() const { return positions.size() - (surfaces ? surfaces->carried.size() : 0); }
  /// The vertex with the largest weight in the position `index`.
  std::uint32_t vertex_of(std::uint32_t index) const {
    return index < vertex_count() ? index : surfaces->carried[index - vertex_count()].heaviest();
  }
  std::vector<PrimitiveDraw> solids;
  PointCloud points;                 ///< particles that are drawn as spheres
  bool fluids = false;               ///< `points` contains fluid
  std::vector<VertexRange> loose;    ///< vertices of fluids and of loose grains
  std::vector<PrimitiveDraw> panes;  ///< glass: transparent, without shadow, cannot be picked
  std::vector<LineDraw> lines;
  std::size_t edges_first = std::size_t(-1);  ///< the last lines, from this one on, are edges of panes
  std::vector<DotDraw> dots;
  std::vector<LineDraw> lines_on_top;  ///< never hidden: marks of the held vertex and of overlays
  std::vector<DotDraw> dots_on_top;
  std::vector<float> heat;       ///< as positions, in the unit of the scale; empty: no heat map
  std::vector<float> body_heat;  ///< like `heat`, one value per rigid body
  HeatScale heat_scale;
  float heat_speed = 1.0f;     ///< speed of heat as a multiple of the real one, in a map of temperatures
  int field = -1;              ///< MaterialField of which the heat map is shown; -1: another map
  std::string_view heat_note;  ///< names of things without values in the heat map; "" if there are none
  bool has_heat() const { return !heat.empty() || !body_heat.empty() || !heat_note.empty(); }
  OverlayNote overlay;
  glm::vec3 bounds_min{-1.0f}, bounds_max{1.0f};  ///< of all shadow casters
  /// m, bounds of the moving things without outliers; inverted if there are none
  glm::vec3 subject_min{1e9f}, subject_max{-1e9f};
  glm::vec3 focus_min{-1.0f}, focus_max{1.0f};  ///< m, bounds of the moving things and obstacles near them
  Stage stage = Stage::studio;                  ///< the stage of the scene file
  bool ground = true;                           ///< drawn at y = 0 if the scene has a plane there
  bool falls = true;                            ///< gravity pulls things down to the ground
  float ground_cell = 0.5f;                     ///< m, side of the squares of a checker
  float shown_radius = 1.6f;  ///< m, of the region that the scene's camera shows, or of the first focus
};

}  // namespace limber
