#include "app/commands/picture.hpp"

#include <glm/trigonometric.hpp>

#include "app/commands/scene_source.hpp"
#include "app/headless_legend.hpp"
#include "app/record/png_writer.hpp"

namespace limber {
namespace {

OpenArea whole(const PictureSize& size) {
  const glm::vec2 picture(size.width, size.height);
  return {picture, glm::vec2(0.0f), picture};
}

}  // namespace

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
  return write_png(draw(simulation, heat_map), path_, "--screenshot");
}

Image PictureTaker::draw(const Simulation& simulation, HeatMap heat_map) {
  extractor_.show(heat_map);
  extractor_.extract(simulation, frame_);
  const CameraDesc& from = simulation.scene().camera;
  Camera camera = Camera::looking(from.position, from.target, glm::radians(float(from.fov_degrees)));
  if (!simulation.scene().camera_given) {
    if (frame_.ground) camera.stay_above(0.0f);
    fitted_.follow(camera, frame_.focus_min, frame_.focus_max, frame_.ground, whole(size_));
  }
  return renderer_->draw_still(frame_, camera, ViewOptions{}, size_.width, size_.height,
                               [this] { draw_headless_legend(frame_, size_.width, size_.height); });
}

}  // namespace limber
