#include "app/render/fluid_mesh_pass.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "app/render/depth_range.hpp"

namespace limber {
namespace {

void attach(const GlFramebuffer& target, GLenum where, const GlTexture& texture) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, where, GL_TEXTURE_2D, texture.id(), 0);
}

void bind_unit(TextureUnit unit, const GlTexture& texture) {
  glActiveTexture(GL_TEXTURE0 + GLenum(unit));
  glBindTexture(GL_TEXTURE_2D, texture.id());
}

}  // namespace

FluidMeshBuffer::FluidMeshBuffer() {
  vertices_.upload(std::span<const FluidMeshes::Vertex>());
  indices_.upload(std::span<const std::uint32_t>());
  glBindVertexArray(format_.id());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.id());
  const std::size_t starts[] = {offsetof(FluidMeshes::Vertex, position),
                                offsetof(FluidMeshes::Vertex, normal)};
  for (GLuint location = 0; location < 2; ++location) {
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, 3, GL_FLOAT, GL_FALSE, GLsizei(sizeof(FluidMeshes::Vertex)),
                          reinterpret_cast<const void*>(starts[location]));
  }
}

void FluidMeshBuffer::upload(const PointCloud& points) {
  if (meshes_.update(points)) {
    vertices_.upload(std::span(meshes_.vertices()));
    indices_.upload(std::span(meshes_.indices()));
  }
  drawn_ = !meshes_.bodies().empty();
}

void FluidMeshBuffer::clear() { drawn_ = false; }

void FluidMeshBuffer::draw(const FluidBody& body) const {
  glBindVertexArray(format_.id());
  glDrawElements(GL_TRIANGLES, GLsizei(body.index_count), GL_UNSIGNED_INT,
                 reinterpret_cast<const void*>(std::uintptr_t(body.first_index) * sizeof(std::uint32_t)));
}

FluidMeshPass::Program::Program(ShaderProgram linked)
    : program(std::move(linked)),
      clip_from_world(program.uniform("clip_from_world")),
      tint(program.uniform("tint")),
      absorption(program.uniform("absorption")),
      to_depth(program.uniform("to_depth")),
      radius(program.uniform("radius")) {}

Expected<FluidMeshPass> FluidMeshPass::create(const std::string& folder) {
  auto depth = ShaderProgram::load(folder, "fluid_mesh", "depth");
  if (!depth) return depth.error();
  auto opaque = ShaderProgram::load(folder, "fluid_mesh", "fluid_opaque");
  if (!opaque) return opaque.error();
  auto path = ShaderProgram::load(folder, "fluid_mesh", "fluid_path");
  if (!path) return path.error();
  auto face = ShaderProgram::load(folder, "fluid_mesh", "fluid_face");
  if (!face) return face.error();
  auto clear = ShaderProgram::load(folder, "screen", "fluid_clear");
  if (!clear) return clear.error();
  return FluidMeshPass(Program(std::move(*depth)), Program(std::move(*opaque)), Program(std::move(*path)),
                       Program(std::move(*face)), Program(std::move(*clear)));
}

FluidMeshPass::FluidMeshPass(Program depth, Program opaque, Program path, Program face, Program clear)
    : depth_(std::move(depth)),
      opaque_(std::move(opaque)),
      path_(std::move(path)),
      face_(std::move(face)),
      clear_(std::move(clear)) {}

void FluidMeshPass::draw_bodies(const Program& program, const FluidMeshBuffer& fluids,
                                const glm::mat4& clip_from_world, bool opaque) const {
  if (fluids.empty()) return;
  program.program.use();
  set_uniform(program.clip_from_world, clip_from_world);
  for (const FluidBody& body : fluids.meshes().bodies()) {
    if (body.opaque() != opaque) continue;
    set_uniform(program.tint, glm::vec4(body.light(), body.opacity()));
    fluids.draw(body);
  }
}

void FluidMeshPass::draw_opaque_depth(const FluidMeshBuffer& fluids, const glm::mat4& clip_from_world) const {
  draw_bodies(depth_, fluids, clip_from_world, true);
}

