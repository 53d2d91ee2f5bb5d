// A linked pair of vertex and fragment shader.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <string>

#include "app/render/gl_handles.hpp"
#include "engine/core/expected.hpp"

namespace limber {

/// Texture units and uniform block bindings are fixed once for all programs.
enum TextureUnit : int {
  shadow_unit,
  occlusion_unit,
  position_unit,
  normal_unit,
  uv_unit,
  index_unit,
  heat_unit,
  sphere_unit,
  tint_unit,
  fluid_unit,
  thickness_unit,
  solid_unit,
  shape_unit,
  opaque_unit,
  backdrop_unit,
  fluid_taken_unit,
  fluid_place_unit,
  sky_unit,
  light_unit,
  light_on_white_unit
};
inline constexpr GLuint frame_block_binding = 0;

class ShaderProgram {
 public:
  /// Compiles `folder/<vertex>.vert` and `folder/<fragment>.frag`. `defines`: whole #define lines for both.
  /// Fails with the driver's first error, its file and line.
  static Expected<ShaderProgram> load(const std::string& folder, const std::string& vertex,
                                      const std::string& fragment, const std::string& defines = {});

  void use() const { glUseProgram(program_.id()); }

  /// Location of a uniform; -1 (which GL ignores) if the compiler removed it.
  GLint uniform(const char* name) const { return glGetUniformLocation(program_.id(), name); }

 private:
  explicit ShaderProgram(GlProgram program) : program_(std::move(program)) {}
  GlProgram program_;
};

inline void set_uniform(GLint at, int value) { glUniform1i(at, value); }
inline void set_uniform(GLint at, float value) { glUniform1f(at, value); }
inline void set_uniform(GLint at, glm::vec2 value) { glUniform2fv(at, 1, &value.x); }
inline void set_uniform(GLint at, glm::vec3 value) { glUniform3fv(at, 1, &value.x); }
inline void set_uniform(GLint at, glm::vec4 value) { glUniform4fv(at, 1, &value.x); }
inline void set_uniform(GLint at, const glm::mat4& value) {
  glUniformMatrix4fv(at, 1, GL_FALSE, &value[0].x);
}

}  // namespace limber
