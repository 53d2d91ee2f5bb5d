// Union-find: forests of numbers whose trees are sets that are joined.
#pragma once

#include <cstdint>

namespace limber {

/// The root of i, where parent(k) is a reference to the parent of k and a root is its own. Halves the path on
/// the way (Tarjan and van Leeuwen 1984), so that later searches are short.
template <class Parent>
std::int32_t find_root(std::int32_t i, const Parent& parent) {
  while (parent(i) != i) i = parent(i) = parent(parent(i));
  return i;
}

}  // namespace limber
