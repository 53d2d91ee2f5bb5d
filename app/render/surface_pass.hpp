// Draws cloth and other triangle surfaces: two-sided, patterned, woven, with or without wireframe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/render/heat_uniforms.hpp"
#include "app/render/section_pass.hpp"
#include "app/render/shader_program.hpp"
#include "app/render/stream_buffer.hpp"
#include "app/render/surface_style.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

class SurfacePass {
 public:
  static Expected<SurfacePass> create(const std::string& shader_folder);

  /// Uploads positions and normals every frame, triangles and uvs only if `frame.surfaces` is another object.
  /// `clip` cuts the surfaces open; solids of tetrahedra show their elements there.
  void upload(const RenderFrame& frame, const std::optional<ClipPlane>& clip = {});

  void draw_depth(const glm::mat4& clip_from_world) const;
  void draw(const glm::mat4& clip_from_world, bool wireframe, Shading shading) const;

 private:
  struct ShadedProgram {
    ShaderProgram program;
    GLint clip_from_world, color, back_color, accent, pattern, uv_map, metres, weave, matter, heat_scale,
        heat_colors, heat_lines, kept;
    explicit ShadedProgram(ShaderProgram linked);
  };
  struct StyledDraw {
    SurfaceDraw draw;
    SurfaceStyle style;
  };

  SurfacePass(ShaderProgram depth, std::vector<ShaderProgram> shaded, ShaderProgram wire,
              SectionPass section);
  void draw_triangles(const glm::mat4& clip_from_world, const SurfaceDraw& draw) const;
  void draw_section_in_skin(const glm::mat4& clip_from_world, const TetDraw& solid,
                            const SectionPass::Range& range) const;
  void upload_topology(const RenderFrame& frame);
  void set_vertex_format();
  void set_buffer_textures();
  void set_look(const ShadedProgram& program, const StyledDraw& item) const;
  void bind_buffer_textures() const;
  void upload_heat(const RenderFrame& frame);

  ShaderProgram depth_;
  GLint depth_clip_from_world_, depth_kept_;
  ByShading<ShadedProgram> shaded_;
  ShadedProgram wire_;
  StreamBuffer positions_, normals_, heat_;
  GlBuffer uvs_ = GlBuffer::create(), indices_ = GlBuffer::create();
  GlVertexArray vertices_ = GlVertexArray::create(), no_attributes_ = GlVertexArray::create();
  GlTexture position_texture_ = GlTexture::create(), normal_texture_ = GlTexture::create();
  GlTexture uv_texture_ = GlTexture::create(), index_texture_ = GlTexture::create();
  GlTexture heat_texture_ = GlTexture::create();

  SectionPass section_;
  std::optional<ClipPlane> clip_;

  std::shared_ptr<const SurfaceTopology> topology_;  ///< kept alive, so that its address is not reused
  std::vector<StyledDraw> draws_;
  std::uint64_t styled_version_ = 0;  ///< model version of the styles in draws_
  std::vector<glm::vec3> padded_normals_;
  std::size_t vertices_needed_ = 0;  ///< largest index + 1
  HeatUniforms heat_uniforms_;
  bool drawable_ = false;  ///< the frame has the vertices its triangles name
  bool pullable_ = false;  ///< the mesh fits into the driver's buffer textures
};

}  // namespace limber
