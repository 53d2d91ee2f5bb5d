#include "engine/scene/objects/fluid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <set>

#include "engine/core/fluid_viscosity.hpp"
#include "engine/core/heat_law.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/filled_mesh.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr std::array rest_rows{
    number<&ObjectDesc::fluid, &FluidDesc::rest_density>(
        {"rest_density", "Rest density", "kg/m^3", 1, 20000,
         "Density that the solver keeps. Water 1000, oil 900.", Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::fluid, &FluidDesc::frozen_density>(
        {"frozen_density", "Frozen density", "kg/m^3", 0, 20000,
         "Density of a fluid that starts frozen and can melt: its particles stand so far apart that they "
         "have this density. Ice 917. 0: the rest density. Fluid that freezes later keeps its volume.",
         Effect::rebuild}),
};
constexpr std::array block_rows{
    vector<&ObjectDesc::fluid, &FluidDesc::extent>(
        {"extent", "Extent", "m", 0.001, 100,
         "Side lengths of the block that the fluid fills, centred at the position; rounded to whole "
         "particles, which are twice solver.particle_radius apart.",
         Effect::rebuild}),
};
constexpr std::array count_rows{
    integer<&ObjectDesc::fluid, &FluidDesc::emit_count>(
        {"emit_count", "Particles emitted", "", 0, int(max_particles),
         "Largest number of particles of an emitter: they leave a round mouth at the position, at the "
         "'velocity'. 0: the fluid fills a block or a mesh instead.",
         Effect::rebuild}),
};
constexpr std::array mouth_rows{
    number<&ObjectDesc::fluid, &FluidDesc::emit_radius>(
        {"emit_radius", "Mouth radius", "m", 0, 10,
         "Radius of the mouth that particles leave. Its area times the speed is the volume per second. The "
         "mouth waits while the fluid in it is under pressure.",
         Effect::rebuild}),
    number<&ObjectDesc::fluid, &FluidDesc::emit_start>({"emit_start", "Emits from", "s", 0, 1000,
                                                        "Time at which the first particles leave.",
                                                        Effect::rebuild}),
    number<&ObjectDesc::fluid, &FluidDesc::emit_seconds>(
        {"emit_seconds", "Emits for", "s", 0, 1000, "Duration for which particles leave.", Effect::rebuild}),
    number<&ObjectDesc::fluid, &FluidDesc::emit_share>(
        {"emit_share", "Share", "", 0, 1,
         "Share of the places in the mouth that emit a particle: 1 is a jet, 0.01 is rain.",
         Effect::rebuild}),
};
constexpr std::array melt_rows{
    text<&ObjectDesc::fluid, &FluidDesc::melt_of>(
        "melt_of", "Melt of",
        "Name of an object of tetrahedra whose material 'melts'. The fluid is empty at the start; a "
        "tetrahedron "
        "that melts releases its mass as particles of this fluid, which have its velocity and its heat."),
};
constexpr std::array look_rows{
    number<&ObjectDesc::fluid, &FluidDesc::opacity>(
        {"opacity", "Opacity", "", 0, 1,
         "Opacity of the drawn fluid: 0 is clear as water, 0.2 as honey, 1 hides everything behind it, like "
         "paint. Only the picture depends on it.",
         Effect::rebuild}),
};
constexpr auto fluid_table =
    joined(mesh_rows, rest_rows, block_rows, lattice_rows, count_rows, mouth_rows, melt_rows, look_rows);

/// Factor of the particle spacing of a fluid that starts frozen: the cube root of rest_density /
/// frozen_density.
double widening(const ObjectDesc& object) {
  const Material& material = *object.material;
  if (!material.melts || !(object.fluid->frozen_density > 0.0)) return 1.0;
  if (HeatLaw::of(material).molten(HeatLaw::of(material).enthalpy(object.temperature)) >= 0.5) return 1.0;
  return std::cbrt(object.fluid->rest_density / object.fluid->frozen_density);
}

glm::ivec3 places_of(const SceneDesc& scene, const ObjectDesc& object) {
  const double spacing = 2.0 * scene.solver.contact->particle_radius * widening(object);
  return glm::ivec3(glm::clamp(glm::round(object.fluid->extent / spacing), 1.0, 1e6));
}

Expected<void> fill_block(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  const glm::ivec3 n = places_of(scene, object);
  const double copies = object.copies.x * object.copies.y * object.copies.z;
  if (const double all = copies * n.x * n.y * n.z; all > max_particles)
    return Error{
        "the fluid would have " + to_text(all) + " particles", "", 0,
        "at most " + to_text(max_particles) + ": a smaller 'extent' or a larger solver.particle_radius"};
  const double spacing = 2.0 * scene.solver.contact->particle_radius * widening(object);
  for (int y = 0; y < n.y; ++y)
    for (int z = 0; z < n.z; ++z)
      for (int x = 0; x < n.x; ++x)
        out.positions.push_back(spacing * (glm::dvec3(x, y, z) - 0.5 * glm::dvec3(n - 1)));
  return {};
}

/// Fills the tetrahedra of another object with the points of a lattice, in the frame of the scene.
Expected<void> fill_tets(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  const std::string& name = object.fluid->melt_of;
  const auto of = std::find_if(scene.objects.begin(), scene.objects.end(),
                               [&](const ObjectDesc& other) { return other.name == name; });
  if (of == scene.objects.end() || of->type != ObjectType::tets || !of->material->melts)
    return Error{"'melt_of' names '" + name + "', which is no object of tetrahedra that can melt", "", 0,
                 R"(give an object of type tets, with "melts": true in its material)"};
  if (of->copies != glm::dvec3(1.0))
    return Error{"'" + name + "' melts, so it must have one copy", "", 0, "give each copy as an object"};
  const Expected<ObjectGeometry> solid = build_geometry(scene, *of);
  if (!solid) return solid.error();
  const double spacing = 2.0 * scene.solver.contact->particle_radius;
  const glm::dmat3 turn = rotation_matrix(of->pose);
  std::set<std::array<long, 3>> taken;
  for (const Tet& tet : solid->tets) {
    glm::dvec3 x[4], low(1e300), high(-1e300);
    for (std::size_t k = 0; k < 4; ++k) {
      x[k] = solid->positions[std::size_t(tet[k])] / spacing;
      low = glm::min(low, x[k]), high = glm::max(high, x[k]);
    }
    const glm::dmat3 inverse = glm::inverse(glm::dmat3(x[1] - x[0], x[2] - x[0], x[3] - x[0]));
    for (long i = std::lround(std::ceil(low.x)); double(i) <= high.x; ++i)
      for (long j = std::lround(std::ceil(low.y)); double(j) <= high.y; ++j)
        for (long k = std::lround(std::ceil(low.z)); double(k) <= high.z; ++k) {
          const glm::dvec3 at(i, j, k), b = inverse * (at - x[0]);
          if (std::min({b.x, b.y, b.z, 1.0 - b.x - b.y - b.z}) < -1e-9 || !taken.insert({i, j, k}).second)
            continue;
          out.positions.push_back(turn * (spacing * at) + of->pose.position);
        }
    if (double(out.positions.size()) > max_particles)
      return Error{"the melt of '" + name + "' would have more than " + to_text(max_particles) + " particles",
                   "", 0, "a larger solver.particle_radius"};
  }
  if (out.positions.empty())
    return Error{"'" + name + "' is smaller than a particle of its melt", "", 0,
                 "a smaller solver.particle_radius"};
  return {};
}

/// Message for a fluid without `viscosity`: "xsph 0.05 acts as a viscosity of 7 Pa s; ..."; "" if xsph is 0.
std::string xsph_fact(const SceneDesc& scene, const ObjectDesc& object) {
  const double c = object.material->smoothing();
  if (!(c > 0.0)) return {};
  const double support = fluid_support_radii * scene.solver.contact->particle_radius,
               h = scene.solver.step->dt / scene.solver.step->substeps;
  char text[128];
  std::snprintf(text, sizeof text,
                "xsph %.3g acts as a viscosity of %.2g Pa s; give a material.viscosity to choose it", c,
                viscosity_of_xsph(c, object.fluid->rest_density, support, h));
  return text;
}

}  // namespace

