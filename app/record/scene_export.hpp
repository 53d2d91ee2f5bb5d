// Frames of a running scene for other programs, in a format that the ending of the name chooses.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "app/record/frame_gatherer.hpp"
#include "engine/core/expected.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Facts of a run that a writer needs before the first frame.
struct ExportPlan {
  std::string path;
  int frames = 0;                   ///< at most so many follow; 0: nobody knows
  double dt = 1.0 / 60.0;           ///< s, between two frames
  std::string option = "--export";  ///< begins messages
  bool surfaces = false;            ///< fluids as closed meshes too
};

/// One file format. add() is called once per frame, finish() once after the last frame; a writer that is
/// destroyed without finish() leaves no file that looks complete.
class FrameWriter {
 public:
  virtual ~FrameWriter() = default;
  virtual Expected<void> add(const ExportedFrame& frame) = 0;
  virtual Expected<void> finish() { return {}; }
  virtual bool wants_fields() const { return true; }
};

struct ExportFormat {
  std::string_view ending;
  std::string_view meaning;  ///< for --help
  Expected<std::unique_ptr<FrameWriter>> (*create)(const ExportPlan& plan);
};
/// All formats but that of folders, which have no ending.
extern const std::array<ExportFormat, 6> export_formats;

/// "OBJ files in a new folder, or by ending: .usda ..."
std::string export_help();

class SceneExport {
 public:
  /// Fails on an unknown ending, a path that cannot be written, a folder with files in it, and where files of
  /// an earlier sequence of the same name would mix with the new ones.
  static Expected<SceneExport> create(ExportPlan plan);

  /// Writes the present state as the next frame. Fails where the format cannot hold it, when a position is
  /// not finite and when the disk is full.
  Expected<void> add(const Simulation& simulation);

  /// Puts a file of all frames in its place; call it once, after the last frame. Without a frame nothing is
  /// written.
  Expected<void> finish();

 private:
  SceneExport(std::unique_ptr<FrameWriter> writer, const ExportPlan& plan)
      : gatherer_(plan.surfaces), writer_(std::move(writer)), path_(plan.path) {}

  FrameGatherer gatherer_;
  std::unique_ptr<FrameWriter> writer_;
  std::string path_;
  int frames_ = 0;
};

}  // namespace limber
