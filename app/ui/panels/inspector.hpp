#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/widgets/field_editor.hpp"
#include "engine/core/methods.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber::ui {

/// Changes that the user made in the inspector in this frame.
struct InspectorChange {
  std::vector<SetValue> edits;
  std::optional<int> threads;
  std::optional<double> speed;  ///< simulated seconds per second
  bool as_opened = false;       ///< restart with the values of the scene file
  std::optional<Message> message;
};

/// The inspector's own copy of the scene, so that a slider follows the hand while edits are under way. The
/// copy is renewed when the simulation has handled all edits.
class InspectorModel {
 public:
  struct Row {
    std::size_t setting;  ///< index into the settings
    std::string label;
  };
  /// A foldable group of rows.
  struct Section {
    std::string title;
    std::vector<Row> rows;
    bool open = true;
  };

  void follow(const RunStatus& status);
  bool empty() const { return sections_.empty(); }

  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<Setting>& settings() const { return settings_; }
  const Setting& setting(const Row& row) const { return settings_[row.setting]; }
  SolverMethod method() const;
  const Value& original(const Row& row) const { return originals_[row.setting]; }

  int changed() const;  ///< number of values that differ from the scene file

  /// Whether to draw the row: it matches the search or, without a search, has an effect under the scene's
  /// method. The scene's tunables are always drawn.
  bool shows(const Section& section, const Row& row) const;
  /// Number of rows of the section without effect under the scene's method.
  int idle(const Section& section) const;

  void count_edit() { ++sent_; }
  FieldEditorState editor;
  std::string search;         ///< "": all rows
  std::set<std::string> all;  ///< titles of sections that also show rows without effect

 private:
  bool is_idle(const Section& section, const Row& row) const;
  void take(const RunStatus& status);
  void make_sections();
  Section tunables() const;
  Section world() const;
  Section about(Topic topic, std::string title) const;
  void add_topics();
  bool has_pressure(std::string_view path) const;
  bool has_use_for(const Field& field) const;
  bool is_shown(std::size_t setting) const;
  bool is_shared(std::size_t setting) const;

  std::shared_ptr<const SceneDesc> seen_;
  std::uint64_t loads_ = 0, sent_ = 0;
  SceneDesc scene_;
  std::vector<Setting> settings_;  ///< pointers into scene_
  std::vector<Value> originals_;
  std::vector<Section> sections_;
};

/// The method needed for the setting to have an effect, if that is not `method`: XPBD for a compliance, PBD
/// for a stiffness. "" if the setting has an effect.
std::string_view acts_only_with(const Field& field, SolverMethod method);

/// Whether the name, path, options or tooltip of a setting contain every word of `search`.
bool is_found(const Setting& setting, std::string_view label, std::string_view search);

/// Width of the column of names in a panel of `width` pixels inside. 0: too narrow for two columns, so each
/// name stands above its value.
float label_width(float width);

/// Draws the scene's tunables first, then settings that act on everything, solver, materials, shapes and
/// colliders; every setting once. `hardware_threads` bounds the number of threads.
InspectorChange inspector(const Rect& rect, const RunStatus& status, int hardware_threads,
                          InspectorModel& model);

}  // namespace limber::ui
