#include "app/render/renderer.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <utility>

#include "app/render/developer.hpp"
#include "app/render/drawings.hpp"
#include "app/render/fluid_mesh_pass.hpp"
#include "app/render/fluid_pass.hpp"
#include "app/render/frame_block.hpp"
#include "app/render/glass_pass.hpp"
#include "app/render/light_maps.hpp"
#include "app/render/mark_pass.hpp"
#include "app/render/point_pass.hpp"
#include "app/render/primitive_pass.hpp"
#include "app/render/render_target.hpp"
#include "app/render/screen_pass.hpp"
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

/// Sets the state that all passes rely on. The panels, drawn on top, may have left any state.
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

/// Distance at which clear fluid has absorbed most light, in radii of the visible scene.
constexpr float clear_share = 0.14f;

/// Mean free path of light in jelly, in radii of the visible scene.
constexpr float jelly_share = 0.07f;

/// Glass casts shadows in the drawings whose light goes deeper than this: a fifth of them, exp(-glass_depth).
constexpr float glass_depth = 1.6f;

Shading shading_of(const Drawing& drawing, const ViewOptions& options) {
  if (drawing.many) return Shading::unfiltered;
  if (drawing.samples_sky()) return Shading::averaged;
  return options.sharp_shadows ? Shading::coarse : Shading::single;
}

std::vector<PrimitiveDraw> without_glass(std::vector<PrimitiveDraw> solids) {
  std::erase_if(solids, [](const PrimitiveDraw& solid) { return solid.look == Look::glass; });
  return solids;
}

std::vector<LineDraw> without_edges(const RenderFrame& frame) {
  return {frame.lines.begin(),
          frame.lines.begin() + std::ptrdiff_t(std::min(frame.edges_first, frame.lines.size()))};
}

/// Absorption of clear fluid, 1/m, in a scene of this size.
float absorption_in(const RenderFrame& frame) {
  return 1.0f / std::max(clear_share * frame.shown_radius, 1e-6f);
}

/// From this number of drawings on, their mean smooths edges, so multisampling is off.
constexpr int smooth_drawings = 8;

/// Texels along a side of a sky direction's map, and of the sun's map if many drawings are averaged.
constexpr int sky_texels = 1024;

/// Copies the colours of one framebuffer to another, stretched if the sizes differ.
void copy(GLuint from, glm::ivec2 size, GLuint to, glm::ivec2 wanted) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  glDisable(GL_SCISSOR_TEST);
  glBlitFramebuffer(0, 0, size.x, size.y, 0, 0, wanted.x, wanted.y, GL_COLOR_BUFFER_BIT,
                    size == wanted ? GL_NEAREST : GL_LINEAR);
}

/// Bytes of `channels` per pixel, row 0 at the top.
std::vector<std::uint8_t> read_bytes(const RenderTarget& target, GLenum format, std::size_t channels) {
  const std::size_t row = channels * std::size_t(target.width());
  std::vector<std::uint8_t> bottom_up(row * std::size_t(target.height())), bytes(bottom_up.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.resolved());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, target.width(), target.height(), format, GL_UNSIGNED_BYTE, bottom_up.data());
  for (std::size_t y = 0; y < std::size_t(target.height()); ++y) {
    const auto from = bottom_up.end() - std::ptrdiff_t((y + 1) * row);
    std::copy(from, from + std::ptrdiff_t(row), bytes.begin() + std::ptrdiff_t(y * row));
  }
  return bytes;
}

Image read(const RenderTarget& target) {
  return {target.width(), target.height(), read_bytes(target, GL_RGB, 3)};
}

}  // namespace

/// Passes with the data of one view. Each view has its own, so that unchanged buffers stay on the card.
struct ScenePasses {
  SurfacePass surfaces;
  PrimitivePass solids;
  GlassPass glass;
  PointPass points;
  FluidShapeBuffer fluid_shapes = {};
  FluidMeshBuffer fluid_meshes = {};

