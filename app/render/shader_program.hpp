// A linked pair of vertex and fragment shader.
#pragma once

#include <algorithm>
#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <string>
#include <utility>
#include <vector>

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

/// Kinds of drawings, for which the shaders of lit surfaces are compiled separately. A branch that is not
/// taken costs a software renderer as much as one that is, loops without rounds included.
enum class Shading : std::size_t {
  averaged,    ///< one of several drawings, whose mean smooths the light of the sky
  unfiltered,  ///< one of many drawings, whose mean smooths the edges of shadows too
  single,      ///< the only drawing
  coarse       ///< the only drawing, of a motion: its shadows are not filtered
};

/// Something for each Shading, or once for all.
template <class T>
class ByShading {
 public:
  explicit ByShading(std::vector<T> variants) : variants_(std::move(variants)) {}
  const T& operator[](Shading shading) const {
    return variants_[std::min(std::size_t(shading), variants_.size() - 1)];
  }

 private:
  std::vector<T> variants_;
};

/// Loads the shaders for every Shading.
Expected<std::vector<ShaderProgram>> load_shadings(const std::string& folder, const std::string& vertex,
                                                   const std::string& fragment);

/// Makes a T of each program.
template <class T>
ByShading<T> by_shading(std::vector<ShaderProgram> programs) {
  std::vector<T> out;
  for (ShaderProgram& program : programs) out.emplace_back(std::move(program));
  return ByShading<T>(std::move(out));
}

inline void set_uniform(GLint at, int value) { glUniform1i(at, value); }
inline void set_uniform(GLint at, float value) { glUniform1f(at, value); }
inline void set_uniform(GLint at, glm::vec2 value) { glUniform2fv(at, 1, &value.x); }
inline void set_uniform(GLint at, glm::vec3 value) { glUniform3fv(at, 1, &value.x); }
inline void set_uniform(GLint at, glm::vec4 value) { glUniform4fv(at, 1, &value.x); }
inline void set_uniform(GLint at, const glm::mat4& value) {
  glUniformMatrix4fv(at, 1, GL_FALSE, &value[0].x);
}

}  // namespace limber
