// Reads one frame of a running scene into an ExportedFrame.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/record/collider_parts.hpp"
#include "app/record/exported_frame.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

/// Reads a frame. Shapes are read again only after the model has changed. Fields are the heat maps with
/// values for the object, except residual and phase, which describe the solver and not the matter.
class FrameGatherer {
 public:
  /// `surfaces`: each fluid also gets a part NAME_surface, a closed mesh with other triangles in each frame.
  explicit FrameGatherer(bool surfaces = false) : surfaces_(surfaces) {}

  /// Reads a frame, valid until the next call. `with_fields`: also heat maps, each of which costs a pass over
  /// the constraints.
  const ExportedFrame& gather(const Simulation& simulation, bool with_fields);

 private:
  enum class Origin {
    vertices,
    solid,
    body,
    carried_skin,
    blended_skin,
    fluid_surface,
    collider,
    fluid,
    spray
  };
  struct Source {
    Origin origin;
    std::size_t object = 0;  ///< index in the model
    std::size_t number = 0;  ///< number of the solid, body or collider
  };

  void adopt(const Simulation& simulation);
  ExportedPart& add_part(const ObjectModel& object, Source source);
  void adopt_vertices(std::size_t object, bool surface, bool inside);
  void adopt_bodies(const BodyModel& bodies);
  void adopt_skin(std::size_t object);
  void date_parts(std::span<const ExportedPart> before);
  void read_state(const Simulation& simulation);
  void place(const Source& source, ExportedPart& part) const;
  void place_fluid(const ObjectModel& object, ExportedPart& part) const;
  void place_surface(const ObjectModel& object, ExportedPart& part) const;
  void add_fields(const Simulation& simulation);
  void add_field(const Source& source, const HeatMapInfo& info, ExportedPart& part) const;

  bool surfaces_;
  ExportedFrame frame_;
  std::vector<Source> sources_;  ///< per part
  ColliderParts colliders_;
  std::vector<std::string> names_;  ///< per object: the name of its parts
  std::vector<char> yields_;        ///< per object: the material has a yield limit
  std::vector<glm::dvec3> velocities_;
  std::vector<BodyPose> solids_, bodies_;
  std::vector<ClusterPose> clusters_;
  std::vector<glm::vec4> skins_;
  std::vector<Index> absent_;
  std::vector<glm::vec3> spray_;
  std::vector<float> heat_, body_heat_;
};

}  // namespace limber
