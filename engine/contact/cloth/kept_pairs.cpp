#include "engine/contact/cloth/kept_pairs.hpp"

#include <algorithm>
#include <bit>

namespace limber { inline namespace LIMBER_PRECISION {

std::size_t KeptPairs::first_place(std::int32_t edges, std::span<const std::int32_t, 4> vertices) const {
  std::uint64_t hash = std::uint64_t(edges);
  for (const std::int32_t i : vertices) {
    hash = (hash ^ std::uint64_t(i)) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  }
  return std::size_t(hash) & (places_.size() - 1);
}

void KeptPairs::index(std::span<const SurfaceContact> contacts) {
  contacts_ = contacts;
  places_.assign(std::max(places_.size(), std::bit_ceil(2 * contacts.size() + 1)), -1);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    std::size_t place = first_place(contacts[c].edges, contacts[c].vertices);
    while (places_[place] >= 0) place = (place + 1) & (places_.size() - 1);
    places_[place] = std::int32_t(c);
  }
}

std::int32_t KeptPairs::find(PairKind kind, std::span<const std::int32_t, 4> vertices) const {
  if (contacts_.empty()) return -1;
  const std::int32_t edges = kind == PairKind::edge_edge ? 1 : 0;
  std::size_t place = first_place(edges, vertices);
  for (; places_[place] >= 0; place = (place + 1) & (places_.size() - 1)) {
    const SurfaceContact& contact = contacts_[std::size_t(places_[place])];
    if (contact.edges == edges && std::equal(vertices.begin(), vertices.end(), contact.vertices.begin()))
      return places_[place];
  }
  return -1;
}

}}  // namespace limber::LIMBER_PRECISION
