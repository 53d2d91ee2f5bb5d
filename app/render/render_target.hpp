// Framebuffers of a picture: a multisampled one to draw into, and a resolved one to read, blit and draw
// panels on.
#pragma once

#include "app/render/gl_handles.hpp"

namespace limber {

class RenderTarget {
 public:
  /// Format of the colours: linear light, or display colours.
  enum class Kind { light, screen };
  explicit RenderTarget(Kind kind) : format_(kind == Kind::light ? GL_RGBA16F : GL_RGBA8) {}

  /// Reallocates on a change. Clamps sizes to [1, driver limit], and samples to the driver's capability.
  void resize(int width, int height, int samples);

  void bind_for_drawing() const;  ///< also sets the viewport
  /// Copies the resolved picture into a framebuffer of the same size, with textures of the same formats.
  void copy_to(const GlFramebuffer& framebuffer, GLbitfield what) const;
  void resolve() const;  ///< leaves the resolved framebuffer bound

  GLuint resolved() const { return resolved_.id(); }
  const GlTexture& color() const { return resolved_color_; }  ///< of the resolved picture
  int width() const { return width_; }
  int height() const { return height_; }
  int samples() const { return samples_; }  ///< per pixel, as granted by the driver

 private:
  bool allocate_samples(int samples);

  GLenum format_;
  int width_ = 0, height_ = 0, wanted_samples_ = 0, samples_ = 1;
  GlFramebuffer resolved_ = GlFramebuffer::create(), multisampled_;
  GlTexture resolved_color_ = GlTexture::create();
  GlRenderbuffer color_, depth_ = GlRenderbuffer::create();
};

}  // namespace limber
