// Heat conduction within sheets, tetrahedra, rods and chains: links between particles, and areas of exchange.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
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
  /// A tetrahedron that can melt, by its constraint, whose slot it keeps.
  struct MeltingTet {
    std::int32_t type, slot;
    double mass;                  ///< kg, a quarter at each corner
    std::array<double, 6> links;  ///< m, lengths of its Edges: corners 01, 02, 03, 12, 13, 23
  };
  /// A particle of a fluid inside a tetrahedron that can melt.
  struct Drop {
    std::int32_t particle, tet;     ///< internal index; number in `melting_tets`
    std::array<double, 4> weights;  ///< barycentric coordinates
  };
  /// Tetrahedra that melt together: several if some are too small to contain a particle.
  struct Melt {
    std::int32_t first_tet, tets;    ///< in `melting_tets`
    std::int32_t first_drop, drops;  ///< in `drops`
  };
  std::vector<Edge> edges;
  std::vector<Part> parts;  ///< per particle
  std::vector<MeltingTet> melting_tets;
  std::vector<Drop> drops;
  std::vector<Melt> melts;
};

/// The mesh of a World at its start, without melts.
HeatMesh heat_mesh(const World& world);

/// Finds the tetrahedra that contain the waiting particles of fluids, and groups them into melts. Each
/// particle gets an equal share of the mass of its melt. The World must be at its start.
void add_melts(World& world, HeatMesh& mesh);

/// Lengths of the links of a linear tetrahedron, in the order of MeltingTet::links: -V grad phi_a . grad
/// phi_b.
std::array<double, 6> tet_links(const glm::dvec3 (&x)[4]);

}}  // namespace limber::LIMBER_PRECISION