  static Expected<ScenePasses> create(const std::string& shader_folder);
  void upload(const RenderFrame& frame, glm::vec4 eye, const std::optional<ClipPlane>& clip) {
    surfaces.upload(frame, clip);
    glass.upload(frame.panes, frame.solids, eye);
    solids.upload(has_glass(frame.solids) ? without_glass(frame.solids) : frame.solids, eye);
    points.upload(frame.points);
  }
  void draw_casters(const glm::mat4& clip_from_world) const {
    surfaces.draw_depth(clip_from_world);
    solids.draw_depth(clip_from_world);
    points.draw_casters(clip_from_world);
  }
};

Expected<ScenePasses> ScenePasses::create(const std::string& shader_folder) {
  auto surfaces = SurfacePass::create(shader_folder);
  auto solids = PrimitivePass::create(shader_folder);
  auto glass = GlassPass::create(shader_folder);
  auto points = PointPass::create(shader_folder);
  if (const Error* error = first_error(surfaces, solids, glass, points)) return *error;
  return ScenePasses{std::move(*surfaces), std::move(*solids), std::move(*glass), std::move(*points)};
}

struct Renderer::Implementation {
  std::string description, shader_folder;
  std::vector<ScenePasses> scenes;  ///< one per view
  MarkPass marks;
  ScreenPass ground, sky;
  FluidPass fluids;
  FluidMeshPass fluid_meshes;
  OcclusionMap occlusion;
  FluidShadow fluid_shadow;
  Developer developer;
  ShadowMap shadow = {}, sky_shadow = {};
  RenderTarget target{RenderTarget::Kind::light};  ///< the drawing in progress
  RenderTarget screen{RenderTarget::Kind::screen},
      window{RenderTarget::Kind::screen};  ///< the picture; a copy with the panels
  StreamBuffer frame_block = {};
  bool still = false;              ///< the drawing is for a picture to save
  ViewOptions still_options = {};  ///< options of the picture that is being exposed
  int still_width = 0, still_height = 0;
  std::optional<float> backdrop = {};  ///< backdrop of the present drawing, see FrameBlockInput

  /// Whether OpenGL runs on the processor. Filtering fluids then takes half a second: too long for a window,
  /// not for a saved picture.
  bool software() const {
    return description.find("llvmpipe") != std::string::npos ||
           description.find("softpipe") != std::string::npos;
  }
  bool shows_surface(const PictureView& view, const ScenePasses& scene, const ViewOptions& options) const {
    const bool wanted = options.fluids == FluidLook::surface ||
                        (options.fluids == FluidLook::automatic && (still || !software()));
    return scene.points.has_fluids() && wanted && !view.camera.orthographic;
  }
  /// A single drawing leaves the outline of a mesh ragged.
  bool shows_meshes() const { return still && still_options.samples > 1; }
  /// Glass shows the picture behind it refracted in saved pictures. A single drawing marks its edges instead.
  bool refracts() const { return shows_meshes(); }
  int still_msaa() const { return still_options.samples < smooth_drawings ? still_options.msaa : 1; }
  std::size_t passes_for(std::size_t views);
  void clear_around(const PixelRect& rect);
  std::vector<PictureView> upload(std::span<const PictureView> views, const ViewOptions& options, int width,
                                  int height, int msaa);
  void draw_views(std::span<const PictureView> views, const ViewOptions& options, const Drawing& drawing);
  void draw_view(const PictureView& view, ScenePasses& scene, const ViewOptions& options,
                 const Drawing& drawing);
  FrameBlock draw_light_maps(const PictureView& view, const ScenePasses& scene, const ViewOptions& options,
                             const Drawing& drawing);
  void draw_picture(const PictureView& view, ScenePasses& scene, const ViewOptions& options, Shading shading,
                    bool ground_seen);
};

