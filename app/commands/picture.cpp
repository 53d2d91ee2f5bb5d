#include "app/commands/picture.hpp"

#include <glm/trigonometric.hpp>

#include "app/commands/scene_source.hpp"
#include "app/record/png_writer.hpp"
#include "app/view/extract.hpp"

namespace limber {

Expected<std::unique_ptr<PictureTaker>> PictureTaker::create(const std::string& path,
                                                             const PictureSize& size) {
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

Expected<void> PictureTaker::take(const Simulation& simulation) {
  RenderFrame frame;
  FrameExtractor().extract(simulation, frame);
  const CameraDesc& from = simulation.scene().camera;
  const Camera camera = Camera::looking(from.position, from.target, glm::radians(float(from.fov_degrees)));
  renderer_->draw(frame, camera, ViewOptions{}, size_.width, size_.height);
  return write_png(renderer_->read_pixels(), path_, "--screenshot");
}

}  // namespace limber
