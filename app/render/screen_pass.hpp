// Passes whose geometry the shader makes up: the ground and the sky.
#pragma once

#include <string>

#include "app/render/shader_program.hpp"

namespace limber {

class ScreenPass {
 public:
  /// `name`.vert and `name`.frag; draws `vertices` vertices without attributes as a triangle strip.
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
