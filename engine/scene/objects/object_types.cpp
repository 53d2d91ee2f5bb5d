#include <algorithm>
#include <array>

#include "engine/core/material_field.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/scene_part.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/chain.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/cloud.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/grains.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"

namespace limber {
namespace {

/// The functions of a type: static members of its struct. Optional ones stay null if the struct has none.
template <class Desc>
constexpr ObjectFunctions functions_of() {
  ObjectFunctions does;
  does.fields = Desc::fields;
  does.vertex_count = Desc::vertex_count;
  does.build = Desc::build;
  if constexpr (requires { Desc::uses; }) does.uses = Desc::uses;
  if constexpr (requires { Desc::lists; }) does.lists = Desc::lists;
  if constexpr (requires { Desc::named; }) does.named = Desc::named;
  if constexpr (requires { Desc::check; }) does.check = Desc::check;
  return does;
}

constexpr std::array all_types{
    ObjectTraits{.type = ObjectType::cloth,
                 .name = "cloth",
                 .several = "cloths",
                 .meaning = "a mesh or grid",
                 .surface = true,
                 .springs = true,
                 .two_sided = true,
                 .keeps_lengths = true,
                 .density = Density::areal,
                 .material = material_part::sheet | material_part::elastic | material_part::triangles |
                             material_part::heat | material_part::softening,
                 .does = functions_of<ClothDesc>()},
    ObjectTraits{.type = ObjectType::chain,
                 .name = "chain",
                 .several = "chains",
                 .meaning = "particles on a line",
                 .springs = true,
                 .two_sided = true,
                 .keeps_lengths = true,
                 .density = Density::particle,
                 .material = material_part::sheet,
                 .does = functions_of<ChainDesc>()},
    ObjectTraits{.type = ObjectType::points,
                 .name = "points",
                 .several = "points",
                 .meaning = "given one by one",
                 .springs = true,
                 .two_sided = true,
                 .density = Density::listed,
                 .material = material_part::sheet,
                 .does = functions_of<PointsDesc>()},
    ObjectTraits{.type = ObjectType::cloud,
                 .name = "cloud",
                 .several = "clouds",
                 .meaning = "free particles on a lattice",
                 .springs = true,
                 .two_sided = true,
                 .copies_are_particles = true,
                 .density = Density::particle,
                 .material = material_part::sheet,
                 .does = functions_of<CloudDesc>()},
    ObjectTraits{.type = ObjectType::grains,
                 .name = "grains",
                 .several = "grains",
                 .meaning = "balls on a lattice that touch each other",
                 .particles = true,
                 .touching = true,
                 .copies_are_particles = true,
                 .density = Density::volumetric,
                 .material = material_part::grain | material_part::heat,
                 .does = functions_of<GrainsDesc>()},
    ObjectTraits{.type = ObjectType::solid,
                 .name = "solid",
                 .several = "solids",
                 .meaning = "a closed mesh filled with balls that keep its shape",
                 .particles = true,
                 .touching = true,
                 .density = Density::volumetric,
                 .scatter = Scatter::copies,
                 .material = material_part::heat | material_part::cluster,
                 .does = functions_of<SolidDesc>()},
    ObjectTraits{.type = ObjectType::tets,
                 .name = "tets",
                 .several = "solids of tetrahedra",
                 .meaning = "an elastic solid of tetrahedra, generated or inside a closed mesh",
                 .surface = true,
                 .density = Density::volumetric,
                 .scatter = Scatter::copies,
                 .material = material_part::thickness | material_part::elastic | material_part::tets |
                             material_part::melting | material_part::heat | material_part::softening,
                 .does = functions_of<TetsDesc>()},
    ObjectTraits{.type = ObjectType::fluid,
                 .name = "fluid",
                 .several = "fluids",
                 .meaning = "particles of a liquid that fill a block or a closed mesh, or leave an emitter",
                 .particles = true,
                 .fluid = true,
                 .density = Density::volumetric,
                 .material = material_part::fluid | material_part::melting | material_part::heat,
                 .does = functions_of<FluidDesc>()},
    ObjectTraits{.type = ObjectType::rod,
                 .name = "rod",
                 .several = "rods",
                 .meaning = "a wire, rope or hair that bends and twists",
                 .two_sided = true,
                 .rod = true,
                 .density = Density::volumetric,
                 .material = material_part::elastic | material_part::heat | material_part::rod,
                 .does = functions_of<RodDesc>()},
};
static_assert(
    [] {
      for (std::size_t i = 0; i < all_types.size(); ++i)
        if (all_types[i].type != ObjectType(i)) return false;
      return true;
    }(),
    "a row for every ObjectType, in their order");

constexpr auto all_names = [] {
  std::array<std::string_view, all_types.size()> names;
  std::transform(all_types.begin(), all_types.end(), names.begin(),
                 [](const ObjectTraits& row) { return row.name; });
  return names;
}();

}  // namespace

std::span<const ObjectTraits> object_types() { return all_types; }
const ObjectTraits& traits_of(const ObjectDesc& object) { return all_types[std::size_t(object.type)]; }
std::span<const std::string_view> object_type_names() { return all_names; }

bool has_any(std::span<const ObjectDesc> objects, bool ObjectTraits::*trait) {
  return std::any_of(objects.begin(), objects.end(),
                     [&](const ObjectDesc& object) { return traits_of(object).*trait; });
}

bool any_has_method(std::span<const ObjectDesc> objects) {
  return std::any_of(objects.begin(), objects.end(),
                     [](const ObjectDesc& object) { return traits_of(object).has_method(); });
}

std::uint32_t parts_of(std::span<const ObjectDesc> objects) {
  std::uint32_t parts = objects.empty() ? 0 : scene_part::objects;
  if (has_any(objects, &ObjectTraits::fluid)) parts |= scene_part::fluids;
  if (has_any(objects, &ObjectTraits::particles)) parts |= scene_part::particles;
  if (has_any(objects, &ObjectTraits::surface)) parts |= scene_part::surfaces;
  if (has_any(objects, &ObjectTraits::rod)) parts |= scene_part::rods;
  if (any_has_method(objects)) parts |= scene_part::swept;
  return parts;
}

}  // namespace limber
