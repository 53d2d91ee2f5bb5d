// The script of a film, read from JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/film/camera_path.hpp"
#include "app/view/heat_look.hpp"
#include "app/view/stage.hpp"
#include "engine/core/expected.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/file/view_desc.hpp"

namespace limber {

struct FilmCaption {
  std::string text;
  double from = 0.0, to = 1e6;  ///< s of the film
};

struct FilmScript {
  std::string file;              ///< the script itself
  std::string scene;             ///< name, or a scene file beside the script
  int scene_line = 0;            ///< line of `scene` in the script; 0: the scene comes from elsewhere
  std::vector<std::string> set;  ///< "path=value"
  std::vector<int> set_lines;    ///< line in the script of each of the first entries of `set`
  std::string video;             ///< file or folder
  std::string title;             ///< shown during the whole film
  std::vector<FilmCaption> captions;
  double start = 0.0;              ///< s, simulated time before the first picture
  double seconds = 5.0;            ///< s, length of the film
  double speed = 1.0;              ///< simulated seconds per second of film
  double rate = 30.0;              ///< pictures per second of film
  int width = 1280, height = 720;  ///< px
  int samples = 16;                ///< drawings that make up a picture
  double lens = 0.0;               ///< m, diameter
  double shutter = 0.0;            ///< share of the time between two pictures in which light falls
  bool transparent = false;        ///< an alpha channel instead of ground and backdrop
  HeatMapWord heat_map{};
  HeatLook heat_look;
  DebugViewWord debug_view{};
  std::optional<Stage> stage;   ///< none: the scene's own
  std::vector<CameraKey> keys;  ///< none: the scene's camera
  double turns = 0.0;           ///< revolutions about the target over the whole film
  std::string follow;           ///< name of an object or body that the camera follows

  int pictures() const;
};

/// Places an error about the scene or a setting at the line of the script that names it.
Error placed_in_script(Error error, const FilmScript& script);

/// Reads a script. Fails on an invalid one, with file, line and a suggestion.
Expected<FilmScript> read_film_script(const std::string& path);

/// The division of simulated time into the pictures of a film.
struct FilmPace {
  double dt = 1.0 / 60.0;  ///< s, of a frame
  int substeps = 1;        ///< number per frame
  int frames = 1;          ///< simulated between two pictures
};

/// The frame time for a film. In slow motion frames are shorter than `dt`. Their number of substeps is
/// reduced in proportion and rounded up, so that substeps never become longer.
FilmPace film_pace(const FilmScript& script, double dt, int substeps);

}  // namespace limber
