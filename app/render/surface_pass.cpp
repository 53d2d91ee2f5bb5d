#include "app/render/surface_pass.hpp"

#include <algorithm>
#include <utility>

namespace limber {
namespace {

/// The part of a draw inside the index list, in whole triangles.
SurfaceDraw clipped(SurfaceDraw draw, std::size_t index_count) {
  const auto total = std::uint32_t(index_count);
  draw.first_index = std::min(draw.first_index, total);
  draw.index_count = std::min(draw.index_count, total - draw.first_index) / 3 * 3;
  return draw;
}

constexpr GLuint heat_attribute = 3;

const void* index_offset(std::uint32_t first) {
  return reinterpret_cast<const void*>(std::uintptr_t(first) * sizeof(std::uint32_t));
}

template <class T>
void upload_static(GLenum target, const GlBuffer& buffer, const std::vector<T>& values) {
  glBindBuffer(target, buffer.id());
  // A buffer is never without storage, see StreamBuffer.
  glBufferData(target, std::max<GLsizeiptr>(GLsizeiptr(values.size() * sizeof(T)), 16), nullptr,
               GL_STATIC_DRAW);
  if (!values.empty()) glBufferSubData(target, 0, GLsizeiptr(values.size() * sizeof(T)), values.data());
}

/// Enables the clip distance of surfaces during its lifetime.
class Clipped {
 public:
  explicit Clipped(const std::optional<ClipPlane>& plane) : on_(plane.has_value()) {
    if (on_) glEnable(GL_CLIP_DISTANCE0);
  }
  ~Clipped() {
    if (on_) glDisable(GL_CLIP_DISTANCE0);
  }
  Clipped(const Clipped&) = delete;
  Clipped& operator=(const Clipped&) = delete;

 private:
  bool on_;
};

glm::vec4 kept_of(const std::optional<ClipPlane>& plane) {
  return plane ? plane->kept() : glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
}

}  // namespace

SurfacePass::ShadedProgram::ShadedProgram(ShaderProgram linked)
    : program(std::move(linked)),
      clip_from_world(program.uniform("clip_from_world")),
      color(program.uniform("front_color")),
      back_color(program.uniform("back_color")),
      accent(program.uniform("accent")),
      pattern(program.uniform("pattern")),
      uv_map(program.uniform("uv_map")),
      metres(program.uniform("metres")),
      weave(program.uniform("thread")),
      matter(program.uniform("matter")),
      heat_scale(program.uniform("heat_scale")),
      heat_colors(program.uniform("heat_colors")),
      heat_lines(program.uniform("heat_lines")),
      kept(program.uniform("kept")) {}

Expected<SurfacePass> SurfacePass::create(const std::string& folder) {
  auto depth = ShaderProgram::load(folder, "surface_depth", "depth");
  if (!depth) return depth.error();
  auto shaded = load_shadings(folder, "surface", "surface");
  if (!shaded) return shaded.error();
  auto wire = ShaderProgram::load(folder, "surface", "surface", "#define WIREFRAME\n");
  if (!wire) return wire.error();
  auto section = SectionPass::create(folder);
  if (!section) return section.error();
  return SurfacePass(std::move(*depth), std::move(*shaded), std::move(*wire), std::move(*section));
}

SurfacePass::SurfacePass(ShaderProgram depth, std::vector<ShaderProgram> shaded, ShaderProgram wire,
                         SectionPass section)
    : depth_(std::move(depth)),
      depth_clip_from_world_(depth_.uniform("clip_from_world")),
      depth_kept_(depth_.uniform("kept")),
      shaded_(by_shading<ShadedProgram>(std::move(shaded))),
      wire_(std::move(wire)),
      section_(std::move(section)) {
  positions_.upload(std::span<const glm::vec3>());
  normals_.upload(std::span<const glm::vec3>());
  heat_.upload(std::span<const float>());
  upload_static(GL_ARRAY_BUFFER, uvs_, std::vector<glm::vec2>());
  set_vertex_format();
  upload_static(GL_ELEMENT_ARRAY_BUFFER, indices_, std::vector<std::uint32_t>());
  set_buffer_textures();
}

void SurfacePass::set_vertex_format() {
  glBindVertexArray(vertices_.id());
  const std::pair<GLuint, GLint> attributes[] = {{positions_.id(), 3}, {normals_.id(), 3}, {uvs_.id(), 2}};
  for (GLuint location = 0; location < 3; ++location) {
    const auto [buffer, components] = attributes[location];
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, 0, nullptr);
  }
  glBindBuffer(GL_ARRAY_BUFFER, heat_.id());
  glVertexAttribPointer(heat_attribute, 1, GL_FLOAT, GL_FALSE, 0, nullptr);  // enabled only with a heat map
}

