#include "app/render/renderer.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <utility>

#include "app/render/fluid_pass.hpp"
#include "app/render/frame_block.hpp"
#include "app/render/light_maps.hpp"
#include "app/render/mark_pass.hpp"
#include "app/render/point_pass.hpp"
#include "app/render/render_target.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/solid_pass.hpp"
#include "app/render/surface_pass.hpp"
#include "app/view/clip_marks.hpp"

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

/// How far light goes in clear fluid before most of it is gone, as a share of what the scene shows.
constexpr float clear_share = 0.14f;

/// 1/m, of clear fluid in a scene of this size.
float absorption_in(const RenderFrame& frame) {
  return 1.0f / std::max(clear_share * frame.shown_radius, 1e-6f);
}

constexpr int still_samples = 8;  // per pixel of a picture to keep

/// px by which drawing `k` of some is shifted, so that their samples, so many each, lie evenly in a pixel: no
/// two drawings in one row or column.
glm::vec2 pixel_shift(int k, int drawings, int samples) {
  const auto place = [&](int step) { return (float(step) + 0.5f) / float(drawings) - 0.5f; };
  return glm::vec2(place(k), place(3 * k % drawings)) / float(samples);
}

/// The colours of one framebuffer into another, stretched where that has another size.
void copy(GLuint from, glm::ivec2 size, GLuint to, glm::ivec2 wanted) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  glDisable(GL_SCISSOR_TEST);
  glBlitFramebuffer(0, 0, size.x, size.y, 0, 0, wanted.x, wanted.y, GL_COLOR_BUFFER_BIT,
                    size == wanted ? GL_NEAREST : GL_LINEAR);
}

Image read(const RenderTarget& target) {
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

}  // namespace

/// What is uploaded of one frame. Each view has its own, so that buffers that do not change stay where they
/// are.
struct ScenePasses {
  SurfacePass surfaces;
  SolidPass solids, panes;
  PointPass points;
  FluidShapeBuffer fluid_shapes = {};

  static Expected<ScenePasses> create(const std::string& shader_folder);
  void upload(const RenderFrame& frame, glm::vec4 eye, const std::optional<ClipPlane>& clip) {
    surfaces.upload(frame, clip);
    solids.upload(frame.solids, eye);
    panes.upload(frame.panes, eye);
    points.upload(frame.points);
  }
  void draw_casters(const glm::mat4& clip_from_world) const {
    surfaces.draw_depth(clip_from_world);
    solids.draw_depth(clip_from_world);
    points.draw_casters(clip_from_world);
  }
  void draw_panes(const glm::mat4& clip_from_world) const;
};

Expected<ScenePasses> ScenePasses::create(const std::string& shader_folder) {
  auto surfaces = SurfacePass::create(shader_folder);
  auto solids = SolidPass::create(shader_folder);
  auto panes = SolidPass::create(shader_folder, "glass");
  auto points = PointPass::create(shader_folder);
  if (const Error* error = first_error(surfaces, solids, panes, points)) return *error;
  return ScenePasses{std::move(*surfaces), std::move(*solids), std::move(*panes), std::move(*points)};
}

struct Renderer::Implementation {
  std::string description, shader_folder;
  std::vector<ScenePasses> scenes;  ///< of each view
  MarkPass marks;
  ScreenPass ground, sky;
  FluidPass fluids;
  OcclusionMap occlusion;
  FluidShadow fluid_shadow;
  ShadowMap shadow = {};
  RenderTarget target = {}, window = {};  ///< the picture; a copy with the panels
  StreamBuffer frame_block = {};
  bool still = false;  ///< what is drawn is a picture to keep

  /// Half a second of filtering is too much for a window, not for a picture.
  bool software() const {
    return description.find("llvmpipe") != std::string::npos ||
           description.find("softpipe") != std::string::npos;
  }
  bool shows_surface(const PictureView& view, const ScenePasses& scene, const ViewOptions& options) const {
    const bool wanted = options.fluids == FluidLook::surface ||
                        (options.fluids == FluidLook::automatic && (still || !software()));
    return scene.points.has_fluids() && wanted && !view.camera.orthographic;
  }
  std::size_t passes_for(std::size_t views);
  void clear_around(const PixelRect& rect);
  void draw_view(const PictureView& view, ScenePasses& scene, const ViewOptions& options);
  FrameBlock draw_light_maps(const PictureView& view, const ScenePasses& scene, const ViewOptions& options);
  void draw_picture(const PictureView& view, const ScenePasses& scene, const ViewOptions& options,
                    bool ground_seen);
};

