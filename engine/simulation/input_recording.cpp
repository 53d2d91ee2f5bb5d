#include "engine/simulation/input_recording.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <type_traits>

#include "engine/core/material_field.hpp"
#include "engine/scene/file/json_document.hpp"
#include "engine/scene/file/key_table.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view precision_names[] = {"f32", "f64"};

// Writing recordings.

Json to_json(const glm::dvec3& v) { return Json::array({v.x, v.y, v.z}); }

Json to_json(const Value& value) {
  const auto write = [](const auto& content) -> Json {
    if constexpr (std::is_same_v<std::decay_t<decltype(content)>, glm::dvec3>)
      return to_json(content);
    else
      return content;
  };
  return std::visit(write, value);
}

struct CommandWriter {
  Json& json;
  void operator()(const SetValue& c) const {
    json["set"] = c.path;
    json["value"] = to_json(c.value);
  }
  void operator()(const GrabVertex& c) const {
    json["grab"] = c.vertex;
    json["target"] = to_json(c.target);
  }
  void operator()(const GrabBody& c) const {
    json["hold"] = c.body;
    json["at"] = to_json(c.point);
    json["target"] = to_json(c.target);
  }
  void operator()(const HoldBall& c) const {
    json["ball"] = to_json(c.position);
    json["radius"] = c.radius;
  }
  void operator()(const ResizeBall& c) const { json["resize"] = c.radius; }
  void operator()(const MoveGrab& c) const { json["move"] = to_json(c.target); }
  void operator()(const TwistRod& c) const {
    json["twist"] = c.vertex;
    json["angle"] = c.angle;
  }
  void operator()(const ReleaseGrab& c) const { json["release"] = c.pin ? "pinned" : "free"; }
  void operator()(const SetPinned& c) const { json[c.pinned ? "pin" : "unpin"] = c.vertex; }
  void operator()(const Cut& c) const {
    json["cut"] = c.begins ? "begins" : "goes on";
    json["near"] = Json::array({to_json(c.near[0]), to_json(c.near[1])});
    json["far"] = Json::array({to_json(c.far[0]), to_json(c.far[1])});
  }
  void operator()(const ThrowBall& c) const {
    json["throw"] = to_json(c.position);
    json["velocity"] = to_json(c.velocity);
    json["radius"] = c.radius;
    if (c.density != ball_of_foam) json["density"] = c.density;
  }
  void operator()(const Warm& c) const {
    json["warm"] = to_json(c.place);
    json["radius"] = c.radius;
    json["degrees"] = c.degrees;
  }
  void operator()(const PaintField& c) const {
    json["paint"] = to_json(c.place);
    json["radius"] = c.radius;
    json["factor"] = c.factor;
    json["field"] = info_of(c.field).name;
  }
};

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);  // a path need not be valid UTF-8
}

std::string hexadecimal(std::uint64_t bits) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(bits));
  return text;
}

// Reading recordings.

template <class Unsigned>
ReadJson read_digits(Unsigned& out, int base, std::string_view what) {
  return [&out, base, what](const JsonValue& json) -> Expected<void> {
    const std::string* text = json.text();
    if (text) {
      const char* end = text->data() + text->size();
      const auto [stop, error] = std::from_chars(text->data(), end, out, base);
      if (error == std::errc() && stop == end) return {};
    }
    return Error{"'" + std::string(what) + "' must be digits in quotes", "", json.line, ""};
  };
}

template <class Whole>
ReadJson read_whole(Whole& out, std::string_view what) {
  return [&out, what](const JsonValue& json) -> Expected<void> {
    const long* whole = std::get_if<long>(&json.content);
    if (!whole || *whole < 0 || *whole > long(std::numeric_limits<Whole>::max()))
      return Error{"'" + std::string(what) + "' must be a whole number from 0", "", json.line, ""};
    out = Whole(*whole);
    return {};
  };
}

ReadJson read_text(std::string& out, std::string_view what) {
  return [&out, what](const JsonValue& json) -> Expected<void> {
    if (const std::string* text = json.text()) {
      out = *text;
      return {};
    }
    return Error{"'" + std::string(what) + "' must be a text in quotes", "", json.line, ""};
  };
}

/// Reads a word that must be among `names`; `out` becomes its index.
ReadJson read_word(int& out, std::string_view what, std::span<const std::string_view> names) {
  return [&out, what, names](const JsonValue& json) -> Expected<void> {
    const std::string word = json.text() ? *json.text() : std::string();
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
      return Error{"'" + std::string(what) + "' is wrong", "", json.line, suggest(word, names)};
    out = int(found - names.begin());
    return {};
  };
}