std::vector<glm::dvec2> FluidDesc::mouth_places(double spacing) const {
  const double area = glm::pi<double>() * (emit_radius / spacing) * (emit_radius / spacing);
  const std::size_t wanted = std::size_t(std::max(std::ceil(area - 1e-9), 1.0));
  struct Place {
    long norm;    ///< squared distance from the middle in spacings, exact
    double turn;  ///< rad, angle about the middle: order of places at equal distance
    glm::dvec2 at;
  };
  std::vector<Place> places;
  const long reach = 2 + long(1.2 * emit_radius / spacing);
  for (long i = -reach; i <= reach; ++i)
    for (long j = -reach; j <= reach; ++j) {
      const glm::dvec2 at(spacing * double(i), spacing * double(j));
      const double turn = std::atan2(at.y, at.x);
      places.push_back({i * i + j * j, turn < 0.0 ? turn + glm::two_pi<double>() : turn, at});
    }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.norm != b.norm ? a.norm < b.norm : a.turn < b.turn;
  });
  places.resize(std::min(wanted, places.size()));
  glm::dvec2 middle(0.0);
  for (const Place& place : places) middle += place.at / double(places.size());
  std::vector<glm::dvec2> out;
  for (const Place& place : places) out.push_back(place.at - middle);
  return out;
}

