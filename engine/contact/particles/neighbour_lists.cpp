#include "engine/contact/particles/neighbour_lists.hpp"

#include <algorithm>
#include <numeric>

#include "engine/contact/particles/neighbour_runs.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void NeighbourLists::reserve(std::size_t members) {
  const std::size_t slices = (members + lane_group - 1) / lane_group;
  search_.reserve(members);
  columns_.resize(slices);
  neighbours_.resize(slices * std::size_t(most_neighbours) * lane_group);
}

/// Makes the lists of a thread's slices.
class NeighbourLists::Lister {
 public:
  Lister(const World& world, NeighbourLists& lists, Around& around, real reach,
         const FluidKernels<real>& kernels)
      : world_(world),
        lists_(lists),
        search_(lists.search_),
        reach2_(reach * reach),
        kernels_(kernels),
        cells_(search_),
        around_(around) {}

  void list(std::int64_t slice) {
    std::int32_t* const out = lists_.neighbours_.data() + slice * std::int64_t(most_neighbours) * lane_group;
    const std::int64_t first = slice * lane_group, count = lists_.count();
    std::int32_t found[lane_group] = {}, most = 0;
    for (std::int64_t l = 0; l < lane_group && first + l < count; ++l) {
      found[l] = list_one(first + l, out + l);
      most = std::max(most, found[l]);
    }
    const std::int32_t nobody = lists_.nobody();
    for (std::int64_t l = 0; l < lane_group; ++l)
      for (std::int32_t k = found[l]; k < most; ++k) out[k * lane_group + l] = nobody;
    lists_.columns_[std::size_t(slice)] = most;
  }

 private:
  std::int32_t list_one(std::int64_t at, std::int32_t* out) {
    const auto& cell = search_.cell_of_sorted(at);
    if (around_.count == 0 || !(cell == cells_.cell())) look_around(cell);
    const real place[3] = {search_.sorted_x()[at], search_.sorted_y()[at], search_.sorted_z()[at]};
    const Candidates<real> of{around_.x.data(), around_.y.data(), around_.z.data(), around_.numbers.data(),
                              around_.count};
    const std::int32_t near = kernels_.find(of, place, reach2_, around_.near.data());
    const std::int32_t found =
        std::min(world_.settings.touches.all ? near : touching(at, near), most_neighbours);
    for (std::int32_t k = 0; k < found; ++k) out[k * lane_group] = around_.near[std::size_t(k)];
    return found;
  }

  /// Removes from the near particles those that cannot touch the sorted particle `at`. Returns how many
  /// remain.
  std::int32_t touching(std::int64_t at, std::int32_t near) {
    const auto end =
        std::remove_if(around_.near.begin(), around_.near.begin() + near, [&](std::int32_t other) {
          return !particles_touch(world_, search_.sorted_particle(at), search_.sorted_particle(other));
        });
    return std::int32_t(end - around_.near.begin());
  }

  /// Copies the particles of the cells around `cell` side by side, so that vectors of lanes are full.
  void look_around(const NeighbourSearch::Cell& cell) {
    cells_.look_at_all(cell);
    around_.count = 0;
    for (const NeighbourSearch::Run& run : cells_.runs()) {
      const std::size_t to = std::size_t(around_.count);
      std::copy(search_.sorted_x() + run.begin, search_.sorted_x() + run.end, around_.x.data() + to);
      std::copy(search_.sorted_y() + run.begin, search_.sorted_y() + run.end, around_.y.data() + to);
      std::copy(search_.sorted_z() + run.begin, search_.sorted_z() + run.end, around_.z.data() + to);
      std::iota(around_.numbers.data() + to, around_.numbers.data() + to + (run.end - run.begin), run.begin);
      around_.count += run.end - run.begin;
    }
  }

  const World& world_;
  NeighbourLists& lists_;
  const NeighbourSearch& search_;
  const real reach2_;
  const FluidKernels<real>& kernels_;
  NeighbourSearch::Around cells_;
  Around& around_;
};

void NeighbourLists::Around::reserve(std::size_t members) {
  for (AlignedVector<real>* column : {&x, &y, &z}) column->resize(members + lane_group);
  for (AlignedVector<std::int32_t>* column : {&numbers, &near}) column->resize(members + lane_group);
}

void NeighbourLists::find(const World& world, std::span<const std::int32_t> members,
                          const AlignedVector<vec4>& points, real reach, const FluidKernels<real>& kernels,
                          Team& team) {
  if (team.rank() == 0 && around_.size() < std::size_t(team.size())) around_.resize(std::size_t(team.size()));
  const Swarm all = Swarm::everywhere(reach);
  search_.arrange(members, points, {}, {{&all, 1}, {}}, team);
  team.barrier();
  Around& around = around_[std::size_t(team.rank())];
  // Reserves the most that can be needed, so that it allocates only once.
  around.reserve(columns_.size() * lane_group);
  around.count = 0;
  Lister lister(world, *this, around, reach, kernels);
  const Share mine = team.share(slices());
  for (std::int64_t s = mine.begin; s < mine.end; ++s) lister.list(s);
}

}}  // namespace limber::LIMBER_PRECISION