void FluidMeshPass::draw_opaque(const FluidMeshBuffer& fluids, const glm::mat4& clip_from_world) const {
  draw_bodies(opaque_, fluids, clip_from_world, true);
}

void FluidMeshPass::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width, height_ = height;
  const TexelFormat depth{GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8};
  const TexelFormat half{GL_RGBA16F, GL_RGBA, GL_FLOAT}, whole{GL_RGBA32F, GL_RGBA, GL_FLOAT};
  allocate(backdrop_, half, width, height, GL_LINEAR);
  allocate(solid_, depth, width, height, GL_NEAREST);
  allocate(nearest_, depth, width, height, GL_NEAREST);
  allocate(tint_map_, whole, width, height, GL_NEAREST);
  for (const GlTexture* map : {&path_map_, &face_map_, &exit_map_})
    allocate(*map, whole, width, height, GL_NEAREST);
  attach(backdrop_target_, GL_COLOR_ATTACHMENT0, backdrop_);
  attach(backdrop_target_, GL_DEPTH_STENCIL_ATTACHMENT, solid_);
  attach(face_target_, GL_DEPTH_STENCIL_ATTACHMENT, nearest_);
  attach(path_target_, GL_COLOR_ATTACHMENT0, path_map_);
  attach(path_target_, GL_COLOR_ATTACHMENT1, tint_map_);
  constexpr GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
  attach(exit_target_, GL_COLOR_ATTACHMENT0, exit_map_);
  attach(exit_target_, GL_DEPTH_STENCIL_ATTACHMENT, nearest_);
  attach(face_target_, GL_COLOR_ATTACHMENT0, face_map_);
}

/// Draws the nearest faces in front of all solids, except those that are culled.
void FluidMeshPass::draw_faces(const FluidMeshBuffer& fluids, const View& view, const GlFramebuffer& into,
                               GLenum culled) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, backdrop_target_.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, into.id());
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, into.id());
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_CULL_FACE);
  glCullFace(culled);
  face_.program.use();
  set_uniform(face_.clip_from_world, view.clip_from_world);
  fluids.draw(fluids.meshes().clear());
  glDisable(GL_CULL_FACE);
}

void FluidMeshPass::draw_clear(const FluidMeshBuffer& fluids, const View& view, const RenderTarget& target) {
  if (fluids.empty() || fluids.meshes().clear().index_count == 0) return;
  glm::ivec4 place, kept;  // rectangles of the view in the target, and so in the maps
  glGetIntegerv(GL_VIEWPORT, &place.x);
  glGetIntegerv(GL_SCISSOR_BOX, &kept.x);
  resize(target.width(), target.height());
  target.copy_to(backdrop_target_, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  const glm::ivec4 seen =
      seen_part(fluids.meshes().least(), fluids.meshes().most(), view.clip_from_world, place);
  glScissor(seen.x, seen.y, seen.z, seen.w);
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  const glm::vec2 to_depth = depth_of_inverse(view.clip_from_world);
  bind_unit(solid_unit, solid_);

  glBindFramebuffer(GL_FRAMEBUFFER, path_target_.id());
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  path_.program.use();
  set_uniform(path_.absorption, view.absorption);
  set_uniform(path_.to_depth, to_depth);
  draw_bodies(path_, fluids, view.clip_from_world, false);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
  draw_faces(fluids, view, exit_target_, GL_FRONT);
  draw_faces(fluids, view, face_target_, GL_BACK);

  target.bind_for_drawing();
  glViewport(place.x, place.y, place.z, place.w);
  clear_.program.use();
  set_uniform(clear_.to_depth, to_depth);
  set_uniform(clear_.radius, view.radius);
  bind_unit(fluid_unit, face_map_);
  bind_unit(thickness_unit, tint_map_);
  bind_unit(opaque_unit, path_map_);
  bind_unit(shape_unit, exit_map_);
  bind_unit(backdrop_unit, backdrop_);
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glScissor(kept.x, kept.y, kept.z, kept.w);
}

}  // namespace limber
