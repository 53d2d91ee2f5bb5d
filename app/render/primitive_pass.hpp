// Draws spheres, boxes, capsules, cylinders and meshes with one instanced draw call per mesh.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/render/shader_program.hpp"
#include "app/render/stream_buffer.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

struct PrimitiveMesh;
struct SolidVertex;

class PrimitivePass {
 public:
  static Expected<PrimitivePass> create(const std::string& shader_folder);

  /// Draws with shaders of its own: `place` and `look` name the vertex and the fragment shader.
  static Expected<PrimitivePass> create(const std::string& shader_folder, const std::string& place,
                                        const std::string& look);

  /// `eye.w`: metres per pixel at one metre. Small spheres get coarser meshes, with at most half a pixel of
  /// error.
  void upload(const std::vector<PrimitiveDraw>& solids, glm::vec4 eye);
  void draw_depth(const glm::mat4& clip_from_world) const;
  void draw(const glm::mat4& clip_from_world, Shading shading) const;

  /// Draws solids one by one: begin(), then draw_one() with the number of a solid in the list of upload().
  void begin(const glm::mat4& clip_from_world, Shading shading = Shading::averaged) const;
  void draw_one(std::size_t number) const;
  const ShaderProgram& shaded() const { return shaded_[Shading::averaged].program; }

 private:
  /// Placement of one solid: the columns of an affine matrix.
  struct Instance {
    glm::vec4 column[4];  ///< xyz; w of the first: largest half size, m; of the last: half length of a
                          ///< capsule in units of its radius
    glm::vec4 color;      ///< linear RGB; w: Look, 4 more if every other octant is darker, 8 more for a box
  };
  struct Shape {
    GlVertexArray vertices = GlVertexArray::create();
    GlBuffer mesh = GlBuffer::create(), indices = GlBuffer::create();
    StreamBuffer instances;
    std::vector<Instance> list;  ///< kept between frames for its capacity
    GLsizei index_count = 0;
  };

  enum Mesh : std::size_t {
    box,
    capsule,
    cylinder,
    fine_sphere,
    sphere,
    coarse_sphere,
    tiny_sphere,
    mesh_count
  };
  /// Buffers of a mesh of the scene, freed when a frame no longer shows the mesh.
  struct SceneShape {
    std::shared_ptr<const PrimitiveGeometry> geometry;
    Shape shape;
    bool shown = false;
  };
  /// The buffers of a solid, and its place among their instances.
  struct Listed {
    const PrimitiveGeometry* geometry;  ///< null: `mesh`
    Mesh mesh;
    std::size_t instance;
  };

  void mark_shown(const std::vector<PrimitiveDraw>& solids);
  Shape& shape_of(const PrimitiveDraw& solid, glm::vec4 eye);
  SceneShape& scene_shape(const std::shared_ptr<const PrimitiveGeometry>& geometry);
  static Mesh mesh_for(const PrimitiveDraw& solid, glm::vec4 eye);

  struct ShadedProgram {
    ShaderProgram program;
    GLint clip_from_world;
    explicit ShadedProgram(ShaderProgram linked);
  };
  PrimitivePass(ShaderProgram depth, std::vector<ShaderProgram> shaded);
  static void set_up(Shape& shape, const PrimitiveMesh& mesh);
  static void draw_shape(const Shape& shape);
  static void point_at_instance(std::size_t first);
  static void write_vertices(const Shape& shape, const std::vector<SolidVertex>& vertices);
  void draw_shapes() const;

  ShaderProgram depth_;
  GLint depth_clip_from_world_;
  ByShading<ShadedProgram> shaded_;
  std::array<Shape, mesh_count> shapes_;
  std::vector<SceneShape> scene_shapes_;
  std::vector<Listed> listed_;  ///< per solid
};

}  // namespace limber
