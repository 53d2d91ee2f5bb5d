// The interactive program: a window, a running scene behind it, and panels.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/view/stage.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

struct InputRecording;

struct AppOptions {
  std::string scene;  ///< name, scene file or .obj; "" opens the first scene of the list
  RunOptions run;
  std::vector<std::string> set;       ///< "path=value", applied to that scene when it is opened
  std::vector<std::string> variants;  ///< "path=value path=value": settings of each of two to four variants
  std::string report;                 ///< file for the report written at the end; "" for none
  std::string record_input;           ///< file for the user's inputs; "" for none
  std::string screenshot;             ///< file for a picture of the last drawn frame; "" for none
  std::optional<int> frames;          ///< quit after this many frames of simulation
  std::optional<double> seconds;      ///< quit after this many real seconds
  std::optional<Stage> stage;         ///< stage of the scenes; none: the scene's own
  std::optional<int> samples;         ///< samples of a saved picture
  int width = 0, height = 0;          ///< size of the window; 0: as in the last session, at first 1280 x 800
  std::shared_ptr<InputRecording> recording = {};  ///< the recording to play if `scene` is a recording
};

/// Opens the window and runs until it is closed. Returns the exit status: 0, or 2 with a message on standard
/// error when there is no display, no OpenGL 3.3, a bad scene at the start or an unwritable file.
int run_app(const AppOptions& options);

}  // namespace limber
