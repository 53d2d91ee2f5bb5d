#include "engine/parts/volumes/pressure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/coloring/schedule_builder.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/parallel/visits.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr std::int32_t rows_per_share = 512;  // triangles; a multiple of lane_group

/// Upper bound of the speed at which pressure moves a particle, relative to that of a skin at rest: w |grad
/// C| is the present area around the particle divided by its mass; at rest it is 1 / density. A light vertex
/// at the tip of a spike has triangles far larger than at rest; moved in proportion, the spike would grow
/// without end. A skin at five times its volume has 2.9 times its area; a skin that starts anywhere in its
/// box needs more than 4 to find its shape.
constexpr double largest_growth = 20.0;

}  // namespace

void Pressure::reserve(const World& world) {
  const Topology& topology = *world.topology;
  *this = Pressure(*kernels_);
  left_out_.assign(topology.objects.size(), false);
  for (const bool small : {true, false}) {
    std::int32_t triangle = 0;  // triangles of the topology are sorted by object
    for (std::size_t o = 0; o < topology.objects.size(); ++o) {
      const std::int32_t first = triangle;
      while (std::size_t(triangle) < topology.triangles.size() &&
             std::size_t(world.particles.object[std::size_t(topology.triangles[std::size_t(triangle)][0])]) ==
                 o)
        ++triangle;
      if (topology.enclosures[o].volume > 0.0 &&
          (topology.objects[o].count < small_object_particles) == small)
        add_body(world, std::int32_t(o), first, triangle);
    }
    if (small) small_bodies_ = bodies_.size(), small_blocks_ = blocks_.size();
  }
  areas_.assign(corners_[0].size(), vec4(0));
  gradients_.assign(bodies_.empty() ? 0 : world.particles.position.size(), vec4(0));
  sums_.assign(blocks_.size(), {});
  lambda_.assign(bodies_.size(), real(0));
  dlambda_ = lambda_;
  shift_.assign(bodies_.size(), vec4(0));
  begin_step(world);
}

void Pressure::add_body(const World& world, std::int32_t object, std::int32_t first_triangle,
                        std::int32_t end_triangle) {
  const Topology& topology = *world.topology;
  const ParticleRange& range = topology.objects[std::size_t(object)];
  const Enclosure& rest = topology.enclosures[std::size_t(object)];
  const std::int32_t body = std::int32_t(bodies_.size()), first_row = std::int32_t(corners_[0].size());
  for (std::int32_t t = first_triangle; t < end_triangle; ++t)
    for (std::size_t j = 0; j < 3; ++j) corners_[j].push_back(topology.triangles[std::size_t(t)][j]);
  const std::size_t padded = (corners_[0].size() + lane_group - 1) / lane_group * lane_group;
  for (AlignedVector<std::int32_t>& corner : corners_) corner.resize(padded, range.first);

  const std::size_t first_block = blocks_.size();
  for (std::int32_t begin = range.first; begin < range.end(); begin += particle_block)
    blocks_.push_back({body, begin, std::min(begin + particle_block, range.end())});
  const std::int32_t rows = std::int32_t(padded) - first_row;
  if (range.count >= small_object_particles)
    for (std::int32_t r = 0; r < rows; r += rows_per_share)
      large_rows_.push_back({first_row + r, first_row + std::min(r + rows_per_share, rows)});
  bodies_.push_back({object, first_triangle, first_row, rows, first_block, blocks_.size() - first_block,
                     real(3.0 * rest.volume / rest.area)});  // radius of a ball of this volume and area
}

void Pressure::begin_step(const World& world) {
  enabled_ = std::any_of(bodies_.begin(), bodies_.end(), [&](const Body& b) { return active(world, b); });
}

void Pressure::move_goals(World& world, real h) {
  for (std::size_t o = 0; o < world.matter.volume_goals.size(); ++o) {
    VolumeGoal& goal = world.matter.volume_goals[o];
    const real most = real(rate * double(h) * world.topology->enclosures[o].volume);
    const real left = goal.target - goal.volume;
    goal.volume = std::abs(left) <= most ? goal.target : goal.volume + std::copysign(most, left);
  }
}

void Pressure::find_areas(const World& world, std::int32_t begin, std::int32_t end) {
  const std::int32_t* const corners[3] = {corners_[0].data(), corners_[1].data(), corners_[2].data()};
  kernels_->area_vectors(flat(world.particles.origin), flat(world.particles.moved), corners, begin, end,
                         &areas_.data()->x);
}

/// Computes the gradients of the particles of a block, and the block's part of all sums. The body's areas
/// must be up to date.
void Pressure::gather(const World& world, std::size_t block) {
  const Block& own = blocks_[block];
  const Body& body = bodies_[std::size_t(own.body)];
  const Topology& topology = *world.topology;
  const double most = largest_growth / world.settings.materials[std::size_t(body.object)].density;  // m^2/kg
  const vec4* areas = areas_.data() + body.first_row - body.first_triangle;
  Sums sums;
  for (std::int32_t i = own.begin; i < own.end; ++i) {
    vec4 g(0);
    for (std::int32_t t : topology.triangles_at(i)) g += areas[t];
    g *= real(1.0 / 6.0);
    const vec4 x = world.particles.position[std::size_t(i)];
    const glm::dvec3 p = place_of(world.particles, std::size_t(i)), grad(g);
    const double w = double(x.w), growth = w * glm::length(grad);
    const double share = growth > most ? most / growth : 1.0;
    gradients_[std::size_t(i)] = share < 1.0 ? real(share) * g : g;
    const double squared = share * glm::dot(grad, grad);
    sums.moment += glm::dot(p, grad);
    sums.position += p;
    sums.gradient += grad;
    sums.weight += w * squared;
    sums.longest = std::max(sums.longest, w * w * share * squared);
    sums.held_back += (1.0 - share) * grad;
    sums.fixed = sums.fixed || !(w > 0.0);
  }
  sums_[block] = sums;
}

