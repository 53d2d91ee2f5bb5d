#include "engine/parts/clusters/shape_matching.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/geometry/nearest_rotation.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void ShapeMatching::reserve(const World& world) {
  small_.clear(), large_.clear(), large_clusters_.clear(), first_column_.clear(), spread_.clear();
  particle_.clear(), mass_.clear();
  for (auto& row : rest_) row.clear();
  const ParticleMatter& matter = world.topology->matter;
  std::vector<std::int32_t> small;
  for (std::size_t s = 0; s < matter.solids.size(); ++s) {
    const Solid& cluster = matter.solids[s];
    if (cluster.soft < 0)
      (cluster.count <= longest_column ? small : large_clusters_).push_back(std::int32_t(s));
    real spread = 0;
    for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i) {
      const vec4& q = matter.rest[std::size_t(i)];
      spread += q.w * glm::dot(vec3(q), vec3(q));
    }
    spread_.push_back(spread);
  }
  const auto size = [&](std::int32_t s) { return matter.solids[std::size_t(s)].count; };
  std::stable_sort(small.begin(), small.end(),
                   [&](std::int32_t a, std::int32_t b) { return size(a) > size(b); });
  add_columns(world, small, small_);
  add_columns(world, large_clusters_, large_);
  for (std::int32_t s : large_clusters_) {
    if (first_column_.empty()) first_column_.push_back(0);
    first_column_.push_back(first_column_.back() + (size(s) + longest_column - 1) / longest_column);
  }
  own_mass_ = mass_;
  slot_of_.assign(std::size_t(world.particles.padded()), -1);
  for (std::size_t slot = 0; slot < particle_.size(); ++slot)
    if (particle_[slot] < world.particles.count) slot_of_[std::size_t(particle_[slot])] = std::int32_t(slot);
  large_clusters_.resize((large_clusters_.size() + lane_group - 1) / lane_group * lane_group, -1);
  column_fits_.resize(large_.size());
  cluster_fits_.resize(large_clusters_.size() / lane_group);
}

void ShapeMatching::release(const Team& team) {
  const Share mine = team.share(std::int64_t(mass_.size()), lane_group);
  std::copy(own_mass_.begin() + mine.begin, own_mass_.begin() + mine.end, mass_.begin() + mine.begin);
}

/// Lays out the columns of `clusters` one after the other, lane_group of them per group.
void ShapeMatching::add_columns(const World& world, const std::vector<std::int32_t>& clusters,
                                std::vector<Group>& groups) {
  std::vector<std::int32_t> owner, first, count;
  for (std::int32_t s : clusters) {
    const Solid& cluster = world.topology->matter.solids[std::size_t(s)];
    for (std::int32_t done = 0; done < cluster.count; done += longest_column) {
      owner.push_back(s);
      first.push_back(cluster.first + done);
      count.push_back(std::min(longest_column, cluster.count - done));
    }
  }
  while (owner.size() % lane_group != 0) owner.push_back(-1), first.push_back(0), count.push_back(0);
  for (std::size_t c = 0; c < owner.size(); c += lane_group) {
    Group group{};
    std::copy_n(owner.begin() + std::ptrdiff_t(c), lane_group, group.cluster);
    group.begin = std::int32_t(particle_.size());
    add_group(world, group,
              {first.begin() + std::ptrdiff_t(c), first.begin() + std::ptrdiff_t(c) + lane_group},
              {count.begin() + std::ptrdiff_t(c), count.begin() + std::ptrdiff_t(c) + lane_group});
    group.end = std::int32_t(particle_.size());
    groups.push_back(group);
  }
}

void ShapeMatching::add_group(const World& world, const Group& group, const std::vector<std::int32_t>& first,
                              const std::vector<std::int32_t>& count) {
  const std::int32_t rows = *std::max_element(count.begin(), count.end());
  // Groups write particles at the same time, so each group has a padding particle of its own.
  const std::int32_t groups_before = std::int32_t(small_.size() + large_.size());
  const std::int32_t lines = (world.particles.padded() - world.particles.count) / padding_line;
  const std::int32_t padding = world.particles.count + padding_line * (groups_before % lines);
  for (std::int32_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < lane_group; ++c) {
      const bool some = group.cluster[c] >= 0 && row < count[c];
      particle_.push_back(some ? first[c] + row : padding);
      const vec4 q = some ? world.topology->matter.rest[std::size_t(first[c] + row)] : vec4(0);
      for (int k = 0; k < 3; ++k) rest_[k].push_back(q[k]);
      mass_.push_back(q.w);
    }
}

ColumnView<real> ShapeMatching::view() const {
  return {particle_.data(), {rest_[0].data(), rest_[1].data(), rest_[2].data()}, mass_.data()};
}

ColumnPlaces<real> ShapeMatching::places_of(World& world, const Fit& fit) {
  return {flat(world.particles.origin), flat(world.particles.moved), fit.middle, fit.carried,
          fit.turns_before};
}

/// Loads rotations, stiffness and approximate centres of the lane_group `clusters`, before their sums are
/// computed.
void ShapeMatching::prepare(const World& world, const std::int32_t* clusters, Fit& fit) const {
  for (int c = 0; c < lane_group; ++c) {
    const std::int32_t s = clusters[c];
    const vec4 turn = s >= 0 ? world.matter.cluster_rotations[std::size_t(s)] : vec4(0, 0, 0, 1);
    for (int k = 0; k < 4; ++k)
      fit.turns[k * lane_group + c] = fit.turns_before[k * lane_group + c] = turn[k];
    fit.spread[c] = s >= 0 ? spread_[std::size_t(s)] : real(1);
    fit.stiffness[c] = s >= 0 ? world.matter.cluster_stiffness[std::size_t(s)] : real(0);
    vec3 center(0), carried(0);
    if (s >= 0) {  // approximate centre, from the first particle
      const std::size_t first = std::size_t(world.topology->matter.solids[std::size_t(s)].first);
      center =
          vec3(world.particles.origin[first]) - rotation_of(turn) * vec3(world.topology->matter.rest[first]);
      carried = vec3(world.particles.moved[first]);
    }
    for (int k = 0; k < 3; ++k)
      fit.middle[k * lane_group + c] = center[k], fit.carried[k * lane_group + c] = carried[k];
  }
}

