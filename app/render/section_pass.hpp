// Draws the polygons of tetrahedra in a clipping plane.
#pragma once

#include <string>
#include <vector>

#include "app/render/heat_uniforms.hpp"
#include "app/render/shader_program.hpp"
#include "app/render/stream_buffer.hpp"
#include "app/view/tet_section.hpp"

namespace limber {

class SectionPass {
 public:
  static Expected<SectionPass> create(const std::string& shader_folder);

  void upload(const RenderFrame& frame, const ClipPlane& plane);
  void clear() { corners_.clear(), ends_.clear(); }

  /// Range of corners of one solid of the frame's surfaces, or of all.
  struct Range {
    GLint first = 0;
    GLsizei count = 0;
  };
  Range range_of(std::size_t solid) const;

  void draw_depth(const glm::mat4& clip_from_world, const Range& range) const;
  void draw(const glm::mat4& clip_from_world, const HeatUniforms& heat, const Range& range) const;

 private:
  SectionPass(ShaderProgram depth, ShaderProgram shaded);

  ShaderProgram depth_, shaded_;
  StreamBuffer buffer_;
  GlVertexArray vertices_ = GlVertexArray::create();
  std::vector<SectionVertex> corners_;
  std::vector<std::uint32_t> ends_;
  glm::vec3 normal_{0.0f, 0.0f, 1.0f};
};

}  // namespace limber
