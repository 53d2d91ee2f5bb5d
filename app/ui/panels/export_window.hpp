// The dialog "Export frames...": file, format, progress.
#pragma once

#include <optional>
#include <string>

namespace limber::ui {

struct ExportRequest {
  std::string path;  ///< the ending chooses the format; a folder for OBJ files
  bool surfaces = false;
};

struct ExportState {
  bool open = false;
  char path[512] = {};
  bool surfaces = false;
  std::string under_way;  ///< path of the export under way; "" if there is none
  int frames = 0;         ///< written so far

  /// Opens the dialog. Proposes a file named after the scene, unless the user has typed one.
  void show(const std::string& scene);
};

/// Replaces the ending of `path` by that of another format. "/" stands for a folder.
std::string with_ending(const std::string& path, const std::string& ending);

/// The dialog while it is open. Returns the export to start. Sets `stop` if the user wants to end the one
/// under way.
std::optional<ExportRequest> export_window(ExportState& state, bool fluids, bool& stop);

}  // namespace limber::ui
