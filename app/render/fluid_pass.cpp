#include "app/render/fluid_pass.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <utility>

#include "app/render/depth_range.hpp"

namespace limber {
namespace {

/// Distance between the taps of the filter's first pass, in particle radii. Each later pass halves it.
constexpr float widest_taps = 1.2f;
constexpr int filter_passes = 6;

void attach_map(const GlFramebuffer& target, GLenum where, const GlTexture& texture) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, where, GL_TEXTURE_2D, texture.id(), 0);
}

void bind_map(int unit, const GlTexture& texture) {
  glActiveTexture(GL_TEXTURE0 + GLenum(unit));
  glBindTexture(GL_TEXTURE_2D, texture.id());
}

void set_viewport(const glm::ivec4& place) { glViewport(place.x, place.y, place.z, place.w); }
void set_scissor(const glm::ivec4& place) { glScissor(place.x, place.y, place.z, place.w); }

glm::ivec4 halved(const glm::ivec4& place) {
  const glm::ivec2 low = glm::ivec2(place) / 2,
                   high = (glm::ivec2(place) + glm::ivec2(place.z, place.w) + 1) / 2;
  return {low, high - low};
}

void clear_colors(std::initializer_list<const GlFramebuffer*> targets) {
  for (const GlFramebuffer* target : targets) {
    glBindFramebuffer(GL_FRAMEBUFFER, target->id());
    glClear(GL_COLOR_BUFFER_BIT);
  }
}

}  // namespace

FluidShapeBuffer::FluidShapeBuffer() {
  buffer_.upload(std::span<const Ellipsoid>());
  glBindTexture(GL_TEXTURE_BUFFER, texture_.id());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer_.id());
}

void FluidShapeBuffer::upload(const PointCloud& points) {
  const std::size_t first = std::min(points.fluid_first, points.size());
  if (shapes_.update(std::span(points.spheres).subspan(first), points.fluid_radius))
    buffer_.upload(std::span(shapes_.ellipsoids()));
}

void FluidShapeBuffer::draw() const {
  glActiveTexture(GL_TEXTURE0 + GLenum(shape_unit));
  glBindTexture(GL_TEXTURE_BUFFER, texture_.id());
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLES, 0, 3 * GLsizei(shapes_.ellipsoids().size()));
}

Expected<FluidPass> FluidPass::create(const std::string& folder) {
  auto depth = ShaderProgram::load(folder, "fluid_depth", "fluid_depth");
  if (!depth) return depth.error();
  auto thickness = ShaderProgram::load(folder, "fluid_thickness", "fluid_thickness", swollen_balls);
  if (!thickness) return thickness.error();
  auto smooth = ShaderProgram::load(folder, "screen", "fluid_smooth");
  if (!smooth) return smooth.error();
  auto light = ShaderProgram::load(folder, "screen", "fluid");
  if (!light) return light.error();
  return FluidPass(std::move(*depth), std::move(*thickness), std::move(*smooth), std::move(*light));
}

FluidPass::FluidPass(ShaderProgram depth, ShaderProgram thickness, ShaderProgram smooth, ShaderProgram light)
    : thickness_(std::move(thickness)),
      depth_(std::move(depth)),
      smooth_(std::move(smooth)),
      light_(std::move(light)) {}

void FluidPass::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  const TexelFormat depth{GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8};
  const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  allocate(depth_map_, {GL_RG32F, GL_RG, GL_FLOAT}, width, height, GL_NEAREST);
  allocate(nearest_, depth, width, height, GL_NEAREST);
  attach_map(depth_target_, GL_COLOR_ATTACHMENT0, depth_map_);
  attach_map(depth_target_, GL_DEPTH_STENCIL_ATTACHMENT, nearest_);
  allocate(backdrop_, {GL_RGBA16F, GL_RGBA, GL_FLOAT}, width, height, GL_LINEAR);
  allocate(solid_, depth, width, height, GL_NEAREST);
  attach_map(backdrop_target_, GL_COLOR_ATTACHMENT0, backdrop_);
  attach_map(backdrop_target_, GL_DEPTH_STENCIL_ATTACHMENT, solid_);
  allocate(tint_map_, {GL_RGBA16F, GL_RGBA, GL_FLOAT}, half_width, half_height, GL_LINEAR);
  allocate(opaque_map_, {GL_RG16F, GL_RG, GL_FLOAT}, half_width, half_height, GL_LINEAR);
  allocate(half_nearest_, depth, half_width, half_height, GL_NEAREST);
  attach_map(thickness_target_, GL_COLOR_ATTACHMENT0, tint_map_);
  attach_map(thickness_target_, GL_COLOR_ATTACHMENT1, opaque_map_);
  attach_map(thickness_target_, GL_DEPTH_STENCIL_ATTACHMENT, half_nearest_);
  constexpr GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
  for (int k = 0; k < 2; ++k) {
    allocate(smoothed_[k], {GL_RGBA32F, GL_RGBA, GL_FLOAT}, width, height, GL_NEAREST);
    attach_map(smooth_target_[k], GL_COLOR_ATTACHMENT0, smoothed_[k]);
  }
}

