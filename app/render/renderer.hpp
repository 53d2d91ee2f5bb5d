// Draws a RenderFrame with OpenGL 3.3 core. Windowed and headless pictures share the path: own framebuffer ->
// resolve -> read back, or -> copy for the window -> panels -> blit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/render/camera.hpp"
#include "app/view/clip_plane.hpp"
#include "app/view/fluid_look.hpp"
#include "app/view/render_frame.hpp"
#include "engine/core/expected.hpp"

namespace limber {

/// 8-bit RGB, row 0 at the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
  std::vector<std::uint8_t> opacity{};  ///< per pixel, 255 opaque; empty: all pixels are opaque
};

inline constexpr int still_samples = 64, film_samples = 16;  ///< per saved picture, per picture of a film

struct ViewOptions {
  bool wireframe = false;
  bool shadows = true;
  int msaa = 4;                   ///< samples: 1, 2, 4, 8; clamped to the driver's limit
  int samples = still_samples;    ///< drawings averaged for a saved picture; 1: a single drawing as in the
                                  ///< window
  int shadow_size = 2048;         ///< texels
  std::optional<ClipPlane> clip;  ///< cuts surfaces open
  bool clip_marks = false;        ///< draw the plane itself
  FluidLook fluids = FluidLook::automatic;
  float lens = 0.0f;  ///< m, diameter; in a saved picture, things nearer or farther than the camera's target
                      ///< are blurred
  std::optional<Stage> stage;  ///< none: the scene's own
  bool sharp_shadows = false;  ///< one comparison with the shadow map a pixel instead of nine, for coarse
                               ///< pictures of a motion
  bool transparent = false;    ///< a saved picture has an alpha channel instead of ground and backdrop

  friend bool operator==(const ViewOptions&, const ViewOptions&) = default;
};

/// A part of a picture, px, y down.
struct PixelRect {
  int x = 0, y = 0, width = 0, height = 0;

  friend bool operator==(const PixelRect&, const PixelRect&) = default;
};

/// A frame, its camera and its part of the picture. Parts must not overlap.
struct PictureView {
  const RenderFrame& frame;
  Camera camera;
  PixelRect rect;
};

class Renderer {
 public:
  using LoadProc = void (*(*)(const char*))();

  /// Needs a current GL 3.3 core context. Fails with the driver's message if a shader does not compile or the
  /// context is unsuitable.
  static Expected<std::unique_ptr<Renderer>> create(LoadProc load, const std::string& shader_folder);
  ~Renderer();

  /// Draws into the renderer's own framebuffer, resolves it, and leaves it bound.
  void draw(const RenderFrame& frame, const Camera& camera, const ViewOptions& view, int width, int height);

  /// Draws several frames side by side.
  void draw(std::span<const PictureView> views, const ViewOptions& options, int width, int height);

  /// Draws a picture to save: the mean light of `view.samples` drawings, each with its own pixel shift, point
  /// of the sun and directions of the sky (drawings.hpp). Calls `on_top` to draw over the picture, with its
  /// framebuffer bound.
  Image draw_still(const RenderFrame& frame, const Camera& camera, const ViewOptions& view, int width,
                   int height, const std::function<void()>& on_top = {});

  Image draw_still(std::span<const PictureView> views, const ViewOptions& options, int width, int height,
                   const std::function<void()>& on_top = {});

  /// Draws a picture with motion blur: begin_still(), expose() for each moment, end_still(). A moment is
  /// drawn as the drawings `first` to `first + count` of options.samples; all drawings must be made.
  void begin_still(const ViewOptions& options, int width, int height);
  void expose(std::span<const PictureView> views, int first, int count);
  Image end_still(const std::function<void()>& on_top = {});

  /// Copies the picture drawn last into a framebuffer for the window, stretched if the sizes differ, and
  /// leaves that framebuffer bound. Panels drawn on top do not change the picture, which can be composed
  /// again.
  void compose(int width, int height);
  void blit_to_window(int width, int height);  ///< copies the composed picture to framebuffer 0
  Image read_window() const;                   ///< the composed picture with panels
  Image read_pixels() const;                   ///< the last picture
  bool software() const;                       ///< OpenGL runs on the processor
  const std::string& description() const;      ///< "OpenGL 4.5, llvmpipe (LLVM 15)"

 private:
  struct Implementation;
  explicit Renderer(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace limber
