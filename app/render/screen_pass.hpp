// Passes whose shaders generate the geometry: ground and sky.
#pragma once

#include <string>

#include "app/render/shader_program.hpp"

namespace limber {

class ScreenPass {
 public:
  /// Loads `vertex`.vert and `fragment`.frag for every Shading. Draws `vertices` vertices without attributes
  /// as a triangle strip.
  static Expected<ScreenPass> create(const std::string& shader_folder, const std::string& vertex,
                                     const std::string& fragment, int vertices);
  void draw(const glm::mat4& clip_from_world, Shading shading) const;

 private:
  struct Program {
    ShaderProgram program;
    GLint clip_from_world;
    explicit Program(ShaderProgram linked);
  };
  ScreenPass(std::vector<ShaderProgram> programs, int vertices);
  ByShading<Program> programs_;
  int vertices_;
  GlVertexArray no_attributes_ = GlVertexArray::create();
};

}  // namespace limber
