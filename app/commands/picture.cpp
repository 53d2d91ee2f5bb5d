#include "app/commands/picture.hpp"

#include <cmath>
#include <glm/trigonometric.hpp>

#include "app/commands/headless_legend.hpp"
#include "app/commands/scene_source.hpp"
#include "app/record/png_writer.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
Expected<std::unique_ptr<PictureTaker>> PictureTaker::create(const std::string& path,
                                                             const PictureSize& size) {
  if (!path.empty())
    if (Expected<void> writable = check_png_path(path, "--screenshot"); !writable) return writable.error();
  const Expected<std::string> data = data_folder();
  if (!data) return data.error();
  auto context = HeadlessContext::create();
  if (!context) return context.error();
  auto renderer = Renderer::create((*context)->load(), *data + "/shaders");
  if (!renderer) return renderer.error();
  return std::unique_ptr<PictureTaker>(
      new PictureTaker(path, size, std::move(*context), std::move(*renderer)));
}

Expected<void> PictureTaker::take(const Simulation& simulation, HeatMap heat_map) {
  const Subject alone{simulation, {}, 0.0};
  return take(std::span(&alone, 1), heat_map);
}

Expected<void> PictureTaker::take(std::span<const Subject> subjects, HeatMap heat_map) {
  return write_png(draw(subjects, heat_map, samples_.value_or(still_samples)), path_, "--screenshot");
}

Image PictureTaker::draw(const Simulation& simulation, HeatMap heat_map) {
  const Subject alone{simulation, {}, 0.0};
  return draw(std::span(&alone, 1), heat_map);
}

Image PictureTaker::draw(std::span<const Subject> subjects, HeatMap heat_map) {
  return draw(subjects, heat_map, samples_.value_or(film_samples));
}

Image PictureTaker::draw(std::span<const Subject> subjects, HeatMap heat_map, int samples) {
  expose(subjects, heat_map, 0, samples, samples);
  return end();
}

void PictureTaker::expose(const Simulation& simulation, HeatMap heat_map, double from, double to) {
  const Subject alone{simulation, {}, 0.0};
  const int samples = samples_.value_or(film_samples);
  const int first = int(std::lround(from * samples)), end = int(std::lround(to * samples));
  if (end > first) expose(std::span(&alone, 1), heat_map, first, end - first, samples);
}

void PictureTaker::expose(std::span<const Subject> subjects, HeatMap heat_map, int first_drawing, int count,
                          int samples) {
  extractors_.resize(subjects.size());
  shown_.variants.resize(subjects.size());
  for (std::size_t k = 0; k < subjects.size(); ++k) {
    extractors_[k].show(heat_map);
    extractors_[k].show(heat_look_);
    extractors_[k].show(overlay_);
    extractors_[k].extract(subjects[k].simulation, shown_.variants[k].frame);
    shown_.variants[k].status.variant = subjects[k].variant;
    shown_.variants[k].status.step_ms = subjects[k].step_ms;
  }
  const std::vector<ui::Rect> cells =
      ui::view_cells({{0.0f, 0.0f}, {float(size_.width), float(size_.height)}}, subjects.size());
  // A camera that is fitted to the scene stays the same during an exposure; a camera on a path moves.
  if (stand_ || first_drawing == 0) camera_ = camera_for(subjects.front().simulation.scene(), shown_);
  std::vector<PictureView> views;
  for (std::size_t k = 0; k < subjects.size(); ++k)
    views.push_back(
        {shown_.variants[k].frame,
         camera_,
         {int(cells[k].position.x), int(cells[k].position.y), int(cells[k].size.x), int(cells[k].size.y)}});
  ViewOptions options;
  options.samples = samples;
  options.stage = stage_;
  options.lens = lens_;
  options.transparent = transparent_;
  const RenderFrame& first = shown_.front().frame;
  if (clip_) options.clip = clip_->through(0.5f * (first.focus_min + first.focus_max));
  if (first_drawing == 0) renderer_->begin_still(options, size_.width, size_.height);
  renderer_->expose(views, first_drawing, count);
}

Image PictureTaker::draw_in_window(const Simulation& simulation, int part) {
  extractors_.resize(1);
  shown_.variants.resize(1);
  extractors_.front().extract(simulation, shown_.variants.front().frame);
  ViewOptions options;
  options.msaa = 1;
  options.shadow_size = 1024;
  options.sharp_shadows = part > 1;
  const int width = size_.width / part, height = size_.height / part;
  const PictureView view{shown_.front().frame, camera_for(simulation.scene(), shown_), {0, 0, width, height}};
  renderer_->draw(std::span(&view, 1), options, width, height);
  renderer_->compose(size_.width, size_.height);
  return renderer_->read_window();
}

Image PictureTaker::end() {
  return renderer_->end_still([this] { draw_headless_legend(shown_, captions_, size_.width, size_.height); });
}

Camera PictureTaker::camera_for(const SceneDesc& scene, const Publications& shown) {
  if (stand_) {
    const CameraStand stand = turned(*stand_, turn_);
    return Camera::looking(stand.position, stand.target, glm::radians(float(stand.fov_degrees)));
  }
  Camera camera = scene_camera(scene, shown);
  camera.yaw += float(turn_);
  return camera;
}

/// The scene's camera. A camera with a fixed place was composed for one wide picture; with several pictures
/// it steps back until everything is visible.
Camera PictureTaker::scene_camera(const SceneDesc& scene, const Publications& shown) {
  const CameraDesc& from = scene.camera;
  const RenderFrame& frame = shown.front().frame;
  Camera camera = Camera::looking(from.position, from.target, glm::radians(float(from.fov_degrees)));
  // Numbers change the width of a legend, so a film keeps the free area that its first picture had.
  if (!area_) area_ = free_of_legends(shown, size_.width, size_.height);
  if (from.fit) {
    if (frame.ground) camera.stay_above(0.0f);
    camera.stand_in(*area_);
    if (looks_) camera.target = looks_->target, camera.distance = looks_->distance;
    fitted_.follow(camera, frame, *area_);
    looks_ = camera;
  } else if (shown.variants.size() > 1) {
    camera.reveal(frame.focus_min, frame.focus_max, *area_);
  }
  return camera;
}

}  // namespace limber
