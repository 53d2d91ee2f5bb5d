// Pictures of a session: in the window, kept, and of its videos.
#include "app/shell/window_application.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/record/picture_folder.hpp"
#include "app/record/png_writer.hpp"
#include "app/ui/widgets/picture_labels.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "engine/core/methods.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

/// Samples of a saved picture, and of a picture in a film, when the processor does the drawing: few enough
/// not to hold up the window for long.
constexpr int quick_still_samples = 8, quick_film_samples = 1;

ViewOptions view_options(const ui::ViewChoices& choices) {
  return {.wireframe = choices.wireframe,
          .shadows = choices.shadows,
          .msaa = choices.msaa,
          .shadow_size = choices.shadow_size,
          .clip = choices.clip ? std::optional(choices.clip_plane) : std::nullopt,
          .fluids = choices.fluids,
          .stage = choices.stage};
}

/// Draws the window, and saved pictures and films, which are drawn separately: without panels, and with their
/// own number of samples.
void WindowApplication::draw(const Publications& all) {
  const Publication& shown = chosen(all);
  const glm::ivec2 pixels = window_->pixels();
  if (video_.due(shown.status)) {
    video_.add(draw_still(all, video_.size(), true), shown.status);
    runner_.picture_taken();
  }
  const bool stills = std::ranges::count(screenshots_wanted_, ui::Action::screenshot) > 0;
  Image still;
  if (stills) still = draw_still(all, pixels, false);
  const auto began = FrameClock::Clock::now();
  const PicturePace::Drawing drawing = draw_scene(all);
  renderer_->compose(pixels.x, pixels.y);
  imgui_->end_frame();
  renderer_->blit_to_window(pixels.x, pixels.y);
  window_->swap();
  const double taken = std::chrono::duration<double>(FrameClock::Clock::now() - began).count();
  pace_.drawn(drawing, taken);
  if (chooses_fluids(all)) fluid_pace_.drawn(drawing, taken);
  if (drawing != PicturePace::Drawing::none) pictured_at_ = FrameClock::Clock::now();
  for (const ui::Action wanted : std::exchange(screenshots_wanted_, {}))
    save_screenshot(wanted == ui::Action::screenshot ? still : draw_still_window(all, pixels), shown);
}

/// Views of the pictures as they lie in the window, with 1/`part` of the window's pixels along each side.
std::vector<PictureView> WindowApplication::window_views(const Publications& all, int part) const {
  const glm::vec2 pixels(window_->pixels()), size(window_->size());
  const ui::Rect window{{0.0f, 0.0f}, {size.x, size.y}};
  const auto cells = all.variants.size() > 1 ? std::span<const ui::Rect>(cells_) : std::span(&window, 1);
  return views(all, cells, pixels / glm::max(size, glm::vec2(1.0f)) / float(part));
}

ViewOptions WindowApplication::window_options() const {
  ViewOptions options = view_options(panels_.view);
  options.clip_marks = true;
  return options;
}

/// Whether FluidPace chooses between a surface and balls: fluids that the processor draws.
bool WindowApplication::chooses_fluids(const Publications& all) const {
  const auto fluid = [](const Publication& shown) { return shown.frame.fluids; };
  return panels_.view.fluids == FluidLook::automatic && renderer_->software() &&
         std::ranges::any_of(all.variants, fluid);
}

