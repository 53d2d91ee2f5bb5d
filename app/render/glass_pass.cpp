#include "app/render/glass_pass.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <iterator>
#include <utility>

#include "app/render/depth_range.hpp"
#include "app/view/obstacles.hpp"

namespace limber {
namespace {

bool is_glass(const PrimitiveDraw& solid) { return solid.look == Look::glass; }

/// The shader's number of a form that it can follow a ray through; 0: a shell. The ball in the hand is one,
/// so that it hides nothing.
int form_of(const PrimitiveDraw& solid) {
  if (solid.shape == PrimitiveDraw::Shape::box) return 1;
  return solid.shape == PrimitiveDraw::Shape::sphere && is_glass(solid) ? 2 : 0;
}

}  // namespace

bool has_glass(const std::vector<PrimitiveDraw>& solids) {
  return std::any_of(solids.begin(), solids.end(), is_glass);
}

Expected<GlassPass> GlassPass::create(const std::string& folder) {
  auto solids = PrimitivePass::create(folder, "glass", "glass");
  if (!solids) return solids.error();
  return GlassPass(std::move(*solids));
}

GlassPass::GlassPass(PrimitivePass solids)
    : solids_(std::move(solids)),
      form_(solids_.shaded().uniform("form")),
      refracts_(solids_.shaded().uniform("refracts")),
      to_depth_(solids_.shaded().uniform("to_depth")) {}

void GlassPass::upload(const std::vector<PrimitiveDraw>& panes, const std::vector<PrimitiveDraw>& solids,
                       glm::vec4 eye) {
  sorted_ = panes;
  std::copy_if(solids.begin(), solids.end(), std::back_inserter(sorted_), is_glass);
  const auto away = [&](const PrimitiveDraw& solid) {
    return glm::distance(glm::vec3(solid.transform[3]), glm::vec3(eye));
  };
  std::stable_sort(sorted_.begin(), sorted_.end(),
                   [&](const PrimitiveDraw& a, const PrimitiveDraw& b) { return away(a) > away(b); });
  solids_.upload(sorted_, eye);
}

void GlassPass::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width, height_ = height;
  allocate(backdrop_, {GL_RGBA16F, GL_RGBA, GL_FLOAT}, width, height, GL_LINEAR);
  allocate(depth_, {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8}, width, height, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, behind_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, backdrop_.id(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
}

/// Copies the picture behind a solid. The first copy is of the whole view, as mirrors show it.
void GlassPass::copy_behind(const PrimitiveDraw& solid, const glm::mat4& clip_from_world,
                            const RenderTarget& target) {
  glm::ivec4 place, kept;  // rectangles of the view in the target
  glGetIntegerv(GL_VIEWPORT, &place.x);
  glGetIntegerv(GL_SCISSOR_BOX, &kept.x);
  const glm::vec3 at(solid.transform[3]), reach = solid_reach(solid);
  resize(target.width(), target.height());
  const glm::ivec4 seen = seen_part(at - reach, at + reach, clip_from_world, place);
  if (copies_++ > 0) glScissor(seen.x, seen.y, seen.z, seen.w);
  target.copy_to(behind_, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  target.bind_for_drawing();
  glViewport(place.x, place.y, place.z, place.w);
  glScissor(kept.x, kept.y, kept.z, kept.w);
}

void GlassPass::draw(const glm::mat4& clip_from_world, const RenderTarget& target, bool refracts) {
  if (sorted_.empty()) return;
  copies_ = 0;
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 8.0f);  // puts a side that coincides with a face of another object behind that face
  glEnable(GL_CULL_FACE);
  for (std::size_t k = 0; k < sorted_.size(); ++k) {
    const bool copied = refracts && form_of(sorted_[k]) != 0;
    if (copied) copy_behind(sorted_[k], clip_from_world, target);
    solids_.begin(clip_from_world);
    set_uniform(to_depth_, depth_of_inverse(clip_from_world));
    glActiveTexture(GL_TEXTURE0 + GLenum(backdrop_unit));
    glBindTexture(GL_TEXTURE_2D, backdrop_.id());
    glActiveTexture(GL_TEXTURE0 + GLenum(solid_unit));
    glBindTexture(GL_TEXTURE_2D, depth_.id());
    set_uniform(form_, form_of(sorted_[k]));
    set_uniform(refracts_, copied ? 1 : 0);
    if (form_of(sorted_[k]) == 0) {  // the far side of a shell, then the near one
      glCullFace(GL_FRONT);
      solids_.draw_one(k);
    }
    glCullFace(GL_BACK);
    solids_.draw_one(k);
  }
  glDisable(GL_CULL_FACE);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

}  // namespace limber
