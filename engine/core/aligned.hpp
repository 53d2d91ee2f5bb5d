// Vectors whose storage starts on a cache line, for wide loads and to keep threads off each other's lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace limber {

inline constexpr std::size_t cache_line = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(cache_line)));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(cache_line)); }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace limber
