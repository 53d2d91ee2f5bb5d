// The surface of fluids in screen space: balls, smoothed depth, thickness, light.
#pragma once

#include <functional>
#include <string>

#include "app/render/point_pass.hpp"
#include "app/render/render_target.hpp"
#include "app/render/shader_program.hpp"

namespace limber {

/// Draws points of a PointPass as one smooth, transparent body over what the target already shows. Not for
/// parallel views.
class FluidPass {
 public:
  static Expected<FluidPass> create(const std::string& shader_folder);

  struct View {
    glm::mat4 clip_from_world;
    float pixel_slope;  ///< m per pixel at one metre
    float radius;       ///< m, of the particles
  };
  /// `hide`: draws the depth of what may stand in front. Leaves `target` bound.
  void draw(const PointPass& points, const View& view, const RenderTarget& target,
            const std::function<void()>& hide);

 private:
  struct Balls {
    explicit Balls(ShaderProgram linked)
        : program(std::move(linked)), place(program), clip(program.uniform("clip_from_world")) {}
    ShaderProgram program;
    PointPass::Places place;
    GLint clip;
  };
  struct Smooth {
    explicit Smooth(ShaderProgram linked)
        : program(std::move(linked)),
          radius(program.uniform("radius")),
          apart(program.uniform("apart")),
          from_half(program.uniform("from_half")),
          to_depth(program.uniform("to_depth")) {}
    ShaderProgram program;
    GLint radius, apart, from_half, to_depth;
  };
  struct Light {
    explicit Light(ShaderProgram linked)
        : program(std::move(linked)),
          clip(program.uniform("clip_from_world")),
          absorption(program.uniform("absorption")),
          radius(program.uniform("radius")) {}
    ShaderProgram program;
    GLint clip, absorption, radius;
  };
  FluidPass(ShaderProgram depth, ShaderProgram thickness, ShaderProgram smooth, ShaderProgram light);
  void resize(int width, int height);
  void draw_balls(const PointPass& points, const View& view, const std::function<void()>& hide);
  void smooth(const View& view);

  Balls depth_, thickness_;
  Smooth smooth_;
  Light light_;
  int width_ = 0, height_ = 0;
  GlTexture depth_map_ = GlTexture::create(), tint_map_ = GlTexture::create(),
            thickness_map_ = GlTexture::create(), nearest_ = GlTexture::create();
  GlTexture smoothed_[2] = {GlTexture::create(), GlTexture::create()};
  GlFramebuffer ball_target_ = GlFramebuffer::create(), thickness_target_ = GlFramebuffer::create();
  GlFramebuffer smooth_target_[2] = {GlFramebuffer::create(), GlFramebuffer::create()};
  GlVertexArray no_attributes_ = GlVertexArray::create();
};

}  // namespace limber
