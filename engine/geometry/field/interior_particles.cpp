#include "engine/geometry/field/interior_particles.hpp"

#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>

namespace limber {
namespace {

InteriorParticle look(const SignedDistanceField& field, const glm::dvec3& x) {
  const SurfaceDistance<double> surface = field.at(x);
  return {x, surface.n, surface.d};
}

/// Moves a particle along the gradient until it is r deep, or until it gets no deeper, as in a thin place.
InteriorParticle drawn_in(const SignedDistanceField& field, InteriorParticle particle, double radius) {
  for (int i = 0; i < 3 && particle.distance > -radius; ++i) {
    const InteriorParticle deeper =
        look(field, particle.position - (particle.distance + radius) * particle.outward);
    if (!(deeper.distance < particle.distance)) break;
    particle = deeper;
  }
  return particle;
}

/// Admits a particle only if no earlier one is nearer than r, because in thin places several are moved to
/// one.
class Spread {
 public:
  explicit Spread(double least) : least_(least) {}

  bool admits(const glm::dvec3& x) {
    const glm::ivec3 c(glm::floor(x / least_));
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const auto found = cells_.find({c.x + dx, c.y + dy, c.z + dz});
          if (found == cells_.end()) continue;
          for (const glm::dvec3& other : found->second)
            if (glm::distance(other, x) < least_) return false;
        }
    cells_[{c.x, c.y, c.z}].push_back(x);
    return true;
  }

 private:
  double least_;
  std::map<std::array<int, 3>, std::vector<glm::dvec3>> cells_;
};

}  // namespace

std::vector<InteriorParticle> lattice_inside(const SignedDistanceField& field, double radius) {
  const glm::dvec3 extent = field.cell * glm::dvec3(field.nodes - 1), middle = field.origin + 0.5 * extent;
  const glm::ivec3 half(glm::floor(0.5 * extent / (2.0 * radius)));
  std::vector<InteriorParticle> out;
  for (int z = -half.z; z <= half.z; ++z)
    for (int y = -half.y; y <= half.y; ++y)
      for (int x = -half.x; x <= half.x; ++x) {
        const InteriorParticle found = look(field, middle + 2.0 * radius * glm::dvec3(x, y, z));
        if (found.distance < 0.0) out.push_back(found);
      }
  return out;
}

std::vector<InteriorParticle> interior_particles(const SignedDistanceField& field, double radius) {
  Spread spread(radius);
  std::vector<InteriorParticle> out;
  for (const InteriorParticle& found : lattice_inside(field, radius)) {
    const InteriorParticle settled = drawn_in(field, found, radius);
    if (spread.admits(settled.position)) out.push_back(settled);
  }
  return out;
}

}  // namespace limber
