#include "app/film/film_script.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "engine/scene/file/json_document.hpp"
#include "engine/scene/file/key_table.hpp"

namespace limber {
namespace fs = std::filesystem;
namespace {

constexpr int format_now = 1;

constexpr std::array film_table{
    text<&FilmScript::scene>("scene", "Scene", "Name of a scene, or a scene file beside the script."),
    text<&FilmScript::video>("video", "Video", ".mp4, .webm, .gif, or a folder for PNG files."),
    text<&FilmScript::title>("title", "Title", "Text in the lower left corner during the whole film."),
    number<&FilmScript::start>({"start", "Start", "s", 0, 1e4, "Simulated time before the first picture."}),
    number<&FilmScript::seconds>({"seconds", "Length", "s", 0.01, 3600, "Length of the film."}),
    number<&FilmScript::speed>(
        {"speed", "Speed", "", 1e-3, 100, "Simulated seconds per second of the film: 0.25 is slow motion."}),
    number<&FilmScript::rate>({"rate", "Pictures", "1/s", 1, 240, "Pictures per second of the film."}),
    integer<&FilmScript::width>({"width", "Width", "px", 16, 8192, "Size of the pictures."}),
    integer<&FilmScript::height>({"height", "Height", "px", 16, 8192, "Size of the pictures."}),
    integer<&FilmScript::samples>({"samples", "Samples", "", 1, 4096, "Drawings averaged into a picture."}),
    number<&FilmScript::shutter>({"shutter", "Shutter", "", 0, 1,
                                  "Share of the time between two pictures during which light falls, which "
                                  "blurs moving things: 0.5 as in the cinema, 0 sharp."}),
    boolean<&FilmScript::transparent>("transparent", "Transparent",
                                      "PNG pictures with an alpha channel instead of ground and backdrop."),
    number<&FilmScript::lens>(
        {"lens", "Lens", "m", 0, 10,
         "Diameter of the lens: things nearer or farther than the target are blurred."}),
    choice<&FilmScript::heat_map>("heat_map", "Heat map", heat_map_words, "Colours, with their legend."),
    choice<&FilmScript::heat_look, &HeatLook::colors>("heat_colors", "Heat colours", color_map_names,
                                                      "Colours of the heat map."),
    boolean<&FilmScript::heat_look, &HeatLook::isolines>("isolines", "Isolines",
                                                         "Dark lines at each tenth of the heat map's scale."),
    choice<&FilmScript::debug_view>("debug_view", "Debug view", debug_view_words, "Marks over the picture."),
    number<&FilmScript::turns>(
        {"turns", "Turns", "", -1000, 1000, "Revolutions about the target, evenly over the whole film."}),
    text<&FilmScript::follow>("follow", "Follow", "Object or body that the camera follows."),
};

constexpr std::array key_table{
    number<&CameraKey::time>({"time", "Time", "s", 0, 3600, "Time of the film."}),
    vector<&CameraKey::position>({"position", "Position", "m", -1000, 1000, "Where the camera stands."}),
    vector<&CameraKey::target>({"target", "Target", "m", -1000, 1000, "The point that the camera looks at."}),
    number<&CameraKey::fov_degrees>(
        {"fov_degrees", "Field of view", "deg", 5, 120, "Vertical opening angle."}),
    boolean<&CameraKey::ease>("ease", "Ease", "The camera comes to rest here."),
};

constexpr std::array caption_table{
    text<&FilmCaption::text>("text", "Text", "Text above the title."),
    number<&FilmCaption::from>({"from", "From", "s", 0, 3600, "Time of the film."}),
    number<&FilmCaption::to>({"to", "To", "s", 0, 1e6, "Time of the film."}),
};

/// Reads a key. Omitted numbers keep the values of the key before.
Expected<void> read_key(const JsonValue& json, std::vector<CameraKey>& keys) {
  CameraKey key;
  if (!keys.empty()) key = keys.back(), key.ease = false;
  if (const auto done = KeyTable("camera").fields(key_table, &key).read(json); !done) return done;
  if (!keys.empty() && !(key.time > keys.back().time))
    return Error{"the times of camera keys must ascend", "", json.line,
                 "this one is no later than the one before"};
  if (key.position == key.target)
    return Error{"the camera stands on its own target", "", json.line,
                 "give it another 'position' or 'target'"};
  keys.push_back(key);
  return {};
}

Expected<void> read_set(const JsonValue& json, FilmScript& script) {
  if (!json.object())
    return Error{"'set' must be an object of paths and values", "", json.line,
                 R"(as in { "solver.substeps": 20 })"};
  for (const JsonMember& member : *json.object()) {
    const Expected<Value> value = to_value(member.value, member.key);
    if (!value) return at_line(value.error(), member.line);
    script.set.push_back(member.key + "=" + to_text(*value));
    script.set_lines.push_back(member.line);
  }
  return {};
}

Expected<void> read_stage(const JsonValue& json, std::optional<Stage>& stage) {
  const std::string* const name = json.text();
  stage = name ? stage_named(*name) : std::nullopt;
  if (stage) return {};
  if (!name) return Error{"'stage' must be a name", "", json.line, ""};
  return Error{"unknown stage '" + *name + "'", "", json.line, suggest(*name, stage_words)};
}

Expected<void> read_format(const JsonValue& json) {
  const long* const number = std::get_if<long>(&json.content);
  if (number && *number == format_now) return {};
  return Error{"'format' must be " + std::to_string(format_now), "", json.line, ""};
}

Expected<void> read_document(const JsonValue& json, FilmScript& script) {
  KeyTable keys("film");
  keys.fields(film_table, &script);
  keys.key("format", read_format);
  keys.key("stage", [&](const JsonValue& value) { return read_stage(value, script.stage); });
  keys.key("set", [&](const JsonValue& value) { return read_set(value, script); });
  keys.key("camera", [&](const JsonValue& value) {
    return read_list(value, "camera", [&](const JsonValue& item) { return read_key(item, script.keys); });
  });
  keys.key("captions", [&](const JsonValue& value) {
    return read_list(value, "captions", [&](const JsonValue& item) {
      FilmCaption& caption = script.captions.emplace_back();
      if (const auto done = KeyTable("captions").fields(caption_table, &caption).read(item); !done)
        return done;
      if (!(caption.from < caption.to))
        return Expected<void>(Error{"a caption that ends before it begins is never shown", "", item.line,
                                    "make 'to' later than 'from'"});
      return Expected<void>();
    });
  });
  if (const Expected<void> done = keys.read(json); !done) return done;
  if (script.scene.empty())
    return Error{"the script names no scene", "", json.line, R"(add "scene": "cloth_hang")"};
  script.scene_line = json.find("scene")->line;
  return {};
}

}  // namespace

Error placed_in_script(Error error, const FilmScript& script) {
  for (std::size_t k = 0; k < script.set_lines.size(); ++k) {
    const std::string path = script.set[k].substr(0, script.set[k].find('='));
    if (!error.file.starts_with("--set") || (error.message + error.file).find(path) == std::string::npos)
      continue;
    error.file = script.file, error.line = script.set_lines[k];
    return error;
  }
  if (error.file.empty() && script.scene_line > 0) error.file = script.file, error.line = script.scene_line;
  return error;
}

int FilmScript::pictures() const { return std::max(1, int(std::lround(seconds * rate))); }

Expected<FilmScript> read_film_script(const std::string& path) {
  const Expected<JsonValue> json = read_json(path);
  if (!json) return json.error();
  FilmScript script;
  script.file = path;
  if (const Expected<void> done = read_document(*json, script); !done) {
    Error error = done.error();
    error.file = path;
    return error;
  }
  const fs::path beside = fs::path(path).parent_path() / script.scene;
  std::error_code error;
  if (fs::is_regular_file(beside, error)) script.scene = beside.string();
  return script;
}

FilmPace film_pace(const FilmScript& script, double dt, int substeps) {
  constexpr double nearly = 1e-6;  // 1/60 s and half of 1/30 s differ in their last digits
  const double between = script.speed / script.rate;
  FilmPace pace;
  pace.frames = std::max(1, int(std::ceil(between / dt - nearly)));
  // A blur is smooth with eight moments; there are no more than substeps.
  constexpr double moments = 8.0;
  if (script.shutter > 0.0)
    pace.frames = std::clamp(int(std::ceil(moments / script.shutter)), pace.frames,
                             std::max(pace.frames, int(substeps * between / dt)));
  pace.dt = between / pace.frames;
  if (std::abs(pace.dt / dt - 1.0) < nearly) pace.dt = dt;
  pace.substeps = std::max(1, int(std::ceil(substeps * pace.dt / dt - nearly)));
  return pace;
}

}  // namespace limber
