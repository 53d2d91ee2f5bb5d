// Colours of objects whose scene file gives none.
#pragma once

#include <array>
#include <cstddef>
#include <glm/vec3.hpp>

#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct ObjectColors {
  glm::vec3 front, back;  ///< linear RGB
};

/// Fronts and backs that fit together: the hues alternate between warm and cold and have similar brightness.
inline constexpr std::array<std::array<float, 6>, 6> object_palette{
    {{0.70f, 0.09f, 0.13f, 0.80f, 0.62f, 0.32f},
     {0.04f, 0.22f, 0.55f, 0.80f, 0.62f, 0.32f},
     {0.78f, 0.42f, 0.05f, 0.35f, 0.20f, 0.10f},
     {0.03f, 0.36f, 0.30f, 0.75f, 0.70f, 0.50f},
     {0.40f, 0.13f, 0.42f, 0.80f, 0.62f, 0.52f},
     {0.24f, 0.40f, 0.07f, 0.75f, 0.70f, 0.45f}}};
/// The first entry for cloth, solids and grains, and for fluids: water is not red.
inline constexpr std::size_t first_solid_color = 0, first_fluid_color = 1;

/// Colours of `object`. Objects with the default colours take one entry of the palette after another, so that
/// two fluids without colours differ.
inline ObjectColors colors_of(const SceneDesc& scene, const ObjectDesc& object) {
  const ObjectDesc plain;
  const auto given = [&](const ObjectDesc& one) { return one.color != plain.color; };
  ObjectColors own{glm::vec3(object.color), glm::vec3(object.back_color)};
  if (given(object)) return own;
  std::size_t before = 0;
  for (const ObjectDesc& one : scene.objects) {
    if (one.name == object.name) break;
    before += given(one) ? 0 : 1;
  }
  const std::size_t first = traits_of(object).fluid ? first_fluid_color : first_solid_color;
  const auto& entry = object_palette[(first + before) % object_palette.size()];
  own.front = {entry[0], entry[1], entry[2]};
  if (object.back_color == plain.back_color) own.back = {entry[3], entry[4], entry[5]};
  return own;
}

}  // namespace limber
