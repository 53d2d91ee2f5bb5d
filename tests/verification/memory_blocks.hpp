// The blocks of memory that a program holds, and who owns them: with this, tests look at scratch memory whose
// members no list names.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace limber::test {

struct MemoryBlock {
  std::byte* begin;
  std::size_t size;
};

/// Records the blocks that operator new gives while an object of this type lives. One at a time.
class RecordedBlocks {
 public:
  RecordedBlocks();
  ~RecordedBlocks();
  RecordedBlocks(const RecordedBlocks&) = delete;
  RecordedBlocks& operator=(const RecordedBlocks&) = delete;

  /// Number of blocks that were given and taken back.
  std::size_t changes() const;
  /// For each root the recorded blocks that it owns: those to which a pointer leads from it, directly or
  /// through other blocks. A block to which several roots lead belongs to the one with the fewest pointers
  /// between, among equals to the first.
  std::vector<std::vector<MemoryBlock>> owned_by(std::span<const MemoryBlock> roots) const;
};

}  // namespace limber::test
