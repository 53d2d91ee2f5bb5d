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
///
/// The grid is searched with wider boxes: extended along their motion, and by a margin. While all boxes stay
/// inside these, the pairs found then contain all pairs, and only they are tested again. So what is kept from
/// frame to frame changes the time that find() takes, never its result.
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
  bool is_kept(std::span<const PairBox> boxes, const Team& team);
  void widen(std::span<const PairBox> boxes, const Team& team);
  void search_anew(std::span<const PairBox> boxes, Team& team);
  void choose_lifetime();
  void choose_cells(std::span<const PairBox> boxes);
  void fill(std::span<const PairBox> boxes);
  void search(std::span<const PairBox> boxes, const Team& team, std::vector<BoxPair>& out) const;
  void merge(std::size_t boxes);
  void test_again(std::span<const PairBox> boxes, Team& team);

  std::vector<PairBox> wide_;       ///< the boxes that were searched; empty: nothing is known
  std::vector<Bounds> last_;        ///< m, the boxes of the last call
  std::vector<std::uint8_t> left_;  ///< per thread: one of its boxes is not inside its wide box
  bool plain_ = false;              ///< boxes are not widened, for they leave wide boxes at once
  int lived_ = 0;                   ///< calls that the wide boxes have served
  int failed_ = 0;                  ///< wide boxes in a row that served only one call
  int plain_left_ = 0;              ///< calls until boxes are widened again
  real margin_ = 0;                 ///< m
  real cell_ = 1;                   ///< m
  std::vector<std::int32_t> large_;
  std::vector<char> is_large_;
  std::vector<Entry> unsorted_, entries_;
  std::vector<std::int32_t> bucket_begin_;
  std::vector<std::vector<BoxPair>> found_;  ///< per thread
  std::vector<std::int32_t> next_;
  std::vector<BoxPair> candidates_;  ///< pairs of wide boxes, ascending by a, then b
  std::vector<BoxPair> pairs_;
};

}}  // namespace limber::LIMBER_PRECISION
