// Owners of OpenGL names. Each name has one owner and is deleted with it. Moves leave 0 behind, which GL
// ignores.
#pragma once

#include <glad/gl.h>

#include <utility>

namespace limber {

template <class Kind>
class GlHandle {
 public:
  GlHandle() = default;
  static GlHandle create() {
    GlHandle handle;
    Kind::create(handle.id_);
    return handle;
  }
  GlHandle(GlHandle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlHandle& operator=(GlHandle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~GlHandle() {
    if (id_ != 0) Kind::destroy(id_);
  }

  GLuint id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 private:
  GLuint id_ = 0;
};

struct BufferKind {
  static void create(GLuint& id) { glGenBuffers(1, &id); }
  static void destroy(GLuint id) { glDeleteBuffers(1, &id); }
};
struct VertexArrayKind {
  static void create(GLuint& id) { glGenVertexArrays(1, &id); }
  static void destroy(GLuint id) { glDeleteVertexArrays(1, &id); }
};
struct TextureKind {
  static void create(GLuint& id) { glGenTextures(1, &id); }
  static void destroy(GLuint id) { glDeleteTextures(1, &id); }
};
struct FramebufferKind {
  static void create(GLuint& id) { glGenFramebuffers(1, &id); }
  static void destroy(GLuint id) { glDeleteFramebuffers(1, &id); }
};
struct RenderbufferKind {
  static void create(GLuint& id) { glGenRenderbuffers(1, &id); }
  static void destroy(GLuint id) { glDeleteRenderbuffers(1, &id); }
};
struct ProgramKind {
  static void create(GLuint& id) { id = glCreateProgram(); }
  static void destroy(GLuint id) { glDeleteProgram(id); }
};

using GlBuffer = GlHandle<BufferKind>;
using GlVertexArray = GlHandle<VertexArrayKind>;
using GlTexture = GlHandle<TextureKind>;
using GlFramebuffer = GlHandle<FramebufferKind>;
using GlRenderbuffer = GlHandle<RenderbufferKind>;
using GlProgram = GlHandle<ProgramKind>;

/// Formats of a texture, as for glTexImage2D.
struct TexelFormat {
  GLint inside;
  GLenum external, type;
};

/// Allocates storage without mipmaps, clamped at the edges. Leaves the texture bound.
inline void allocate(const GlTexture& texture, const TexelFormat& format, int width, int height,
                     GLint filter) {
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glTexImage2D(GL_TEXTURE_2D, 0, format.inside, width, height, 0, format.external, format.type, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

}  // namespace limber
