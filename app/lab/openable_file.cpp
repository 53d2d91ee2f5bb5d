#include "app/lab/openable_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

namespace limber {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t head_bytes = 256 * 1024;  // bytes read of a file

std::string extension_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return extension;
}

std::string head_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string head(head_bytes, '\0');
  file.read(head.data(), std::streamsize(head.size()));
  head.resize(std::size_t(std::max<std::streamsize>(file.gcount(), 0)));
  return head;
}

/// Reads the keys of the outermost object and stops the parser as soon as they determine the kind.
class KeyReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// A scene with an error, or without "format", still counts as a scene: opening it reports the error.
  FileKind kind() const {
    return kind_ == FileKind::none && (holds_ || (format_ && broken_)) ? FileKind::scene : kind_;
  }

  bool null() override { return value(false); }
  bool boolean(bool) override { return value(false); }
  bool number_integer(number_integer_t) override { return value(true); }
  bool number_unsigned(number_unsigned_t) override { return value(true); }
  bool number_float(number_float_t, const string_t&) override { return value(false); }
  bool string(string_t&) override { return value(false); }
  bool binary(binary_t&) override { return value(false); }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    static constexpr std::array<std::string_view, 8> of_scenes{"title",  "objects", "bodies",   "colliders",
                                                               "solver", "joints",  "look_for", "expect"};
    const auto is = [&](std::string_view one) { return name == one; };
    key_ = name;
    scene_ = scene_ || std::any_of(of_scenes.begin(), of_scenes.end(), is);
    holds_ = holds_ || is("objects") || is("bodies") || is("colliders");
    recording_ = recording_ || is("inputs") || is("state_hash");
    return decide();
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    broken_ = true;
    return false;
  }

 private:
  bool value(bool whole) {
    format_ = format_ || (whole && depth_ == 1 && key_ == "format");
    return decide();
  }
  bool open() { return ++depth_, true; }
  bool close() { return --depth_, true; }
  bool decide() {
    if (format_ && recording_) kind_ = FileKind::recording;
    if (format_ && scene_) kind_ = FileKind::scene;
    return kind_ == FileKind::none;
  }

  int depth_ = 0;
  std::string key_;
  bool format_ = false, scene_ = false, recording_ = false;
  bool holds_ = false, broken_ = false;  ///< has keys of objects, bodies, ...; does not parse
  FileKind kind_ = FileKind::none;
};

FileKind kind_of_json(const std::string& head) {
  KeyReader reader;
  nlohmann::json::sax_parse(head, &reader, nlohmann::json::input_format_t::json, true, true);
  return reader.kind();
}

/// Object files of some compilers have the extension .obj too. They contain zero bytes.
bool is_mesh(const std::string& head) {
  if (head.find('\0') != head.npos) return false;
  return head.starts_with("v ") || head.find("\nv ") != head.npos || head.size() == head_bytes;
}

}  // namespace

bool has_name_to_open(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".json" || extension == ".obj";
}

FileKind kind_of_file(const std::string& path) {
  if (!has_name_to_open(path)) return FileKind::none;
  const std::string head = head_of(path);
  if (extension_of(path) == ".json") return kind_of_json(head);
  return is_mesh(head) ? FileKind::mesh : FileKind::none;
}

}  // namespace limber
