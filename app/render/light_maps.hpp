// Maps rendered before the picture: shadows of sun and sky, and soft occlusion of the ground.
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

/// Depth map seen from the sun or another direction, with depth comparison by the texture unit.
class ShadowMap {
 public:
  /// Sets the texels along a side, clamped to the driver's limit. Returns the resulting number.
  int resize(int texels);
  /// Renders one view over the whole map, or four views over a quarter each.
  void render(std::span<const BoxView> views, const DrawCasters& draw);
  void bind(TextureUnit unit) const;

 private:
  GlTexture depth_ = GlTexture::create();
  GlFramebuffer framebuffer_ = GlFramebuffer::create();
  int texels_ = 0;
};

/// Sunlight absorbed by fluids, per colour, and the depth at which it is absorbed.
class FluidShadow {
 public:
  static Expected<FluidShadow> create(const std::string& shader_folder);
  /// `absorption`: 1/m, of clear fluid.
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

/// Share of the sky hidden from each point of the ground, from the lowest geometry above each texel.
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
