#include "app/render/point_pass.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <span>
#include <utility>

namespace limber {
namespace {

/// Fluids less opaque than LEAST_OPACITY cast no shadow here. Balls of the others overlap.
constexpr const char* opaque_balls = "#define LEAST_OPACITY 0.75\n#define SWELL 0.9\n";

/// Homogeneous position of the eye, the only point without a place in the picture. For parallel rays the
/// direction towards the eye, with w = 0.
glm::vec4 eye_behind(const glm::mat4& clip_from_world) {
  const glm::dmat4 clip(clip_from_world);
  const bool parallel = clip[0].w == 0.0 && clip[1].w == 0.0 && clip[2].w == 0.0;
  if (parallel) return glm::vec4(-glm::normalize(glm::dvec3(clip[0].z, clip[1].z, clip[2].z)), 0.0);
  const glm::dvec4 eye = glm::inverse(clip) * glm::dvec4(0.0, 0.0, 1.0, 0.0);
  return glm::vec4(glm::dvec3(eye) / eye.w, 1.0);
}

/// Defines for spray over a surface, whose balls fade towards the rim.
constexpr const char* soft_spray = "#define SWELL 1.5\n";

}  // namespace

PointPass::Places::Places(const ShaderProgram& program)
    : clip_from_world(program.uniform("clip_from_world")),
      seen_from(program.uniform("seen_from")),
      pixel_slope(program.uniform("pixel_slope")),
      smooth_edge(program.uniform("smooth_edge")) {}

PointPass::Program::Program(ShaderProgram linked) : program(std::move(linked)), places(program) {}

Expected<PointPass> PointPass::create(const std::string& folder) {
  auto depth = ShaderProgram::load(folder, "point_depth", "point_depth");
  if (!depth) return depth.error();
  auto shaded = load_shadings(folder, "point", "point");
  if (!shaded) return shaded.error();
  auto opaque = ShaderProgram::load(folder, "point_depth", "point_depth", opaque_balls);
  if (!opaque) return opaque.error();
  auto spray = ShaderProgram::load(folder, "spray", "spray", soft_spray);
  if (!spray) return spray.error();
  return PointPass(std::move(*depth), std::move(*shaded), std::move(*opaque), std::move(*spray));
}

PointPass::PointPass(ShaderProgram depth, std::vector<ShaderProgram> shaded, ShaderProgram opaque,
                     ShaderProgram spray)
    : depth_(std::move(depth)),
      shaded_(by_shading<Program>(std::move(shaded))),
      opaque_(std::move(opaque)),
      spray_(std::move(spray)) {
  spheres_.upload(std::span<const glm::vec4>());
  tints_.upload(std::span<const std::uint32_t>());
  glBindTexture(GL_TEXTURE_BUFFER, sphere_texture_.id());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, spheres_.id());
  glBindTexture(GL_TEXTURE_BUFFER, tint_texture_.id());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, tints_.id());
  GLint texels = 65'536;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
  most_ = std::min(texels, 500'000'000);
}

void PointPass::upload(const PointCloud& cloud) {
  const std::size_t count = std::min({cloud.spheres.size(), cloud.colors.size(), std::size_t(most_)});
  count_ = GLsizei(count);
  fluid_first_ = GLsizei(std::min(cloud.fluid_first, count));
  between_first_ = GLsizei(std::min(cloud.between_first, count));
  spray_first_ = GLsizei(std::min(cloud.spray_first, count));
  spray_count_ = GLsizei(std::min(cloud.spray_count, count - std::size_t(spray_first_)));
  fluid_radius_ = cloud.fluid_radius;
  if (count == 0) return;
  spheres_.upload(std::span(cloud.spheres).first(count));
  tints_.upload(std::span(cloud.colors).first(count));
}

void PointPass::draw_depth(const glm::mat4& clip_from_world, float pixel_slope, int samples) const {
  draw_with(depth_, clip_from_world, pixel_slope, samples);
}

void PointPass::draw(const glm::mat4& clip_from_world, float pixel_slope, int samples,
                     Shading shading) const {
  draw_with(shaded_[shading], clip_from_world, pixel_slope, samples);
}

void PointPass::draw_with(const Program& use, const glm::mat4& clip_from_world, float pixel_slope,
                          int samples) const {
  use.program.use();
  draw_dry(use.places, clip_from_world, pixel_slope, samples > 1);
  if (!fluids_hidden_)
    draw_range(use.places, clip_from_world, pixel_slope, samples > 1, spray_first_, spray_count_);
}

void PointPass::draw_dry(const Places& places, const glm::mat4& clip_from_world, float pixel_slope,
                         bool smooth) const {
  const GLsizei after = spray_first_ + spray_count_, end = fluids_hidden_ ? fluid_first_ : between_first_;
  draw_range(places, clip_from_world, pixel_slope, smooth, 0, std::min(spray_first_, end));
  draw_range(places, clip_from_world, pixel_slope, smooth, after, end - after);
}

void PointPass::draw_casters(const glm::mat4& clip_from_world) const {
  depth_.program.use();
  draw_dry(depth_.places, clip_from_world, 0.0f, false);
  if (!fluids_hidden_ || !balls_cast_) return;
  opaque_.program.use();
  draw_fluid(opaque_.places, clip_from_world, 0.0f);
}

void PointPass::draw_spray(const glm::mat4& clip_from_world, float pixel_slope) const {
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  spray_.program.use();
  draw_range(spray_.places, clip_from_world, pixel_slope, false, spray_first_, spray_count_);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

void PointPass::draw_fluid(const Places& places, const glm::mat4& clip_from_world, float pixel_slope) const {
  draw_range(places, clip_from_world, pixel_slope, false, fluid_first_, count_ - fluid_first_);
}

void PointPass::draw_range(const Places& places, const glm::mat4& clip_from_world, float pixel_slope,
                           bool smooth, GLsizei first, GLsizei count) const {
  if (count <= 0) return;
  set_uniform(places.clip_from_world, clip_from_world);
  set_uniform(places.seen_from, eye_behind(clip_from_world));
  set_uniform(places.pixel_slope, pixel_slope);
  set_uniform(places.smooth_edge, smooth ? 1.0f : 0.0f);
  glActiveTexture(GL_TEXTURE0 + GLenum(sphere_unit));
  glBindTexture(GL_TEXTURE_BUFFER, sphere_texture_.id());
  glActiveTexture(GL_TEXTURE0 + GLenum(tint_unit));
  glBindTexture(GL_TEXTURE_BUFFER, tint_texture_.id());
  glBindVertexArray(no_attributes_.id());
  if (smooth) glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  glDrawArrays(GL_TRIANGLES, 3 * first, 3 * count);
  if (smooth) glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}

}  // namespace limber
