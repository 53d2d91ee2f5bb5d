#include "app/shell/opened_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "app/commands/scene_source.hpp"

namespace limber {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void OpenedFile::follow(const std::string& file) {
  watch_.follow(file);
  text_ = std::make_shared<std::string>(text_of(file));
}

OpenedFile::Reader OpenedFile::reader(std::vector<std::string> settings) const {
  return [file = watch_.file(), settings = std::move(settings), runs = text_] {
    std::string now = text_of(file);
    SceneReload changed{load_scene(file, settings), changed_settings(*runs, now)};
    changed.taken = [runs, now = std::move(now)] { *runs = now; };
    return std::optional(std::move(changed));
  };
}

OpenedFile::Reader OpenedFile::reader_of_other(std::vector<std::string> settings) {
  watch_.follow(watch_.file());
  return [file = watch_.file(), runs = text_, read = reader(std::move(settings))] {
    std::error_code error;
    const bool other = std::filesystem::exists(file, error) && text_of(file) != *runs;
    return other ? read() : std::nullopt;
  };
}

}  // namespace limber
