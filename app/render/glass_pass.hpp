// Draws glass over the picture: panes, boxes and balls with refraction, meshes as thin shells.
#pragma once

#include <string>
#include <vector>

#include "app/render/primitive_pass.hpp"
#include "app/render/render_target.hpp"

namespace limber {

/// Solids of glass of one view.
class GlassPass {
 public:
  static Expected<GlassPass> create(const std::string& shader_folder);

  /// Takes the panes, and those of `solids` that look like glass, farthest first.
  void upload(const std::vector<PrimitiveDraw>& panes, const std::vector<PrimitiveDraw>& solids,
              glm::vec4 eye);

  /// Draws over the picture in `target`, within its viewport and scissor rectangle, and leaves `target`
  /// bound. Does not write depth. `refracts`: each solid shows the picture behind it refracted, which costs a
  /// copy of the picture per solid; otherwise the picture shows through unrefracted.
  void draw(const glm::mat4& clip_from_world, const RenderTarget& target, bool refracts);

  /// Draws depth, for the faint shadow of glass.
  void draw_depth(const glm::mat4& clip_from_world) const { solids_.draw_depth(clip_from_world); }

 private:
  explicit GlassPass(PrimitivePass solids);
  void copy_behind(const PrimitiveDraw& solid, const glm::mat4& clip_from_world, const RenderTarget& target);
  void resize(int width, int height);

  PrimitivePass solids_;
  GLint form_, refracts_, to_depth_;
  std::vector<PrimitiveDraw> sorted_;
  int width_ = 0, height_ = 0, copies_ = 0;
  GlTexture backdrop_ = GlTexture::create(), depth_ = GlTexture::create();
  GlFramebuffer behind_ = GlFramebuffer::create();
};

/// Whether some of the solids look like glass.
bool has_glass(const std::vector<PrimitiveDraw>& solids);

}  // namespace limber