/// Computes rotations from the sums. For the few clusters in which Newton's method fails, the rotation is
/// computed without a start value.
void ShapeMatching::turn(World& world, const std::int32_t* clusters, Fit& fit) const {
  unsigned lost = kernels_.fit(fit.sums, fit.spread, fit.turns);
  for (; lost != 0; lost &= lost - 1) {
    const int c = __builtin_ctz(lost);
    const auto sum = [&](int row) { return double(fit.sums[row * lane_group + c]); };
    const double mass = sum(sum_mass);
    if (clusters[c] < 0 || !(mass > 0.0)) continue;
    const auto sum3 = [&](int row) { return glm::dvec3(sum(row), sum(row + 1), sum(row + 2)); };
    glm::dvec4 before;
    for (int k = 0; k < 4; ++k) before[k] = double(fit.turns_before[k * lane_group + c]);
    const glm::dvec3 place = sum3(sum_stray) + matrix_of(before) * sum3(sum_rest);
    glm::dmat3 a;
    for (int k = 0; k < 3; ++k) a[k] = sum3(sum_outer + 3 * k) - place * (sum(sum_rest + k) / mass);
    const glm::dvec4 q = nearest_rotation(a);
    for (int k = 0; k < 4; ++k) fit.turns[k * lane_group + c] = real(q[k]);
  }
  kernels_.place(fit.sums, fit.turns_before, fit.turns, fit.places);
  for (int c = 0; c < lane_group; ++c) {
    if (clusters[c] < 0) continue;
    const vec4 q(fit.turns[c], fit.turns[lane_group + c], fit.turns[2 * lane_group + c],
                 fit.turns[3 * lane_group + c]);
    if (glm::dot(q, q) < real(2))
      world.matter.cluster_rotations[std::size_t(clusters[c])] = q;  // false for NaN
  }
}

void ShapeMatching::project_small(World& world, const Group& group) {
  Fit fit;
  prepare(world, group.cluster, fit);
  const ColumnPlaces<real> places = places_of(world, fit);
  kernels_.sum(view(), group.begin, group.end, places, fit.sums);
  turn(world, group.cluster, fit);
  kernels_.match(view(), group.begin, group.end, fit.places, fit.stiffness, places);
}

/// Adds the sums of the columns of lane_group large clusters, in order.
void ShapeMatching::gather_large(std::size_t block) {
  Fit& out = cluster_fits_[block];
  std::fill(std::begin(out.sums), std::end(out.sums), real(0));
  for (std::size_t lane = 0; lane < lane_group; ++lane) {
    const std::size_t large = block * lane_group + lane;
    if (large_clusters_[large] < 0) continue;
    for (std::int32_t column = first_column_[large]; column < first_column_[large + 1]; ++column) {
      const Fit& in = column_fits_[std::size_t(column) / lane_group];
      for (std::size_t row = 0; row < column_sums; ++row)
        out.sums[row * lane_group + lane] += in.sums[row * lane_group + std::size_t(column) % lane_group];
    }
  }
}

void ShapeMatching::project(World& world, Team& team) {
  const Share groups = team.share(std::int64_t(small_.size()));
  for (std::int64_t g = groups.begin; g < groups.end; ++g) project_small(world, small_[std::size_t(g)]);
  if (large_.empty()) return;
  const Share columns = team.share(std::int64_t(large_.size()));
  for (std::int64_t g = columns.begin; g < columns.end; ++g) {
    const Group& group = large_[std::size_t(g)];
    Fit& fit = column_fits_[std::size_t(g)];
    prepare(world, group.cluster, fit);
    kernels_.sum(view(), group.begin, group.end, places_of(world, fit), fit.sums);
  }
  team.barrier();
  const Share blocks = team.share(std::int64_t(cluster_fits_.size()));
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) {
    const std::int32_t* clusters = large_clusters_.data() + b * lane_group;
    prepare(world, clusters, cluster_fits_[std::size_t(b)]);
    gather_large(std::size_t(b));
    turn(world, clusters, cluster_fits_[std::size_t(b)]);
  }
  team.barrier();
  for (std::int64_t g = columns.begin; g < columns.end; ++g) {
    const Group& group = large_[std::size_t(g)];
    Fit& fit = column_fits_[std::size_t(g)];
    for (int c = 0; c < lane_group; ++c) {
      if (group.cluster[c] < 0) continue;
      const std::size_t large =
          std::size_t(std::lower_bound(large_clusters_.begin(),
                                       large_clusters_.begin() + std::ptrdiff_t(first_column_.size()) - 1,
                                       group.cluster[c]) -
                      large_clusters_.begin());
      const Fit& from = cluster_fits_[large / lane_group];
      for (int row = 0; row < column_places; ++row)
        fit.places[row * lane_group + c] = from.places[row * lane_group + int(large % lane_group)];
    }
    kernels_.match(view(), group.begin, group.end, fit.places, fit.stiffness, places_of(world, fit));
  }
}

}}  // namespace limber::LIMBER_PRECISION