ReadJson read_point(glm::dvec3& out, std::string_view what) {
  return [&out, what](const JsonValue& json) -> Expected<void> {
    const Expected<glm::dvec3> point = to_vector(json, what);
    if (!point) return point.error();
    out = *point;
    return {};
  };
}

ReadJson read_number(double& out, std::string_view what) {
  return [&out, what](const JsonValue& json) -> Expected<void> {
    const Expected<Value> value = to_value(json, what);
    if (!value) return value.error();
    if (const double* number = std::get_if<double>(&*value)) return void(out = *number), Expected<void>();
    if (const long* whole = std::get_if<long>(&*value)) return void(out = double(*whole)), Expected<void>();
    return Error{"'" + std::string(what) + "' must be a number", "", json.line, ""};
  };
}

ReadJson read_points(std::array<glm::dvec3, 2>& out, std::string_view what) {
  return [&out, what](const JsonValue& json) -> Expected<void> {
    std::size_t count = 0;
    const Expected<void> read = read_list(json, what, [&](const JsonValue& entry) -> Expected<void> {
      const Expected<glm::dvec3> point = to_vector(entry, what);
      if (!point) return point.error();
      if (count < out.size()) out[count] = *point;
      ++count;
      return {};
    });
    if (!read) return read;
    if (count != out.size())
      return Error{"'" + std::string(what) + "' must be two points", "", json.line, ""};
    return {};
  };
}

/// All keys that a line of a recording may have. A line has the keys of one kind of input.
struct InputLine {
  std::int64_t frame = 0;
  std::string path;
  Value value;
  Index vertex = 0;
  glm::dvec3 point{0.0}, at{0.0}, velocity{0.0};
  double radius = 0.0, density = ball_of_foam, degrees = 0.0, angle = 0.0, factor = 1.0;
  int release = 0, cut = 0, field = 0;
  std::array<glm::dvec3, 2> near{}, far{};
};

KeyTable input_keys(InputLine& line) {
  static constexpr std::string_view releases[] = {"free", "pinned"}, cuts[] = {"goes on", "begins"};
  static constexpr std::array<std::string_view, material_field_count> field_words = [] {
    std::array<std::string_view, material_field_count> words;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = material_fields_table[i].name;
    return words;
  }();
  KeyTable keys("an input");
  keys.key("frame", read_whole(line.frame, "frame")).key("set", read_text(line.path, "set"));
  keys.key("value", [&line](const JsonValue& json) -> Expected<void> {
    const Expected<Value> value = to_value(json, "value");
    if (!value) return value.error();
    line.value = *value;
    return {};
  });
  for (const std::string_view name : {"grab", "hold", "pin", "unpin", "twist"})
    keys.key(name, read_whole(line.vertex, name));
  for (const std::string_view name : {"target", "move", "throw", "ball", "warm", "paint"})
    keys.key(name, read_point(line.point, name));
  keys.key("at", read_point(line.at, "at"));
  keys.key("velocity", read_point(line.velocity, "velocity"));
  for (const std::string_view name : {"radius", "resize"}) keys.key(name, read_number(line.radius, name));
  keys.key("density", read_number(line.density, "density"));
  keys.key("degrees", read_number(line.degrees, "degrees")).key("angle", read_number(line.angle, "angle"));
  keys.key("factor", read_number(line.factor, "factor"));
  keys.key("field", read_word(line.field, "field", field_words));
  keys.key("release", read_word(line.release, "release", releases));
  keys.key("cut", read_word(line.cut, "cut", cuts));
  keys.key("near", read_points(line.near, "near")).key("far", read_points(line.far, "far"));
  return keys;
}

/// The command that has exactly the keys of `json` besides "frame"; none if there is no such command.
std::optional<Command> spelled(const JsonValue& json, const InputLine& line) {
  const std::size_t keys = json.object()->size();
  const auto has = [&](std::string_view key) { return json.find(key) != nullptr; };
  if (!has("frame")) return std::nullopt;
  if (keys == 3 && has("set") && has("value")) return SetValue{line.path, line.value};
  if (keys == 3 && has("grab") && has("target")) return GrabVertex{line.vertex, line.point};
  if (keys == 4 && has("hold") && has("at") && has("target"))
    return GrabBody{line.vertex, line.at, line.point};
  if (keys == 3 && has("ball") && has("radius")) return HoldBall{line.point, line.radius};
  if (keys == 2 && has("resize")) return ResizeBall{line.radius};
  if (keys == 2 && has("move")) return MoveGrab{line.point};
  if (keys == 3 && has("twist") && has("angle")) return TwistRod{line.vertex, line.angle};
  if (keys == 2 && has("release")) return ReleaseGrab{line.release == 1};
  if (keys == 2 && has("pin")) return SetPinned{line.vertex, true};
  if (keys == 2 && has("unpin")) return SetPinned{line.vertex, false};
  if (keys == 4 && has("cut") && has("near") && has("far")) return Cut{line.near, line.far, line.cut == 1};
  if (keys == 4 && has("warm") && has("radius") && has("degrees"))
    return Warm{line.point, line.radius, line.degrees};
  if (keys == 5 && has("paint") && has("radius") && has("factor") && has("field"))
    return PaintField{MaterialField(line.field), line.point, line.radius, line.factor};
  if (keys == (has("density") ? 5 : 4) && has("throw") && has("velocity") && has("radius"))
    return ThrowBall{line.point, line.velocity, line.radius, line.density};
  return std::nullopt;
}

