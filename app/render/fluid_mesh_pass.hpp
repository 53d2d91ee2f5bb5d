// Draws the meshes of fluids in saved pictures: opaque ones as solids, clear ones with refraction.
#pragma once

#include <string>

#include "app/render/render_target.hpp"
#include "app/render/shader_program.hpp"
#include "app/render/stream_buffer.hpp"
#include "app/view/fluid_mesh.hpp"

namespace limber {

/// Meshes of the fluids of one view, in buffers of the graphics card.
class FluidMeshBuffer {
 public:
  FluidMeshBuffer();
  void upload(const PointCloud& points);
  void clear();  ///< draws nothing until the next upload

  const FluidMeshes& meshes() const { return meshes_; }
  bool empty() const { return !drawn_; }
  /// Draws the triangles of a body. The program must be in use.
  void draw(const FluidBody& body) const;

 private:
  FluidMeshes meshes_;
  StreamBuffer vertices_, indices_;
  GlVertexArray format_ = GlVertexArray::create();
  bool drawn_ = false;
};

class FluidMeshPass {
 public:
  static Expected<FluidMeshPass> create(const std::string& shader_folder);

  struct View {
    glm::mat4 clip_from_world;
    float radius;      ///< m, of the particles
    float absorption;  ///< 1/m, of a clear fluid
  };
  void draw_opaque_depth(const FluidMeshBuffer& fluids, const glm::mat4& clip_from_world) const;
  void draw_opaque(const FluidMeshBuffer& fluids, const glm::mat4& clip_from_world) const;
  /// Draws clear fluids over the picture in `target`, within its viewport and scissor rectangle. Leaves
  /// `target` bound. Does not support parallel views.
  void draw_clear(const FluidMeshBuffer& fluids, const View& view, const RenderTarget& target);

 private:
  struct Program {
    explicit Program(ShaderProgram linked);
    ShaderProgram program;
    GLint clip_from_world, tint, absorption, to_depth, radius;
  };
  FluidMeshPass(Program depth, Program opaque, Program path, Program face, Program clear);
  void draw_bodies(const Program& program, const FluidMeshBuffer& fluids, const glm::mat4& clip_from_world,
                   bool opaque) const;
  void resize(int width, int height);
  void draw_faces(const FluidMeshBuffer& fluids, const View& view, const GlFramebuffer& into, GLenum culled);

  Program depth_, opaque_, path_, face_, clear_;
  int width_ = 0, height_ = 0;
  GlTexture backdrop_ = GlTexture::create(), solid_ = GlTexture::create(), path_map_ = GlTexture::create(),
            face_map_ = GlTexture::create(), tint_map_ = GlTexture::create(), exit_map_ = GlTexture::create(),
            nearest_ = GlTexture::create();
  GlFramebuffer backdrop_target_ = GlFramebuffer::create(), path_target_ = GlFramebuffer::create(),
                face_target_ = GlFramebuffer::create(), exit_target_ = GlFramebuffer::create();
  GlVertexArray no_attributes_ = GlVertexArray::create();
};

}  // namespace limber
