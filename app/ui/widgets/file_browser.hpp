// The dialog "Open file...": folders, scenes, recordings and meshes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace limber::ui {

/// A subfolder or file of a folder.
struct FolderEntry {
  std::string name;
  bool folder = false;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// Subfolders first, then files that can be opened (kind_of_file()), each sorted by name. Leaves out hidden
/// ones. Empty if the folder cannot be read.
std::vector<FolderEntry> list_folder(const std::string& folder);

/// The file that a user means by `typed`: "~" is the home folder. Nothing if the file does not exist or has
/// no name of a scene, a recording or a mesh.
std::optional<std::string> file_named(std::string typed);

/// Whether `typed` looks like a path rather than letters of a scene's name.
bool is_path(const std::string& typed);

struct FileBrowserState {
  bool open = false;
  std::string folder;  ///< the shown folder; at first the working folder
  std::vector<FolderEntry> entries;
  void show();
  void enter(std::string into);
};

/// The browser in the middle of the window while it is open. Returns the path of the chosen file.
std::optional<std::string> file_browser(FileBrowserState& state);

}  // namespace limber::ui