/// Binds the vertex buffers as textures for the wireframe. Its shader must know which corner of the triangle
/// a vertex is, which an index buffer hides. GL 3.3 has no three-component buffer textures, so vectors are
/// read as three numbers.
void SurfacePass::set_buffer_textures() {
  const std::tuple<GLuint, GLuint, GLenum> views[] = {{position_texture_.id(), positions_.id(), GL_R32F},
                                                      {normal_texture_.id(), normals_.id(), GL_R32F},
                                                      {uv_texture_.id(), uvs_.id(), GL_RG32F},
                                                      {index_texture_.id(), indices_.id(), GL_R32UI},
                                                      {heat_texture_.id(), heat_.id(), GL_R32F}};
  for (const auto& [texture, buffer, format] : views) {
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, format, buffer);
  }
}

void SurfacePass::upload(const RenderFrame& frame, const std::optional<ClipPlane>& clip) {
  if (frame.surfaces != topology_) upload_topology(frame);
  drawable_ = topology_ && vertices_needed_ > 0 && frame.positions.size() >= vertices_needed_;
  clip_ = clip;
  section_.clear();
  if (!drawable_) return;
  if (clip_) section_.upload(frame, *clip_);
  upload_heat(frame);
  positions_.upload(std::span(frame.positions));
  if (frame.normals.size() >= vertices_needed_) {
    normals_.upload(std::span(frame.normals));
  } else {
    padded_normals_ = frame.normals;
    padded_normals_.resize(vertices_needed_, glm::vec3(0.0f, 1.0f, 0.0f));
    normals_.upload(std::span<const glm::vec3>(padded_normals_));
  }
}

void SurfacePass::upload_heat(const RenderFrame& frame) {
  const bool there = frame.heat.size() >= vertices_needed_;
  heat_uniforms_.follow(frame.heat_scale, there);
  glBindVertexArray(vertices_.id());
  if (!there) return glDisableVertexAttribArray(heat_attribute);
  heat_.upload(std::span(frame.heat));
  glEnableVertexAttribArray(heat_attribute);
}

void SurfacePass::upload_topology(const RenderFrame& frame) {
  topology_ = frame.surfaces;
  const std::vector<StyledDraw> before = std::exchange(draws_, {});
  vertices_needed_ = 0;
  if (!topology_ || topology_->indices.empty()) return;
  vertices_needed_ = std::size_t(*std::ranges::max_element(topology_->indices)) + 1;
  if (frame.positions.size() < vertices_needed_) return;

  glBindVertexArray(vertices_.id());
  upload_static(GL_ELEMENT_ARRAY_BUFFER, indices_, topology_->indices);
  std::vector<glm::vec2> uvs = topology_->uvs;
  uvs.resize(std::max(uvs.size(), vertices_needed_), glm::vec2(0.0f));
  upload_static(GL_ARRAY_BUFFER, uvs_, uvs);

  for (const SurfaceDraw& given : topology_->draws) {
    const SurfaceDraw draw = clipped(given, topology_->indices.size());
    if (draw.index_count == 0) continue;
    // the style is measured on the mesh as built, so that a tear does not change the weave
    const bool torn =
        styled_version_ != 0 && frame.model_version == styled_version_ && draws_.size() < before.size();
    draws_.push_back(
        {draw, torn ? before[draws_.size()].style : make_surface_style(draw, *topology_, frame.positions)});
  }
  styled_version_ = frame.model_version;
  GLint texels = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
  pullable_ = std::max(topology_->indices.size(), 3 * frame.positions.size()) <= std::size_t(texels);
}

void SurfacePass::draw_triangles(const glm::mat4& clip_from_world, const SurfaceDraw& draw) const {
  depth_.use();
  set_uniform(depth_clip_from_world_, clip_from_world);
  set_uniform(depth_kept_, kept_of(clip_));
  glBindVertexArray(vertices_.id());
  glDrawElements(GL_TRIANGLES, GLsizei(draw.index_count), GL_UNSIGNED_INT, index_offset(draw.first_index));
}

