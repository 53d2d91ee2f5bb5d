#include "app/record/frame_gatherer.hpp"

#include <algorithm>
#include <glm/gtc/quaternion.hpp>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "app/record/fluid_surface.hpp"
#include "app/view/drawn_particles.hpp"
#include "app/view/fluid_points.hpp"
#include "app/view/heat_numbers.hpp"
#include "app/view/rod_pieces.hpp"
#include "app/view/soft_skins.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/geometry/mesh/solid_surface.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

constexpr float spray_size = 0.3f;  ///< radius of spray relative to that of its fluid, as drawn

constexpr std::size_t no_object = std::size_t(-1);

/// Numbers the vertices of a part: those of its object, then those that tears made of them.
class LocalNumbers {
 public:
  LocalNumbers(const ObjectModel& object, ExportedPart& part) : object_(object), part_(part) {
    part.ids.resize(std::size_t(object.vertex_count));
    std::iota(part.ids.begin(), part.ids.end(), object.first_vertex);
  }
  Index of(Index external) {
    const Index own = external - object_.first_vertex;
    if (own >= 0 && own < object_.vertex_count) return own;
    const auto [found, fresh] = torn_.emplace(external, Index(part_.ids.size()));
    if (fresh) part_.ids.push_back(external);
    return found->second;
  }

 private:
  const ObjectModel& object_;
  ExportedPart& part_;
  std::unordered_map<Index, Index> torn_;
};

/// Texture coordinates of the vertices of `part`. A vertex made by a tear has those of its original.
std::vector<glm::vec2> uvs_of(const ExportedPart& part, const ObjectModel& object, const SceneModel& model) {
  if (object.uvs.empty()) return {};
  const Index untorn = model.vertex_count - Index(model.split_from.size());
  std::vector<glm::vec2> uvs;
  for (const Index id : part.ids) {
    const Index origin = id < untorn ? id : model.split_from[std::size_t(id - untorn)];
    uvs.push_back(object.uvs[std::size_t(origin - object.first_vertex)]);
  }
  return uvs;
}

std::shared_ptr<const TriMesh> body_surface(const BodyModel& bodies) {
  TriMesh whole;
  for (const BodyPart& part : bodies.parts) {
    const TriMesh mesh = solid_surface(part.kind, part.size, part.hull.get());
    const Index first = Index(whole.positions.size());
    for (const glm::dvec3& x : mesh.positions)
      whole.positions.push_back(part.place.position + part.place.rotation * x);
    for (const auto& [a, b, c] : mesh.triangles) whole.triangles.push_back({first + a, first + b, first + c});
  }
  return std::make_shared<const TriMesh>(std::move(whole));
}

void put_lines(const ObjectModel& object, LocalNumbers& number, ExportedPart& part) {
  if (object.rod.segments > 0) part.radius = object.rod.radius;
  for (const RodPiece& piece : pieces_of(object)) {
    std::vector<Index>& line = part.lines.emplace_back();
    for (const Index point : piece.points) line.push_back(number.of(point));
    if (piece.closed) line.push_back(line.front());
  }
  for (const auto& [a, b] : object.springs)
    part.lines.push_back({a - object.first_vertex, b - object.first_vertex});
}

/// Names of the objects, numbered where an object has copies, which all have its name: formats tell parts
/// apart by their names.
std::vector<std::string> names_of(const std::vector<ObjectModel>& objects) {
  std::unordered_map<std::string_view, int> copies, given;
  for (const ObjectModel& object : objects) ++copies[object.name];
  std::vector<std::string> names;
  for (const ObjectModel& object : objects) {
    names.push_back(object.name);
    if (copies[object.name] > 1) names.back() += "_" + std::to_string(given[object.name]++);
  }
  return names;
}

std::string_view field_name(const HeatMapInfo& info) {
  return info.map == HeatMap::velocity ? "speed" : info.name;
}

}  // namespace

