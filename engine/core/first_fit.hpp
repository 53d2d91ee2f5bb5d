// Greedy colouring of items that write to shared places; a place has a 64 bit mask of the colours it is used
// in.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace limber {

inline constexpr int first_fit_colors = 64;  ///< one bit each in a mask

/// Returns the smallest colour that none of the places that an item writes to has, and sets its bit in the
/// masks of these places. Returns first_fit_colors, and changes no mask, if all colours are taken.
/// `for_masks(act)` calls act(std::uint64_t&) with the mask of each place.
template <class ForMasks>
int take_first_free_color(const ForMasks& for_masks) {
  std::uint64_t taken = 0;
  for_masks([&](const std::uint64_t& mask) { taken |= mask; });
  const int color = std::countr_one(taken);
  if (color < first_fit_colors) for_masks([&](std::uint64_t& mask) { mask |= std::uint64_t(1) << color; });
  return color;
}

/// Sorts the items 0 ... color.size() - 1 by colour, items of one colour by index. Items of colour -1 are
/// left out. `order` receives the items; those of colour c begin at order[begin[c]], for c up to
/// first_fit_colors + 1.
inline void sort_by_color(const std::vector<std::int32_t>& color, std::vector<std::int32_t>& order,
                          std::vector<std::int32_t>& begin) {
  begin.assign(first_fit_colors + 2, 0);
  for (const std::int32_t c : color)
    if (c >= 0) ++begin[std::size_t(c) + 1];
  for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
  order.resize(std::size_t(begin.back()));
  for (std::size_t i = 0; i < color.size(); ++i)
    if (color[i] >= 0) order[std::size_t(begin[std::size_t(color[i])]++)] = std::int32_t(i);
  for (std::size_t c = begin.size() - 1; c > 0; --c) begin[c] = begin[c - 1];
  begin[0] = 0;
}

}  // namespace limber