FrameBlock Renderer::Implementation::draw_light_maps(const PictureView& view, const ScenePasses& scene,
                                                     const ViewOptions& options, const Drawing& drawing) {
  const RenderFrame& frame = view.frame;
  const glm::vec2 size(view.rect.width, view.rect.height);
  const StageLook& look = look_of(options.stage.value_or(frame.stage));
  FrameBlockInput input{view.camera, look, usable_bounds(frame), size};
  input.shadows = options.shadows;
  input.sharp_shadows = options.sharp_shadows;
  input.ground_cell = frame.ground_cell;
  input.ground = frame.ground && !backdrop;
  input.backdrop = backdrop;
  input.drawing = drawing;
  input.clear_path = jelly_share * frame.shown_radius;
  input.sun_towards = on_disc_about(look.sun_towards, look.sun_radius, drawing.sun);
  if (options.shadows) {
    const DrawCasters casters = [&](const glm::mat4& clip_from_world) {
      scene.draw_casters(clip_from_world);
      fluid_meshes.draw_opaque_depth(scene.fluid_meshes, clip_from_world);
      if (drawing.many && drawing.depth > glass_depth) scene.glass.draw_depth(clip_from_world);
    };
    input.shadow_texels = shadow.resize(drawing.samples_sky() ? std::min(options.shadow_size, sky_texels)
                                                              : options.shadow_size);
    const glm::mat4 clip_from_world = view.camera.projection(size.x / size.y) * view.camera.view();
    const std::vector<glm::vec3> seen =
        seen_corners(clip_from_world, view.camera.position(), input.bounds, frame.ground);
    input.sun = light_view(input.sun_towards, input.bounds, seen, input.shadow_texels);
    shadow.render(std::span(&input.sun, 1), casters);
    if (drawing.samples_sky()) {
      const int part = sky_shadow.resize(2 * sky_texels) / 2;
      for (std::size_t i = 0; i < skies; ++i)
        input.sky[i] = light_view(drawing.sky[i], input.bounds, seen, part);
      sky_shadow.render(input.sky, casters);
    } else if (frame.ground) {
      const BoxView from_below = ground_view(input.bounds, input.ground_rectangle);
      occlusion.render(from_below, input.ground_rectangle, casters);
    }
    input.fluid_shadow = shows_surface(view, scene, options);
    if (input.fluid_shadow) fluid_shadow.render(input.sun, scene.points, absorption_in(frame));
  }
  shadow.bind(shadow_unit);
  sky_shadow.bind(sky_unit);
  occlusion.bind();
  fluid_shadow.bind();
  return make_frame_block(input);
}

void Renderer::Implementation::draw_picture(const PictureView& view, ScenePasses& scene,
                                            const ViewOptions& options, Shading shading, bool ground_seen) {
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
  // Depth first, so that every pixel is shaded once. Then the background, nearest first.
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  scene.surfaces.draw_depth(clip_from_world);
  scene.solids.draw_depth(clip_from_world);
  scene.points.draw_depth(clip_from_world, pixel_slope, target.samples());
  fluid_meshes.draw_opaque_depth(scene.fluid_meshes, clip_from_world);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  scene.surfaces.draw(clip_from_world, options.wireframe, shading);
  scene.solids.draw(clip_from_world, shading);
  scene.points.draw(clip_from_world, pixel_slope, target.samples(), shading);
  fluid_meshes.draw_opaque(scene.fluid_meshes, clip_from_world);
  glEnable(GL_DEPTH_CLAMP);  // the ground extends beyond the far plane
  if (ground_seen) ground.draw(clip_from_world, shading);
  sky.draw(clip_from_world, shading);
  glDisable(GL_DEPTH_CLAMP);
  if (shows_surface(view, scene, options)) {
    if (shows_meshes())
      fluid_meshes.draw_clear(scene.fluid_meshes,
                              {clip_from_world, scene.points.fluid_radius(), absorption_in(frame)}, target);
    else
      fluids.draw(scene.points, scene.fluid_shapes,
                  {clip_from_world, pixel_slope, scene.points.fluid_radius(), absorption_in(frame)}, target);
    scene.points.draw_spray(clip_from_world, pixel_slope);
  }
  scene.glass.draw(clip_from_world, target, refracts());
  marks.draw(refracts() ? without_edges(frame) : frame.lines, frame.dots, clip_from_world);
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
  auto fluid_meshes = FluidMeshPass::create(shader_folder);
  auto occlusion = OcclusionMap::create(shader_folder);
  auto fluid_shadow = FluidShadow::create(shader_folder);
  auto developer = Developer::create(shader_folder);
  if (const Error* error =
          first_error(passes, marks, ground, sky, fluids, fluid_meshes, occlusion, fluid_shadow, developer))
    return *error;
  std::vector<ScenePasses> scenes;
  scenes.push_back(std::move(*passes));
  auto implementation = std::make_unique<Implementation>(
      Implementation{describe_context(version), shader_folder, std::move(scenes), std::move(*marks),
                     std::move(*ground), std::move(*sky), std::move(*fluids), std::move(*fluid_meshes),
                     std::move(*occlusion), std::move(*fluid_shadow), std::move(*developer)});
  return std::unique_ptr<Renderer>(new Renderer(std::move(implementation)));
}

