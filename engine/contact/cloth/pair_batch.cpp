#include "engine/contact/cloth/pair_batch.hpp"

#include <algorithm>
#include <utility>

#include "engine/core/first_fit.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr int window = first_fit_colors;  // number of colours that are assigned at once

/// A padding pair, which neither pushes nor counts as close.
SurfacePair nothing(std::int32_t padding) {
  return {{padding, padding, padding, padding}, real(-1), real(0), false};
}

}  // namespace

SurfacePairView<real> PairBatch::view() {
  SurfacePairView<real> v{};
  for (int j = 0; j < 4; ++j) v.vertices[j] = vertices_[j].data();
  for (int k = 0; k < 3; ++k) v.normal[k] = normal_[k].data();
  for (int j = 0; j < 4; ++j) v.weight[j] = weight_[j].data();
  v.distance = distance_.data();
  v.friction = friction_.data();
  for (int k = 0; k < 3; ++k) {
    v.apart[k] = apart_[k].data();
    v.kept[k] = kept_[k].data();
    v.drift[k] = drift_[k].data();
  }
  for (int k = 0; k < 2; ++k) v.anchor[k] = anchor_[k].data();
  v.hold = hold_.data();
  v.before = before_.data();
  return v;
}

void PairBatch::put(std::int32_t slot, const SurfacePair& pair) {
  for (int j = 0; j < 4; ++j) vertices_[j][std::size_t(slot)] = pair.vertices[j];
  distance_[std::size_t(slot)] = pair.distance;
  friction_[std::size_t(slot)] = pair.friction;
}

/// First fit within a window of colours; a contact that finds no colour waits for the next window. Contacts
/// that pushed come first, in the order of their former slots: a new order of sweeps after every search would
/// disturb surfaces at rest.
void PairBatch::color_contacts(const Lists& lists, PairKind kind, const KeptPairs& kept,
                               std::span<std::uint64_t> used) {
  waiting_.clear(), fresh_.clear();
  members_.clear();
  pairs_ = contacts_ = 0;
  for (std::int64_t l = 0; l < lists.size(); ++l) {
    pairs_ += std::int32_t(lists[l].size());
    for (const SurfacePair& pair : lists[l]) {
      if (!pair.contact) continue;
      const std::int32_t rank = kept.find(kind, pair.vertices);
      (rank < 0 ? fresh_ : waiting_).push_back({&pair, contacts_++, rank});
    }
  }
  std::sort(waiting_.begin(), waiting_.end(),
            [](const Waiting& a, const Waiting& b) { return a.rank < b.rank; });
  waiting_.insert(waiting_.end(), fresh_.begin(), fresh_.end());
  slot_of_.resize(std::size_t(contacts_));
  for (int base = 0; !waiting_.empty(); base += window) {
    members_.resize(std::size_t(base + window), 0);
    for (const Waiting& next : waiting_)
      for (std::int32_t i : next.pair->vertices) used[std::size_t(i)] = 0;
    std::erase_if(waiting_, [&](const Waiting& next) {
      const int free = take_first_free_color([&](const auto& act) {
        for (std::int32_t i : next.pair->vertices) act(used[std::size_t(i)]);
      });
      if (free == window) return false;
      // The contact's colour, replaced by its slot once all colours are known.
      slot_of_[std::size_t(next.contact)] = base + free;
      ++members_[std::size_t(base + free)];
      return true;
    });
  }
}

void PairBatch::plan(const Lists& lists, std::int32_t padding, PairKind kind, const KeptPairs& kept,
                     std::span<std::uint64_t> used) {
  color_contacts(lists, kind, kept, used);
  retired_ = retired_contacts_ = 0;
  colors_.clear();
  padded_.clear();
  std::int32_t slots = 0;
  const auto take = [&](std::int32_t count) {  // reserves slots in whole groups of lanes
    const std::int32_t first =
        std::exchange(slots, slots + (count + lane_group - 1) / lane_group * lane_group);
    for (std::int32_t slot = first + count; slot < slots; ++slot) padded_.push_back(slot);
    return first;
  };
  for (std::int32_t& count : members_) {
    if (count == 0) continue;
    count = take(count);
    colors_.push_back({count, slots});
  }
  std::int32_t watched = take(pairs_ - contacts_);
  for (auto& v : vertices_) v.resize(std::size_t(slots));
  for (auto* row : {&distance_, &friction_}) row->resize(std::size_t(slots));
  for (auto& n : normal_) n.resize(std::size_t(slots));
  for (auto& s : weight_) s.resize(std::size_t(slots));
  for (auto* rows : {&apart_, &kept_, &drift_})
    for (auto& row : *rows) row.assign(std::size_t(contact_slots()), real(0));
  for (auto* row : {&hold_, &before_, &anchor_[0], &anchor_[1]})
    row->assign(std::size_t(contact_slots()), real(0));
  for (const std::int32_t slot : padded_) put(slot, nothing(padding));

  starts_.clear();
  std::int32_t contact = 0;
  for (std::int64_t l = 0; l < lists.size(); ++l) {
    starts_.push_back({contact, watched});
    for (const SurfacePair& pair : lists[l])
      if (!pair.contact)
        ++watched;
      else
        slot_of_[std::size_t(contact)] = members_[std::size_t(slot_of_[std::size_t(contact)])]++, ++contact;
  }
}

void PairBatch::fill(const Lists& lists, std::int64_t begin, std::int64_t end) {
  for (std::int64_t l = begin; l < end; ++l) {
    auto [contact, watched] = starts_[std::size_t(l)];
    for (const SurfacePair& pair : lists[l])
      put(pair.contact ? slot_of_[std::size_t(contact++)] : watched++, pair);
  }
}

void PairBatch::start_anew(std::int32_t begin, std::int32_t end) {
  std::copy(distance_.begin() + begin, distance_.begin() + end, hold_.begin() + begin);
  for (auto* rows : {&kept_, &drift_})
    for (auto& row : *rows) std::fill(row.begin() + begin, row.begin() + end, real(0));
}

void PairBatch::retire(std::int32_t begin, std::int32_t end, std::span<const std::uint8_t> gone) {
  // Several threads write the slots of a colour at once: a disabled pair keeps its vertices, which no other
  // slot of the colour has.
  constexpr real never = real(-1e6);  // m
  std::int32_t all = 0, contacts = 0;
  for (std::int32_t slot = begin; slot < end; ++slot) {
    unsigned found = 0;
    for (const auto& v : vertices_) found |= gone[std::size_t(v[std::size_t(slot)])];
    if (!found || !(distance_[std::size_t(slot)] > real(0))) continue;
    distance_[std::size_t(slot)] = never, friction_[std::size_t(slot)] = real(0);
    ++all;
    if (slot >= contact_slots()) continue;
    ++contacts;
    for (auto& row : kept_) row[std::size_t(slot)] = real(0);
  }
  retired_ += all, retired_contacts_ += contacts;
}

}}  // namespace limber::LIMBER_PRECISION
