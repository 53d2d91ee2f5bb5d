#include "app/record/mesh_sequence.hpp"

#include <algorithm>
#include <span>

#include "app/view/soft_skins.hpp"
#include "engine/geometry/files/tetgen_reader.hpp"
#include "engine/geometry/mesh/solid_surface.hpp"

namespace limber {
namespace {

/// Points of rods follow each other along them.
ObjPoints::Joined joined_as(const RodModel& rod) {
  if (rod.segments == 0) return ObjPoints::Joined::apart;
  return rod.closed ? ObjPoints::Joined::closed : ObjPoints::Joined::line;
}

}  // namespace

Expected<MeshSequence> MeshSequence::create(const std::string& folder, std::string_view option) {
  Expected<SequenceFolder> opened = SequenceFolder::create(folder, option);
  if (!opened) return opened.error();
  return MeshSequence(std::move(*opened));
}

/// Takes over what does not change from frame to frame.
void MeshSequence::adopt(std::shared_ptr<const SceneModel> model) {
  model_ = std::move(model);
  const std::size_t vertices = std::size_t(model_->vertex_count);
  places_.resize(vertices);
  mesh_.uvs.clear();
  mesh_.triangles.clear();
  groups_.clear();
  for (const ObjectModel& object : model_->objects) {
    if (!object.triangles.empty() && !object.skin) {
      groups_.push_back({object.name, mesh_.triangles.size()});
      mesh_.triangles.insert(mesh_.triangles.end(), object.triangles.begin(), object.triangles.end());
    }
    if (object.uvs.empty()) continue;
    mesh_.uvs.resize(vertices, glm::dvec2(0.0));  // for those of other objects
    for (std::size_t i = 0; i < object.uvs.size(); ++i)
      mesh_.uvs[std::size_t(object.first_vertex) + i] = glm::dvec2(object.uvs[i]);
  }
  body_points_.clear();
  first_point_.assign(1, 0);
  for (const ObjectModel& object : model_->objects)
    if (object.shape) add_group(object.name, *object.shape);
  solids_ = first_point_.size() - 1;
  for (const BodyModel& bodies : model_->bodies) adopt_bodies(bodies);
  poses_.resize(first_point_.size() - 1 - solids_);
  places_.resize(vertices + body_points_.size());
  adopt_tets();
  if (!mesh_.uvs.empty()) {
    mesh_.uvs.resize(places_.size(), glm::dvec2(0.0));
    for (std::size_t k = 0, first = vertices - model_->split_from.size(); k < model_->split_from.size(); ++k)
      mesh_.uvs[first + k] = mesh_.uvs[std::size_t(model_->split_from[k])];
  }
  put_fluids_last();
}

/// Particles of fluids come and go: behind all others, they change no number of a mesh.
void MeshSequence::put_fluids_last() {
  std::vector<char> fluid(places_.size(), 0);
  for (const ObjectModel& object : model_->objects)
    if (object.fluid)
      std::fill_n(fluid.begin() + std::ptrdiff_t(object.first_vertex), object.vertex_count, char(1));
  order_.clear();
  std::vector<Index> number(places_.size(), no_index);
  for (std::size_t place = 0; place < places_.size(); ++place)
    if (!fluid[place]) number[place] = Index(order_.size()), order_.push_back(Index(place));
  for (Triangle& triangle : mesh_.triangles)
    for (Index& v : triangle) v = number[std::size_t(v)];
  if (!mesh_.uvs.empty())
    for (std::size_t v = 0; v < order_.size(); ++v) mesh_.uvs[v] = mesh_.uvs[std::size_t(order_[v])];
  clouds_.clear();
  for (const ObjectModel& object : model_->objects)
    if (!object.fluid && object.triangles.empty() && !object.skin && !object.shape)
      clouds_.push_back({object.name, std::size_t(number[std::size_t(object.first_vertex)]),
                         std::size_t(object.vertex_count), joined_as(object.rod)});
  lasting_clouds_ = clouds_.size();
}

void MeshSequence::gather(const Simulation& simulation) {
  mesh_.positions.clear();
  for (const Index place : order_) mesh_.positions.push_back(places_[std::size_t(place)]);
  clouds_.resize(lasting_clouds_);
  simulation.read_absent(absent_);
  for (const ObjectModel& object : model_->objects) {
    if (!object.fluid) continue;
    clouds_.push_back({object.name, mesh_.positions.size(), 0});
    for (Index v = object.first_vertex; v < object.first_vertex + object.vertex_count; ++v)
      if (!std::binary_search(absent_.begin(), absent_.end(), v))
        mesh_.positions.push_back(places_[std::size_t(v)]), ++clouds_.back().count;
  }
  if (!mesh_.uvs.empty()) mesh_.uvs.resize(mesh_.positions.size(), glm::dvec2(0.0));
}

/// Skins behind all other vertices, and the vertices that any tetrahedron uses.
void MeshSequence::adopt_tets() {
  skin_points_.clear();
  first_skin_ = places_.size();
  tets_ = {};
  tet_vertices_.clear();
  std::vector<Index> number(std::size_t(model_->vertex_count), no_index);
  for (const ObjectModel& object : model_->objects) {
    if (object.skin) {
      groups_.push_back({object.name, mesh_.triangles.size()});
      const Index first = Index(first_skin_ + skin_points_.size());
      for (const auto& [a, b, c] : object.skin->triangles)
        mesh_.triangles.push_back({first + a, first + b, first + c});
      skin_points_.insert(skin_points_.end(), object.carried.begin(), object.carried.end());
    }
    for (Tet tet : object.tets) {
      for (Index& v : tet) {
        Index& own = number[std::size_t(v)];
        if (own == no_index) own = Index(tet_vertices_.size()), tet_vertices_.push_back(v);
        v = own;
      }
      tets_.tets.push_back(tet);
    }
  }
  places_.resize(first_skin_ + skin_points_.size());
  tets_.positions.resize(tet_vertices_.size());
}

void MeshSequence::adopt_bodies(const BodyModel& bodies) {
  TriMesh whole;
  for (const BodyPart& part : bodies.parts) {
    const TriMesh mesh = solid_surface(part.kind, part.size, part.hull.get());
    const Index first = Index(whole.positions.size());
    for (const glm::dvec3& x : mesh.positions)
      whole.positions.push_back(part.place.position + part.place.rotation * x);
    for (const auto& [a, b, c] : mesh.triangles) whole.triangles.push_back({first + a, first + b, first + c});
  }
  for (Index copy = 0; copy < bodies.count; ++copy) {
    const std::string number = bodies.count > 1 ? "_" + std::to_string(copy) : std::string();
    add_group(bodies.name + number, whole);
  }
}

/// What moves rigidly.
void MeshSequence::add_group(const std::string& name, const TriMesh& own) {
  groups_.push_back({name, mesh_.triangles.size()});
  const Index first = model_->vertex_count + Index(body_points_.size());
  for (const auto& [a, b, c] : own.triangles) mesh_.triangles.push_back({first + a, first + b, first + c});
  body_points_.insert(body_points_.end(), own.positions.begin(), own.positions.end());
  first_point_.push_back(body_points_.size());
}

void MeshSequence::place_bodies(const Simulation& simulation) {
  simulation.read_solids(solid_poses_);
  simulation.read_bodies(poses_);
  const std::size_t vertices = std::size_t(model_->vertex_count);
  for (std::size_t i = 0; i + 1 < first_point_.size(); ++i) {
    const BodyPose& pose = i < solids_ ? solid_poses_[i] : poses_[i - solids_];
    for (std::size_t p = first_point_[i]; p < first_point_[i + 1]; ++p)
      places_[vertices + p] = pose.position + pose.rotation * body_points_[p];
  }
}

void MeshSequence::place_soft_skins(const Simulation& simulation) {
  std::size_t place = first_skin_;
  simulation.read_clusters(cluster_poses_);
  for (const ObjectModel& object : model_->objects) {
    if (!object.skin) continue;
    for (std::size_t v = 0; v < object.blends.size(); ++v)
      places_[place + v] =
          glm::dvec3(blended(object.blends[v], glm::vec3(object.skin->positions[v]), cluster_poses_));
    place += object.skin->positions.size();
  }
}

Expected<void> MeshSequence::add(const Simulation& simulation) {
  if (auto model = simulation.model(); model != model_) adopt(std::move(model));
  simulation.read_positions(std::span<glm::dvec3>(places_.data(), std::size_t(model_->vertex_count)));
  place_bodies(simulation);
  for (std::size_t k = 0; k < skin_points_.size(); ++k)
    places_[first_skin_ + k] = skin_points_[k].at(std::span<const glm::dvec3>(places_));
  place_soft_skins(simulation);
  gather(simulation);
  const std::string stem = folder_.next("");
  const Expected<void> written = write_obj(mesh_, groups_, stem + ".obj", clouds_);
  if (!written || tets_.tets.empty()) return written;
  for (std::size_t v = 0; v < tet_vertices_.size(); ++v)
    tets_.positions[v] = places_[std::size_t(tet_vertices_[v])];
  return write_tetgen(tets_, stem);
}

}  // namespace limber
