#include "engine/contact/particles/neighbour_lists.hpp"

#include <algorithm>

#include "engine/contact/particles/neighbour_runs.hpp"

namespace limber::inline LIMBER_PRECISION {

void NeighbourLists::reserve(std::size_t members) {
  const std::size_t slices = (members + lane_group - 1) / lane_group;
  search_.reserve(members);
  columns_.resize(slices);
  neighbours_.resize(slices * std::size_t(most_neighbours) * lane_group);
}

/// One thread's way through slices.
class NeighbourLists::Lister {
 public:
  Lister(NeighbourLists& lists, real reach, const FluidKernels<real>& kernels)
      : lists_(lists), search_(lists.search_), reach2_(reach * reach), kernels_(kernels), around_(search_) {}

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
    if (!known_ || !(cell == around_.cell())) around_.look_at_all(cell);
    known_ = true;
    const real place[3] = {search_.sorted_x()[at], search_.sorted_y()[at], search_.sorted_z()[at]};
    std::int32_t found = 0;
    for (const NeighbourSearch::Run& run : around_.runs())
      for (std::int32_t from = run.begin; from < run.end; from += most_at_once) {
        const std::int32_t to = std::min(run.end, from + most_at_once);
        const std::int32_t near = kernels_.find(search_.sorted_x(), search_.sorted_y(), search_.sorted_z(),
                                                from, to, place, reach2_, near_);
        const std::int32_t kept = std::min(near, most_neighbours - found);
        for (std::int32_t k = 0; k < kept; ++k) out[(found + k) * lane_group] = near_[k];
        found += kept;
      }
    return found;
  }

  static constexpr std::int32_t most_at_once = 256;

  NeighbourLists& lists_;
  const NeighbourSearch& search_;
  const real reach2_;
  const FluidKernels<real>& kernels_;
  NeighbourSearch::Around around_;
  bool known_ = false;
  std::int32_t near_[most_at_once + lane_group];
};

void NeighbourLists::find(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                          real reach, const FluidKernels<real>& kernels, Team& team) {
  search_.arrange(members, points, {}, reach, team);
  Lister lister(*this, reach, kernels);
  const Share mine = team.share(slices());
  for (std::int64_t s = mine.begin; s < mine.end; ++s) lister.list(s);
  team.barrier();
}

}  // namespace limber::inline LIMBER_PRECISION
