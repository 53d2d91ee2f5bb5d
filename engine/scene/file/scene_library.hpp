// The list of scenes: every scene file in a few folders.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

/// The folder that holds scenes/, assets/ and shaders/. Searched in this order, so that a copied tree uses
/// its own data: the executable's folder; ../share/limber of an install tree; the two folders above the
/// executable, for a build tree inside its source tree; the source folder that the program was built from.
/// Either argument may be "". Fails if none of these folders has scenes/ and shaders/.
Expected<std::string> find_data_folder(const std::string& executable_folder,
                                       const std::string& source_folder);

/// A line of the scene list. A file that cannot be read stays in the list, with its error.
struct SceneEntry {
  std::string name;  ///< file name without extension
  std::string title;
  std::string group;
  std::string look_for;
  std::string file;
  std::optional<Error> error;
  std::string instead_of = {};  ///< path of the scene file of the same name that this one replaces; "" for
                                ///< none

  const std::string& shown_title() const { return title.empty() ? name : title; }
};

/// The scenes found in a list of folders and their subfolders. Not thread-safe.
class SceneLibrary {
 public:
  /// Scans the folders. A scene of a later folder replaces one of the same name from an earlier folder, so a
  /// user's copy replaces the shipped one. A missing folder counts as empty.
  SceneLibrary(std::vector<std::string> folders, std::string assets);

  /// Scans again for new, changed and removed files.
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
