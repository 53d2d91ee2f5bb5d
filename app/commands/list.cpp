// limber list and limber schema.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/commands/commands.hpp"
#include "app/commands/markdown.hpp"
#include "app/commands/scene_source.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_schema.hpp"

namespace limber {
namespace {

void print_json(const std::vector<SceneEntry>& scenes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SceneEntry& scene : scenes) {
    list.push_back({{"name", scene.name},
                    {"title", scene.title},
                    {"group", scene.group},
                    {"look_for", scene.look_for},
                    {"file", scene.file}});
    if (!scene.instead_of.empty()) list.back()["instead_of"] = scene.instead_of;
    if (scene.error) list.back()["error"] = scene.error->text();
  }
  // A file name need not be UTF-8. Invalid bytes are replaced, so that the list does not fail.
  std::puts(list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

void print_table(const std::vector<SceneEntry>& scenes) {
  const std::string* group = nullptr;
  for (const SceneEntry& scene : scenes) {
    if (!group || *group != scene.group)
      std::printf("%s%s\n", group ? "\n" : "", scene.group.empty() ? "Other" : scene.group.c_str());
    group = &scene.group;
    const std::string title = scene.error ? scene.error->text() : scene.title;
    std::printf("  %-28s %s\n", scene.name.c_str(), title.c_str());
    if (!scene.instead_of.empty())
      std::printf("  %-28s %s, instead of %s\n", "", scene.file.c_str(), scene.instead_of.c_str());
  }
}

void print_markdown(const std::vector<SceneEntry>& scenes, const std::string& folder) {
  std::puts(
      "# Scenes\n\nThis page lists all scenes that come with the program; `limber list --markdown` writes "
      "it. "
      "`limber NAME` opens a\nscene, `limber run NAME` runs it without a window; `--set path=value` changes "
      "a "
      "setting of it.");
  const std::string* group = nullptr;
  for (const SceneEntry& scene : scenes) {
    if (scene.file.compare(0, folder.size(), folder) != 0) continue;
    if (!group || *group != scene.group)
      std::printf("\n## %s\n| scene | title | look for |\n|---|---|---|\n",
                  scene.group.empty() ? "Other" : scene.group.c_str());
    group = &scene.group;
    std::printf("| `%s` | %s | %s |\n", scene.name.c_str(), markdown_cell(scene.title).c_str(),
                markdown_cell(scene.look_for).c_str());
  }
}

}  // namespace

int list_scenes(const ListCommand& command) {
  const Expected<SceneLibrary> library = all_scenes();
  if (!library) return fail(library.error());
  if (command.markdown) {
    const Expected<std::string> data = data_folder();
    if (!data) return fail(data.error());
    print_markdown(library->scenes(), *data + "/scenes/");
  } else if (command.json) {
    print_json(library->scenes());
  } else {
    print_table(library->scenes());
  }
  return exit_ok;
}

int print_schema() {
  std::puts(scene_schema().c_str());
  return exit_ok;
}

int fail(const Error& error) {
  std::fprintf(stderr, "limber: %s\n", error.text().c_str());
  return exit_bad_input;
}

}  // namespace limber
