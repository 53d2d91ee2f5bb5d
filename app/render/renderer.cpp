#include "app/render/renderer.hpp"

#include <algorithm>

#include "app/render/frame_block.hpp"
#include "app/render/light_maps.hpp"
#include "app/render/mark_pass.hpp"
#include "app/render/point_pass.hpp"
#include "app/render/render_target.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/solid_pass.hpp"
#include "app/render/surface_pass.hpp"

namespace limber {
namespace {

std::string gl_string(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text ? text : "unknown";
}

/// "OpenGL 4.5, llvmpipe (LLVM 15.0.6, 256 bits)"
std::string describe_context(int version) {
  return "OpenGL " + std::to_string(GLAD_VERSION_MAJOR(version)) + '.' +
         std::to_string(GLAD_VERSION_MINOR(version)) + ", " + gl_string(GL_RENDERER);
}

template <class... T>
const Error* first_error(const Expected<T>&... made) {
  const Error* error = nullptr;
  ((error = error || made ? error : &made.error()), ...);
  return error;
}

/// The state that passes rely on; whoever draws on top (the panels) may have left anything.
void set_common_state() {
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glEnable(GL_MULTISAMPLE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

constexpr int still_samples = 8;  // per pixel of a picture to keep

/// px by which drawing `k` of some is shifted, so that their samples, so many each, lie evenly in a pixel: no
/// two drawings in one row or column.
glm::vec2 pixel_shift(int k, int drawings, int samples) {
  const auto place = [&](int step) { return (float(step) + 0.5f) / float(drawings) - 0.5f; };
  return glm::vec2(place(k), place(3 * k % drawings)) / float(samples);
}

}  // namespace

struct Renderer::Implementation {
  std::string description;
  SurfacePass surfaces;
  SolidPass solids, panes;
  PointPass points;
  MarkPass marks;
  ScreenPass ground, sky;
  OcclusionMap occlusion;
  ShadowMap shadow = {};
  RenderTarget target = {};
  StreamBuffer frame_block = {};

  void draw_casters(const glm::mat4& clip_from_world) const {
    surfaces.draw_depth(clip_from_world);
    solids.draw_depth(clip_from_world);
    points.draw_depth(clip_from_world, 0.0f, 1);
  }
  void draw_panes(const glm::mat4& clip_from_world) const;
  FrameBlock draw_light_maps(const RenderFrame& frame, const Camera& camera, const ViewOptions& view);
  void draw_picture(const RenderFrame& frame, const Camera& camera, const ViewOptions& view,
                    bool ground_seen);
};

FrameBlock Renderer::Implementation::draw_light_maps(const RenderFrame& frame, const Camera& camera,
                                                     const ViewOptions& view) {
  const glm::vec2 size(target.width(), target.height());
  FrameBlockInput input{camera, usable_bounds(frame), size};
  input.shadows = view.shadows;
  input.ground_cell = frame.ground_cell;
  if (view.shadows) {
    const DrawCasters casters = [this](const glm::mat4& clip_from_world) { draw_casters(clip_from_world); };
    input.shadow_texels = shadow.resize(view.shadow_size);
    input.sun = sun_view(input.bounds, input.shadow_texels);
    shadow.render(input.sun, casters);
    if (frame.ground) {
      const BoxView from_below = ground_view(input.bounds, input.ground_rectangle);
      occlusion.render(from_below, input.ground_rectangle, casters);
    }
  }
  shadow.bind();
  occlusion.bind();
  return make_frame_block(input);
}

/// In no order: all panes are alike and thin, so which one is in front hardly shows.
void Renderer::Implementation::draw_panes(const glm::mat4& clip_from_world) const {
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  panes.draw(clip_from_world);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

void Renderer::Implementation::draw_picture(const RenderFrame& frame, const Camera& camera,
                                            const ViewOptions& view, bool ground_seen) {
  const glm::vec2 size(target.width(), target.height());
  const glm::mat4 clip_from_world = camera.projection(size.x / size.y) * camera.view();
  const float pixel_slope = eye_of(camera, size).w * (camera.orthographic ? camera.distance : 1.0f);
  target.bind_for_drawing();
  glClear(GL_DEPTH_BUFFER_BIT);
  // Depth first, so that every pixel is shaded once; then what lies behind, nearest first.
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  surfaces.draw_depth(clip_from_world);
  solids.draw_depth(clip_from_world);
  points.draw_depth(clip_from_world, pixel_slope, target.samples());
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  surfaces.draw(clip_from_world, view.wireframe);
  solids.draw(clip_from_world);
  points.draw(clip_from_world, pixel_slope, target.samples());
  glEnable(GL_DEPTH_CLAMP);  // the ground reaches beyond the far plane
  if (ground_seen) ground.draw(clip_from_world);
  sky.draw(clip_from_world);
  glDisable(GL_DEPTH_CLAMP);
  draw_panes(clip_from_world);
  marks.draw(frame.lines, frame.dots, clip_from_world);
  glDisable(GL_DEPTH_TEST);
  marks.draw(frame.lines_on_top, frame.dots_on_top, clip_from_world);
  glEnable(GL_DEPTH_TEST);
}

Renderer::Renderer(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Renderer::~Renderer() = default;

Expected<std::unique_ptr<Renderer>> Renderer::create(LoadProc load, const std::string& shader_folder) {
  const int version = gladLoadGL(load);
  if (version < GLAD_MAKE_VERSION(3, 3)) {
    return Error{"this needs OpenGL 3.3; the graphics driver offers " +
                     (version == 0 ? std::string("none") : describe_context(version)),
                 "", 0, "update the graphics driver, or install libgl1-mesa-dri for software rendering"};
  }
  auto surfaces = SurfacePass::create(shader_folder);
  auto solids = SolidPass::create(shader_folder);
  auto panes = SolidPass::create(shader_folder, "glass");
  auto points = PointPass::create(shader_folder);
  auto marks = MarkPass::create(shader_folder);
  auto ground = ScreenPass::create(shader_folder, "ground", "ground", 4);
  auto sky = ScreenPass::create(shader_folder, "screen", "sky", 3);
  auto occlusion = OcclusionMap::create(shader_folder);
  if (const Error* error = first_error(surfaces, solids, panes, points, marks, ground, sky, occlusion))
    return *error;
  auto implementation = std::make_unique<Implementation>(Implementation{
      describe_context(version), std::move(*surfaces), std::move(*solids), std::move(*panes),
      std::move(*points), std::move(*marks), std::move(*ground), std::move(*sky), std::move(*occlusion)});
  return std::unique_ptr<Renderer>(new Renderer(std::move(implementation)));
}

void Renderer::draw(const RenderFrame& frame, const Camera& camera, const ViewOptions& view, int width,
                    int height) {
  Implementation& own = *implementation_;
  set_common_state();
  own.target.resize(width, height, view.msaa);
  own.surfaces.upload(frame);
  const glm::vec4 eye = eye_of(camera, glm::vec2(own.target.width(), own.target.height()));
  own.solids.upload(frame.solids, eye);
  own.panes.upload(frame.panes, eye);
  own.points.upload(frame.points);

  const FrameBlock block = own.draw_light_maps(frame, camera, view);
  own.frame_block.upload(std::span(&block, 1));
  glBindBufferBase(GL_UNIFORM_BUFFER, frame_block_binding, own.frame_block.id());

  const bool ground_seen = frame.ground && block.eye.y > 0.0f;  // from below, the scene shows instead
  own.draw_picture(frame, camera, view, ground_seen);
  own.target.resolve();
}

Image Renderer::draw_still(const RenderFrame& frame, const Camera& camera, const ViewOptions& view, int width,
                           int height, const std::function<void()>& on_top) {
  ViewOptions still = view;
  still.msaa = std::max(view.msaa, still_samples);
  const RenderTarget& target = implementation_->target;
  std::vector<std::uint16_t> sum;
  Image image;
  for (int k = 0, drawings = 1; k < drawings; ++k) {
    Camera shifted = camera;
    if (k == 0) implementation_->target.resize(width, height, still.msaa);
    drawings = (still_samples + target.samples() - 1) / target.samples();
    shifted.middle +=
        2.0f * pixel_shift(k, drawings, target.samples()) / glm::vec2(target.width(), target.height());
    draw(frame, shifted, still, width, height);
    if (on_top) on_top();
    image = read_pixels();
    if (drawings == 1) return image;
    sum.resize(image.rgb.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = std::uint16_t(sum[i] + image.rgb[i]);
    if (k + 1 < drawings) continue;
    for (std::size_t i = 0; i < sum.size(); ++i)
      image.rgb[i] = std::uint8_t((sum[i] + drawings / 2) / drawings);
  }
  return image;
}

void Renderer::blit_to_window(int width, int height) {
  const RenderTarget& target = implementation_->target;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.resolved());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  const bool same_size = width == target.width() && height == target.height();
  glDisable(GL_SCISSOR_TEST);
  glBlitFramebuffer(0, 0, target.width(), target.height(), 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                    same_size ? GL_NEAREST : GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Image Renderer::read_pixels() const {
  const RenderTarget& target = implementation_->target;
  Image image{target.width(), target.height(), {}};
  const std::size_t row = 3 * std::size_t(image.width);
  std::vector<std::uint8_t> bottom_up(row * std::size_t(image.height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.resolved());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, bottom_up.data());
  image.rgb.resize(bottom_up.size());
  for (std::size_t y = 0; y < std::size_t(image.height); ++y) {
    const auto from = bottom_up.end() - std::ptrdiff_t((y + 1) * row);
    std::copy(from, from + std::ptrdiff_t(row), image.rgb.begin() + std::ptrdiff_t(y * row));
  }
  return image;
}

const std::string& Renderer::description() const { return implementation_->description; }

}  // namespace limber