/// Draws the depth of the nearest ellipsoid in front of everything else.
void FluidPass::draw_depth(const FluidShapeBuffer& shapes, const View& view, const RenderTarget& target) {
  target.copy_to(backdrop_target_, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  target.copy_to(depth_target_, GL_DEPTH_BUFFER_BIT);
  glBindFramebuffer(GL_FRAMEBUFFER, depth_target_.id());
  depth_.program.use();
  set_uniform(depth_.clip, view.clip_from_world);
  set_uniform(depth_.to_depth, depth_of_inverse(view.clip_from_world));
  shapes.draw();
}

/// Draws the thickness of all fluid in front of everything else, at half resolution.
void FluidPass::draw_thickness(const PointPass& points, const View& view, const glm::ivec4& place) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, backdrop_target_.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, thickness_target_.id());
  const int half_width = (width_ + 1) / 2, half_height = (height_ + 1) / 2;
  glBlitFramebuffer(0, 0, 2 * half_width, 2 * half_height, 0, 0, half_width, half_height, GL_DEPTH_BUFFER_BIT,
                    GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, thickness_target_.id());
  set_viewport(halved(place));
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  thickness_.program.use();
  set_uniform(thickness_.absorption, view.absorption);
  bind_map(fluid_unit, depth_map_);
  points.draw_fluid(thickness_.place, view.clip_from_world, 2.0f * view.pixel_slope);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  set_viewport(place);
}

void FluidPass::smooth(const View& view) {
  glDisable(GL_DEPTH_TEST);
  smooth_.program.use();
  set_uniform(smooth_.radius, view.radius);
  set_uniform(smooth_.to_depth, depth_of_inverse(view.clip_from_world));
  bind_map(solid_unit, solid_);
  glBindVertexArray(no_attributes_.id());
  for (int pass = 0; pass < filter_passes; ++pass) {
    glBindFramebuffer(GL_FRAMEBUFFER, smooth_target_[pass % 2].id());
    bind_map(fluid_unit, pass == 0 ? depth_map_ : smoothed_[1 - pass % 2]);
    bind_map(thickness_unit, pass == 0 ? tint_map_ : smoothed_[1 - pass % 2]);
    set_uniform(smooth_.apart, std::ldexp(widest_taps, -pass));
    set_uniform(smooth_.first, pass == 0 ? 1 : 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glEnable(GL_DEPTH_TEST);
}

void FluidPass::draw_light(const View& view) {
  light_.program.use();
  set_uniform(light_.absorption, view.absorption);
  set_uniform(light_.radius, view.radius);
  set_uniform(light_.to_depth, depth_of_inverse(view.clip_from_world));
  bind_map(fluid_unit, smoothed_[(filter_passes - 1) % 2]);
  bind_map(thickness_unit, tint_map_);
  bind_map(opaque_unit, opaque_map_);
  bind_map(backdrop_unit, backdrop_);
  bind_map(solid_unit, solid_);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
}

void FluidPass::draw(const PointPass& points, const FluidShapeBuffer& shapes, const View& view,
                     const RenderTarget& target) {
  if (shapes.shapes().ellipsoids().empty()) return;
  glm::ivec4 place, kept;  // rectangles of the view in the target, and so in the maps
  glGetIntegerv(GL_VIEWPORT, &place.x);
  glGetIntegerv(GL_SCISSOR_BOX, &kept.x);
  resize(target.width(), target.height());
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  clear_colors({&depth_target_, &smooth_target_[0], &smooth_target_[1]});
  const glm::ivec4 seen =
      seen_part(shapes.shapes().least(), shapes.shapes().most(), view.clip_from_world, place);
  set_scissor(seen);
  draw_depth(shapes, view, target);
  set_scissor(halved(seen));
  clear_colors({&thickness_target_});
  draw_thickness(points, view, place);
  set_scissor(seen);
  smooth(view);
  target.bind_for_drawing();
  set_viewport(place);
  draw_light(view);
  set_scissor(kept);
}

}  // namespace limber
