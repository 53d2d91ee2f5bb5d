#include "tests/ui/allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local long count = 0;
}

long limber::allocations() { return count; }

void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
// std::stable_sort asks with nothrow; left to the library, its memory would come from one place and go to
// another.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size ? size : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
