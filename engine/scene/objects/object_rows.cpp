// The table of an object's settings: `type`, the rows of the types, the rows of all objects.
#include <algorithm>
#include <array>

#include "engine/core/tunable.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/colliders/pose_rows.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/tets.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 3> spring_action_names{"spring", "rope", "strut"};
constexpr std::array<std::string_view, 4> pattern_names{"plain", "border", "stripes", "checker"};

constexpr std::array place_rows{
    position_row<ObjectDesc>(),
    rotation_row<ObjectDesc>(),
    number<&ObjectDesc::jitter>({"jitter", "Jitter", "m", 0, 1,
                                 "Random offset of every vertex at the start, from the scene's seed. It "
                                 "breaks the symmetry of an ideal fall.",
                                 Effect::rebuild}),
    number<&ObjectDesc::temperature>({"temperature", "Temperature", "deg C", -273, 5000,
                                      "Temperature at the start, if 'heat' is on.", Effect::rebuild}),
    vector<&ObjectDesc::velocity>({"velocity", "Velocity", "m/s", -100, 100,
                                   "Velocity of every particle at the start.", Effect::rebuild}),
    vector<&ObjectDesc::angular_velocity>({"angular_velocity", "Spin", "deg/s", -36000, 36000,
                                           "Angular velocity of each copy about its centre of mass at the "
                                           "start; the vector points along the axis.",
                                           Effect::rebuild}),
    name_list<&ObjectDesc::collides_with>("collides_with", "Collides with", collides_with_tip),
};
constexpr std::array spring_rows{
    choice<&ObjectDesc::spring_action>("spring_action", "Springs act", spring_action_names,
                                       "spring: springs keep their lengths. rope: they only pull, and may be "
                                       "shorter. strut: they only push, and may be longer.",
                                       Effect::rebuild),
    boolean<&ObjectDesc::tethers>(
        "tethers", "Tethers",
        "Binds every vertex to its nearest fixed vertex by a rope as long as the path along the edges (Kim "
        "et al. 2012), so that the edges at the pins hardly stretch.",
        Effect::rebuild),
    number<&ObjectDesc::tether_slack>({"tether_slack", "Tether slack", "", 1, 3,
                                       "Length of a tether as a multiple of the path along the edges.",
                                       Effect::rebuild}),
};
constexpr std::array color_rows{
    vector<&ObjectDesc::color>({"color", "Colour", "", 0, 1, "Linear RGB of the front.", Effect::rebuild}),
};
constexpr std::array side_rows{
    vector<&ObjectDesc::back_color>(
        {"back_color", "Back colour", "", 0, 1, "Linear RGB of the back.", Effect::rebuild}),
    choice<&ObjectDesc::pattern>("pattern", "Pattern", pattern_names,
                                 "Pattern drawn in the two colours over the texture coordinates.",
                                 Effect::rebuild),
};

bool has_row(std::span<const Field> rows, std::string_view name) {
  return std::any_of(rows.begin(), rows.end(), [&](const Field& row) { return row.name == name; });
}

Field type_row() {
  static const std::string meanings = [] {
    std::string text;
    for (const ObjectTraits& type : object_types())
      text += (text.empty() ? "" : "; ") + std::string(type.name) + ": " + std::string(type.meaning);
    return text + ".";
  }();
  return choice<&ObjectDesc::type>("type", "Type", object_type_names(), meanings, Effect::rebuild);
}

/// Rows of all types, each once. A row that types share stands at the place that it has in the first of these
/// types.
std::vector<Field> rows_of_all_types() {
  std::vector<Field> rows{type_row()};
  for (const ObjectTraits& type : object_types())
    for (const Field& row : type.does.fields())
      if (!has_row(rows, row.name)) rows.push_back(row);
  for (const std::span<const Field> shared :
       {std::span<const Field>(place_rows), std::span<const Field>(spring_rows),
        std::span<const Field>(color_rows), std::span<const Field>(side_rows)})
    rows.insert(rows.end(), shared.begin(), shared.end());
  return rows;
}

bool has_name(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::span<const Field> object_fields() {
  static const std::vector<Field> all = rows_of_all_types();
  return all;
}

bool applies(const ObjectDesc& object, const Field& field) {
  const ObjectTraits& type = traits_of(object);
  if (has_row(spring_rows, field.name)) return type.springs;
  if (has_row(side_rows, field.name)) return type.two_sided;
  if (field.name == "size" && object.mesh.empty()) return false;
  if (has_row(type.does.fields(), field.name)) return !type.does.uses || type.does.uses(object, field);
  return field.name == "type" || has_row(place_rows, field.name) || has_row(color_rows, field.name);
}

const Field* field_of(const ObjectDesc& object, std::string_view name) {
  for (const Field& field : object_fields())
    if (field.name == name) return applies(object, field) ? &field : nullptr;
  return nullptr;
}

bool has_list(const ObjectDesc& object, std::string_view key) {
  const auto has = [&](const ObjectTraits& type) { return has_name(type.does.lists, key); };
  return has(traits_of(object)) || std::none_of(object_types().begin(), object_types().end(), has);
}

/// "for a block, but for a bar", if the key applies to another shape of tetrahedra; else "".
std::string fitting_shape(const ObjectDesc& object, std::string_view key) {
  constexpr std::array<std::string_view, 3> names{"bar", "block", "ball"};
  constexpr std::array<std::string_view, 3> sizes{"'cells'", "'resolution'", "'radius' and 'resolution'"};
  if (object.type != ObjectType::tets || !object.mesh.empty()) return {};
  ObjectDesc other = object;
  for (std::size_t shape = 0; shape < names.size(); ++shape) {
    other.tets->shape = TetShape(shape);
    if (!field_of(other, key)) continue;
    const std::size_t own = std::size_t(object.tets->shape);
    return "for a " + std::string(names[own]) + " but for a " + std::string(names[shape]) + ": a " +
           std::string(names[own]) + " takes " + std::string(sizes[own]);
  }
  return {};
}

std::string misplaced(const ObjectDesc& object, std::string_view key) {
  const auto fits = [&](std::string_view mesh) {
    ObjectDesc other = object;
    other.mesh = mesh;
    return field_of(other, key) != nullptr;
  };
  const std::string said = "'" + std::string(key) + "' means nothing ";
  if (object.mesh.empty() && fits("a mesh")) return said + "without a 'mesh'";
  if (!object.mesh.empty() && fits("")) return said + "beside a 'mesh', which replaces the grid";
  if (std::string other = fitting_shape(object, key); !other.empty()) return said + other;
  const ObjectTraits& type = traits_of(object);
  if (has_row(type.does.fields(), key))
    return said + "beside the other settings of this " + std::string(type.name) + ", such as its form";
  return said + "for the type '" + std::string(type.name) + "'";
}

bool applies_to_material(const ObjectDesc& object, const Field& field) {
  return field.part == 0 || (field.part & traits_of(object).material) != 0;
}

}  // namespace limber
