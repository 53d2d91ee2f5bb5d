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
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
