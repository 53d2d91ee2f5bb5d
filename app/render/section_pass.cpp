#include "app/render/section_pass.hpp"

#include <cstddef>
#include <utility>

namespace limber {

Expected<SectionPass> SectionPass::create(const std::string& folder) {
  auto depth = ShaderProgram::load(folder, "section", "depth");
  if (!depth) return depth.error();
  auto shaded = ShaderProgram::load(folder, "section", "section");
  if (!shaded) return shaded.error();
  return SectionPass(std::move(*depth), std::move(*shaded));
}

SectionPass::SectionPass(ShaderProgram depth, ShaderProgram shaded)
    : depth_(std::move(depth)), shaded_(std::move(shaded)) {
  buffer_.upload(std::span<const SectionVertex>());
  glBindVertexArray(vertices_.id());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
  const std::pair<GLint, std::size_t> attributes[] = {{3, offsetof(SectionVertex, position)},
                                                      {3, offsetof(SectionVertex, color)},
                                                      {3, offsetof(SectionVertex, edge)},
                                                      {1, offsetof(SectionVertex, heat)}};
  for (GLuint location = 0; location < 4; ++location) {
    const auto [components, offset] = attributes[location];
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, GLsizei(sizeof(SectionVertex)),
                          reinterpret_cast<const void*>(offset));
  }
}

void SectionPass::upload(const RenderFrame& frame, const ClipPlane& plane) {
  cut_tets(frame, plane, corners_, ends_);
  normal_ = plane.normal;
  if (!corners_.empty()) buffer_.upload(std::span<const SectionVertex>(corners_));
}

SectionPass::Range SectionPass::range_of(std::size_t solid) const {
  if (solid >= ends_.size()) return {};
  const std::uint32_t first = solid == 0 ? 0 : ends_[solid - 1];
  return {GLint(first), GLsizei(ends_[solid] - first)};
}

void SectionPass::draw_depth(const glm::mat4& clip_from_world, const Range& range) const {
  if (range.count == 0) return;
  depth_.use();
  set_uniform(depth_.uniform("clip_from_world"), clip_from_world);
  glBindVertexArray(vertices_.id());
  glDrawArrays(GL_TRIANGLES, range.first, range.count);
}

void SectionPass::draw(const glm::mat4& clip_from_world, const HeatUniforms& heat, const Range& range) const {
  if (range.count == 0) return;
  shaded_.use();
  set_uniform(shaded_.uniform("clip_from_world"), clip_from_world);
  set_uniform(shaded_.uniform("section_normal"), normal_);
  heat.set(shaded_.uniform("heat_scale"), shaded_.uniform("heat_colors"), shaded_.uniform("heat_lines"));
  glBindVertexArray(vertices_.id());
  glDrawArrays(GL_TRIANGLES, range.first, range.count);
}

}  // namespace limber
