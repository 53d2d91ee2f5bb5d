// The contacts of Coupling as others read them: which parts pushed each other, marks for the view, a count.
#include "engine/parts/coupling/coupling.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void Coupling::tell_touched(const World& world, TouchedParts& touched, const Team& team) const {
  const Share mine = team.share(std::int64_t(chunks_.size()));
  for (std::int64_t c = mine.begin; c < mine.end; ++c)
    for (std::int32_t k = 0; k < chunks_[std::size_t(c)].rows; ++k) {
      const CouplingRow& row = rows_[2 * std::size_t(chunks_[std::size_t(c)].first) + std::size_t(k)];
      if (world.topology->fluid.takes_part(row.points[0]))
        touched.touch_body(row.body);
      else if (row.lambda() != vec3(0) && search_.is_collider(row.body)) {
        for (int j = 0; j < 3; ++j)
          if (row.weight[j] != real(0)) touched.touch_particle(row.points[j]);
      } else if (row.lambda() != vec3(0))
        for (int j = 0; j < 3; ++j)
          if (row.weight[j] != real(0))
            touched.join(touched.of_particle(row.points[j]), touched.of_body(row.body), team.rank());
    }
}

std::int64_t Coupling::touching() const {
  std::int64_t count = 0;
  for (const Chunk& chunk : chunks_)
    for (std::int32_t k = 0; k < chunk.rows; ++k)
      count += rows_[2 * std::size_t(chunk.first) + std::size_t(k)].normal_lambda > real(0);
  return count;
}

void Coupling::read_contacts(const World& world, std::vector<ContactMark>& out) const {
  for (const Chunk& chunk : chunks_)
    for (std::int32_t k = 0; k < chunk.rows; ++k) {
      const CouplingRow& row = rows_[2 * std::size_t(chunk.first) + std::size_t(k)];
      if (!(row.normal_lambda > real(0))) continue;
      glm::dvec3 point(0.0);
      for (int j = 0; j < 3; ++j)
        point += double(row.weight[j]) * glm::dvec3(world.particles.position[std::size_t(row.points[j])]);
      out.push_back({point, glm::dvec3(row.normal),
                     search_.is_collider(row.body) ? ContactBetween::particle_and_collider
                                                   : ContactBetween::particle_and_body});
    }
}

}}  // namespace limber::LIMBER_PRECISION
