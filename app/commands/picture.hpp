// Takes pictures of a running scene without a window.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/commands/headless_legend.hpp"
#include "app/film/camera_path.hpp"
#include "app/lab/run_status.hpp"
#include "app/render/fitted_view.hpp"
#include "app/render/headless_context.hpp"
#include "app/render/renderer.hpp"
#include "app/view/extract.hpp"

namespace limber {

/// Draws pictures in an off-screen OpenGL context. Must be used on one thread.
class PictureTaker {
 public:
  /// Fails at once if `path` cannot be written, or without EGL and OpenGL 3.3. With "" only draw() may be
  /// used.
  static Expected<std::unique_ptr<PictureTaker>> create(const std::string& path, const PictureSize& size);

  /// Renders the present state and writes the PNG. The camera looks in the direction of the scene's camera
  /// and is fitted to what moves. A heat map comes with its legend.
  Expected<void> take(const Simulation& simulation, HeatMap heat_map = no_heat_map);

  /// Sets the colours of heat maps of all following pictures.
  void show(const HeatLook& look) { heat_look_ = look; }

  /// Sets the marks of all following pictures.
  void show(Overlay overlay) { overlay_ = overlay; }

  /// Sets the stage of all following pictures; none: the scene's own.
  void set_stage(std::optional<Stage> stage) { stage_ = stage; }

  /// Sets the diameter of the aperture, m, for all following pictures.
  void set_lens(double lens) { lens_ = float(lens); }

  /// Sets whether all following pictures have an alpha channel instead of ground and backdrop.
  void set_transparent(bool transparent) { transparent_ = transparent; }

  /// Sets the clipping plane of all following pictures; none: no plane.
  void cut_open(const std::optional<ClipChoice>& clip) { clip_ = clip; }

  /// Sets the number of drawings per picture; none: the default of a single picture, or of a picture of a
  /// film.
  void sample(std::optional<int> drawings) { samples_ = drawings; }

  /// Sets the camera of all following pictures; none: the scene's camera. `radians`: rotation about the
  /// target.
  void stand_at(const std::optional<CameraStand>& stand, double radians) { stand_ = stand, turn_ = radians; }

  /// Sets the captions of all following pictures.
  void write_captions(Captions captions) { captions_ = std::move(captions); }

  /// Draws a picture of a film, in memory.
  Image draw(const Simulation& simulation, HeatMap heat_map = no_heat_map);

  /// Draws a picture as a window does with software OpenGL: once, without multisampling, with a small shadow
  /// map. `part`: 1/`part` of the pixels along each side, stretched.
  Image draw_in_window(const Simulation& simulation, int part);

  /// One of several simulations shown side by side.
  struct Subject {
    const Simulation& simulation;
    VariantStatus variant;
    double step_ms = 0.0;
  };
  Expected<void> take(std::span<const Subject> subjects, HeatMap heat_map);
  Image draw(std::span<const Subject> subjects, HeatMap heat_map);

  /// Adds light of the present state to a picture with motion blur: its drawings from share `from` to share
  /// `to`. Call it with adjoining shares from 0 to 1; then end() returns the picture.
  void expose(const Simulation& simulation, HeatMap heat_map, double from, double to);
  Image end();

 private:
  Image draw(std::span<const Subject> subjects, HeatMap heat_map, int samples);
  void expose(std::span<const Subject> subjects, HeatMap heat_map, int first, int count, int samples);
  Camera camera_for(const SceneDesc& scene, const Publications& shown);
  Camera scene_camera(const SceneDesc& scene, const Publications& shown);
  PictureTaker(std::string path, PictureSize size, std::unique_ptr<HeadlessContext> context,
               std::unique_ptr<Renderer> renderer)
      : path_(std::move(path)), size_(size), context_(std::move(context)), renderer_(std::move(renderer)) {}

  std::string path_;
  PictureSize size_;
  Overlay overlay_ = Overlay::none;
  HeatLook heat_look_;
  std::optional<int> samples_;
  std::optional<Stage> stage_;
  float lens_ = 0.0f;
  bool transparent_ = false;
  std::optional<CameraStand> stand_;
  double turn_ = 0.0;  ///< rad
  Captions captions_;
  std::vector<FrameExtractor> extractors_;
  std::optional<ClipChoice> clip_;
  FittedView fitted_;
  Camera camera_;                 ///< the camera of the picture that is being exposed
  std::optional<Camera> looks_;   ///< the camera of the last picture
  std::optional<OpenArea> area_;  ///< area of the first picture that its legends leave free
  Publications shown_;
  std::unique_ptr<HeadlessContext> context_;
  std::unique_ptr<Renderer> renderer_;  ///< declared after the context, which it needs until it is destroyed
};

}  // namespace limber
