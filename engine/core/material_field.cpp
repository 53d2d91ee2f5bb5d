#include "engine/core/material_field.hpp"

#include <algorithm>
#include <initializer_list>

#include "engine/core/settings/material.hpp"
#include "engine/core/tunable.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 6> source_type_names{"everywhere", "box",   "sphere",
                                                            "gradient",   "noise", "colors"};
constexpr std::array<std::string_view, 3> color_channel_names{"red", "green", "blue"};
constexpr auto field_quantity_names = [] {
  std::array<std::string_view, material_field_count> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = material_fields_table[i].name;
  return names;
}();

constexpr std::array field_source_table{
    choice<&FieldSource::type>(
        "type", "Type", source_type_names,
        "Share s of each particle, by its place in the object at rest, before position and rotation. "
        "everywhere: 1. box, sphere: 1 inside. gradient: rises from 0 to 1 between two points. noise: random "
        "and smooth. colors: a channel of the vertex colours of the object's mesh.",
        Effect::rebuild),
    choice<&FieldSource::quantity>(
        "quantity", "Quantity", field_quantity_names,
        "Quantity of the material that is multiplied by elsewhere + s (value - elsewhere). stiffness: of all "
        "constraints, by the mean over their particles, and of the clusters of a solid. density: masses of "
        "particles. thickness: distance "
        "kept at contacts. damping: damping_time.",
        Effect::rebuild),
    number<&FieldSource::value>({"value", "Factor", "", least_factor, most_factor,
                                 "Factor where the share is 1. A change of a density builds the scene anew.",
                                 Effect::live, Scale::logarithmic}),
    number<&FieldSource::elsewhere>({"elsewhere", "Factor elsewhere", "", least_factor, most_factor,
                                     "Factor where the share is 0.", Effect::live, Scale::logarithmic}),
    vector<&FieldSource::position>(
        {"position", "Position", "m", -1000, 1000, "Centre of the box or sphere, in the object at rest."}),
    vector<&FieldSource::half_extents>(
        {"half_extents", "Half extents", "m", 0, 1000, "Half the sides of the box."}),
    number<&FieldSource::radius>({"radius", "Radius", "m", 0, 1000, "Radius of the sphere."}),
    number<&FieldSource::edge>({"edge", "Edge", "m", 0, 1000,
                                "Distance outside the box or sphere over which the share falls to 0."}),
    vector<&FieldSource::from>({"from", "From", "m", -1000, 1000, "gradient: point where the share is 0."}),
    vector<&FieldSource::to>({"to", "To", "m", -1000, 1000, "gradient: point where the share is 1."}),
    number<&FieldSource::length>({"length", "Length", "m", 1e-4, 1000,
                                  "noise: distance of its random values.", Effect::live, Scale::logarithmic}),
    integer<&FieldSource::seed>({"seed", "Seed", "", 0, 1e6, "noise: another seed, another pattern."}),
    choice<&FieldSource::channel>("channel", "Channel", color_channel_names,
                                  "colors: channel of the vertex colours, 0 to 1, that is the share."),
};

bool is_among(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool may_vary(MaterialField field, std::uint32_t parts) {
  using namespace material_part;
  switch (field) {
    case MaterialField::density:
      return (parts & (thickness | grain | cluster)) != 0;
    case MaterialField::thickness:
      return (parts & thickness) != 0;
    case MaterialField::stiffness:
    case MaterialField::damping:
      return (parts & (stretch | elastic | cluster)) != 0;
  }
  return false;
}

std::span<const Field> field_source_fields() { return field_source_table; }

bool applies(const FieldSource& source, const Field& field) {
  if (is_among(field.name, {"type", "quantity", "value"})) return true;
  switch (source.type) {
    case FieldSourceType::everywhere:
      return false;
    case FieldSourceType::box:
      return is_among(field.name, {"elsewhere", "position", "half_extents", "edge"});
    case FieldSourceType::sphere:
      return is_among(field.name, {"elsewhere", "position", "radius", "edge"});
    case FieldSourceType::gradient:
      return is_among(field.name, {"elsewhere", "from", "to"});
    case FieldSourceType::noise:
      return is_among(field.name, {"elsewhere", "length", "seed"});
    case FieldSourceType::colors:
      return is_among(field.name, {"elsewhere", "channel"});
  }
  return true;
}

}  // namespace limber
