#include "app/render/fluid_pass.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <utility>

namespace limber {
namespace {

/// Balls are drawn so much larger than particles that no gaps show between them; of their summed thickness
/// this share is not counted twice.
constexpr const char* swollen = "#define SWELL 1.6\n#define OVERLAP 0.46\n";

/// In particle radii: how far apart the taps of the last pass of the filter are, each pass before it half as
/// far; and how far light goes in the fluid before most of it is gone.
constexpr float last_taps = 1.2f, absorbing_radii = 4.0f;
constexpr int filter_passes = 6;

void attach_map(const GlFramebuffer& target, GLenum where, const GlTexture& texture) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, where, GL_TEXTURE_2D, texture.id(), 0);
}

void bind_map(int unit, const GlTexture& texture) {
  glActiveTexture(GL_TEXTURE0 + GLenum(unit));
  glBindTexture(GL_TEXTURE_2D, texture.id());
}

/// x + y w of an inverse depth w (1/m along the view) is its place in a depth buffer.
glm::vec2 depth_of_inverse(const glm::mat4& clip_from_world) {
  const glm::dmat4 rows = glm::transpose(glm::dmat4(clip_from_world));
  const glm::dvec3 z(rows[2]), w(rows[3]);
  const double x = glm::dot(z, w) / glm::dot(w, w);
  return {0.5 + 0.5 * x, 0.5 * (rows[2].w - x * rows[3].w)};
}

}  // namespace

Expected<FluidPass> FluidPass::create(const std::string& folder) {
  auto depth = ShaderProgram::load(folder, "fluid_depth", "fluid_depth", swollen);
  if (!depth) return depth.error();
  auto thickness = ShaderProgram::load(folder, "fluid_depth", "fluid_thickness", swollen);
  if (!thickness) return thickness.error();
  auto smooth = ShaderProgram::load(folder, "screen", "fluid_smooth");
  if (!smooth) return smooth.error();
  auto light = ShaderProgram::load(folder, "screen", "fluid");
  if (!light) return light.error();
  return FluidPass(std::move(*depth), std::move(*thickness), std::move(*smooth), std::move(*light));
}

FluidPass::FluidPass(ShaderProgram depth, ShaderProgram thickness, ShaderProgram smooth, ShaderProgram light)
    : depth_(std::move(depth)),
      thickness_(std::move(thickness)),
      smooth_(std::move(smooth)),
      light_(std::move(light)) {}

void FluidPass::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  allocate(depth_map_, {GL_R32F, GL_RED, GL_FLOAT}, width, height, GL_NEAREST);
  allocate(tint_map_, {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE}, width, height, GL_NEAREST);
  allocate(thickness_map_, {GL_R16F, GL_RED, GL_FLOAT}, width, height, GL_NEAREST);
  allocate(nearest_, {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT}, width, height, GL_NEAREST);
  attach_map(ball_target_, GL_COLOR_ATTACHMENT0, depth_map_);
  attach_map(ball_target_, GL_COLOR_ATTACHMENT1, tint_map_);
  attach_map(ball_target_, GL_DEPTH_ATTACHMENT, nearest_);
  attach_map(thickness_target_, GL_COLOR_ATTACHMENT0, thickness_map_);
  attach_map(thickness_target_, GL_DEPTH_ATTACHMENT, nearest_);
  for (int k = 0; k < 2; ++k) {
    allocate(smoothed_[k], {GL_RGBA32F, GL_RGBA, GL_FLOAT}, width, height, GL_NEAREST);
    attach_map(smooth_target_[k], GL_COLOR_ATTACHMENT0, smoothed_[k]);
  }
}

void FluidPass::draw_balls(const PointPass& points, const View& view, const std::function<void()>& hide) {
  constexpr GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  constexpr float nothing[] = {0.0f, 0.0f, 0.0f, 0.0f};
  // what stands in front, then how much fluid there is before it
  glBindFramebuffer(GL_FRAMEBUFFER, thickness_target_.id());
  glClearBufferfv(GL_COLOR, 0, nothing);
  glClear(GL_DEPTH_BUFFER_BIT);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  hide();
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  thickness_.program.use();
  points.draw_fluid(thickness_.place, view.clip_from_world, view.pixel_slope);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);

  glBindFramebuffer(GL_FRAMEBUFFER, ball_target_.id());
  glDrawBuffers(2, both);
  glClearBufferfv(GL_COLOR, 0, nothing);
  glClearBufferfv(GL_COLOR, 1, nothing);
  depth_.program.use();
  points.draw_fluid(depth_.place, view.clip_from_world, view.pixel_slope);
}

void FluidPass::smooth(const View& view) {
  glDisable(GL_DEPTH_TEST);
  smooth_.program.use();
  set_uniform(smooth_.radius, view.radius);
  set_uniform(smooth_.to_depth, depth_of_inverse(view.clip_from_world));
  bind_map(solid_unit, nearest_);
  glBindVertexArray(no_attributes_.id());
  for (int pass = 0; pass < filter_passes; ++pass) {
    glBindFramebuffer(GL_FRAMEBUFFER, smooth_target_[pass % 2].id());
    bind_map(fluid_unit, pass == 0 ? depth_map_ : smoothed_[1 - pass % 2]);
    bind_map(thickness_unit, pass == 0 ? thickness_map_ : smoothed_[1 - pass % 2]);
    set_uniform(smooth_.apart, std::ldexp(last_taps, -pass));
    set_uniform(smooth_.from_half, pass == 0 ? glm::vec2(1.0f, 0.0f) : glm::vec2(0.0f, 1.0f));
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glEnable(GL_DEPTH_TEST);
}

void FluidPass::draw(const PointPass& points, const View& view, const RenderTarget& target,
                     const std::function<void()>& hide) {
  GLint place[4];  // of the view in the target, and so in the maps
  glGetIntegerv(GL_VIEWPORT, place);
  resize(target.width(), target.height());
  draw_balls(points, view, hide);
  smooth(view);

  target.bind_for_drawing();
  glViewport(place[0], place[1], place[2], place[3]);
  light_.program.use();
  set_uniform(light_.clip, view.clip_from_world);
  set_uniform(light_.absorption, 1.0f / (absorbing_radii * view.radius));
  set_uniform(light_.radius, view.radius);
  bind_map(fluid_unit, smoothed_[(filter_passes - 1) % 2]);
  bind_map(thickness_unit, tint_map_);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_SRC1_COLOR);
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
}

}  // namespace limber