const ExportedFrame& FrameGatherer::gather(const Simulation& simulation, bool with_fields) {
  if (frame_.model != simulation.model()) adopt(simulation);
  frame_.number = simulation.frame();
  frame_.time = simulation.time();
  read_state(simulation);
  for (std::size_t p = 0; p < sources_.size(); ++p) place(sources_[p], frame_.parts[p]);
  for (std::size_t p = 0; p < sources_.size(); ++p)
    if (sources_[p].origin == Origin::fluid_surface) frame_.parts[p].edition = ++frame_.edition;
  if (with_fields) add_fields(simulation);
  return frame_;
}

void FrameGatherer::adopt(const Simulation& simulation) {
  frame_.model = simulation.model();
  ++frame_.edition;
  const std::vector<ExportedPart> before = std::exchange(frame_.parts, {});
  sources_.clear();
  yields_.clear();
  for (const ObjectDesc& object : simulation.scene().objects) {
    const Material& m = *object.material;
    yields_.push_back(m.yield > 0.0 || m.yield_strain > 0.0 || m.yield_curvature > 0.0);
  }
  const std::vector<ObjectModel>& objects = frame_.model->objects;
  yields_.resize(objects.size(), 1);
  names_ = names_of(objects);
  const auto each = [&](auto is, auto add) {
    for (std::size_t o = 0; o < objects.size(); ++o)
      if (is(objects[o])) add(o);
  };
  each([](const ObjectModel& o) { return !o.triangles.empty() && !o.skin; },
       [&](std::size_t o) { adopt_vertices(o, true, !objects[o].tets.empty()); });
  std::size_t solids = 0;
  each([](const ObjectModel& o) { return o.shape != nullptr; },
       [&](std::size_t o) {
         ExportedPart& part = add_part(objects[o], {Origin::solid, o, solids++});
         part.rigid = objects[o].shape;
         part.triangles = part.rigid->triangles;
       });
  for (const BodyModel& bodies : frame_.model->bodies) adopt_bodies(bodies);
  each([](const ObjectModel& o) { return o.skin != nullptr; }, [&](std::size_t o) { adopt_skin(o); });
  if (surfaces_)
    each([](const ObjectModel& o) { return o.fluid; },
         [&](std::size_t o) {
           ExportedPart& part = add_part(objects[o], {Origin::fluid_surface, o, 0});
           part.name += "_surface";
           part.surface = true;
         });
  each([](const ObjectModel& o) { return o.skin && !o.tets.empty(); },
       [&](std::size_t o) {
         adopt_vertices(o, false, true);
         frame_.parts.back().name += "_tets";
       });
  each([](const ObjectModel& o) { return !o.fluid && o.triangles.empty() && !o.skin && !o.shape; },
       [&](std::size_t o) { adopt_vertices(o, false, false); });
  colliders_.add(*frame_.model, frame_);
  for (std::size_t c = 0; c < colliders_.size(); ++c) sources_.push_back({Origin::collider, no_object, c});
  float fluid_radius = 0.0f;
  each([](const ObjectModel& o) { return o.fluid; },
       [&](std::size_t o) {
         ExportedPart& part = add_part(objects[o], {Origin::fluid, o, 0});
         part.fluid = true;
         part.radius = drawn_radius(objects[o]);
         if (fluid_radius == 0.0f) fluid_radius = part.radius;
       });
  if (fluid_radius > 0.0f) {
    frame_.parts.emplace_back().name = "spray";
    frame_.parts.back().fluid = true;
    frame_.parts.back().radius = spray_size * fluid_radius;
    sources_.push_back({Origin::spray});
  }
  date_parts(before);
}

/// Keeps the edition of parts that did not change, after a tear or a new body elsewhere.
void FrameGatherer::date_parts(std::span<const ExportedPart> before) {
  std::unordered_map<std::string_view, const ExportedPart*> named;
  for (const ExportedPart& part : before) named[part.name] = &part;
  for (ExportedPart& part : frame_.parts) {
    part.edition = frame_.edition;
    const auto found = named.find(part.name);
    if (found == named.end()) continue;
    const ExportedPart& old = *found->second;
    part.turn = old.turn;
    if (old.triangles == part.triangles && old.tets == part.tets && old.lines == part.lines &&
        bool(old.rigid) == bool(part.rigid) && (!part.rigid || old.rigid->positions == part.rigid->positions))
      part.edition = old.edition;
  }
}

