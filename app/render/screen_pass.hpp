// Passes whose shaders generate the geometry: ground and sky.
#pragma once

#include <string>

#include "app/render/shader_program.hpp"

namespace limber {

class ScreenPass {
 public:
  /// Loads `vertex`.vert and `fragment`.frag. Draws `vertices` vertices without attributes as a triangle
  /// strip.
  static Expected<ScreenPass> create(const std::string& shader_folder, const std::string& vertex,
                                     const std::string& fragment, int vertices);
  void draw(const glm::mat4& clip_from_world) const;

 private:
  ScreenPass(ShaderProgram program, int vertices);
  ShaderProgram program_;
  GLint clip_from_world_;
  int vertices_;
  GlVertexArray no_attributes_ = GlVertexArray::create();
};

}  // namespace limber