void SurfacePass::draw_depth(const glm::mat4& clip_from_world) const {
  if (!drawable_) return;
  {
    const Clipped clipped(clip_);
    for (const StyledDraw& item : draws_) draw_triangles(clip_from_world, item.draw);
  }
  for (std::size_t s = 0; clip_ && s < topology_->solids.size(); ++s)
    if (!topology_->solids[s].in_skin) section_.draw_depth(clip_from_world, section_.range_of(s));
}

void SurfacePass::draw(const glm::mat4& clip_from_world, bool wireframe, Shading shading) const {
  if (!drawable_) return;
  const bool pulled = wireframe && pullable_;
  const ShadedProgram& program = pulled ? wire_ : shaded_[shading];
  {
    const Clipped clipped(clip_);
    program.program.use();
    set_uniform(program.clip_from_world, clip_from_world);
    set_uniform(program.kept, kept_of(clip_));
    glBindVertexArray(pulled ? no_attributes_.id() : vertices_.id());
    if (pulled) bind_buffer_textures();
    for (const StyledDraw& item : draws_) {
      set_look(program, item);
      const auto count = GLsizei(item.draw.index_count);
      if (pulled) {
        glDrawArrays(GL_TRIANGLES, GLint(item.draw.first_index), count);
      } else {
        glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, index_offset(item.draw.first_index));
      }
    }
  }
  for (std::size_t s = 0; clip_ && s < topology_->solids.size(); ++s) {
    const SectionPass::Range range = section_.range_of(s);
    if (topology_->solids[s].in_skin)
      draw_section_in_skin(clip_from_world, topology_->solids[s], range);
    else
      section_.draw(clip_from_world, heat_uniforms_, range);
  }
}

/// Draws a section of tetrahedra that carry a skin, cut off at the skin, because the tetrahedra extend beyond
/// it. A pixel of the section is inside the skin if more of the skin's back faces than front faces lie on the
/// kept side along its ray (stencil capping).
void SurfacePass::draw_section_in_skin(const glm::mat4& clip_from_world, const TetDraw& solid,
                                       const SectionPass::Range& range) const {
  if (range.count == 0) return;
  glClear(GL_STENCIL_BUFFER_BIT);
  glEnable(GL_STENCIL_TEST);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  glDisable(GL_DEPTH_TEST);
  glStencilFunc(GL_ALWAYS, 0, 0xff);
  glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_DECR_WRAP);
  glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_INCR_WRAP);
  {
    const Clipped clipped(clip_);
    draw_triangles(clip_from_world, topology_->draws[solid.surface]);
  }
  glEnable(GL_DEPTH_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glStencilFunc(GL_NOTEQUAL, 0, 0xff);
  glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  section_.draw(clip_from_world, heat_uniforms_, range);
  glDisable(GL_STENCIL_TEST);
}

void SurfacePass::set_look(const ShadedProgram& program, const StyledDraw& item) const {
  const SurfaceStyle& style = item.style;
  set_uniform(program.color, item.draw.color);
  set_uniform(program.back_color, item.draw.back_color);
  set_uniform(program.accent, style.accent);
  set_uniform(program.pattern, style.thread > 0.0f ? item.draw.pattern : 0);
  set_uniform(program.uv_map, glm::vec4(style.uv_origin, style.uv_to_metres));
  set_uniform(program.metres, glm::vec4(style.size, style.cells));
  set_uniform(program.weave, item.draw.matter == Matter::cloth ? style.thread : 0.0f);
  set_uniform(program.matter, int(item.draw.matter));
  heat_uniforms_.set(program.heat_scale, program.heat_colors, program.heat_lines);
}

void SurfacePass::bind_buffer_textures() const {
  const std::pair<TextureUnit, GLuint> textures[] = {{position_unit, position_texture_.id()},
                                                     {normal_unit, normal_texture_.id()},
                                                     {uv_unit, uv_texture_.id()},
                                                     {index_unit, index_texture_.id()},
                                                     {heat_unit, heat_texture_.id()}};
  for (const auto& [unit, texture] : textures) {
    glActiveTexture(GL_TEXTURE0 + GLenum(unit));
    glBindTexture(GL_TEXTURE_BUFFER, texture);
  }
}

}  // namespace limber
