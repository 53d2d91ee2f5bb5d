#include "tests/ui/allocation_counter.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> count = 0, bytes = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  count.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(long(size), std::memory_order_relaxed);
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;  // aligned_alloc demands it
  return std::aligned_alloc(alignment, whole ? whole : alignment);
}

void* or_throw(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

long limber::allocations() { return count.load(std::memory_order_relaxed); }
long limber::allocated_bytes() { return bytes.load(std::memory_order_relaxed); }

// All forms are replaced together, because memory of one must not be given back to another. The forms for
// arrays call these.
void* operator new(std::size_t size) { return or_throw(allocate(size, usual)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return or_throw(allocate(size, std::size_t(alignment)));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, usual); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
