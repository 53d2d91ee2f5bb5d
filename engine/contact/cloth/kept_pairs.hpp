// Finds what held two features of surfaces apart before pairs were searched for anew.
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
  /// Indexes `contacts`, which must stay as they are while find() is called. By one thread.
  void index(std::span<const SurfaceContact> contacts);

  /// Number of the contact of these features, in the order of SurfacePair; -1: they did not push.
  std::int32_t find(PairKind kind, std::span<const std::int32_t, 4> vertices) const;

 private:
  std::size_t first_place(std::int32_t edges, std::span<const std::int32_t, 4> vertices) const;

  std::span<const SurfaceContact> contacts_;
  std::vector<std::int32_t> places_;  ///< a power of two of them: number of a contact; -1: none
};

}}  // namespace limber::LIMBER_PRECISION
