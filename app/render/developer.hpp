// The last steps of a picture: sums the light of several drawings and converts light to screen colours.
#pragma once

#include <string>

#include "app/render/frame_block.hpp"
#include "app/render/gl_handles.hpp"
#include "app/render/render_target.hpp"
#include "app/render/shader_program.hpp"
#include "engine/core/expected.hpp"

namespace limber {

/// The sum of the light of several drawings.
struct LightSum {
  GlTexture light = GlTexture::create();
  GlFramebuffer framebuffer = GlFramebuffer::create();
  int width = 0, height = 0;

  void begin(int wanted_width, int wanted_height);
};

/// Programs that turn light into the colours of a screen, and the sums of light of a picture in progress.
struct Developer {
  ShaderProgram tone, matte, copy;
  GLint share, share_of_matte;
  LightSum sum = {};
  LightSum on_white = {};  ///< drawings before a white backdrop, if opacity is asked for
  GlVertexArray no_attributes = GlVertexArray::create();

  static Expected<Developer> create(const std::string& shader_folder);
  void add(const RenderTarget& light, const LightSum& to) const;
  void develop(const GlTexture& light, float of_one, const RenderTarget& screen) const;
  void develop_matte(float of_one, const RenderTarget& screen) const;

 private:
  void fill(const GlTexture& from) const;
};

}  // namespace limber
