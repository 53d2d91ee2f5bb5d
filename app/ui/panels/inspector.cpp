#include "app/ui/panels/inspector.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/scene_part.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber::ui {
namespace {

constexpr std::string_view gravity_path = "solver.gravity";

/// The path of the struct that holds a setting: everything before the last dot.
std::string_view holder_of(std::string_view path) { return path.substr(0, path.rfind('.')); }

/// "objects.cloth.material" -> "cloth: material".
std::string title_of(std::string_view holder) {
  if (holder == "solver") return "Solver";
  if (holder == "wind") return "Wind";
  const bool collider = holder.starts_with("colliders."), body = holder.starts_with("bodies.");
  std::string_view name = holder.substr(holder.find('.') + 1);
  if (collider) return std::string(name) + ": collider";
  if (holder.starts_with("joints.")) return std::string(name) + ": joint";
  if (const auto at = name.find(".parts."); at != name.npos)
    return std::string(name.substr(0, at)) + ": part " + std::string(name.substr(at + 7));
  if (body) return std::string(name) + ": body";
  if (name.ends_with(".material")) return std::string(name.substr(0, name.size() - 9)) + ": material";
  if (const auto at = name.find(".fields."); at != name.npos && holder.starts_with("objects."))
    return std::string(name.substr(0, at)) + ": field " + std::string(name.substr(at + 8));
  if (const auto at = name.find(".attachments."); at != name.npos)
    return std::string(name.substr(0, at)) + ": attachment " + std::string(name.substr(at + 13));
  return std::string(name) + ": shape";
}

// Sections of related settings that different structs hold.
constexpr const char *scene_section = "This scene", *collision_section = "Collision",
                     *tearing_section = "Tearing", *pressure_section = "Pressure";

bool begin_rows() {
  const float label = label_width(ImGui::GetContentRegionAvail().x);
  const bool above = label == 0.0f;
  if (!ImGui::BeginTable("##rows", above ? 1 : 2, ImGuiTableFlags_SizingStretchProp)) return false;
  if (!above) ImGui::TableSetupColumn("label", ImGuiTableColumnFlags_WidthFixed, label);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

/// During a search every section is open and cannot be folded.
bool section_header(const InspectorModel::Section& section, const InspectorModel& model) {
  if (!model.search.empty()) {
    const bool any = std::any_of(section.rows.begin(), section.rows.end(),
                                 [&](const InspectorModel::Row& row) { return model.shows(section, row); });
    if (any) heading(section.title.c_str());
    return any;
  }
  push_font(fonts().bold);
  ImGui::PushStyleColor(ImGuiCol_Header, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, ImGui::GetStyleColorVec4(ImGuiCol_FrameBgHovered));
  const bool open =
      ImGui::CollapsingHeader(section.title.c_str(), section.open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  ImGui::PopStyleColor(2);
  ImGui::PopFont();
  return open;
}

/// A button that shows or hides the rows without effect under the present method.
void all_rows_button(const InspectorModel::Section& section, InspectorModel& model) {
  const int idle = model.idle(section);
  if (idle == 0 || !model.search.empty()) return;
  const bool all = model.all.contains(section.title);
  const std::string text =
      all ? "Hide what does nothing here" : "Show all (" + std::to_string(idle) + " more)";
  push_font(fonts().small);
  if (ImGui::SmallButton((text + "###all").c_str())) {
    if (all)
      model.all.erase(section.title);
    else
      model.all.insert(section.title);
  }
  ImGui::PopFont();
  item_tooltip("Settings that have an effect only with another method.");
}

/// Whether a setting changes in this variant only. Such a row is marked.
bool is_own(const RunStatus& status, const std::string& path) {
  return status.variant.count > 1 && status.unlinked && status.unlinked->contains(path);
}

void section_rows(const InspectorModel::Section& section, const RunStatus& status, InspectorModel& model,
                  InspectorChange& change) {
  for (const InspectorModel::Row& row : section.rows) {
    const Setting& setting = model.setting(row);
    const std::string_view only = acts_only_with(*setting.field, model.method());
    if (!model.shows(section, row)) continue;
    std::string label = only.empty() ? row.label : row.label + " (" + std::string(only) + " only)";
    if (is_own(status, setting.path)) label += " (this variant)";
    if (!only.empty()) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.5f);
    auto value = field_row(label.c_str(), setting, model.original(row), model.editor);
    if (!only.empty()) ImGui::PopStyleVar();
    if (!value) continue;
    change.edits.push_back({setting.path, std::move(*value)});
    model.count_edit();
  }
}

/// The row for the number of threads. It is not part of the scene, so it has no Field.
void threads_row(const RunStatus& status, int most, InspectorChange& change) {
  row_label("Threads", Effect::live,
            "Threads of the simulation. automatic: as many as make a step faster, as measured while it runs. "
            "The result is the same, bit for bit, for any number of threads.");
  ImGui::SetNextItemWidth(-ImGui::GetFrameHeight());
  const int now = status.chooses_threads ? 0 : status.threads;
  const auto name = [](int count) { return count == 0 ? std::string("automatic") : std::to_string(count); };
  if (!ImGui::BeginCombo("##threads", name(now).c_str())) return;
  for (int count = 0; count <= most; ++count)
    if (ImGui::Selectable(name(count).c_str(), count == now) && count != now) change.threads = count;
  ImGui::EndCombo();
}

/// The row for the number of vertices made by tears and cuts; its tooltip tells how to undo them.
void tears_row(const RunStatus& status) {
  row_label("Tears", Effect::live,
            "Vertices that tears and cuts have added. Restart (R) heals everything. With a threshold of 0 "
            "nothing tears; C with a left drag cuts by hand.");
  const long long tears = status.measures.tears;
  ImGui::AlignTextToFramePadding();
  ImGui::Text(tears > 0 ? "%lld   (R heals)" : "%lld", tears);
}

/// Rows for the volume of each object under pressure relative to its rest volume.
void volume_rows(const RunStatus& status) {
  for (const VolumeRatio& volume : status.measures.volume_ratios) {
    if (!status.scene || std::size_t(volume.object) >= status.scene->objects.size()) continue;
    const ObjectDesc& object = status.scene->objects[std::size_t(volume.object)];
    row_label(("Volume of " + object.name).c_str(), Effect::live,
              "Present volume over rest volume, V / V0. Pressure holds it at k_p; a soft volume or a tight "
              "skin keeps it lower. For copies, that of the copy farthest from k_p. A torn object has none.");
    ImGui::AlignTextToFramePadding();
    ImGui::Text("%.3f V0", volume.ratio * object.pressure);
  }
}

struct Playback {
  double speed;  ///< simulated seconds per real second
};
const Field playback_speed =
    limber::number<&Playback::speed>({"speed", "Speed", "x", 0.1, 2.0,
                                      "Simulated seconds per real second: 1 is real time, less is slow "
                                      "motion. The steps and their results stay the same.",
                                      Effect::live, Scale::logarithmic});

/// The row for the speed of simulated time. It is not part of the scene but looks like all other rows.
void speed_row(const RunStatus& status, FieldEditorState& editor, InspectorChange& change) {
  Playback playback{status.speed};
  const Setting setting{"speed", &playback_speed, &playback};
  if (field_row("Speed", setting, Value(1.0), editor)) change.speed = playback.speed;
}

void legend() {
  push_font(fonts().small);
  ImGui::PushStyleColor(ImGuiCol_Text, palette::muted);
  marked_text("acts live", Effect::live);
  ImGui::SameLine(0.0f, ImGui::GetFontSize());
  marked_text("rebuilds", Effect::rebuild);
  ImGui::SameLine(0.0f, ImGui::GetFontSize());
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Ctrl+click: type");
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace

std::string_view acts_only_with(const Field& field, SolverMethod method) {
  return field.methods.has(int(method)) ? std::string_view() : field.methods.name;
}

bool is_found(const Setting& setting, std::string_view label, std::string_view search) {
  std::string text = std::string(label) + " " + setting.path + " " + std::string(setting.field->tooltip);
  for (const std::string_view option : setting.field->options) text += " " + std::string(option);
  const auto lower = [](std::string words) {
    std::transform(words.begin(), words.end(), words.begin(),
                   [](unsigned char c) { return c == '_' ? ' ' : char(std::tolower(c)); });
    return words;
  };
  text = lower(std::move(text));
  std::istringstream words(lower(std::string(search)));
  for (std::string word; words >> word;)
    if (text.find(word) == text.npos) return false;
  return true;
}

float label_width(float width) {
  const float font = ImGui::GetFontSize();
  return width < font * 18.5f ? 0.0f : std::min(font * 9.6f, width * 0.5f);
}

SolverMethod InspectorModel::method() const { return scene_.solver.method->kind; }

void InspectorModel::follow(const RunStatus& status) {
  if (!status.scene || status.scene == seen_) return;
  const bool another = status.loads != loads_;
  if (!another && (status.edits != sent_ || ImGui::IsAnyItemActive())) return;
  if (another) editor = {}, search.clear();
  take(status);
}

void InspectorModel::take(const RunStatus& status) {
  seen_ = status.scene;
  loads_ = status.loads;
  scene_ = *status.scene;
  settings_ = list_settings(scene_);
  SceneDesc original = *status.original;
  originals_.clear();
  for (const Setting& setting : settings_) {
    const auto source = find_setting(original, setting.path);
    originals_.push_back(source ? said(*source->field, source->settings)
                                : said(*setting.field, setting.settings));
  }
  make_sections();
}

/// Settings that act on everything: gravity, beside the speed of time.
InspectorModel::Section InspectorModel::world() const {
  Section section{"World", {}, true};
  for (std::size_t i = 0; i < settings_.size(); ++i)
    if (settings_[i].path == gravity_path && !is_shown(i))
      section.rows.push_back({i, std::string(settings_[i].field->label)});
  return section;
}

bool InspectorModel::is_shown(std::size_t setting) const {
  const auto shows = [&](const Section& section) {
    return std::any_of(section.rows.begin(), section.rows.end(),
                       [&](const Row& row) { return row.setting == setting; });
  };
  return std::any_of(sections_.begin(), sections_.end(), shows);
}

int InspectorModel::changed() const {
  int count = 0;
  for (std::size_t i = 0; i < settings_.size(); ++i)
    count += said(*settings_[i].field, settings_[i].settings) != originals_[i];
  return count;
}

/// Whether the setting has an effect on anything in the scene.
bool InspectorModel::has_use_for(const Field& field) const {
  const std::uint32_t bodies = scene_.bodies.empty() ? 0 : scene_part::bodies;
  return field.needs == 0 || (field.needs & (parts_of(scene_.objects) | bodies)) != 0;
}

bool InspectorModel::is_idle(const Section& section, const Row& row) const {
  return section.title != scene_section && !acts_only_with(*setting(row).field, method()).empty();
}

bool InspectorModel::shows(const Section& section, const Row& row) const {
  if (!search.empty()) return is_found(setting(row), row.label, search);
  return !is_idle(section, row) || all.contains(section.title);
}

int InspectorModel::idle(const Section& section) const {
  return int(std::count_if(section.rows.begin(), section.rows.end(),
                           [&](const Row& row) { return is_idle(section, row); }));
}

/// Whether another part of the scene has a setting of the same name.
bool InspectorModel::is_shared(std::size_t setting) const {
  const auto is_part = [](std::string_view path) {
    return !path.starts_with("solver.") && !path.starts_with("wind.") && !path.starts_with("camera.");
  };
  const Setting& one = settings_[setting];
  const auto alike = [&](const Setting& other) {
    return is_part(other.path) && other.field->label == one.field->label &&
           owner_of(other.path) != owner_of(one.path);
  };
  return is_part(one.path) && std::any_of(settings_.begin(), settings_.end(), alike);
}

/// The scene's own tunables. If several parts of the scene have the same setting, labels name the part.
InspectorModel::Section InspectorModel::tunables() const {
  Section section{scene_section, {}, true};
  for (const std::string& path : scene_.tunables)
    for (std::size_t i = 0; i < settings_.size(); ++i)
      if (settings_[i].path == path) {
        const std::string label(settings_[i].field->label);
        section.rows.push_back({i, is_shared(i) ? label + " (" + owner_of(path) + ")" : label});
      }
  return section;
}

/// Rows of all structs about `topic`, without the scene's tunables. With several objects, labels name the
/// object.
InspectorModel::Section InspectorModel::about(Topic topic, std::string title) const {
  Section section{std::move(title), {}, true};
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    const std::string& path = settings_[i].path;
    if (settings_[i].field->topic != topic || !has_use_for(*settings_[i].field) || is_shown(i)) continue;
    std::string label(settings_[i].field->label);
    if (scene_.objects.size() > 1 && path.starts_with("objects.")) label += " (" + owner_of(path) + ")";
    section.rows.push_back({i, std::move(label)});
  }
  return section;
}

/// Whether the object that `path` names is under pressure, or was when the scene was opened.
bool InspectorModel::has_pressure(std::string_view path) const {
  const std::string pressure = "objects." + owner_of(path) + ".pressure";
  for (std::size_t i = 0; i < settings_.size(); ++i)
    if (settings_[i].path == pressure)
      return originals_[i] != Value(0.0) || get(*settings_[i].field, settings_[i].settings) != Value(0.0);
  return false;
}

/// Adds the sections of topics that apply to this scene.
void InspectorModel::add_topics() {
  const bool surface = has_any(scene_.objects, &ObjectTraits::surface);
  Section collision = about(Topic::collision, collision_section);
  collision.open = scene_.solver.contact->cloth_collision;
  if ((surface || !scene_.colliders.empty()) && !collision.rows.empty())
    sections_.push_back(std::move(collision));
  Section pressure = about(Topic::pressure, pressure_section);
  std::erase_if(pressure.rows, [&](const Row& row) { return !has_pressure(settings_[row.setting].path); });
  const bool pressed = std::any_of(settings_.begin(), settings_.end(), [&](const Setting& setting) {
    return setting.field->topic == Topic::pressure && has_pressure(setting.path);
  });
  // the section has volumes even where it has no rows
  if (pressed) sections_.push_back(std::move(pressure));
  Section tearing = about(Topic::tearing, tearing_section);
  tearing.open = std::any_of(scene_.objects.begin(), scene_.objects.end(),
                             [](const ObjectDesc& object) { return object.material->tear_strain > 0.0; });
  const auto tears = [](const ObjectDesc& object) {
    const ObjectTraits& type = traits_of(object);
    return type.surface && (type.material & material_part::tearing) != 0;
  };
  if (std::any_of(scene_.objects.begin(), scene_.objects.end(), tears))
    sections_.push_back(std::move(tearing));
}

void InspectorModel::make_sections() {
  sections_.clear();
  if (Section first = tunables(); !first.rows.empty()) sections_.push_back(std::move(first));
  sections_.push_back(world());
  add_topics();
  std::string_view holder;
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    const std::string_view path = settings_[i].path;
    if (path.starts_with("camera.")) continue;  // the mouse moves the camera
    if (!has_use_for(*settings_[i].field)) continue;
    if (is_shown(i)) continue;  // shown in an earlier section
    if (holder_of(path) != holder) {
      holder = holder_of(path);
      const bool open = holder == "solver" || holder.ends_with(".material");
      sections_.push_back({title_of(holder), {}, open});
    }
    sections_.back().rows.push_back({i, std::string(settings_[i].field->label)});
  }
}

void search_box(InspectorModel& model) {
  std::array<char, 64> text{};
  model.search.copy(text.data(), text.size() - 1);
  const float button = model.search.empty() ? 0.0f : ImGui::GetFrameHeightWithSpacing();
  ImGui::SetNextItemWidth(button > 0.0f ? -button : -1.0f);
  if (ImGui::InputTextWithHint("##search", "Search settings", text.data(), text.size()))
    model.search = text.data();
  if (button <= 0.0f) return;
  ImGui::SameLine();
  if (ImGui::Button("x", {ImGui::GetFrameHeight(), 0.0f})) model.search.clear();
  item_tooltip("Shows all settings again");
}

/// Tells the user that a search found nothing, because the panel would look broken otherwise.
void nothing_found(const InspectorModel& model) {
  if (model.empty() || model.search.empty()) return;
  for (const InspectorModel::Section& section : model.sections())
    for (const InspectorModel::Row& row : section.rows)
      if (model.shows(section, row)) return;
  ImGui::TextDisabled("No setting matches these words.");
}

/// A button that resets all values at once; each row has its own reset mark.
bool as_opened_button(int changed) {
  const std::string text = changed == 0   ? "Reset values"
                           : changed == 1 ? "Reset 1 value"
                                          : "Reset " + std::to_string(changed) + " values";
  push_font(fonts().small);
  const float width = ImGui::CalcTextSize(text.c_str()).x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
  ImGui::BeginDisabled(changed == 0);
  const bool pressed = ImGui::SmallButton((text + "###as_opened").c_str());
  ImGui::EndDisabled();
  ImGui::PopFont();
  item_tooltip(changed == 0 ? "Every value is that of the scene."
                            : "Restarts with the values of the scene (Shift+R). R restarts and keeps your "
                              "changes; the arrow beside a value resets that value.");
  return pressed;
}

InspectorChange inspector(const Rect& rect, const RunStatus& status, int hardware_threads,
                          InspectorModel& model) {
  InspectorChange change;
  begin_panel("Inspector", rect);
  heading("INSPECTOR");
  model.follow(status);
  change.as_opened = as_opened_button(model.changed());
  if (model.empty()) ImGui::TextDisabled("No scene yet.");
  search_box(model);
  nothing_found(model);
  const float legend_height = ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("##sections", {0.0f, -legend_height});
  for (std::size_t i = 0; i < model.sections().size(); ++i) {
    const InspectorModel::Section& section = model.sections()[i];
    ImGui::PushID(section.title.c_str());
    const bool whole = model.search.empty();
    if (section_header(section, model) && begin_rows()) {
      if (whole && section.title == "World") speed_row(status, model.editor, change);
      section_rows(section, status, model, change);
      if (whole && section.title == tearing_section) tears_row(status);
      if (whole && section.title == pressure_section) volume_rows(status);
      if (whole && section.title == "Solver") threads_row(status, hardware_threads, change);
      ImGui::EndTable();
      all_rows_button(section, model);
    }
    ImGui::PopID();
  }
  ImGui::EndChild();
  legend();
  ImGui::End();
  if (!model.editor.complaint.empty())
    change.message = Message{Message::Severity::warning, std::exchange(model.editor.complaint, {}),
                             std::exchange(model.editor.complained_of, {})};
  return change;
}

}  // namespace limber::ui
