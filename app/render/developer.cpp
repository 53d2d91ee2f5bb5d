#include "app/render/developer.hpp"

#include <utility>

namespace limber {

Expected<Developer> Developer::create(const std::string& shader_folder) {
  auto tone = ShaderProgram::load(shader_folder, "screen", "tone");
  if (!tone) return tone.error();
  auto matte = ShaderProgram::load(shader_folder, "screen", "matte");
  if (!matte) return matte.error();
  auto copy = ShaderProgram::load(shader_folder, "screen", "copy");
  if (!copy) return copy.error();
  const GLint share = tone->uniform("share"), share_of_matte = matte->uniform("share");
  return Developer{std::move(*tone), std::move(*matte), std::move(*copy), share, share_of_matte};
}

void LightSum::begin(int wanted_width, int wanted_height) {
  if (wanted_width != width || wanted_height != height) {
    width = wanted_width, height = wanted_height;
    allocate(light, {GL_RGBA32F, GL_RGBA, GL_FLOAT}, width, height, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, light.id(), 0);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_COLOR_BUFFER_BIT);
}

/// Draws over the whole viewport. The program must be in use.
void Developer::fill(const GlTexture& from) const {
  glDisable(GL_DEPTH_TEST);
  glActiveTexture(GL_TEXTURE0 + GLenum(light_unit));
  glBindTexture(GL_TEXTURE_2D, from.id());
  glBindVertexArray(no_attributes.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

void Developer::add(const RenderTarget& light, const LightSum& to) const {
  glBindFramebuffer(GL_FRAMEBUFFER, to.framebuffer.id());
  glViewport(0, 0, to.width, to.height);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  copy.use();
  fill(light.color());
  glDisable(GL_BLEND);
}

void Developer::develop(const GlTexture& light, float of_one, const RenderTarget& screen) const {
  screen.bind_for_drawing();
  tone.use();
  set_uniform(share, of_one);
  fill(light);
}

void Developer::develop_matte(float of_one, const RenderTarget& screen) const {
  screen.bind_for_drawing();
  matte.use();
  set_uniform(share_of_matte, of_one);
  glActiveTexture(GL_TEXTURE0 + GLenum(light_on_white_unit));
  glBindTexture(GL_TEXTURE_2D, on_white.light.id());
  fill(sum.light);
}

}  // namespace limber