std::span<const Field> FluidDesc::fields() { return fluid_table; }

bool FluidDesc::uses(const ObjectDesc& object, const Field& field) {
  const auto in = [&](std::span<const Field> rows) {
    for (const Field& row : rows)
      if (row.name == field.name) return true;
    return false;
  };
  const bool emits = object.fluid->emit_count > 0;
  if (in(mouth_rows)) return emits;
  const bool melts = !object.fluid->melt_of.empty();
  if (in(melt_rows)) return !emits && object.mesh.empty();
  if (in(count_rows)) return !melts;
  if (in(mesh_rows) || in(lattice_rows)) return !emits && !melts;
  if (in(block_rows)) return !emits && !melts && object.mesh.empty();
  return true;
}

/// None for a block of fluid, whose number of particles depends on the scene's particle radius.
std::optional<long> FluidDesc::vertex_count(const ObjectDesc& object) {
  if (object.fluid->emit_count > 0) return long{object.fluid->emit_count};
  return std::nullopt;
}

Expected<void> FluidDesc::check(const ObjectDesc& object) {
  if (object.fluid->emit_count > 0 && !(glm::length(object.velocity) > 1e-3))
    return Error{"an emitter needs a 'velocity', at which its particles leave", "", 0,
                 R"("velocity": [0, -2, 0])"};
  if (object.fluid->emit_count > 0 && !(object.fluid->emit_radius > 0.0))
    return Error{"an emitter needs an 'emit_radius' above 0, the radius of its mouth", "", 0,
                 R"("emit_radius": 0.1)"};
  if (!object.fluid->melt_of.empty() && object.pose.position != glm::dvec3(0.0))
    return Error{"the melt of another object starts inside that object and has no 'position'", "", 0,
                 "leave 'position' out"};
  if (const Expected<void> range = check_melting_range(object); !range) return range;
  if (const double share = object.fluid->frozen_density / object.fluid->rest_density;
      object.fluid->frozen_density > 0.0 && !(share >= 0.5 && share <= 1.5))
    return Error{"'frozen_density' must be between half and one and a half times 'rest_density'", "", 0,
                 "particles that start farther apart, or closer, form no fluid after melting"};
  return {};
}

Expected<void> FluidDesc::build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  const double r = scene.solver.contact->particle_radius;
  if (!object.fluid->melt_of.empty()) {
    if (Expected<void> filled = fill_tets(scene, object, out); !filled) return filled;
  } else if (object.fluid->emit_count > 0) {
    out.positions.assign(std::size_t(object.fluid->emit_count), glm::dvec3(0.0));
  } else if (object.mesh.empty()) {
    if (Expected<void> filled = fill_block(scene, object, out); !filled) return filled;
  } else {
    const double wider = widening(object);
    ObjectDesc packed = object;  // the block is filled in a smaller size, then widened
    packed.size /= wider;
    if (wider != 1.0 && !(object.size > 0.0))
      return Error{"a mesh with a 'frozen_density' needs a 'size'", "", 0, ""};
    Expected<FilledMesh> filled = fill_mesh(scene, packed, Filling::even, 1);
    if (!filled) return filled.error();
    out.notes = std::move(filled->notes);
    for (const InteriorParticle& particle : filled->particles)
      out.positions.push_back(wider * particle.position);
  }
  out.facts = xsph_fact(scene, object);
  out.masses.assign(out.positions.size(), object.fluid->rest_density * 8.0 * r * r * r);
  return {};
}

}  // namespace limber