/// Computes the change of the multiplier from the sums of all blocks. Positions are relative to their mean:
/// by rounding, sum grad is not exactly zero, and far from the World's origin its moment would look like
/// volume.
void Pressure::solve(const World& world, std::size_t b, const Sweep<real>& sweep) {
  const Body& body = bodies_[b];
  Sums total;
  for (std::size_t block = body.first_block; block < body.first_block + body.blocks; ++block) {
    const Sums& part = sums_[block];
    total.moment += part.moment;
    total.position += part.position, total.gradient += part.gradient;
    total.weight += part.weight;
    total.longest = std::max(total.longest, part.longest);
    total.held_back += part.held_back;
    total.fixed = total.fixed || part.fixed;
  }
  const double count = world.topology->objects[std::size_t(body.object)].count;
  const VolumeGoal& goal = world.matter.volume_goals[std::size_t(body.object)];
  const double C =
      (total.moment - glm::dot(total.position / count, total.gradient)) / 3.0 - double(goal.volume);
  if (sweep.first) lambda_[b] = real(0);
  double dlambda = 0.0;
  if (sweep.compliant) {
    const double alpha = double(goal.softness) * double(sweep.inverse_h_squared);
    dlambda = (-C - alpha * double(lambda_[b])) / (total.weight + alpha);
  } else {
    dlambda = -double(goal.softness) * C / total.weight;
  }
  const double farthest = std::abs(dlambda) * std::sqrt(total.longest);
  if (farthest > double(body.reach)) dlambda *= double(body.reach) / farthest;
  // Nothing can move, or all points coincide, so that there is no direction in which to grow.
  dlambda_[b] = total.weight > 0.0 && std::isfinite(dlambda) ? real(dlambda) : real(0);
  lambda_[b] += dlambda_[b];
  // The displacement withheld from single particles is given to all, so that momentum is conserved.
  const double mass = world.settings.materials[std::size_t(body.object)].density *
                      world.topology->enclosures[std::size_t(body.object)].area;
  shift_[b] = total.fixed ? vec4(0) : vec4(vec3(double(dlambda_[b]) / mass * total.held_back), real(0));
}

void Pressure::move(World& world, std::size_t block) {
  const real dlambda = dlambda_[std::size_t(blocks_[block].body)];
  const vec4 shift = shift_[std::size_t(blocks_[block].body)];
  for (std::int32_t i = blocks_[block].begin; i < blocks_[block].end; ++i) {
    vec4& x = world.particles.moved[std::size_t(i)];
    x += (x.w * dlambda) * gradients_[std::size_t(i)] + shift;  // the fourth numbers are 0
  }
}

void Pressure::project_small(World& world, std::size_t b, const Sweep<real>& sweep) {
  const Body& body = bodies_[b];
  const std::size_t end_block = body.first_block + body.blocks;
  find_areas(world, body.first_row, body.first_row + body.rows);
  for (std::size_t block = body.first_block; block < end_block; ++block) gather(world, block);
  solve(world, b, sweep);
  for (std::size_t block = body.first_block; block < end_block; ++block) move(world, block);
}

void Pressure::project_large(World& world, const Sweep<real>& sweep, Team& team) {
  const Share rows = team.share(std::int64_t(large_rows_.size())),
              bodies = team.share(std::int64_t(bodies_.size() - small_bodies_)),
              blocks = team.share(std::int64_t(blocks_.size() - small_blocks_));
  const auto for_active_blocks = [&](auto&& visit) {
    for (std::size_t b = small_blocks_ + std::size_t(blocks.begin);
         b < small_blocks_ + std::size_t(blocks.end); ++b)
      if (active(world, bodies_[std::size_t(blocks_[b].body)])) visit(b);
  };
  for (std::int64_t r = rows.begin; r < rows.end; ++r)
    find_areas(world, large_rows_[std::size_t(r)].begin, large_rows_[std::size_t(r)].end);
  team.barrier();
  for_active_blocks([&](std::size_t b) { gather(world, b); });
  team.barrier();
  const std::int64_t first = std::int64_t(small_bodies_);
  tell_visit(Visited::volumes, 1, 0, first + bodies.begin, first + bodies.end);
  for (std::size_t b = small_bodies_ + std::size_t(bodies.begin); b < small_bodies_ + std::size_t(bodies.end);
       ++b)
    if (active(world, bodies_[b])) solve(world, b, sweep);
  team.barrier();
  for_active_blocks([&](std::size_t b) { move(world, b); });
}

void Pressure::project(World& world, const Sweep<real>& sweep, Team& team) {
  const Share small = team.share(std::int64_t(small_bodies_));
  tell_visit(Visited::volumes, 0, 0, small.begin, small.end);
  for (std::int64_t b = small.begin; b < small.end; ++b)
    if (active(world, bodies_[std::size_t(b)])) project_small(world, std::size_t(b), sweep);
  if (bodies_.size() > small_bodies_) project_large(world, sweep, team);
}

}}  // namespace limber::LIMBER_PRECISION
