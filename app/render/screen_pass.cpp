#include "app/render/screen_pass.hpp"

#include <utility>

namespace limber {

Expected<ScreenPass> ScreenPass::create(const std::string& folder, const std::string& vertex,
                                        const std::string& fragment, int vertices) {
  auto programs = load_shadings(folder, vertex, fragment);
  if (!programs) return programs.error();
  return ScreenPass(std::move(*programs), vertices);
}

ScreenPass::Program::Program(ShaderProgram linked)
    : program(std::move(linked)), clip_from_world(program.uniform("clip_from_world")) {}

ScreenPass::ScreenPass(std::vector<ShaderProgram> programs, int vertices)
    : programs_(by_shading<Program>(std::move(programs))), vertices_(vertices) {}

void ScreenPass::draw(const glm::mat4& clip_from_world, Shading shading) const {
  const Program& used = programs_[shading];
  used.program.use();
  set_uniform(used.clip_from_world, clip_from_world);
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, vertices_);
}

}  // namespace limber