ExportedPart& FrameGatherer::add_part(const ObjectModel& object, Source source) {
  sources_.push_back(source);
  ExportedPart& part = frame_.parts.emplace_back();
  part.name = names_[source.object];
  part.color = object.color;
  return part;
}

/// Adds a part whose vertices are particles of the object, with its surface, its tetrahedra, or as curves or
/// points.
void FrameGatherer::adopt_vertices(std::size_t o, bool surface, bool inside) {
  const ObjectModel& object = frame_.model->objects[o];
  ExportedPart& part = add_part(object, {Origin::vertices, o, 0});
  LocalNumbers numbers(object, part);
  if (surface)
    for (const auto& [a, b, c] : object.triangles)
      part.triangles.push_back({numbers.of(a), numbers.of(b), numbers.of(c)});
  if (inside)
    for (const Tet& t : object.tets)
      part.tets.push_back({numbers.of(t[0]), numbers.of(t[1]), numbers.of(t[2]), numbers.of(t[3])});
  if (surface) part.uvs = uvs_of(part, object, *frame_.model);
  if (surface || inside) return;
  put_lines(object, numbers, part);
  if (part.radius == 0.0f) part.radius = drawn_radius(object);
}

void FrameGatherer::adopt_bodies(const BodyModel& bodies) {
  const auto surface = body_surface(bodies);
  for (Index copy = 0; copy < bodies.count; ++copy) {
    sources_.push_back({Origin::body, 0, std::size_t(bodies.first + copy)});
    ExportedPart& part = frame_.parts.emplace_back();
    part.name = bodies.name + (bodies.count > 1 ? "_" + std::to_string(copy) : std::string());
    if (std::size_t(copy) < bodies.colors.size()) part.color = bodies.colors[std::size_t(copy)];
    part.rigid = surface;
    part.triangles = surface->triangles;
  }
}

void FrameGatherer::adopt_skin(std::size_t o) {
  const ObjectModel& object = frame_.model->objects[o];
  const bool carried = object.blends.empty();
  ExportedPart& part = add_part(object, {carried ? Origin::carried_skin : Origin::blended_skin, o, 0});
  part.triangles = object.skin->triangles;
  for (const glm::dvec2& uv : object.skin->uvs) part.uvs.emplace_back(uv);
}

void FrameGatherer::read_state(const Simulation& simulation) {
  const std::size_t vertices = std::size_t(frame_.model->vertex_count);
  frame_.vertices.resize(vertices);
  velocities_.resize(vertices);
  simulation.read(reading::Positions{std::span<glm::dvec3>(frame_.vertices)});
  simulation.read(reading::Velocities{velocities_});
  simulation.read(reading::Solids{solids_});
  bodies_.resize(simulation.body_count());
  simulation.read(reading::Bodies{bodies_});
  simulation.read(reading::Clusters{clusters_});
  simulation.read(reading::Skins{skins_});
  simulation.read(reading::Absent{absent_});
  simulation.read(reading::Spray{spray_});
}

void FrameGatherer::place(const Source& source, ExportedPart& part) const {
  part.fields.clear();
  part.positions.clear();
  part.velocities.clear();
  const auto put_vertex = [&](Index id) {
    part.positions.push_back(frame_.vertices[std::size_t(id)]);
    part.velocities.push_back(velocities_[std::size_t(id)]);
  };
  const ObjectModel* object =
      source.object < frame_.model->objects.size() ? &frame_.model->objects[source.object] : nullptr;
  switch (source.origin) {
    case Origin::vertices:
      for (const Index id : part.ids) put_vertex(id);
      break;
    case Origin::solid:
    case Origin::body: {
      const BodyPose& pose = (source.origin == Origin::solid ? solids_ : bodies_)[source.number];
      const glm::quat turn = glm::quat_cast(pose.rotation);
      part.turn = glm::dot(turn, part.turn) < 0.0f ? -turn : turn;
      part.place = pose.position;
      for (const glm::dvec3& x : part.rigid->positions)
        part.positions.emplace_back(pose.position + pose.rotation * glm::vec3(x));
      break;
    }
    case Origin::carried_skin:
      for (const EmbeddedPoint& point : object->carried) {
        part.positions.push_back(point.at(std::span<const glm::dvec3>(frame_.vertices)));
        part.velocities.push_back(point.at(std::span<const glm::dvec3>(velocities_)));
      }
      break;
    case Origin::blended_skin:
      for (std::size_t v = 0; v < object->blends.size(); ++v)
        part.positions.emplace_back(place_of_skin(*object, v, skins_, clusters_));
      break;
    case Origin::collider:
      colliders_.place(source.number, frame_.time, part);
      break;
    case Origin::fluid_surface:
      place_surface(*object, part);
      break;
    case Origin::fluid:
      place_fluid(*object, part);
      break;
    case Origin::spray:
      part.positions.assign(spray_.begin(), spray_.end());
      break;
  }
}

