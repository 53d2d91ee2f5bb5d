// The scenes a person can choose from: every scene file in a few folders.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

/// The folder that holds scenes/, assets/ and shaders/: the executable's own, ../share/limber of an install
/// tree, or one of the two above it, where a build tree lies in its source tree; only then the source
/// folder that the program was built from (either argument may be ""). A tree that was copied so uses its own
/// data. Fails if none of them has scenes/ and shaders/.
Expected<std::string> find_data_folder(const std::string& executable_folder,
                                       const std::string& source_folder);

/// One line of the scene list. A broken file keeps its line and says what is wrong with it.
struct SceneEntry {
  std::string name;  ///< file name without extension
  std::string title;
  std::string group;
  std::string look_for;
  std::string file;
  std::optional<Error> error;
  std::string instead_of = {};  ///< the file of the same name that this one replaces; "" for none

  const std::string& shown_title() const { return title.empty() ? name : title; }
};

/// Scenes found by scanning folders and what is below them. Not thread-safe.
class SceneLibrary {
 public:
  /// Scans at once. A scene of a later folder replaces one of the same name from an earlier folder, so a
  /// user's copy wins over the shipped one; a missing folder is an empty one.
  SceneLibrary(std::vector<std::string> folders, std::string assets);

  /// Looks again for new, changed and removed files.
  void rescan();

  /// Sorted by group, then by name; broken files come last.
  const std::vector<SceneEntry>& scenes() const { return scenes_; }

  /// Reads the scene called `name_or_path`: a name of the list, or the path of a .json or .obj file. Fails
  /// with the nearest name, or as read_scene and scene_from_obj do.
  Expected<SceneDesc> find(const std::string& name_or_path) const;

 private:
  std::vector<std::string> folders_;
  std::string assets_;
  std::vector<SceneEntry> scenes_;
};

}  // namespace limber
