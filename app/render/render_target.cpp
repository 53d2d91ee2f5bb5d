#include "app/render/render_target.hpp"

#include <algorithm>

namespace limber {
namespace {

GLint limit(GLenum name) {
  GLint value = 1;
  glGetIntegerv(name, &value);
  return value;
}

void storage(const GlRenderbuffer& buffer, int samples, GLenum format, int width, int height) {
  glBindRenderbuffer(GL_RENDERBUFFER, buffer.id());
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples > 1 ? samples : 0, format, width, height);
}

void attach(GLenum where, const GlRenderbuffer& buffer) {
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, where, GL_RENDERBUFFER, buffer.id());
}

}  // namespace

void RenderTarget::resize(int width, int height, int samples) {
  const int largest = std::min(limit(GL_MAX_RENDERBUFFER_SIZE), limit(GL_MAX_TEXTURE_SIZE));
  width = std::clamp(width, 1, largest);
  height = std::clamp(height, 1, largest);
  samples = std::clamp(samples, 1, std::max(1, limit(GL_MAX_SAMPLES)));
  if (width == width_ && height == height_ && samples == wanted_samples_) return;
  width_ = width;
  height_ = height;
  wanted_samples_ = samples;

  allocate(resolved_color_, {GLint(format_), GL_RGBA, GL_FLOAT}, width, height, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, resolved_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, resolved_color_.id(), 0);
  // A driver may refuse a sample count that it supports for other formats or sizes: halve it until accepted.
  for (samples_ = samples; samples_ > 1 && !allocate_samples(samples_);) samples_ /= 2;
  if (samples_ <= 1) {
    samples_ = 1;
    multisampled_ = {};
    storage(depth_, 1, GL_DEPTH24_STENCIL8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, resolved_.id());
    attach(GL_DEPTH_STENCIL_ATTACHMENT, depth_);
  }
}

bool RenderTarget::allocate_samples(int samples) {
  glBindFramebuffer(GL_FRAMEBUFFER, resolved_.id());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 0);
  if (!color_) color_ = GlRenderbuffer::create();
  if (!multisampled_) multisampled_ = GlFramebuffer::create();
  storage(color_, samples, format_, width_, height_);
  storage(depth_, samples, GL_DEPTH24_STENCIL8, width_, height_);
  glBindFramebuffer(GL_FRAMEBUFFER, multisampled_.id());
  attach(GL_COLOR_ATTACHMENT0, color_);
  attach(GL_DEPTH_STENCIL_ATTACHMENT, depth_);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void RenderTarget::bind_for_drawing() const {
  glBindFramebuffer(GL_FRAMEBUFFER, samples_ > 1 ? multisampled_.id() : resolved_.id());
  glViewport(0, 0, width_, height_);
}

void RenderTarget::copy_to(const GlFramebuffer& framebuffer, GLbitfield what) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, samples_ > 1 ? multisampled_.id() : resolved_.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer.id());
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, what, GL_NEAREST);
}

void RenderTarget::resolve() const {
  if (samples_ > 1) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, multisampled_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.id());
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, resolved_.id());
}

}  // namespace limber
