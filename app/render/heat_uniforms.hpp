// Uniforms of shaders/heat.glsl for a frame's heat map.
#pragma once

#include <algorithm>
#include <array>
#include <glm/vec3.hpp>

#include "app/render/shader_program.hpp"
#include "app/view/color_map.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

class HeatUniforms {
 public:
  /// `shown`: the frame has numbers for its vertices.
  void follow(const HeatScale& scale, bool shown) {
    scale_ = {scale.low, 1.0f / std::max(scale.high - scale.low, 1e-30f), shown ? 1.0f : 0.0f};
    lines_ = scale.isolines ? float(lines) : 0.0f;
    if (scale.colors == colors_) return;
    colors_ = scale.colors;
    table_ = heat_table(colors_);
  }
  /// Sets the uniforms at these places of the program in use.
  void set(GLint scale, GLint colors, GLint isolines) const {
    set_uniform(scale, scale_);
    if (scale_.z == 0.0f) return;
    set_uniform(isolines, lines_);
    glUniform3fv(colors, GLsizei(table_.size()), &table_[0].x);
  }

  static constexpr int lines = 10;  ///< isolines over the scale

 private:
  glm::vec3 scale_{0.0f};  ///< low end, 1 / range, 1 while a heat map is shown
  float lines_ = 0.0f;
  ColorMap colors_ = ColorMap::viridis;
  std::array<glm::vec3, heat_table_size> table_ = heat_table(ColorMap::viridis);
};

}  // namespace limber
