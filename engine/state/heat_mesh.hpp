// Heat conduction within sheets, tetrahedra, rods and chains: links between particles, and areas of exchange.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct World;

/// Geometry of the initial shape; deformation does not change it.
struct HeatMesh {
  /// A conducting link between two particles of an object.
  struct Edge {
    std::int32_t a, b;
    double length;  ///< m: conductance = conductivity * length
  };
  /// Areas through which a particle exchanges heat.
  struct Part {
    bool lump = false;       ///< particle of a fluid, of grains or of a solid: a volume of its own
    double free_area = 0.0;  ///< m^2, to the air; for lumps the area that neighbours leave free counts
    double touching = 0.0;   ///< m^2, to things in contact
  };
  std::vector<Edge> edges;
  std::vector<Part> parts;  ///< per particle
};

/// The mesh of a World at its start.
HeatMesh heat_mesh(const World& world);

}}  // namespace limber::LIMBER_PRECISION
