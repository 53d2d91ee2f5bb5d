// Storage of the coloured surface pairs of one kind, and functions that fill it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/kept_pairs.hpp"
#include "engine/contact/cloth/surface_pair.hpp"
#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Two features that may meet before the next search. Vertices as in surface_pair.hpp.
struct SurfacePair {
  std::int32_t vertices[4];
  real distance;  ///< h, m
  real friction;  ///< Coulomb mu
  bool contact;   ///< true: a contact, kept at its distance; false: only watched by the guard
};

/// Slots of the pairs of one kind: contacts, colour after colour, then pairs that are only watched by the
/// guard. Storage is kept from one search to the next.
class PairBatch {
 public:
  /// A selection of the lists of pairs that a search has found.
  struct Lists {
    std::span<const std::vector<SurfacePair>> all;
    std::span<const std::int32_t> which;
    std::int64_t size() const { return std::int64_t(which.size()); }
    const std::vector<SurfacePair>& operator[](std::int64_t l) const {
      return all[std::size_t(which[std::size_t(l)])];
    }
  };

  /// Assigns slots to the pairs of `lists`. Deterministic; serial. `padding` is the number of a padding
  /// particle. Contacts found in `kept` are coloured first. `used`: a number per particle; it is overwritten
  /// for the particles of the pairs.
  void plan(const Lists& lists, std::int32_t padding, PairKind kind, const KeptPairs& kept,
            std::span<std::uint64_t> used);

  /// Copies the lists [begin, end) into their slots, after plan(). Threads may call it at once with disjoint
  /// ranges.
  void fill(const Lists& lists, std::int64_t begin, std::int64_t end);

  /// Sets the contacts of the slots to their full distance and drops their friction anchors: where surfaces
  /// have crossed, friction would hold them in each other.
  void start_anew(std::int32_t begin, std::int32_t end);

  /// Disables the pairs in the slots [begin, end) that have a particle flagged in `gone`. Threads may call it
  /// at once with disjoint ranges.
  void retire(std::int32_t begin, std::int32_t end, std::span<const std::uint8_t> gone);

  SurfacePairView<real> view();
  std::array<std::int32_t, 4> vertices(std::int32_t slot) const {
    const std::size_t s = std::size_t(slot);
    return {vertices_[0][s], vertices_[1][s], vertices_[2][s], vertices_[3][s]};
  }
  std::int32_t slots() const { return std::int32_t(distance_.size()); }
  std::int32_t contact_slots() const { return colors_.empty() ? 0 : colors_.back().end; }
  std::int32_t pairs() const { return pairs_ - retired_; }
  std::int32_t contacts() const { return contacts_ - retired_contacts_; }
  std::span<const ColorRun> colors() const { return colors_; }

 private:
  void color_contacts(const Lists& lists, PairKind kind, const KeptPairs& kept,
                      std::span<std::uint64_t> used);
  void put(std::int32_t slot, const SurfacePair& pair);

  AlignedVector<std::int32_t> vertices_[4];
  AlignedVector<real> normal_[3], weight_[4], distance_, friction_;
  AlignedVector<real> apart_[3], hold_, kept_[3], before_, anchor_[2], drift_[3];  ///< per contact slot
  std::vector<ColorRun> colors_;
  struct Waiting {
    const SurfacePair* pair;
    std::int32_t contact;  ///< index of the contact
    std::int32_t rank;     ///< index of the kept contact; -1: none
  };
  std::vector<Waiting> waiting_;       ///< contacts without a colour
  std::vector<Waiting> fresh_;         ///< members of waiting_ that did not push before
  std::vector<std::int32_t> slot_of_;  ///< per contact, in the order of the lists
  std::vector<std::int32_t> padded_;   ///< padding slots
  struct Start {
    std::int32_t contact, watched;  ///< index of the list's first contact, slot of its first watched pair
  };
  std::vector<Start> starts_;  ///< per list
  /// Number of contacts per colour, then the next free slot of each colour.
  std::vector<std::int32_t> members_;
  std::int32_t pairs_ = 0, contacts_ = 0;
  std::atomic<std::int32_t> retired_{0}, retired_contacts_{0};
};

}}  // namespace limber::LIMBER_PRECISION
