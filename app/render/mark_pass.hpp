// Draws marks of fixed screen size: blended lines and dots, hidden by geometry in front of them.
#pragma once

#include <string>
#include <vector>

#include "app/render/shader_program.hpp"
#include "app/render/stream_buffer.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

class MarkPass {
 public:
  static Expected<MarkPass> create(const std::string& shader_folder);
  void draw(const std::vector<LineDraw>& lines, const std::vector<DotDraw>& dots,
            const glm::mat4& clip_from_world);

 private:
  MarkPass(ShaderProgram line, ShaderProgram dot);
  ShaderProgram line_, dot_;
  GlVertexArray line_vertices_ = GlVertexArray::create(), dot_vertices_ = GlVertexArray::create();
  StreamBuffer line_instances_, dot_instances_;
};

}  // namespace limber
