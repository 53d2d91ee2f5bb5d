// Camera, panels over the picture, and what the window takes over from the simulation's thread.
#include "app/shell/window_application.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <utility>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/shell/opened_scenes.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "engine/core/methods.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

Camera camera_of(const CameraDesc& camera) {
  return Camera::looking(camera.position, camera.target, float(camera.fov_degrees) * 0.017453293f);
}

/// Moves the camera as the panels request, and keeps it above the ground. Shows the centre of the scene in
/// the middle of the area that the panels leave free. A newly opened scene is fitted into that area; when the
/// area shrinks, everything visible stays visible. Several pictures are fitted into a cell each.
void WindowApplication::look_past_panels(const ui::PanelRequests& asked, const Publication& shown) {
  const auto point = [](ImVec2 v) { return glm::vec2(v.x, v.y); };
  const ui::Rect& open = asked.open_area;
  cells_ = asked.cells;
  open_area_ = {glm::vec2(window_->size()), point(open.position), point(open.size)};
  if (cells_.size() > 1) {
    const glm::vec2 cell = point(cells_.front().size), label(0.0f, ui::label_height(cells_.size()));
    open_area_ = {cell, label, glm::max(cell - label, glm::vec2(1.0f))};
  }
  if (fitting_ && shown.status.scene && legend_of_scene(shown)) {
    const glm::vec2 from = cells_.size() > 1 ? point(cells_.front().position) : glm::vec2(0.0f);
    open_area_ = {open_area_.picture, point(asked.clear.position) - from,
                  glm::max(point(asked.clear.size), glm::vec2(1.0f))};
  }
  if (shown.frame.ground) camera_.stay_above(0.0f);
  camera_.stand_in(open_area_);
  if (fitting_) {
    camera_chosen_ = true;
    if (fitted_.follow(camera_, shown.frame, open_area_)) steady_.framed_in(open_area_);
    return;
  }
  if (std::exchange(camera_chosen_, true))
    return steady_.follow(camera_, shown.frame.focus_min, shown.frame.focus_max, open_area_);
  camera_.reveal(shown.frame.focus_min, shown.frame.focus_max, open_area_);
  steady_.chosen_for(open_area_);
}

/// True if the legends are those that the scene opens with. Other legends appear and vanish with keys and
/// must not move the camera.
bool WindowApplication::legend_of_scene(const Publication& shown) const {
  const ViewDesc& opens = *shown.status.scene->view;
  return HeatMap(opens.heat_map) == panels_.view.heat_map &&
         Overlay(opens.debug_view) == panels_.view.overlay;
}

/// Switches the clipping plane. Its normal is the axis nearest to the view direction, so that the cut faces
/// the camera.
void WindowApplication::toggle_clip(ui::ViewChoices& view) {
  view.clip = !view.clip;
  if (!view.clip) return;
  const glm::vec3 towards = -camera_.forward();
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(towards[k]) > std::abs(towards[axis])) axis = k;
  view.clip_plane.normal = glm::vec3(0.0f);
  view.clip_plane.normal[axis] = towards[axis] < 0.0f ? -1.0f : 1.0f;
  view.clip_to_middle = true;
}

/// Stores the present view as a bookmark, or moves the camera to a bookmark.
void WindowApplication::follow_bookmarks() {
  ui::ViewChoices& view = panels_.view;
  if (std::exchange(view.keep_view, false))
    view.bookmarks.push_back(
        {glm::dvec3(camera_.position()), glm::dvec3(camera_.target), double(glm::degrees(camera_.fov))});
  if (!view.go_to) return;
  const CameraStand& stand = view.bookmarks[*view.go_to];
  view.go_to.reset();
  const glm::vec2 middle = camera_.middle;
  camera_ = Camera::looking(stand.position, stand.target, glm::radians(float(stand.fov_degrees)));
  camera_.middle = middle;
  camera_chosen_ = true;
  fitting_ = false;
}

