// The way that heat takes within sheets, tetrahedra and rods.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct World;

/// Geometry as it was built, which does not change with the shape.
struct HeatMesh {
  /// A link within an object.
  struct Edge {
    std::int32_t a, b;
    double length;  ///< m, its conductance over the conductivity
  };
  /// A particle's matter as far as heat goes.
  struct Part {
    bool lump = false;       ///< of a fluid, grains or a solid: a volume of its own
    double free_area = 0.0;  ///< m^2, to the air; of lumps what their neighbours leave
    double touching = 0.0;   ///< m^2, to what it touches
  };
  std::vector<Edge> edges;
  std::vector<Part> parts;  ///< per particle
};

/// The mesh of a World as it starts.
HeatMesh heat_mesh(const World& world);

}}  // namespace limber::LIMBER_PRECISION