/// Returns the number of views with passes, at most `views`. Creates further passes when first needed.
std::size_t Renderer::Implementation::passes_for(std::size_t views) {
  while (scenes.size() < views) {
    auto more = ScenePasses::create(shader_folder);
    if (!more) break;
    scenes.push_back(std::move(*more));
  }
  return std::min(views, scenes.size());
}

/// Clears the target outside the view.
void Renderer::Implementation::clear_around(const PixelRect& rect) {
  if (rect.x == 0 && rect.y == 0 && rect.width >= target.width() && rect.height >= target.height()) return;
  target.bind_for_drawing();
  glClearColor(0.017f, 0.019f, 0.021f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
}

/// Uploads the data that all drawings of a picture share. Returns the views that can be drawn.
std::vector<PictureView> Renderer::Implementation::upload(std::span<const PictureView> views,
                                                          const ViewOptions& options, int width, int height,
                                                          int msaa) {
  set_common_state();
  target.resize(width, height, msaa);
  screen.resize(width, height, 1);
  std::vector<PictureView> out;
  for (std::size_t k = 0; k < passes_for(views.size()); ++k) {
    PictureView& view = out.emplace_back(views[k]);
    view.rect.width = std::clamp(view.rect.width, 1, std::max(1, target.width() - view.rect.x));
    view.rect.height = std::clamp(view.rect.height, 1, std::max(1, target.height() - view.rect.y));
    ScenePasses& scene = scenes[k];
    scene.upload(view.frame, eye_of(view.camera, glm::vec2(view.rect.width, view.rect.height)), options.clip);
    const bool surface = shows_surface(view, scene, options);
    scene.points.hide_fluids(surface, !shows_meshes());  // otherwise they would stop light
    scene.fluid_meshes.clear();
    if (surface && shows_meshes()) scene.fluid_meshes.upload(view.frame.points);
    if (surface && !shows_meshes()) scene.fluid_shapes.upload(view.frame.points);
  }
  return out;
}

void Renderer::Implementation::draw_view(const PictureView& view, ScenePasses& scene,
                                         const ViewOptions& options, const Drawing& drawing) {
  const FrameBlock block = draw_light_maps(view, scene, options, drawing);
  frame_block.upload(std::span(&block, 1));
  glBindBufferBase(GL_UNIFORM_BUFFER, frame_block_binding, frame_block.id());
  const bool ground_seen =
      view.frame.ground && !backdrop && block.eye.y > 0.0f;  // from below, the scene shows instead
  draw_picture(view, scene, options, shading_of(drawing, options), ground_seen);
}

/// Draws all views once. Leaves the resolved light in the target.
void Renderer::Implementation::draw_views(std::span<const PictureView> views, const ViewOptions& options,
                                          const Drawing& drawing) {
  if (!views.empty()) clear_around(views.front().rect);
  for (std::size_t k = 0; k < views.size(); ++k) {
    PictureView view = views[k];
    view.camera.middle += 2.0f * drawing.pixel / glm::vec2(view.rect.width, view.rect.height);
    if (!view.camera.orthographic)
      view.camera.step_aside(0.5f * options.lens * drawing.lens, view.rect.width, view.rect.height);
    draw_view(view, scenes[k], options, drawing);
  }
  target.resolve();
}

void Renderer::draw(std::span<const PictureView> views, const ViewOptions& options, int width, int height) {
  Implementation& own = *implementation_;
  own.draw_views(own.upload(views, options, width, height, options.msaa), options, {});
  own.developer.develop(own.target.color(), 1.0f, own.screen);
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
  begin_still(options, width, height);
  expose(views, 0, std::max(options.samples, 1));
  return end_still(on_top);
}

void Renderer::begin_still(const ViewOptions& options, int width, int height) {
  Implementation& own = *implementation_;
  own.still_options = options;
  own.still_options.samples = std::max(options.samples, 1);
  own.still_width = width, own.still_height = height;
  own.target.resize(width, height, own.still_msaa());
  own.developer.sum.begin(own.target.width(), own.target.height());
  if (options.transparent) own.developer.on_white.begin(own.target.width(), own.target.height());
}

void Renderer::expose(std::span<const PictureView> views, int first, int count) {
  Implementation& own = *implementation_;
  const ViewOptions& options = own.still_options;
  own.still = true;
  const std::vector<PictureView> drawn =
      own.upload(views, options, own.still_width, own.still_height, own.still_msaa());
  for (int k = first; k < first + count; ++k) {
    const Drawing drawing = drawing_of(k, options.samples);
    if (options.transparent) own.backdrop = 0.0f;
    own.draw_views(drawn, options, drawing);
    own.developer.add(own.target, own.developer.sum);
    if (!options.transparent) continue;
    own.backdrop = 1.0f;
    own.draw_views(drawn, options, drawing);
    own.developer.add(own.target, own.developer.on_white);
  }
  own.backdrop.reset();
  own.still = false;
}

Image Renderer::end_still(const std::function<void()>& on_top) {
  Implementation& own = *implementation_;
  const float share = 1.0f / float(own.still_options.samples);
  if (!own.still_options.transparent) {
    own.developer.develop(own.developer.sum.light, share, own.screen);
    if (on_top) on_top();
    return read_pixels();
  }
  own.developer.develop_matte(share, own.screen);
  if (on_top) on_top();
  const std::vector<std::uint8_t> bytes = read_bytes(own.screen, GL_RGBA, 4);
  Image image{own.screen.width(), own.screen.height()};
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    image.rgb.insert(image.rgb.end(), {bytes[at], bytes[at + 1], bytes[at + 2]});
    image.opacity.push_back(bytes[at + 3]);
  }
  return image;
}

void Renderer::compose(int width, int height) {
  const RenderTarget& screen = implementation_->screen;
  RenderTarget& window = implementation_->window;
  window.resize(width, height, 1);
  copy(screen.resolved(), {screen.width(), screen.height()}, window.resolved(), {width, height});
  window.bind_for_drawing();
}

void Renderer::blit_to_window(int width, int height) {
  const RenderTarget& window = implementation_->window;
  copy(window.resolved(), {window.width(), window.height()}, 0, {width, height});
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Image Renderer::read_window() const { return read(implementation_->window); }
Image Renderer::read_pixels() const { return read(implementation_->screen); }

bool Renderer::software() const { return implementation_->software(); }
const std::string& Renderer::description() const { return implementation_->description; }

}  // namespace limber
