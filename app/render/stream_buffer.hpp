// A vertex buffer that is rewritten every frame.
#pragma once

#include <algorithm>
#include <span>

#include "app/render/gl_handles.hpp"

namespace limber {

/// Orphans its storage on every upload, so that the driver need not wait for the previous frame.
class StreamBuffer {
 public:
  GLuint id() const { return buffer_.id(); }

  /// Replaces the content. Storage grows by half, never shrinks and is never empty: some drivers refuse to
  /// draw from a buffer without storage, or to make a texture of it.
  template <class T>
  void upload(std::span<const T> values) {
    const auto bytes = GLsizeiptr(values.size_bytes());
    if (bytes > capacity_) capacity_ = bytes + bytes / 2;
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
    glBufferData(GL_ARRAY_BUFFER, capacity_, nullptr, GL_STREAM_DRAW);
    if (bytes > 0) glBufferSubData(GL_ARRAY_BUFFER, 0, bytes, values.data());
  }

 private:
  GlBuffer buffer_ = GlBuffer::create();
  GLsizeiptr capacity_ = 256;
};

}  // namespace limber
