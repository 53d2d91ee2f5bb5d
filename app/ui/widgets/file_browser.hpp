// "Open file...": folders, scenes, recordings and meshes to click through.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace limber::ui {

/// What a folder has of interest, folders first, each in the order of names.
struct FolderEntry {
  std::string name;
  bool folder = false;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// Folders, and files that can be opened (kind_of_file()), without hidden ones. Empty for a folder that
/// cannot be read.
std::vector<FolderEntry> list_folder(const std::string& folder);

/// The file that a person means by `typed`: "~" is the home folder. Nothing where it does not exist or its
/// name is not that of a scene, a recording or a mesh.
std::optional<std::string> file_named(std::string typed);

/// Whether it looks like a path rather than letters of a scene's name.
bool is_path(const std::string& typed);

struct FileBrowserState {
  bool open = false;
  std::string folder;  ///< the one shown; at first the working folder
  std::vector<FolderEntry> entries;
  void show();
  void enter(std::string into);
};

/// The browser in the middle of the window while it is open. Returns the path of the file that was chosen.
std::optional<std::string> file_browser(FileBrowserState& state);

}  // namespace limber::ui
