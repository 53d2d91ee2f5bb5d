// Maps rendered before the picture: the shadows of sun and sky and the soft darkness under things near the
// ground.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "app/render/frame_block.hpp"
#include "app/render/point_pass.hpp"
#include "app/render/shader_program.hpp"

namespace limber {

/// Draws everything that casts a shadow, depth only, with the given clip_from_world.
using DrawCasters = std::function<void(const glm::mat4&)>;

/// Depth from the sun or from another direction, compared by the texture unit.
class ShadowMap {
 public:
  /// Texels along a side, clamped to what the driver has; returns what it is now.
  int resize(int texels);
  /// One view over the whole map, or four, each over a quarter of it.
  void render(std::span<const BoxView> views, const DrawCasters& draw);
  void bind(TextureUnit unit) const;

 private:
  GlTexture depth_ = GlTexture::create();
  GlFramebuffer framebuffer_ = GlFramebuffer::create();
  int texels_ = 0;
};

/// What fluids take of the sun's light, of each colour, and where on its way.
class FluidShadow {
 public:
  static Expected<FluidShadow> create(const std::string& shader_folder);
  /// `absorption`: 1/m, of a clear fluid.
  void render(const BoxView& view, const PointPass& points, float absorption);
  void bind() const;

 private:
  explicit FluidShadow(ShaderProgram program);
  ShaderProgram program_;
  PointPass::Places places_;
  GLint absorption_;
  GlTexture taken_ = GlTexture::create(), place_ = GlTexture::create();
  GlFramebuffer framebuffer_ = GlFramebuffer::create();
};

/// How much of the sky a point of the ground cannot see, from the lowest thing above each texel.
class OcclusionMap {
 public:
  static Expected<OcclusionMap> create(const std::string& shader_folder);
  void render(const BoxView& view, const glm::vec4& rectangle, const DrawCasters& draw);
  void bind() const;

 private:
  explicit OcclusionMap(ShaderProgram gather);
  ShaderProgram gather_;
  GLint height_, cell_;
  GlTexture depth_ = GlTexture::create(), occlusion_ = GlTexture::create();
  GlFramebuffer depth_target_ = GlFramebuffer::create(), occlusion_target_ = GlFramebuffer::create();
  GlVertexArray no_attributes_ = GlVertexArray::create();
};

}  // namespace limber