/// Draws the scene if it differs from the last picture and PicturePace allows it now.
PicturePace::Drawing WindowApplication::draw_scene(const Publications& all) {
  const glm::ivec2 pixels = window_->pixels();
  DrawnPicture now{
      runner_.pictures(), all.front().status.loads, camera_, window_options(), window_->size(), pixels, {}};
  for (const PictureView& view : window_views(all, 1)) now.cells.push_back(view.rect);
  const auto seconds_since = [](FrameClock::Clock::time_point then) {
    return std::chrono::duration<double>(FrameClock::Clock::now() - then).count();
  };
  const double still = std::min(seconds_since(changed_at_), seconds_since(pictured_at_));
  if (now != drawn_) changed_at_ = FrameClock::Clock::now();
  const bool renewed = now.renews(drawn_);
  const PicturePace::Drawing drawing = pace_.next({.changed = now != drawn_,
                                                   .renewed = renewed,
                                                   .over_panels = over_panels_,
                                                   .quiet = seconds_since(event_at_),
                                                   .since = seconds_since(pictured_at_),
                                                   .still = still});
  if (now.camera != drawn_.camera) awake_ = std::max(awake_, 2);  // a moving camera may not have arrived
  drawn_ = std::move(now);
  if (drawing == PicturePace::Drawing::none) return drawing;
  const int part = drawing == PicturePace::Drawing::coarse ? pace_.coarseness() : 1;
  ViewOptions options = drawn_.options;
  if (part > 1) options.msaa = 1, options.sharp_shadows = true;
  if (chooses_fluids(all)) {
    if (renewed) fluid_pace_.renew();
    const bool surface = fluid_pace_.wants_surface(drawing, still >= PicturePace::rest, over_panels_);
    options.fluids = surface ? FluidLook::surface : FluidLook::balls;
    panels_.view.surface_too_slow = !surface;
  }
  const glm::ivec2 size = glm::max(pixels / part, glm::ivec2(1));
  renderer_->draw(window_views(all, part), options, size.x, size.y);
  return drawing;
}

/// Draws a picture of the window with the panels of this frame.
Image WindowApplication::draw_still_window(const Publications& all, glm::ivec2 size) {
  pace_.spoil();
  ViewOptions options = window_options();
  if (renderer_->software()) options.samples = quick_still_samples;
  options.samples = options_.samples.value_or(options.samples);
  return renderer_->draw_still(window_views(all, 1), options, size.x, size.y,
                               [this] { imgui_->draw_again(); });
}

/// Draws a picture, or one of a film, without panels.
Image WindowApplication::draw_still(const Publications& all, glm::ivec2 size, bool of_film) {
  pace_.spoil();
  const ui::Rect whole{{0.0f, 0.0f}, {float(size.x), float(size.y)}};
  std::vector<PictureView> pictures = views(all, ui::view_cells(whole, all.variants.size()), glm::vec2(1.0f));
  Camera camera = camera_;
  camera.middle = glm::vec2(0.0f);
  if (fitting_ && !video_.active()) {
    const PixelRect& cell = pictures.front().rect;
    const float label = ui::label_height(all.variants.size());
    const OpenArea area{{cell.width, cell.height}, {0.0f, label}, {cell.width, float(cell.height) - label}};
    camera.stand_in(area);
    FittedView().follow(camera, all.front().frame, area);
  }
  for (PictureView& picture : pictures) picture.camera = camera;
  ViewOptions options = view_options(panels_.view);
  if (renderer_->software())
    options.samples = of_film ? quick_film_samples : quick_still_samples;
  else if (of_film)
    options.samples = film_samples;
  options.samples = options_.samples.value_or(options.samples);
  return renderer_->draw_still(pictures, options, size.x, size.y, [&] { draw_picture_labels(size, all); });
}

void WindowApplication::toggle_video(const RunStatus& status) {
  say(video_.active() ? video_.stop() : video_.start(status, window_->pixels()));
  runner_.wait_for_pictures(video_.active());
}

/// Ends a video that failed, and lets the simulation go on without waiting for pictures.
void WindowApplication::follow_video() {
  auto ended = video_.failed();
  if (!ended) return;
  say(std::move(*ended));
  runner_.wait_for_pictures(false);
}

void WindowApplication::save_screenshot(const Image& image, const Publication& shown) {
  const std::string& scene = shown.status.name;
  const auto path =
      reserve_file(scene.empty() ? "window" : std::filesystem::path(scene).filename().string(), ".png");
  if (!path) return say({Message::Severity::error, path.error().text()});
  if (const auto saved = write_png(image, *path); !saved) {
    std::remove(path->c_str());  // contains only the reserved name
    return say({Message::Severity::error, saved.error().text()});
  }
  say({Message::Severity::info, "Saved " + *path});
}

Expected<void> WindowApplication::save_last_picture() {
  if (options_.screenshot.empty()) return {};
  return write_png(renderer_->read_window(), options_.screenshot, "--screenshot");
}

}  // namespace limber