Expected<void> read_input(const JsonValue& json, std::vector<RecordedInput>& inputs) {
  InputLine line;
  if (const Expected<void> read = input_keys(line).read(json); !read) return read;
  std::optional<Command> command = spelled(json, line);
  if (!command)
    return Error{"an input needs a frame and one thing that was done", "", json.line,
                 "set and value, grab and target, hold with at and target, ball with radius, resize, move, "
                 "twist with angle, release, pin, unpin, cut with near and far, throw with velocity and "
                 "radius, warm with radius and degrees, or paint with radius, "
                 "factor and field"};
  if (!inputs.empty() && line.frame < inputs.back().frame)
    return Error{
        "frame " + std::to_string(line.frame) + " after frame " + std::to_string(inputs.back().frame), "",
        json.line, "inputs are listed in the order in which they were made"};
  inputs.push_back({line.frame, std::move(*command), json.line});
  return {};
}

Expected<void> read_settings(const JsonValue& json, InputRecording& recording) {
  if (!json.object()) return Error{"'settings' must be an object of path: value", "", json.line, ""};
  for (const JsonMember& member : *json.object()) {
    Expected<Value> value = to_value(member.value, member.key);
    if (!value) return at_line(value.error(), member.line);
    recording.settings.push_back({member.key, std::move(*value), member.line});
  }
  return {};
}

/// True if `json` is a scene file, which users easily take for a recording.
bool is_scene(const JsonValue& json) {
  return !json.find("inputs") && (json.find("objects") || json.find("bodies"));
}

Expected<void> check_header(const JsonValue& json) {
  if (is_scene(json))
    return Error{"this is a scene, not a recording of what was done to one", "", json.line,
                 "run it without --input"};
  const std::string hint = "this program reads \"format\": " + std::to_string(input_format);
  const JsonValue* format = json.find("format");
  const long* version = format ? std::get_if<long>(&format->content) : nullptr;
  if (!version || *version != input_format)
    return Error{"this is no input recording of a known format", "", format ? format->line : json.line, hint};
  for (const std::string_view key : {"scene", "precision", "frames", "inputs"})
    if (!json.find(key)) return Error{"the key '" + std::string(key) + "' is missing", "", json.line, ""};
  return {};
}

Expected<void> read_document(const JsonValue& json, InputRecording& recording) {
  if (const Expected<void> header = check_header(json); !header) return header;
  int precision = 0;
  KeyTable keys("the recording");
  keys.key("format", [](const JsonValue&) { return Expected<void>(); });
  keys.key("scene", read_text(recording.scene, "scene")).key("file", read_text(recording.file, "file"));
  keys.key("seed", read_digits(recording.seed, 10, "seed"));
  keys.key("precision", read_word(precision, "precision", precision_names));
  keys.key("settings", [&](const JsonValue& value) { return read_settings(value, recording); });
  keys.key("frames", read_whole(recording.frames, "frames"));
  keys.key("state_hash", read_digits(recording.state_hash, 16, "state_hash"));
  keys.key("inputs", [&](const JsonValue& value) {
    return read_list(value, "inputs",
                     [&](const JsonValue& input) { return read_input(input, recording.inputs); });
  });
  if (const Expected<void> read = keys.read(json); !read) return read;
  recording.precision = Precision(precision);
  if (!recording.inputs.empty() && recording.inputs.back().frame > recording.frames)
    return Error{"there are inputs after the last frame, " + std::to_string(recording.frames), "",
                 json.find("frames")->line, ""};
  return {};
}

Expected<InputRecording> to_recording(const Expected<JsonValue>& json, const std::string& file) {
  if (!json) return json.error();
  InputRecording recording;
  recording.source = file;
  const Expected<void> read = read_document(*json, recording);
  if (read) return recording;
  Error error = read.error();
  error.file = file;
  return error;
}

/// The error of a recorded input, with its line in the recording.
Error in_recording(Error error, const InputRecording& recording, int line) {
  const std::string hint = std::exchange(error.hint, {});
  return {error.text(), recording.source, line, hint};
}

bool is_value(const RecordedInput& input) { return std::holds_alternative<SetValue>(input.command); }

