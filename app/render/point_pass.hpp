// Particles as spheres: a triangle each, pulled from a buffer texture.
#pragma once

#include <string>

#include "app/render/shader_program.hpp"
#include "app/render/stream_buffer.hpp"
#include "app/view/point_cloud.hpp"

namespace limber {

/// For shaders that draw fluids: balls are so much larger than their particles that no gaps show between
/// them; of their summed thickness this share makes up the particles' volume.
inline constexpr const char* swollen_balls = "#define SWELL 2.0\n#define OVERLAP 0.239\n";

/// On software OpenGL 100,000 of these triangles take half the time of instanced squares, and a tenth of that
/// of half spheres of 24 triangles. What a driver's buffer texture has no room for (65,536 points at least,
/// in practice millions) is not drawn.
class PointPass {
 public:
  static Expected<PointPass> create(const std::string& shader_folder);

  void upload(const PointCloud& cloud);

  /// `pixel_slope`: m per pixel at one metre from the eye; in a parallel view, everywhere. `samples`: per
  /// pixel of what is drawn to.
  void draw_depth(const glm::mat4& clip_from_world, float pixel_slope, int samples) const;
  void draw(const glm::mat4& clip_from_world, float pixel_slope, int samples) const;
  /// The depth of what casts a shadow: spray is too small, and light goes through fluids that are hidden here
  /// unless they are opaque.
  void draw_casters(const glm::mat4& clip_from_world) const;

  /// Spray over the surface of its fluid; changes no depth.
  void draw_spray(const glm::mat4& clip_from_world, float pixel_slope) const;

  /// Whether there are fluids, which draw() and draw_depth() leave out with their spray while `hide_fluids`.
  bool has_fluids() const { return fluid_first_ < count_; }
  void hide_fluids(bool hide) { fluids_hidden_ = hide; }
  float fluid_radius() const { return fluid_radius_; }  ///< m

  /// Uniforms of a program whose vertex shader places points.
  struct Places {
    explicit Places(const ShaderProgram& program);
    GLint clip_from_world, seen_from, pixel_slope, smooth_edge;
  };
  /// Draws the fluids with the program in use.
  void draw_fluid(const Places& places, const glm::mat4& clip_from_world, float pixel_slope) const;

 private:
  struct Program {
    explicit Program(ShaderProgram linked);
    ShaderProgram program;
    Places places;
  };
  void draw_range(const Places& places, const glm::mat4& clip_from_world, float pixel_slope, bool smooth,
                  GLsizei first, GLsizei count) const;
  PointPass(ShaderProgram depth, ShaderProgram shaded, ShaderProgram opaque, ShaderProgram spray);
  /// All but spray, and fluids unless they are hidden.
  void draw_dry(const Places& places, const glm::mat4& clip_from_world, float pixel_slope, bool smooth) const;
  void draw_with(const Program& program, const glm::mat4& clip_from_world, float pixel_slope,
                 int samples) const;

  Program depth_, shaded_, opaque_, spray_;
  StreamBuffer spheres_, tints_;
  GlTexture sphere_texture_ = GlTexture::create(), tint_texture_ = GlTexture::create();
  GlVertexArray no_attributes_ = GlVertexArray::create();
  GLsizei count_ = 0, most_ = 0;
  GLsizei fluid_first_ = 0, between_first_ = 0;  ///< points from here on: of PointCloud
  GLsizei spray_first_ = 0, spray_count_ = 0;
  float fluid_radius_ = 0.0f;
  bool fluids_hidden_ = false;
};

}  // namespace limber