/// Writes the fluid particles that are present in the scene.
void FrameGatherer::place_fluid(const ObjectModel& object, ExportedPart& part) const {
  part.ids.clear();
  auto gone = std::lower_bound(absent_.begin(), absent_.end(), object.first_vertex);
  for (Index id = object.first_vertex; id < object.first_vertex + object.vertex_count; ++id) {
    if (gone != absent_.end() && *gone == id) {
      ++gone;
      continue;
    }
    part.ids.push_back(id);
    part.positions.push_back(frame_.vertices[std::size_t(id)]);
    part.velocities.push_back(velocities_[std::size_t(id)]);
  }
}

void FrameGatherer::place_surface(const ObjectModel& object, ExportedPart& part) const {
  ExportedPart particles;
  place_fluid(object, particles);
  TriMesh mesh = fluid_surface(particles.positions, double(drawn_radius(object)));
  part.positions = std::move(mesh.positions);
  part.triangles = std::move(mesh.triangles);
}

void FrameGatherer::add_fields(const Simulation& simulation) {
  const SceneModel& model = *frame_.model;
  for (const HeatMapInfo& info : heat_maps) {
    const bool of_matter =
        info.map != HeatMap::none && info.map != HeatMap::residual && info.map != HeatMap::phase;
    if (!of_matter) continue;
    const bool of_vertices = info.map != HeatMap::velocity && has_vertex_numbers(info, model);
    const bool of_bodies = info.of_bodies && !bodies_.empty();
    if (!of_vertices && !of_bodies) continue;
    if (of_vertices)
      heat_.resize(std::size_t(model.vertex_count)), simulation.read(reading::Heat{info.map, heat_});
    if (of_bodies)
      body_heat_.resize(bodies_.size()), simulation.read(reading::BodyHeat{info.map, body_heat_});
    for (std::size_t p = 0; p < sources_.size(); ++p) {
      const bool body = sources_[p].origin == Origin::body;
      if (body ? of_bodies : of_vertices) add_field(sources_[p], info, frame_.parts[p]);
    }
  }
}

void FrameGatherer::add_field(const Source& source, const HeatMapInfo& info, ExportedPart& part) const {
  if (source.origin == Origin::body) {
    part.fields.push_back({field_name(info), info.unit, {body_heat_[source.number]}});
    return;
  }
  if (source.origin != Origin::vertices && source.origin != Origin::carried_skin &&
      source.origin != Origin::fluid)
    return;
  const ObjectModel& object = frame_.model->objects[source.object];
  if (!has_vertex_numbers(info, *frame_.model, object)) return;
  if ((info.map == HeatMap::plastic || info.map == HeatMap::yield) && !yields_[source.object]) return;
  ExportedField& field = part.fields.emplace_back(ExportedField{field_name(info), info.unit, {}});
  if (source.origin == Origin::carried_skin)
    for (const EmbeddedPoint& point : object.carried) {
      double value = 0.0;
      for (std::size_t k = 0; k < 4; ++k)
        value += point.weights[k] * double(heat_[std::size_t(point.vertices[k])]);
      field.values.push_back(float(value));
    }
  for (const Index id : part.ids) field.values.push_back(heat_[std::size_t(id)]);
}

}  // namespace limber
