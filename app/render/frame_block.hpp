// Data of the picture for all shaders: camera, light, air. Mirrors shaders/frame.glsl.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/render/camera.hpp"
#include "app/render/drawings.hpp"
#include "app/render/gl_handles.hpp"
#include "app/render/stage_look.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

/// Finite, ordered bounds of at least 1 mm, whatever the frame contains.
struct Bounds {
  glm::vec3 min, max;
  glm::vec3 center() const { return 0.5f * (min + max); }
  glm::vec3 extent() const { return max - min; }
};
Bounds usable_bounds(const RenderFrame& frame);

/// An orthographic view that encloses a box.
struct BoxView {
  glm::mat4 clip_from_world{1.0f};
  float texel = 0.0f;   ///< m, side of one texel; 0 if unknown
  float height = 0.0f;  ///< m from the near to the far side
};

/// Corners, m, of the visible part of the box that contains all shadow casters, and of the visible ground
/// around it (`with_ground`). Empty if nothing is visible.
std::vector<glm::vec3> seen_corners(const glm::mat4& clip_from_world, const glm::vec3& eye,
                                    const Bounds& bounds, bool with_ground);

/// Orthographic view from a distant light in the direction `towards`, of the part of the box whose shadows
/// fall on `seen`. Extents grow in steps and the centre sits on whole texels, so that shadow edges do not
/// crawl while the box moves with the cloth.
BoxView light_view(const glm::vec3& towards, const Bounds& bounds, std::span<const glm::vec3> seen,
                   int texels);

/// View from under the ground straight up, for the soft occlusion of the ground. Leaves room around the box.
/// `rectangle` receives x, z of the low corner and 1 / extent.
BoxView ground_view(const Bounds& bounds, glm::vec4& rectangle);

/// The std140 block `Frame`. Contains only matrices and vec4, so that C++ and GLSL lay it out alike.
struct FrameBlock {
  glm::mat4 sun_from_world;                     ///< to texture coordinates and depth of the shadow map
  std::array<glm::mat4, skies> sky_from_world;  ///< to the quarters of the sky's shadow map
  glm::vec4 eye;                                ///< m; w: metres per pixel at one metre
  glm::vec4 right, up;                          ///< unit; w: slope of the picture's edge
  glm::vec4 forward;                            ///< unit
  glm::vec4 viewport;                           ///< px; zw: reciprocals
  glm::vec4 sun;                                ///< unit, towards the sun; w: 1 with shadows, else 0
  glm::vec4 shadow;  ///< m per texel, texels, 1 / texels; w: m, height of the sun's view, 0 if no fluid dims
                     ///< it
  std::array<glm::vec4, skies> sky;  ///< unit, sampled directions; w: m per texel of the map, 0: no samples
  glm::vec4 occlusion;               ///< x, z of the map's low corner, 1 / extents
  glm::vec4 air;                     ///< m: start of the fog; 1/m: its density; m: ground cell, ground radius
  glm::vec4 middle;  ///< xy: place of `forward` in the picture, [-1, 1]; z: 1 with a ground; w: 1 if shadows
                     ///< need no filter
  glm::vec4 sun_light, bounce;             ///< light of the sun (StageLook) and of the ground; w: m, depth of
                                           ///< light in jelly
  std::array<glm::vec4, skies> sky_light;  ///< light of the sampled directions
  glm::vec4 dome_low, dome_high;  ///< of StageLook, as polished surfaces mirror them; w: 1 if the backdrop is
                                  ///< flat; its light
  glm::vec4 far, above;           ///< backdrop; w of `far`: exposure, of `above`: light shown as white
  glm::vec4 ground, ground_mark;  ///< of StageLook; w: pattern; share of light missing in a corner
  std::array<glm::vec4, 9> by_normal;  ///< light_by_normal()
};

/// Position of the eye; w: metres per pixel at one metre.
glm::vec4 eye_of(const Camera& camera, glm::vec2 size);

struct FrameBlockInput {
  const Camera& camera;
  const StageLook& look;
  Bounds bounds;
  glm::vec2 size;  ///< px
  bool shadows = true;
  bool sharp_shadows = false;  ///< their edges are not filtered
  int shadow_texels = 0;
  glm::vec3 sun_towards{0.0f, 1.0f, 0.0f};
  BoxView sun;
  Drawing drawing;
  std::array<BoxView, skies> sky;  ///< texel 0: no sky samples
  bool fluid_shadow = false;
  glm::vec4 ground_rectangle{0.0f};
  float ground_cell = 0.5f;  ///< m
  float clear_path = 0.1f;   ///< m, mean free path of light in jelly
  bool ground = true;
  std::optional<float>
      backdrop;  ///< light of a flat backdrop without ground and fog; pictures find opaque pixels by it
};
FrameBlock make_frame_block(const FrameBlockInput& input);

}  // namespace limber