FrameBlock Renderer::Implementation::draw_light_maps(const PictureView& view, const ScenePasses& scene,
                                                     const ViewOptions& options) {
  const RenderFrame& frame = view.frame;
  const glm::vec2 size(view.rect.width, view.rect.height);
  FrameBlockInput input{view.camera, usable_bounds(frame), size};
  input.shadows = options.shadows;
  input.ground_cell = frame.ground_cell;
  if (options.shadows) {
    const DrawCasters casters = [&](const glm::mat4& clip_from_world) {
      scene.draw_casters(clip_from_world);
    };
    input.shadow_texels = shadow.resize(options.shadow_size);
    input.sun = sun_view(input.bounds, input.shadow_texels);
    shadow.render(input.sun, casters);
    if (frame.ground) {
      const BoxView from_below = ground_view(input.bounds, input.ground_rectangle);
      occlusion.render(from_below, input.ground_rectangle, casters);
    }
    input.fluid_shadow = shows_surface(view, scene, options);
    if (input.fluid_shadow) fluid_shadow.render(input.sun, scene.points, absorption_in(frame));
  }
  shadow.bind();
  occlusion.bind();
  fluid_shadow.bind();
  return make_frame_block(input);
}

/// In no order: all panes are alike and thin, so which one is in front hardly shows.
void ScenePasses::draw_panes(const glm::mat4& clip_from_world) const {
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  panes.draw(clip_from_world);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

void Renderer::Implementation::draw_picture(const PictureView& view, const ScenePasses& scene,
                                            const ViewOptions& options, bool ground_seen) {
  const Camera& camera = view.camera;
  const RenderFrame& frame = view.frame;
  const PixelRect& rect = view.rect;
  const glm::vec2 size(rect.width, rect.height);
  const glm::mat4 clip_from_world = camera.projection(size.x / size.y) * camera.view();
  const float pixel_slope = eye_of(camera, size).w * (camera.orthographic ? camera.distance : 1.0f);
  target.bind_for_drawing();
  const int from_below = target.height() - rect.y - rect.height;
  glViewport(rect.x, from_below, rect.width, rect.height);
  glScissor(rect.x, from_below, rect.width, rect.height);
  glEnable(GL_SCISSOR_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  // Depth first, so that every pixel is shaded once; then what lies behind, nearest first.
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  scene.surfaces.draw_depth(clip_from_world);
  scene.solids.draw_depth(clip_from_world);
  scene.points.draw_depth(clip_from_world, pixel_slope, target.samples());
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  scene.surfaces.draw(clip_from_world, options.wireframe);
  scene.solids.draw(clip_from_world);
  scene.points.draw(clip_from_world, pixel_slope, target.samples());
  glEnable(GL_DEPTH_CLAMP);  // the ground reaches beyond the far plane
  if (ground_seen) ground.draw(clip_from_world);
  sky.draw(clip_from_world);
  glDisable(GL_DEPTH_CLAMP);
  if (shows_surface(view, scene, options)) {
    fluids.draw(scene.points, scene.fluid_shapes,
                {clip_from_world, pixel_slope, scene.points.fluid_radius(), absorption_in(frame)}, target);
    scene.points.draw_spray(clip_from_world, pixel_slope);
  }
  scene.draw_panes(clip_from_world);
  marks.draw(frame.lines, frame.dots, clip_from_world);
  glDisable(GL_DEPTH_TEST);
  if (options.clip && frame.overlay.overlay == Overlay::tets) {
    std::vector<LineDraw> kept = frame.lines_on_top;
    std::erase_if(
        kept, [&](const LineDraw& line) { return options.clip->height(0.5f * (line.a + line.b)) > 0.0f; });
    marks.draw(kept, frame.dots_on_top, clip_from_world);
  } else {
    marks.draw(frame.lines_on_top, frame.dots_on_top, clip_from_world);
  }
  if (options.clip && options.clip_marks) {
    std::vector<LineDraw> lines;
    std::vector<DotDraw> dots;
    clip_marks(*options.clip, frame, lines, dots);
    marks.draw(lines, dots, clip_from_world);
  }
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
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
  auto passes = ScenePasses::create(shader_folder);
  auto marks = MarkPass::create(shader_folder);
  auto ground = ScreenPass::create(shader_folder, "ground", "ground", 4);
  auto sky = ScreenPass::create(shader_folder, "screen", "sky", 3);
  auto fluids = FluidPass::create(shader_folder);
  auto occlusion = OcclusionMap::create(shader_folder);
  auto fluid_shadow = FluidShadow::create(shader_folder);
  if (const Error* error = first_error(passes, marks, ground, sky, fluids, occlusion, fluid_shadow))
    return *error;
  std::vector<ScenePasses> scenes;
  scenes.push_back(std::move(*passes));
  auto implementation = std::make_unique<Implementation>(Implementation{
      describe_context(version), shader_folder, std::move(scenes), std::move(*marks), std::move(*ground),
      std::move(*sky), std::move(*fluids), std::move(*occlusion), std::move(*fluid_shadow)});
  return std::unique_ptr<Renderer>(new Renderer(std::move(implementation)));
}

/// As many as there are passes for: further ones are made when they are needed first.
std::size_t Renderer::Implementation::passes_for(std::size_t views) {
  while (scenes.size() < views) {
    auto more = ScenePasses::create(shader_folder);
    if (!more) break;
    scenes.push_back(std::move(*more));
  }
  return std::min(views, scenes.size());
}

/// Where there is no view.
void Renderer::Implementation::clear_around(const PixelRect& rect) {
  if (rect.x == 0 && rect.y == 0 && rect.width >= target.width() && rect.height >= target.height()) return;
  target.bind_for_drawing();
  glClearColor(0.06f, 0.07f, 0.08f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
}

void Renderer::Implementation::draw_view(const PictureView& view, ScenePasses& scene,
                                         const ViewOptions& options) {
  scene.upload(view.frame, eye_of(view.camera, glm::vec2(view.rect.width, view.rect.height)), options.clip);
  const bool surface = shows_surface(view, scene, options);
  scene.points.hide_fluids(surface);  // light goes through it
  if (surface) scene.fluid_shapes.upload(view.frame.points);
  const FrameBlock block = draw_light_maps(view, scene, options);
  frame_block.upload(std::span(&block, 1));
  glBindBufferBase(GL_UNIFORM_BUFFER, frame_block_binding, frame_block.id());
  const bool ground_seen = view.frame.ground && block.eye.y > 0.0f;  // from below, the scene shows instead
  draw_picture(view, scene, options, ground_seen);
}

void Renderer::draw(std::span<const PictureView> views, const ViewOptions& options, int width, int height) {
  Implementation& own = *implementation_;
  set_common_state();
  own.target.resize(width, height, options.msaa);
  if (!views.empty()) own.clear_around(views.front().rect);
  const std::size_t count = own.passes_for(views.size());
  for (std::size_t k = 0; k < count; ++k) {
    PictureView view = views[k];
    view.rect.width = std::clamp(view.rect.width, 1, std::max(1, own.target.width() - view.rect.x));
    view.rect.height = std::clamp(view.rect.height, 1, std::max(1, own.target.height() - view.rect.y));
    own.draw_view(view, own.scenes[k], options);
  }
  own.target.resolve();
}

void Renderer::draw(const RenderFrame& frame, const Camera& camera, const ViewOptions& options, int width,
                    int height) {
  const PictureView whole{frame, camera, {0, 0, width, height}};
  draw(std::span(&whole, 1), options, width, height);
}

Image Renderer::draw_still(const RenderFrame& frame, const Camera& camera, const ViewOptions& options,
                           int width, int height, const std::function<void()>& on_top) {
  const PictureView whole{frame, camera, {0, 0, width, height}};
  return draw_still(std::span(&whole, 1), options, width, height, on_top);
}

Image Renderer::draw_still(std::span<const PictureView> views, const ViewOptions& options, int width,
                           int height, const std::function<void()>& on_top) {
  ViewOptions still = options;
  still.msaa = std::max(options.msaa, still_samples);
  const RenderTarget& target = implementation_->target;
  std::vector<std::uint16_t> sum;
  Image image;
  for (int k = 0, drawings = 1; k < drawings; ++k) {
    if (k == 0) implementation_->target.resize(width, height, still.msaa);
    drawings = (still_samples + target.samples() - 1) / target.samples();
    const glm::vec2 shift = 2.0f * pixel_shift(k, drawings, target.samples());
    std::vector<PictureView> shifted(views.begin(), views.end());
    for (PictureView& view : shifted)
      view.camera.middle += shift / glm::max(glm::vec2(view.rect.width, view.rect.height), glm::vec2(1.0f));
    implementation_->still = true;
    draw(shifted, still, width, height);
    implementation_->still = false;
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

void Renderer::compose(int width, int height) {
  const RenderTarget& target = implementation_->target;
  RenderTarget& window = implementation_->window;
  window.resize(width, height, 1);
  copy(target.resolved(), {target.width(), target.height()}, window.resolved(), {width, height});
  window.bind_for_drawing();
}

void Renderer::blit_to_window(int width, int height) {
  const RenderTarget& window = implementation_->window;
  copy(window.resolved(), {window.width(), window.height()}, 0, {width, height});
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Image Renderer::read_window() const { return read(implementation_->window); }
Image Renderer::read_pixels() const { return read(implementation_->target); }

bool Renderer::software() const { return implementation_->software(); }
const std::string& Renderer::description() const { return implementation_->description; }

}  // namespace limber
