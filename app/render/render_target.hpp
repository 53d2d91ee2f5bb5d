// Framebuffers of a picture: multisampled to draw into, resolved to read, to blit, to draw panels on.
#pragma once

#include "app/render/gl_handles.hpp"

namespace limber {

class RenderTarget {
 public:
  /// Colours of light, or of what the screen shows of it.
  enum class Kind { light, screen };
  explicit RenderTarget(Kind kind) : format_(kind == Kind::light ? GL_RGBA16F : GL_RGBA8) {}

  /// Reallocates on a change. Sizes are clamped to [1, driver limit], samples to what the driver can do.
  void resize(int width, int height, int samples);

  void bind_for_drawing() const;  ///< and sets the viewport
  /// What was drawn so far, resolved, into a framebuffer as large, with textures of the same formats.
  void copy_to(const GlFramebuffer& framebuffer, GLbitfield what) const;
  void resolve() const;  ///< leaves the resolved framebuffer bound

  GLuint resolved() const { return resolved_.id(); }
  const GlTexture& color() const { return resolved_color_; }  ///< of what is resolved
  int width() const { return width_; }
  int height() const { return height_; }
  int samples() const { return samples_; }  ///< per pixel, of those the driver gave

 private:
  bool allocate_samples(int samples);

  GLenum format_;
  int width_ = 0, height_ = 0, wanted_samples_ = 0, samples_ = 1;
  GlFramebuffer resolved_ = GlFramebuffer::create(), multisampled_;
  GlTexture resolved_color_ = GlTexture::create();
  GlRenderbuffer color_, depth_ = GlRenderbuffer::create();
};

}  // namespace limber
