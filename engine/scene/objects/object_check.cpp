#include "engine/scene/objects/object_check.hpp"

#include <cmath>
#include <set>
#include "engine/core/material_field.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/solid.hpp"

namespace limber {
namespace {

Expected<void> check_copies(const ObjectDesc& object) {
  const glm::dvec3& n = object.copies;
  for (int axis = 0; axis < 3; ++axis)
    if (!(n[axis] >= 1.0) || n[axis] != std::floor(n[axis]))
      return Error{"'copies' must be three whole numbers", "", 0, "at least 1 each"};
  const ObjectTraits& type = traits_of(object);
  const double each =
      type.copies_are_particles ? 1.0 : static_cast<double>(type.does.vertex_count(object).value_or(1));
  const double vertices = each * n.x * n.y * n.z;
  if (type.heaps() && vertices > max_particles)
    return Error{"the object would have " + to_text(vertices) + " " + std::string(type.several), "", 0,
                 "at most " + to_text(max_particles)};
  if (vertices <= max_vertices) return {};
  return Error{"the object would have " + to_text(vertices) + " vertices", "", 0,
               "at most " + to_text(max_vertices)};
}

}  // namespace

Expected<void> check_melting_range(const ObjectDesc& object) {
  if (object.material->melts && object.material->solidus > object.material->liquidus)
    return Error{"'solidus', where melting begins, is above 'liquidus', where it ends", "", 0,
                 "exchange the two, or make them equal for a melting point"};
  return {};
}

Error no_vertex_names(std::string_view word) {
  return {"'" + std::string(word) + "' names vertices of a grid, and this object is none", "", 0,
          "give vertex numbers, counted from 0"};
}

Expected<std::vector<Index>> named_vertices(const ObjectDesc& object, std::string_view word) {
  const auto named = traits_of(object).does.named;
  if (!named) return no_vertex_names(word);
  return named(object, word);
}

Expected<void> check_index(long index, long count) {
  if (index >= 0 && index < count) return {};
  return Error{"there is no vertex " + std::to_string(index), "", 0, "0 to " + std::to_string(count - 1)};
}

Expected<void> check_vertex(const ObjectDesc& object, const VertexName& name) {
  if (const long* index = std::get_if<long>(&name)) {
    const std::optional<long> count = traits_of(object).does.vertex_count(object);
    return check_index(*index, count.value_or(static_cast<long>(max_vertices)));
  }
  const Expected<std::vector<Index>> vertices = named_vertices(object, std::get<std::string>(name));
  if (!vertices) return vertices.error();
  return {};
}

Expected<void> check_spacing(const ObjectDesc& object) {
  const ObjectTraits& type = traits_of(object);
  if (!type.touching) return {};
  double in_one_place = 1.0;
  for (int axis = 0; axis < 3; ++axis)
    if (object.copies[axis] > 1.0 && !(object.spacing[axis] > 0.0)) in_one_place *= object.copies[axis];
  if (in_one_place > 1.0)
    return Error{"'spacing' = " + to_text(object.spacing) + " puts " + to_text(in_one_place) + " " +
                     std::string(type.several) + " into one place",
                 "", 0,
                 type.copies_are_particles
                     ? "grains touch at twice solver.particle_radius: give a little more along every axis"
                     : "along every axis with several copies, give at least the size of one"};
  return {};
}

namespace {

/// Checks each distinct name once, because a name like "all" stands for many vertices.
Expected<void> check_names(const ObjectDesc& object, const std::vector<VertexName>& names) {
  std::set<VertexName> known;
  for (const VertexName& name : names)
    if (known.insert(name).second)
      if (const Expected<void> there = check_vertex(object, name); !there) return there;
  return {};
}

}  // namespace

Expected<void> check_field(const ObjectDesc& object, const FieldSource& source) {
  const MaterialFieldInfo& info = info_of(source.quantity);
  const ObjectTraits& type = traits_of(object);
  if (!may_vary(source.quantity, type.material)) {
    std::string others;
    for (const ObjectTraits& other : object_types())
      if (may_vary(source.quantity, other.material))
        others += (others.empty() ? "" : ", ") + std::string(other.name);
    return Error{"the field '" + source.name + "' varies the " + std::string(info.name) +
                     ", which an object of type '" + std::string(type.name) + "' cannot",
                 "", 0, "types that can: " + others};
  }
  const bool of_clusters = (type.material & material_part::cluster) != 0,
             elastic = source.quantity != MaterialField::density;
  if (of_clusters && elastic && !(object.solid->soft() && object.solid->youngs_modulus > 0.0))
    return Error{"the field '" + source.name + "' varies the " + std::string(info.name) +
                     ", and the solid has no Young's modulus that it could multiply",
                 "", 0, "give the solid 'cluster_size' and 'youngs_modulus'"};
  if (source.type == FieldSourceType::gradient && source.from == source.to)
    return Error{"the gradient '" + source.name + "' has its two points in one place", "", 0,
                 "give different points 'from' and 'to'"};
  if (source.type == FieldSourceType::colors && (!type.springs || object.mesh.empty()))
    return Error{
        "the field '" + source.name + "' takes the vertex colours of a mesh, and the object has none", "", 0,
        "give a cloth with a 'mesh', or another 'type' of field"};
  return {};
}

namespace {

/// Names of the methods whose traits `accepts` accepts, for a message.
std::string methods_that(bool (*accepts)(const MethodTraits&)) {
  std::string names;
  for (const MethodTraits& method : method_table)
    if (accepts(method)) names += (names.empty() ? "" : ", ") + std::string(method.name);
  return names;
}

}  // namespace

/// Refuses objects that the method cannot solve. A volume constraint couples all vertices of a closed surface
/// by gradients that rotate with it, so it is not part of the sparse matrix that a direct method factors.
/// Solved in a sweep after the matrix, it would be undone by the next solve (measured: velocities of 200
/// m/s). Methods that move only points would never change the orientations of a rod.
Expected<void> check_objects_of_method(const SceneDesc& scene) {
  const MethodSettings& settings = *scene.solver.method;
  const MethodTraits& method = traits(settings.kind);
  const std::string set_method = "solver.method to one of ";
  for (const ObjectDesc& object : scene.objects) {
    const auto refuse = [&](const std::string& what, const std::string& remedy) {
      return Error{"solver." + what + " '" + object.name + "'", "", 0, "set " + remedy};
    };
    if (object.pressure > 0.0 && !method.no_pressure.empty())
      return refuse("method " + std::string(method.name) + " has no " + std::string(method.no_pressure) +
                        " for the pressure of",
                    "objects." + object.name + ".pressure to 0, or " + set_method +
                        methods_that([](const MethodTraits& m) { return m.no_pressure.empty(); }));
    if (!traits_of(object).rod) continue;
    if (!method.turns)
      return refuse("method " + std::string(method.name) + " moves points only, not the turns of the rod",
                    set_method + methods_that([](const MethodTraits& m) { return m.turns; }));
    if (object.material->friction_curvature > 0.0) {
      if (settings.rods == RodSolve::sweeps || method.softness != Softness::compliance)
        return refuse("rods sweeps has no internal friction (friction_curvature) for the rod",
                      "solver.rods to direct with solver.method xpbd, or objects." + object.name +
                          ".material.friction_curvature to 0");
      if (object.material->yield_curvature > 0.0)
        return Error{"the rod '" + object.name + "' has 'friction_curvature' and 'yield_curvature'", "", 0,
                     "a cable with internal friction does not yield: leave one of them out"};
    }
    if (settings.integrator == Integrator::bdf2)
      return refuse("integrator bdf2 knows points only, not the turns of the rod",
                    "solver.integrator to bdf1");
  }
  return {};
}

Expected<void> check_object(const ObjectDesc& object) {
  if (object.material->soft_from > object.material->soft_to)
    return Error{"'soft_from', where softening begins, is above 'soft_to', where it ends", "", 0,
                 "exchange the two, or make them equal for a step"};
  for (const FieldSource& source : object.fields)
    if (const Expected<void> sound = check_field(object, source); !sound) return sound;
  if (const Expected<void> copies = check_copies(object); !copies) return copies;
  if (const Expected<void> apart = check_spacing(object); !apart) return apart;
  if (const auto own = traits_of(object).does.check)
    if (const Expected<void> sound = own(object); !sound) return sound;
  if (const Expected<void> known = check_names(object, object.pins); !known) return known;
  for (const AttachmentDesc& attachment : object.attachments)
    if (const Expected<void> known = check_names(object, attachment.vertices); !known) return known;
  return {};
}

}  // namespace limber
