#include "tests/verification/memory_blocks.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

namespace {

/// Takes memory from malloc, so that the record does not record itself.
template <class T>
struct Unrecorded {
  using value_type = T;
  Unrecorded() = default;
  template <class U>
  Unrecorded(const Unrecorded<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(std::malloc(n * sizeof(T))); }
  void deallocate(T* p, std::size_t) { std::free(p); }
  template <class U>
  bool operator==(const Unrecorded<U>&) const {
    return true;
  }
};

using Record =
    std::map<std::byte*, std::size_t, std::less<>, Unrecorded<std::pair<std::byte* const, std::size_t>>>;

std::atomic<bool> recording{false};
std::mutex guard;
std::size_t changes = 0;
/// Blocks that were given back while others are recorded. Their memory is not used again until recording
/// ends: a pointer that was left behind must not lead to another block.
std::vector<void*, Unrecorded<void*>> kept;
Record& record() {
  static Record all;
  return all;
}

void* allocate(std::size_t size, std::size_t alignment) {
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;  // aligned_alloc demands it
  void* const memory = std::aligned_alloc(alignment, whole ? whole : alignment);
  if (memory && recording.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(guard);
    std::memset(memory, 0, size);  // a pointer that an earlier owner left would lead to a wrong one
    record()[static_cast<std::byte*>(memory)] = size;
    ++changes;
  }
  return memory;
}

void give_back(void* memory) {
  if (memory && recording.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(guard);
    changes += record().erase(static_cast<std::byte*>(memory));
    kept.push_back(memory);
    return;
  }
  std::free(memory);
}

void* or_throw(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

namespace limber::test {

RecordedBlocks::RecordedBlocks() { recording = true; }

RecordedBlocks::~RecordedBlocks() {
  recording = false;
  const std::lock_guard lock(guard);
  record().clear();
  for (void* const memory : kept) std::free(memory);
  kept.clear();
}

std::size_t RecordedBlocks::changes() const { return ::changes; }

std::vector<std::vector<MemoryBlock>> RecordedBlocks::owned_by(std::span<const MemoryBlock> roots) const {
  struct Pause {  // for the lists made here, to the end
    Pause() { recording = false; }
    ~Pause() { recording = true; }
  };
  std::vector<std::vector<MemoryBlock>> owned(roots.size());
  const Pause pause;
  std::map<std::byte*, std::size_t> owner;
  std::vector<std::pair<std::size_t, MemoryBlock>> reached, next;
  for (std::size_t r = 0; r < roots.size(); ++r) reached.emplace_back(r, roots[r]);
  if (record().empty()) return owned;
  std::byte *const lowest = record().begin()->first, *const highest = record().rbegin()->first;
  while (!reached.empty()) {
    next.clear();
    for (const auto& [root, block] : reached)
      for (std::size_t at = 0; at + sizeof(void*) <= block.size; at += sizeof(void*)) {
        std::byte* target = nullptr;
        std::memcpy(&target, block.begin + at, sizeof target);
        if (target < lowest || target > highest) continue;
        const auto found = record().find(target);
        if (found == record().end() || !owner.emplace(target, root).second) continue;
        owned[root].push_back({target, found->second});
        next.emplace_back(root, owned[root].back());
      }
    std::swap(reached, next);
  }
  return owned;
}

}  // namespace limber::test

// All forms are replaced together, because memory of one must not be given back to another. The forms for
// arrays call these.
void* operator new(std::size_t size) { return or_throw(allocate(size, usual)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return or_throw(allocate(size, std::size_t(alignment)));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, usual); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
