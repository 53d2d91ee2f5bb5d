// limber settings: prints the manual's page of all settings.
#include <algorithm>
#include <cstdio>

#include "app/commands/commands.hpp"
#include "app/commands/markdown.hpp"
#include "engine/core/material_field.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_keys.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {
namespace {

std::string joined_words(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

std::string short_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

std::string range_text(const Field& field) {
  switch (field.kind) {
    case Field::Kind::boolean:
      return "true, false";
    case Field::Kind::choice:
      return joined_words(field.options);
    case Field::Kind::text:
      return field.lists_names ? "names" : "text";
    default:
      return short_text(field.min) + " to " + short_text(field.max);
  }
}

std::string default_of(const Field& field, const void* settings) {
  if (field.automatic) return std::string(automatic_word);
  const Value value = get(field, settings);
  if (const double* number = std::get_if<double>(&value)) return short_text(*number);
  return to_text(value);
}

/// Names of the object types for which `has` holds; "all" for all types.
template <class Has>
std::string types_with(Has has) {
  std::vector<std::string_view> names;
  for (const ObjectTraits& type : object_types())
    if (has(type)) names.push_back(type.name);
  return names.size() == object_types().size() ? "all" : joined_words(names);
}

std::string owners_of(std::string_view holder, const Field& field) {
  if (holder == "material")
    return types_with(
        [&](const ObjectTraits& type) { return field.part == 0 || (type.material & field.part); });
  return types_with([&](const ObjectTraits& type) {
    const std::span<const Field> rows = type.does.fields();
    return std::any_of(rows.begin(), rows.end(), [&](const Field& row) { return row.name == field.name; });
  });
}

/// Prints one section: a table of rows with their defaults. `holder` "object" or "material" adds a column of
/// the types that have the row.
template <class Settings>
void print_rows(const char* title, const char* about, std::span<const Field> fields,
                std::string_view holder = "") {
  const Settings settings{};
  const bool owned = !holder.empty();
  std::printf("\n## %s\n%s\n\n| setting | unit | range | default |%s meaning |\n|---|---|---|---|%s---|\n",
              title, about, owned ? " objects |" : "", owned ? "---|" : "");
  for (const Field& field : fields) {
    std::string meaning(field.tooltip);
    if (!field.methods.name.empty()) meaning += " Acts with " + std::string(field.methods.name) + ".";
    if (field.effect == Effect::rebuild) meaning += " Rebuilds the scene.";
    std::printf("| `%s` | %s | %s | %s |", std::string(field.name).c_str(), std::string(field.unit).c_str(),
                markdown_cell(range_text(field)).c_str(),
                markdown_cell(default_of(field, &settings)).c_str());
    if (owned) std::printf(" %s |", owners_of(holder, field).c_str());
    std::printf(" %s |\n", markdown_cell(meaning).c_str());
  }
}

}  // namespace

int print_settings() {
  std::puts(
      "# Settings\n\n"
      "This page lists every setting of a scene file. `limber settings` writes it. `--set` takes the same\n"
      "names behind the path of their owner: `solver.substeps=20`, `objects.cloth.material.friction=0.4`.\n"
      "A change acts while the scene runs, unless the meaning ends in \"Rebuilds the scene\".");
  print_rows<SceneDesc>("Scene", "At the top of the file.", scene_fields());
  print_rows<SolverSettings>("Solver", "In `solver`.", solver_fields());
  print_rows<ObjectDesc>("Objects", "In each object of `objects`.", object_fields(), "object");
  print_rows<Material>("Material", "In the `material` of an object.", material_fields(), "material");
  print_rows<FieldSource>("Fields", "In each of an object's `fields`.", field_source_fields());
  print_rows<AttachmentDesc>("Attachments", "In each of an object's `attachments`.", attachment_fields());
  print_rows<BodyDesc>("Rigid bodies", "In each body of `bodies`.", body_fields());
  print_rows<JointDesc>("Joints", "In each joint of `joints`.", joint_fields());
  print_rows<TieDesc>("Ties", "In each tie of `ties`.", tie_fields());
  print_rows<ColliderDesc>("Colliders", "In each collider of `colliders`.", collider_fields());
  print_rows<WindSettings>("Wind", "In `wind`.", wind_fields());
  print_rows<AirField>("Fields of the wind", "In each of `wind.fields`.", air_field_fields());
  print_rows<ForceField>("Forces", "In each of `forces`.", force_field_fields());
  print_rows<HeatSettings>("Heat", "In `heat`.", heat_fields());
  print_rows<CameraDesc>("Camera", "In `camera`.", camera_fields());
  print_rows<PictureDesc>("Picture", "In `picture`.", picture_fields());
  print_rows<ViewDesc>("View", "In `view`.", view_fields());
  print_rows<ExpectDesc>("Expectations", "In `expect`, beside `bounds`, `always`, `mean` and `inside`.",
                         expect_fields());
  return exit_ok;
}

}  // namespace limber
