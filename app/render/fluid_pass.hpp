// Draws the surface of fluids in screen space: ellipsoids, smoothed depth, thickness, light.
#pragma once

#include <string>

#include "app/render/point_pass.hpp"
#include "app/render/render_target.hpp"
#include "app/render/shader_program.hpp"
#include "app/view/fluid_shapes.hpp"

namespace limber {

/// Ellipsoids of the fluids of one view, in buffers of the graphics card.
class FluidShapeBuffer {
 public:
  FluidShapeBuffer();
  void upload(const PointCloud& points);
  void draw() const;  ///< the program must be in use
  const FluidShapes& shapes() const { return shapes_; }

 private:
  FluidShapes shapes_;
  StreamBuffer buffer_;
  GlTexture texture_ = GlTexture::create();
  GlVertexArray no_attributes_ = GlVertexArray::create();
};

/// Draws fluids as one smooth body over the picture in the target. Does not support parallel views.
class FluidPass {
 public:
  static Expected<FluidPass> create(const std::string& shader_folder);

  struct View {
    glm::mat4 clip_from_world;
    float pixel_slope;  ///< m per pixel at one metre
    float radius;       ///< m, of the particles
    float absorption;   ///< 1/m, of a clear fluid
  };
  /// Draws within the viewport and scissor rectangle set for the target. Leaves `target` bound.
  void draw(const PointPass& points, const FluidShapeBuffer& shapes, const View& view,
            const RenderTarget& target);

 private:
  struct Thickness {
    explicit Thickness(ShaderProgram linked)
        : program(std::move(linked)), place(program), absorption(program.uniform("absorption")) {}
    ShaderProgram program;
    PointPass::Places place;
    GLint absorption;
  };
  struct Depth {
    explicit Depth(ShaderProgram linked)
        : program(std::move(linked)),
          clip(program.uniform("clip_from_world")),
          to_depth(program.uniform("to_depth")) {}
    ShaderProgram program;
    GLint clip, to_depth;
  };
  struct Smooth {
    explicit Smooth(ShaderProgram linked)
        : program(std::move(linked)),
          radius(program.uniform("radius")),
          apart(program.uniform("apart")),
          first(program.uniform("first")),
          to_depth(program.uniform("to_depth")) {}
    ShaderProgram program;
    GLint radius, apart, first, to_depth;
  };
  struct Light {
    explicit Light(ShaderProgram linked)
        : program(std::move(linked)),
          absorption(program.uniform("absorption")),
          radius(program.uniform("radius")),
          to_depth(program.uniform("to_depth")) {}
    ShaderProgram program;
    GLint absorption, radius, to_depth;
  };
  FluidPass(ShaderProgram depth, ShaderProgram thickness, ShaderProgram smooth, ShaderProgram light);
  void resize(int width, int height);
  void draw_thickness(const PointPass& points, const View& view, const glm::ivec4& place);
  void draw_depth(const FluidShapeBuffer& shapes, const View& view, const RenderTarget& target);
  void smooth(const View& view);
  void draw_light(const View& view);

  Thickness thickness_;
  Depth depth_;
  Smooth smooth_;
  Light light_;
  int width_ = 0, height_ = 0;
  GlTexture depth_map_ = GlTexture::create(), nearest_ = GlTexture::create(), solid_ = GlTexture::create(),
            backdrop_ = GlTexture::create();
  GlTexture tint_map_ = GlTexture::create(), opaque_map_ = GlTexture::create(),
            half_nearest_ = GlTexture::create();
  GlTexture smoothed_[2] = {GlTexture::create(), GlTexture::create()};
  GlFramebuffer depth_target_ = GlFramebuffer::create(), thickness_target_ = GlFramebuffer::create();
  GlFramebuffer backdrop_target_ = GlFramebuffer::create();
  GlFramebuffer smooth_target_[2] = {GlFramebuffer::create(), GlFramebuffer::create()};
  GlVertexArray no_attributes_ = GlVertexArray::create();
};

}  // namespace limber
