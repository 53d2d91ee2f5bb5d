// Draws particles as spheres: one triangle each, pulled from a buffer texture.
#pragma once

#include <string>

#include "app/render/shader_program.hpp"
#include "app/render/stream_buffer.hpp"
#include "app/view/point_cloud.hpp"

namespace limber {

/// Defines for shaders that draw fluids. Balls are larger than their particles so that no gaps show; OVERLAP
/// is the ratio of the particles' volume to the summed thickness of the balls.
inline constexpr const char* swollen_balls = "#define SWELL 2.0\n#define OVERLAP 0.239\n";

/// Particles as triangles about the outlines of spheres. On software OpenGL, 100,000 of these triangles take
/// half the time of instanced squares and a tenth of the time of half spheres of 24 triangles. Points beyond
/// the capacity of the driver's buffer textures (at least 65,536, in practice millions) are not drawn.
class PointPass {
 public:
  static Expected<PointPass> create(const std::string& shader_folder);

  void upload(const PointCloud& cloud);

  /// `pixel_slope`: m per pixel at one metre from the eye; in a parallel view, everywhere. `samples`: samples
  /// per pixel of the render target.
  void draw_depth(const glm::mat4& clip_from_world, float pixel_slope, int samples) const;
  void draw(const glm::mat4& clip_from_world, float pixel_slope, int samples, Shading shading) const;
  /// Draws the depth of shadow casters. Spray is too small to cast a shadow, and hidden fluids cast one only
  /// if they are opaque.
  void draw_casters(const glm::mat4& clip_from_world) const;

  /// Draws spray over the surface of its fluid. Leaves depth unchanged.
  void draw_spray(const glm::mat4& clip_from_world, float pixel_slope) const;

  /// Whether there are fluids. While `hide_fluids` is set, draw() and draw_depth() leave out fluids and their
  /// spray, and the balls of opaque fluids cast shadows only if `shadows` is set.
  bool has_fluids() const { return fluid_first_ < count_; }
  void hide_fluids(bool hide, bool shadows = true) { fluids_hidden_ = hide, balls_cast_ = shadows; }
  float fluid_radius() const { return fluid_radius_; }  ///< m

  /// Uniform locations of a program whose vertex shader places points.
  struct Places {
    explicit Places(const ShaderProgram& program);
    GLint clip_from_world, seen_from, pixel_slope, smooth_edge;
  };
  /// Draws the fluids. The program must be in use.
  void draw_fluid(const Places& places, const glm::mat4& clip_from_world, float pixel_slope) const;

 private:
  struct Program {
    explicit Program(ShaderProgram linked);
    ShaderProgram program;
    Places places;
  };
  void draw_range(const Places& places, const glm::mat4& clip_from_world, float pixel_slope, bool smooth,
                  GLsizei first, GLsizei count) const;
  PointPass(ShaderProgram depth, std::vector<ShaderProgram> shaded, ShaderProgram opaque,
            ShaderProgram spray);
  /// Draws everything but spray and hidden fluids.
  void draw_dry(const Places& places, const glm::mat4& clip_from_world, float pixel_slope, bool smooth) const;
  void draw_with(const Program& program, const glm::mat4& clip_from_world, float pixel_slope,
                 int samples) const;

  Program depth_;
  ByShading<Program> shaded_;
  Program opaque_, spray_;
  StreamBuffer spheres_, tints_;
  GlTexture sphere_texture_ = GlTexture::create(), tint_texture_ = GlTexture::create();
  GlVertexArray no_attributes_ = GlVertexArray::create();
  GLsizei count_ = 0, most_ = 0;
  GLsizei fluid_first_ = 0, between_first_ = 0;  ///< first index of these points, as in PointCloud
  GLsizei spray_first_ = 0, spray_count_ = 0;
  float fluid_radius_ = 0.0f;
  bool fluids_hidden_ = false, balls_cast_ = true;
};

}  // namespace limber
