// Exports frames of a running scene for other programs, in the format given by the ending of the name.
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
  int frames = 0;                   ///< largest number of frames; 0: unknown
  double dt = 1.0 / 60.0;           ///< s, between two frames
  std::string option = "--export";  ///< option named at the start of messages
  bool surfaces = false;            ///< export fluids as closed meshes too
};

/// One file format. add() is called once per frame, finish() once after the last frame. A writer destroyed
/// without finish() leaves no file that looks complete.
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
/// All formats except folders, which have no ending.
extern const std::array<ExportFormat, 6> export_formats;

/// "OBJ files in a new folder, or by ending: .usda ..."
std::string export_help();

class SceneExport {
 public:
  /// Fails on an unknown ending, an unwritable path, a folder that contains files, and existing files of an
  /// earlier sequence of that name, which would mix with the new ones.
  static Expected<SceneExport> create(ExportPlan plan);

  /// Writes the present state as the next frame. Fails if the format cannot hold it, a position is not
  /// finite, or the disk is full.
  Expected<void> add(const Simulation& simulation);

  /// Moves a file of all frames into place. Must be called once, after the last frame. Writes nothing if
  /// there was no frame.
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