/// Takes over messages and changes of the simulation thread.
void WindowApplication::follow(const Publication& shown) {
  panels_.log.add(runner_.take_messages());
  follow_video();
  follow_export();
  if (scene_file_.changed(std::chrono::steady_clock::now())) runner_.reload(scene_file_.reader({}));
  if (panels_.view.heat_map != heat_map_asked_) {
    runner_.show(heat_map_asked_ = panels_.view.heat_map);
    panels_.view.heat_look.high.reset();  // the end of the scale belonged to another heat map
  }
  if (panels_.view.heat_look != heat_look_asked_) runner_.show(heat_look_asked_ = panels_.view.heat_look);
  const Overlay overlay =
      shown.status.overlays[std::size_t(panels_.view.overlay)] ? panels_.view.overlay : Overlay::none;
  if (overlay != overlay_asked_) runner_.show(overlay_asked_ = overlay);
  panels_.view.orthographic = camera_.orthographic;
  follow_bookmarks();
  if (std::exchange(panels_.view.clip_to_middle, false))
    panels_.view.clip_plane.offset =
        glm::dot(panels_.view.clip_plane.normal, 0.5f * (shown.frame.focus_min + shown.frame.focus_max));
  if (shown.status.loads == loads_seen_) return;
  loads_seen_ = shown.status.loads;
  panels_.view.clip = false;
  panels_.view.bookmarks.clear();
  panels_.log.keep_scene(loads_seen_);
  open_view(*shown.status.scene->view);
  camera_ = camera_of(shown.status.scene->camera);
  camera_chosen_ = false;
  fitting_ = shown.status.scene->camera.fit;
  fitted_.start();
  scene_file_.follow(shown.status.scene->file);
  current_ = list_opened(*shown.status.scene, scenes_).file;
  const std::string& title = shown.status.scene->title;
  window_->set_title("Limber - " + (title.empty() ? shown.status.name : title));
}

/// Takes over the view of a newly opened scene, and drops the view that the previous scene had set.
void WindowApplication::open_view(const ViewDesc& view) {
  const HeatMap map = HeatMap(view.heat_map), map_before = std::exchange(heat_map_opened_, map);
  const Overlay marks = Overlay(view.debug_view), marks_before = std::exchange(overlay_opened_, marks);
  if (map != HeatMap::none || panels_.view.heat_map == map_before) panels_.view.heat_map = map;
  if (marks != Overlay::none || panels_.view.overlay == marks_before) panels_.view.overlay = marks;
  if (std::exchange(plots_opened_, view.plots) || view.plots) panels_.compare.open = view.plots;
}

void WindowApplication::look_from(Camera::Side side) {
  fitting_ = false;
  camera_.look_from(side);
}

void WindowApplication::frame_all(const RenderFrame& frame) {
  FittedView().follow(camera_, frame, open_area_);
  fitting_ = false;
  steady_.framed_in(open_area_);
}

void WindowApplication::show_next_overlay(const OverlaysThere& there) {
  Overlay& overlay = panels_.view.overlay;
  const bool marks = overlay != Overlay::none && there[std::size_t(overlay)];
  overlay = next_overlay(overlay, there);
  if (overlay == Overlay::none && !marks)
    say({Message::Severity::info, "No debug view has anything to mark in this scene."});
}

/// The pictures' places in the last frame. A single picture fills the window behind the panels.
std::vector<Pane> WindowApplication::panes(const Publications& all) const {
  std::vector<Pane> out;
  if (all.variants.size() > 1 && cells_.size() == all.variants.size()) {
    for (std::size_t k = 0; k < cells_.size(); ++k)
      out.push_back({all.variants[k],
                     {cells_[k].position.x, cells_[k].position.y},
                     {cells_[k].size.x, cells_[k].size.y}});
  } else {
    out.push_back({all.front(), glm::vec2(0.0f), glm::vec2(window_->size())});
  }
  return out;
}

/// The view of each cell. `scale`: pixels of the picture per unit of the cells.
std::vector<PictureView> WindowApplication::views(const Publications& all, std::span<const ui::Rect> cells,
                                                  glm::vec2 scale) const {
  std::vector<PictureView> out;
  for (std::size_t k = 0; k < std::min(cells.size(), all.variants.size()); ++k) {
    const glm::ivec2 from(glm::round(glm::vec2(cells[k].position.x, cells[k].position.y) * scale));
    const glm::ivec2 to(glm::round(glm::vec2(cells[k].right(), cells[k].bottom()) * scale));
    out.push_back({all.variants[k].frame, camera_, {from.x, from.y, to.x - from.x, to.y - from.y}});
  }
  return out;
}

}  // namespace limber
