// The surfaces of a running scene as one OBJ file per frame.
#pragma once

#include <memory>
#include <string>

#include "app/record/sequence_folder.hpp"
#include "engine/core/expected.hpp"
#include "engine/geometry/files/obj_writer.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Every file has all vertices of the scene, numbered as everywhere else (external id + 1) where no fluid
/// comes before them, grains and particles among them, then those of the meshes of solids and rigid bodies,
/// and a group of triangles per object that has some and per body: NAME, or NAME_0, NAME_1, ... of copies.
/// Particles of fluids come last, without those that are not in the scene. Each object of grains, particles
/// or fluid is a group of point elements. A skin that tetrahedra carry is written in place of their boundary.
/// Tetrahedra of all objects, where there are any, are in a pair of .node and .ele files beside each OBJ, without
/// the vertices of others.
class MeshSequence {
 public:
  /// Fails when the folder has files in it or cannot be written.
  static Expected<MeshSequence> create(const std::string& folder, std::string_view option = "--export");

  /// Writes the present state as the next file, whole or not at all. Fails when a position is not finite
  /// or the disk is full.
  Expected<void> add(const Simulation& simulation);

  const std::string& path() const { return folder_.path(); }
  int files() const { return folder_.files(); }

 private:
  explicit MeshSequence(SequenceFolder folder) : folder_(std::move(folder)) {}
  void adopt(std::shared_ptr<const SceneModel> model);
  void adopt_bodies(const BodyModel& bodies);
  void add_group(const std::string& name, const TriMesh& own);
  void place_bodies(const Simulation& simulation);
  void place_soft_skins(const Simulation& simulation);
  void adopt_tets();
  void put_fluids_last();
  void gather(const Simulation& simulation);

  SequenceFolder folder_;
  std::shared_ptr<const SceneModel> model_;  ///< that mesh_ and groups_ are made of
  std::vector<glm::dvec3> places_;  ///< m, of all vertices, then points of solids and bodies, then of skins
  std::vector<Index> order_;        ///< places in the order of the file, without those of fluids
  TriMesh mesh_;                    ///< as it is written
  std::vector<ObjGroup> groups_;
  std::vector<ObjPoints> clouds_;   ///< of grains and particles, then of fluids
  std::size_t lasting_clouds_ = 0;  ///< those that are no fluid's
  std::vector<Index> absent_;
  std::size_t solids_ = 0;                ///< made of particles; they come before the bodies
  std::vector<ClusterPose> cluster_poses_;
  std::vector<glm::vec3> body_points_;    ///< m, of all solids and bodies in turn, each in its own frame
  std::vector<std::size_t> first_point_;  ///< per solid and body, and where the last one's end
  std::vector<BodyPose> solid_poses_, poses_;
  TetMesh tets_;                            ///< of all objects
  std::vector<Index> tet_vertices_;         ///< per vertex of tets_: its place in places_
  std::size_t first_skin_ = 0;              ///< place of the first skin point
  std::vector<EmbeddedPoint> skin_points_;  ///< of all skins
};

}  // namespace limber
