// Finds the contact that two features had before the current search for pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/surface_pair.hpp"
#include "engine/state/surface_contact.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A hash index of contacts by their features. Storage only grows.
class KeptPairs {
 public:
  /// Indexes `contacts`, which must not change while find() is called. Serial.
  void index(std::span<const SurfaceContact> contacts);

  /// Index of the contact of these features, whose vertices are in the order of SurfacePair; -1: these
  /// features did not push.
  std::int32_t find(PairKind kind, std::span<const std::int32_t, 4> vertices) const;

 private:
  std::size_t first_place(std::int32_t edges, std::span<const std::int32_t, 4> vertices) const;

  std::span<const SurfaceContact> contacts_;
  std::vector<std::int32_t> places_;  ///< hash table, its size a power of two: index of a contact; -1: none
};

}}  // namespace limber::LIMBER_PRECISION
