// Union-find: disjoint sets of indices, each a tree in which every index has a parent.
#pragma once

#include <cstdint>

namespace limber {

/// The root of i's tree. parent(k) returns a reference to the parent of k; a root is its own parent. Halves
/// the path on the way (Tarjan and van Leeuwen 1984), so that later searches are short.
template <class Parent>
std::int32_t find_root(std::int32_t i, const Parent& parent) {
  while (parent(i) != i) i = parent(i) = parent(parent(i));
  return i;
}

}  // namespace limber
