#include "app/render/mark_pass.hpp"

#include <cstddef>

namespace limber {
namespace {

void instance_attribute(GLuint location, GLint components, std::size_t stride, std::size_t offset) {
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, GLsizei(stride),
                        reinterpret_cast<const void*>(offset));
  glVertexAttribDivisor(location, 1);
}

}  // namespace

Expected<MarkPass> MarkPass::create(const std::string& folder) {
  auto line = ShaderProgram::load(folder, "line", "line");
  if (!line) return line.error();
  auto dot = ShaderProgram::load(folder, "dot", "dot");
  if (!dot) return dot.error();
  return MarkPass(std::move(*line), std::move(*dot));
}

MarkPass::MarkPass(ShaderProgram line, ShaderProgram dot) : line_(std::move(line)), dot_(std::move(dot)) {
  glBindVertexArray(line_vertices_.id());
  glBindBuffer(GL_ARRAY_BUFFER, line_instances_.id());
  instance_attribute(0, 3, sizeof(LineDraw), offsetof(LineDraw, a));
  instance_attribute(1, 3, sizeof(LineDraw), offsetof(LineDraw, b));
  instance_attribute(2, 3, sizeof(LineDraw), offsetof(LineDraw, color));
  instance_attribute(3, 1, sizeof(LineDraw), offsetof(LineDraw, width_px));
  glBindVertexArray(dot_vertices_.id());
  glBindBuffer(GL_ARRAY_BUFFER, dot_instances_.id());
  instance_attribute(0, 3, sizeof(DotDraw), offsetof(DotDraw, position));
  instance_attribute(1, 3, sizeof(DotDraw), offsetof(DotDraw, color));
  instance_attribute(2, 1, sizeof(DotDraw), offsetof(DotDraw, diameter_px));
  instance_attribute(3, 1, sizeof(DotDraw), offsetof(DotDraw, alpha));
}

void MarkPass::draw(const std::vector<LineDraw>& lines, const std::vector<DotDraw>& dots,
                    const glm::mat4& clip_from_world) {
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  if (!lines.empty()) {
    line_instances_.upload(std::span(lines));
    line_.use();
    set_uniform(line_.uniform("clip_from_world"), clip_from_world);
    glBindVertexArray(line_vertices_.id());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(lines.size()));
  }
  if (!dots.empty()) {
    dot_instances_.upload(std::span(dots));
    dot_.use();
    set_uniform(dot_.uniform("clip_from_world"), clip_from_world);
    glBindVertexArray(dot_vertices_.id());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(dots.size()));
  }
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

}  // namespace limber
