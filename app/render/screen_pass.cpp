#include "app/render/screen_pass.hpp"

namespace limber {

Expected<ScreenPass> ScreenPass::create(const std::string& folder, const std::string& vertex,
                                        const std::string& fragment, int vertices) {
  auto program = ShaderProgram::load(folder, vertex, fragment);
  if (!program) return program.error();
  return ScreenPass(std::move(*program), vertices);
}

ScreenPass::ScreenPass(ShaderProgram program, int vertices)
    : program_(std::move(program)),
      clip_from_world_(program_.uniform("clip_from_world")),
      vertices_(vertices) {}

void ScreenPass::draw(const glm::mat4& clip_from_world) const {
  program_.use();
  set_uniform(clip_from_world_, clip_from_world);
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, vertices_);
}

}  // namespace limber
