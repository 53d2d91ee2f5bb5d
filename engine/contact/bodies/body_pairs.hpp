// Broad phase of rigid bodies: finds overlapping boxes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/real.hpp"
#include "engine/geometry/convex/convex_shape.hpp"
#include "engine/parallel/pool.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Box of a shape of a body or collider.
struct PairBox {
  Bounds box;              ///< m
  bool plane = false;      ///< true: a half space n.x <= offset instead of a box; box.low holds the normal n
  real offset = 0;         ///< m, of a plane
  std::int32_t owner = 0;  ///< boxes of one owner do not meet
  bool movable = true;     ///< a pair has at least one movable box
  bool active = true;      ///< neither asleep nor standing still; a pair has at least one active box
};

struct BoxPair {
  std::int32_t a, b;  ///< a < b
  friend bool operator==(const BoxPair&, const BoxPair&) = default;
};

/// Finds pairs of overlapping boxes with a grid whose cells are about as large as most boxes; the few much
/// larger boxes are compared with all. The result depends on the boxes only. O(n) for boxes of similar size.
class BodyPairs {
 public:
  /// Must be called by every thread of the team with the same arguments and complete boxes. All threads may
  /// read pairs() when it returns.
  void find(std::span<const PairBox> boxes, Team& team);

  /// Pairs found, ascending by a, then b.
  std::span<const BoxPair> pairs() const { return pairs_; }

 private:
  struct Cell {
    std::int32_t x, y, z;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct Entry {
    Cell cell;
    std::int32_t box;
  };

  Cell cell_of(const vec3& p) const;
  std::size_t bucket_of(const Cell& cell) const;
  void choose_cells(std::span<const PairBox> boxes);
  void fill(std::span<const PairBox> boxes);
  void search(std::span<const PairBox> boxes, const Team& team, std::vector<BoxPair>& out) const;
  void merge(std::size_t boxes);

  real cell_ = 1;  ///< m
  std::vector<std::int32_t> large_;
  std::vector<char> is_large_;
  std::vector<Entry> unsorted_, entries_;
  std::vector<std::int32_t> bucket_begin_;
  std::vector<std::vector<BoxPair>> found_;  ///< per thread
  std::vector<std::int32_t> next_;
  std::vector<BoxPair> pairs_;
};

}}  // namespace limber::LIMBER_PRECISION
