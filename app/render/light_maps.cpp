#include "app/render/light_maps.hpp"

#include <algorithm>

namespace limber {
namespace {

/// Few texels suffice, because the map is smooth and the ground reads it with a linear filter.
constexpr int occlusion_texels = 64;
/// Balls of a fluid are several texels wide, and the shadow of water is soft.
constexpr int fluid_texels = 256;

void attach_depth_only(const GlFramebuffer& framebuffer, const GlTexture& depth) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth.id(), 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
}

/// Starts a depth-only pass. Depth clamping flattens geometry outside the box along the view, where clipping
/// would cut holes.
void begin_depth(const GlFramebuffer& framebuffer) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_CLAMP);
}

void draw_depth(const GlFramebuffer& framebuffer, int texels, const DrawCasters& draw,
                const glm::mat4& clip_from_world) {
  begin_depth(framebuffer);
  glViewport(0, 0, texels, texels);
  draw(clip_from_world);
  glDisable(GL_DEPTH_CLAMP);
}

}  // namespace

int ShadowMap::resize(int texels) {
  GLint largest = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  texels = std::clamp(texels, 16, largest);
  if (texels == texels_) return texels_;
  texels_ = texels;
  allocate(depth_, {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT}, texels, texels, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  attach_depth_only(framebuffer_, depth_);
  return texels_;
}

void ShadowMap::render(std::span<const BoxView> views, const DrawCasters& draw) {
  const int along = views.size() > 1 ? 2 : 1, part = texels_ / along;
  begin_depth(framebuffer_);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2.0f);
  for (int k = 0; k < int(views.size()); ++k) {
    glViewport(k % along * part, k / along * part, part, part);
    draw(views[std::size_t(k)].clip_from_world);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_DEPTH_CLAMP);
}

void ShadowMap::bind(TextureUnit unit) const {
  glActiveTexture(GL_TEXTURE0 + GLenum(unit));
  glBindTexture(GL_TEXTURE_2D, depth_.id());
}

Expected<FluidShadow> FluidShadow::create(const std::string& shader_folder) {
  auto program = ShaderProgram::load(shader_folder, "fluid_thickness", "fluid_shadow", swollen_balls);
  if (!program) return program.error();
  return FluidShadow(std::move(*program));
}

FluidShadow::FluidShadow(ShaderProgram program)
    : program_(std::move(program)), places_(program_), absorption_(program_.uniform("absorption")) {
  allocate(taken_, {GL_RGBA16F, GL_RGBA, GL_FLOAT}, fluid_texels, fluid_texels, GL_LINEAR);
  allocate(place_, {GL_RG16F, GL_RG, GL_FLOAT}, fluid_texels, fluid_texels, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, taken_.id(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, place_.id(), 0);
  constexpr GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
}

void FluidShadow::render(const BoxView& view, const PointPass& points, float absorption) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glViewport(0, 0, fluid_texels, fluid_texels);
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  program_.use();
  set_uniform(absorption_, absorption);
  points.draw_fluid(places_, view.clip_from_world, view.texel);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

void FluidShadow::bind() const {
  glActiveTexture(GL_TEXTURE0 + fluid_taken_unit);
  glBindTexture(GL_TEXTURE_2D, taken_.id());
  glActiveTexture(GL_TEXTURE0 + fluid_place_unit);
  glBindTexture(GL_TEXTURE_2D, place_.id());
}

Expected<OcclusionMap> OcclusionMap::create(const std::string& shader_folder) {
  auto gather = ShaderProgram::load(shader_folder, "screen", "occlusion");
  if (!gather) return gather.error();
  return OcclusionMap(std::move(*gather));
}

OcclusionMap::OcclusionMap(ShaderProgram gather)
    : gather_(std::move(gather)), height_(gather_.uniform("height")), cell_(gather_.uniform("cell")) {
  allocate(depth_, {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT}, occlusion_texels,
           occlusion_texels, GL_NEAREST);
  attach_depth_only(depth_target_, depth_);
  allocate(occlusion_, {GL_R8, GL_RED, GL_UNSIGNED_BYTE}, occlusion_texels, occlusion_texels, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, occlusion_target_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, occlusion_.id(), 0);
}

void OcclusionMap::render(const BoxView& view, const glm::vec4& rectangle, const DrawCasters& draw) {
  draw_depth(depth_target_, occlusion_texels, draw, view.clip_from_world);

  glBindFramebuffer(GL_FRAMEBUFFER, occlusion_target_.id());
  glDisable(GL_DEPTH_TEST);
  gather_.use();
  set_uniform(height_, view.height);
  set_uniform(cell_, 1.0f / (float(occlusion_texels) * glm::vec2(rectangle.z, rectangle.w)));
  glActiveTexture(GL_TEXTURE0 + occlusion_unit);
  glBindTexture(GL_TEXTURE_2D, depth_.id());
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

void OcclusionMap::bind() const {
  glActiveTexture(GL_TEXTURE0 + occlusion_unit);
  glBindTexture(GL_TEXTURE_2D, occlusion_.id());
}

}  // namespace limber
