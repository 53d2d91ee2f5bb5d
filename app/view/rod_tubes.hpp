// Draws rods as tubes: a curve through the rod's points, with cross sections oriented by its frames.
#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "app/view/render_frame.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

struct SceneDesc;

/// The finer rods that a rod is drawn as.
struct RodTuft {
  int count;
  float radius, spread;  ///< relative to the rod's radius: of each, and of the tuft
  float tip;             ///< radius of the tip, relative to that of the root
  float shortest;        ///< length of the shortest, relative to the rod's
};

/// Vertices of tubes are carried (CarriedVertex) by nearby points of the rod, from which they take heat,
/// picking and bounds. Their positions are written here. A stripe of the back colour along the first axis of
/// the frames makes twist visible. A hair is drawn as a tuft of finer ones in three shades, because a head
/// has far more hairs than one computes. Many flat rods are blades, which end in a point.
class RodTubes {
 public:
  /// Takes from the scene which rods are hairs. Must be called before add().
  void note_hairs(const SceneDesc& scene);

  /// Appends the tubes of all rods of the model to `surfaces`.
  void add(const SceneModel& model, SurfaceTopology& surfaces);

  /// Writes the vertices of the tubes into `positions` (by external vertex id, then the carried ones).
  void write(const Simulation& simulation, std::vector<glm::vec3>& positions);

 private:
  struct Tube {
    std::size_t first;          ///< index of its first position among the carried ones
    std::vector<Index> points;  ///< external ids
    Index first_segment, segments;
    float radius, flatness;
    bool closed;
    std::size_t pieces, sides;
    glm::vec2 aside{0.0f};  ///< m along the axes of the frames, from the rod to the middle of the tube
    float tip = 1.0f;       ///< radius at the last point, relative to the first
    float length = 1.0f;    ///< share of the rod's length, from the first point
    bool striped = true;
  };
  const RodTuft* tuft_of(const ObjectModel& object, std::size_t rods) const;
  void add_tuft(const ObjectModel& object, const RodTuft& tuft, SurfaceTopology& surfaces,
                std::size_t vertices, std::size_t shade);
  static void add_tube(const Tube& tube, std::size_t vertices, SurfaceTopology& surfaces,
                       std::vector<std::uint32_t>& stripe);
  void write_tube(const Tube& tube, std::vector<glm::vec3>& positions, std::size_t carried) const;

  std::vector<Tube> tubes_;
  std::vector<char> hairs_;  ///< per object of the scene file
  std::vector<glm::dvec4> turns_;
  std::size_t carried_ = 0;  ///< number of carried vertices of the whole surface
};

}  // namespace limber