/// True if `next`, which follows `last` in the same frame, overrides everything that `last` did.
bool replaces(const Command& next, const Command& last) {
  if (std::holds_alternative<MoveGrab>(next)) return std::holds_alternative<MoveGrab>(last);
  if (std::holds_alternative<ResizeBall>(next)) return std::holds_alternative<ResizeBall>(last);
  const auto *value = std::get_if<SetValue>(&next), *before = std::get_if<SetValue>(&last);
  // A value given as a name is never dropped: a preset also sets other values, which the next preset may
  // keep.
  return value && before && value->path == before->path && !std::holds_alternative<std::string>(value->value);
}

}  // namespace

std::string to_json(const InputRecording& recording) {
  Json header = {{"format", input_format}, {"scene", recording.scene}, {"file", recording.file}};
  header["seed"] = std::to_string(recording.seed);
  header["precision"] = precision_names[int(recording.precision)];
  header["frames"] = recording.frames;
  header["state_hash"] = hexadecimal(recording.state_hash);
  header["settings"] = Json::object();
  for (const RecordedSetting& setting : recording.settings)
    header["settings"][setting.path] = to_json(setting.value);
  std::string text = header.dump(2, ' ', false, Json::error_handler_t::replace);
  text.erase(text.rfind('\n'));  // inputs are inserted before the closing brace
  text += ",\n  \"inputs\": [";
  const char* separator = "\n    ";
  for (const RecordedInput& input : recording.inputs) {
    Json line = {{"frame", input.frame}};
    std::visit(CommandWriter{line}, input.command);
    text += separator + line_of(line);
    separator = ",\n    ";
  }
  return text + (recording.inputs.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

Expected<InputRecording> parse_input_recording(std::string_view text, const std::string& name) {
  return to_recording(parse_json(text, name), name);
}

Expected<InputRecording> read_input_recording(const std::string& path) {
  return to_recording(read_json(path), path);
}

Expected<void> restore_settings(const InputRecording& recording, SceneDesc& scene) {
  scene.seed = recording.seed;
  for (const auto& [path, value, line] : recording.settings) {
    const Expected<Setting> setting = find_setting(scene, path);
    if (!setting) return in_recording(setting.error(), recording, line);
    if (said(*setting->field, setting->settings) == value) continue;
    if (Expected<void> done = set(*setting->field, setting->settings, value); !done)
      return in_recording(done.error(), recording, line);
  }
  return {};
}

void InputHistory::begin(SceneDesc opened) {
  opened_ = std::move(opened);
  inputs_.clear();
  overflowed_ = false;
}

void InputHistory::add(const Command& command, std::int64_t frame) {
  if (!inputs_.empty() && inputs_.back().frame == frame && replaces(command, inputs_.back().command))
    inputs_.pop_back();
  if (inputs_.size() < most_inputs)
    inputs_.push_back({frame, command});
  else
    overflowed_ = true;
}

void InputHistory::start_over() {
  std::erase_if(inputs_, [](const RecordedInput& input) { return !is_value(input); });
  for (RecordedInput& input : inputs_) input.frame = 0;
}

void InputHistory::go_back(std::int64_t frame) {
  std::erase_if(inputs_, [&](const RecordedInput& input) { return input.frame > frame; });
}

Expected<InputRecording> InputHistory::recording(const Simulation& simulation) const {
  if (overflowed_)
    return Error{"the session has more than " + std::to_string(most_inputs) +
                     " inputs, which is where its recording ended",
                 "", 0, "open the scene again to begin another"};
  InputRecording recording;
  recording.scene = opened_.name;
  std::error_code unknown_folder;  // on an error the path stays as it was given
  const auto absolute = std::filesystem::absolute(opened_.file, unknown_folder);
  recording.file = opened_.file.empty() || unknown_folder ? opened_.file : absolute.string();
  recording.seed = opened_.seed;
  recording.precision = simulation.machine().precision;
  SceneDesc opened = opened_;
  for (const Setting& setting : list_settings(opened))
    recording.settings.push_back({setting.path, said(*setting.field, setting.settings)});
  recording.frames = simulation.frame();
  recording.state_hash = simulation.state_hash();
  recording.inputs = inputs_;
  return recording;
}

Expected<void> InputPlayer::submit_due(Simulation& simulation) {
  for (; next_ < recording_.inputs.size() && recording_.inputs[next_].frame <= simulation.frame(); ++next_) {
    const RecordedInput& input = recording_.inputs[next_];
    if (Expected<void> done = simulation.submit(input.command); !done) {
      Error error = in_recording(done.error(), recording_, input.line);
      error.message = "the input before frame " + std::to_string(input.frame + 1) + ": " + error.message;
      return error;
    }
  }
  return {};
}

}  // namespace limber
