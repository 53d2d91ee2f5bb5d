// The surfaces of a running scene as one OBJ file per frame.
#pragma once

#include <memory>
#include <string>

#include "app/record/sequence_folder.hpp"
#include "engine/core/expected.hpp"
#include "engine/geometry/obj_writer.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Every file has all vertices of the scene, numbered as everywhere else (external id + 1), and a group of
/// triangles per object that has some.
class MeshSequence {
 public:
  /// Fails when the folder has files in it or cannot be written.
  static Expected<MeshSequence> create(const std::string& folder, std::string_view option = "--export");

  /// Writes the present state as the next file, whole or not at all. Fails when the scene has no surface,
  /// a position is not finite, the disk is full.
  Expected<void> add(const Simulation& simulation);

  const std::string& path() const { return folder_.path(); }
  int files() const { return folder_.files(); }

 private:
  explicit MeshSequence(SequenceFolder folder) : folder_(std::move(folder)) {}
  void adopt(std::shared_ptr<const SceneModel> model);

  SequenceFolder folder_;
  std::shared_ptr<const SceneModel> model_;  ///< that mesh_ and groups_ are made of
  TriMesh mesh_;
  std::vector<ObjGroup> groups_;
};

}  // namespace limber
