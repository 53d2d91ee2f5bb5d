#include "engine/parts/motion/damping.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/geometry/symmetric3.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void RigidModeDamping::reserve(const World& world) {
  blocks_.clear();
  first_block_.assign(1, 0);
  const auto& objects = world.topology->objects;
  const auto& spares = world.topology->tears.objects;
  for (std::size_t o = 0; o < objects.size(); ++o) {
    const auto add = [&](std::int32_t first, std::int32_t end) {
      for (std::int32_t begin = first; begin < end; begin += particle_block)
        blocks_.push_back({std::int32_t(o), begin, std::min(begin + particle_block, end)});
    };
    add(objects[o].first, objects[o].end());
    if (!spares.empty()) add(spares[o].first_spare, spares[o].first_spare + spares[o].spares);
    first_block_.push_back(blocks_.size());
  }
  sums_.assign(blocks_.size(), {});
  rigid_.assign(objects.size(), {});
}

void RigidModeDamping::sum_mass(const World& world, std::size_t block) {
  Sums sums;
  for (std::int32_t i = blocks_[block].begin; i < blocks_[block].end; ++i) {
    const vec4 x = world.particles.position[std::size_t(i)];
    if (x.w == real(0)) continue;
    const double mass = 1.0 / double(x.w);
    sums.mass += mass;
    sums.first += mass * glm::dvec3(x);
    sums.second += mass * glm::dvec3(world.particles.velocity[std::size_t(i)]);
  }
  sums_[block] = sums;
}

void RigidModeDamping::sum_inertia(const World& world, std::size_t block) {
  const glm::dvec3 center = rigid_[std::size_t(blocks_[block].object)].center;
  Sums sums;
  for (std::int32_t i = blocks_[block].begin; i < blocks_[block].end; ++i) {
    const vec4 x = world.particles.position[std::size_t(i)];
    if (x.w == real(0)) continue;
    const double mass = 1.0 / double(x.w);
    const glm::dvec3 r = glm::dvec3(x) - center;
    sums.first += mass * glm::cross(r, glm::dvec3(world.particles.velocity[std::size_t(i)]));
    sums.diagonal += mass * glm::dvec3(r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y);
    sums.off_diagonal -= mass * glm::dvec3(r.x * r.y, r.x * r.z, r.y * r.z);
  }
  sums_[block] = sums;
}

void RigidModeDamping::apply(World& world, real k, Team& team) {
  const Share blocks = team.share(std::int64_t(blocks_.size())),
              objects = team.share(std::int64_t(rigid_.size()));

  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) sum_mass(world, std::size_t(b));
  team.barrier();
  for (std::int64_t o = objects.begin; o < objects.end; ++o) {
    Sums total;
    for (std::size_t b = first_block_[std::size_t(o)]; b < first_block_[std::size_t(o) + 1]; ++b)
      total.mass += sums_[b].mass, total.first += sums_[b].first, total.second += sums_[b].second;
    if (total.mass > 0.0) rigid_[std::size_t(o)] = {total.first / total.mass, total.second / total.mass, {}};
  }
  team.barrier();
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) sum_inertia(world, std::size_t(b));
  team.barrier();
  for (std::int64_t o = objects.begin; o < objects.end; ++o) {
    glm::dvec3 L(0.0), d(0.0), f(0.0);
    for (std::size_t b = first_block_[std::size_t(o)]; b < first_block_[std::size_t(o) + 1]; ++b)
      L += sums_[b].first, d += sums_[b].diagonal, f += sums_[b].off_diagonal;
    rigid_[std::size_t(o)].omega =
        solve_pseudo_inverse(glm::dmat3(d.x, f.x, f.y, f.x, d.y, f.z, f.y, f.z, d.z), L);
  }
  team.barrier();
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) {
    const Rigid& rigid = rigid_[std::size_t(blocks_[std::size_t(b)].object)];
    for (std::int32_t i = blocks_[std::size_t(b)].begin; i < blocks_[std::size_t(b)].end; ++i) {
      const vec4 x = world.particles.position[std::size_t(i)];
      if (x.w == real(0)) continue;
      vec4& v = world.particles.velocity[std::size_t(i)];
      const glm::dvec3 target = rigid.velocity + glm::cross(rigid.omega, glm::dvec3(x) - rigid.center);
      v += k * (vec4(vec3(target), real(0)) - v);
    }
  }
  const Share turns = team.share(world.particles.turns);
  for (std::int64_t t = turns.begin; t < turns.end; ++t) {  // if the whole rotates, its segments rotate too
    const std::size_t i = std::size_t(world.particles.padded() + t);
    vec4& v = world.particles.velocity[i];
    const vec3 target(rigid_[std::size_t(world.particles.object[i])].omega);
    v += k * (vec4(target, real(0)) - v);
  }
}

}}  // namespace limber::LIMBER_PRECISION
