// Fields of materials: factors of a material that vary from place to place within an object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>

namespace limber {

struct Field;

/// The quantities of a material that a field may multiply.
enum class MaterialField : int { stiffness, density, thickness, damping };

/// Elements that hold the values of a field. An element of any other kind, such as a constraint, has the mean
/// over its particles.
enum class FieldDomain { particle };
/// Value of an element that is made while the scene runs: that of the element from which it was split, or
/// the value that the sources of the scene give it.
enum class FieldRule { copied, from_sources };

struct MaterialFieldInfo {
  MaterialField field;
  std::string_view name;  ///< word in scene files
  std::string_view meaning;
  bool live = true;  ///< false: a change of a source builds the World anew
  FieldDomain domain = FieldDomain::particle;
  std::string_view unit = "";  ///< "": a factor of the material's own value
  double standard = 1.0;       ///< value where no source and no brush has set one
  FieldRule split = FieldRule::copied, rebuilt = FieldRule::from_sources;
};
inline constexpr std::array material_fields_table{
    MaterialFieldInfo{MaterialField::stiffness, "stiffness",
                      "Factor of stiffnesses and moduli; compliances are divided by it."},
    MaterialFieldInfo{MaterialField::density, "density", "Factor of the masses of particles.", false},
    MaterialFieldInfo{MaterialField::thickness, "thickness", "Factor of the distance kept at contacts."},
    MaterialFieldInfo{MaterialField::damping, "damping", "Factor of the damping time of constraints."},
};
/// Bit of the type that clusters keep in shape, beside those of the rows of materials
/// (settings/material.hpp).
namespace material_part {
inline constexpr std::uint32_t cluster = 32768;
}
/// Whether objects of a type may have the field; `parts`: bits of material_part of the type.
bool may_vary(MaterialField field, std::uint32_t parts);
inline constexpr std::size_t material_field_count = material_fields_table.size();
static_assert(
    [] {
      for (std::size_t i = 0; i < material_field_count; ++i)
        if (material_fields_table[i].field != MaterialField(i)) return false;
      return true;
    }(),
    "a row for every MaterialField, in their order");
constexpr const MaterialFieldInfo& info_of(MaterialField field) {
  return material_fields_table[std::size_t(field)];
}

/// Limits of a factor.
inline constexpr double least_factor = 1e-4, most_factor = 1e4;

enum class FieldSourceType : int { everywhere, box, sphere, gradient, noise, colors };
enum class ColorChannel : int { red, green, blue };

/// Fills a field of an object. At every particle the source has a share s from 0 to 1, which its type gives
/// to the particle's place in the object at rest; the factor is elsewhere + s (value - elsewhere). Factors of
/// several sources of one field are multiplied.
struct FieldSource {
  std::string name;
  FieldSourceType type = FieldSourceType::everywhere;
  MaterialField quantity = MaterialField::stiffness;
  double value = 0.1;                        ///< factor where s is 1
  double elsewhere = 1.0;                    ///< factor where s is 0
  glm::dvec3 position{0.0};                  ///< m: box, sphere: centre
  glm::dvec3 half_extents{0.1};              ///< m: box
  double radius = 0.1;                       ///< m: sphere
  double edge = 0.0;                         ///< m: box, sphere: way outside over which s falls to 0
  glm::dvec3 from{0.0}, to{0.0, 1.0, 0.0};   ///< m: gradient: points at which s is 0 and 1
  double length = 0.1;                       ///< m: noise: distance of its random values
  int seed = 1;                              ///< noise
  ColorChannel channel = ColorChannel::red;  ///< colors

  bool operator==(const FieldSource&) const = default;
};
std::span<const Field> field_source_fields();
/// Whether the setting `field` of field_source_fields() acts for the type of `source`.
bool applies(const FieldSource& source, const Field& field);

}  // namespace limber
