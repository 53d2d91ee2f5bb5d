// Swarms of particle contacts: groups of objects whose particles can meet before the next search of pairs.
// Also decides when to search.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/contact/particles/neighbour_search.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Pairs are searched within the contact distance plus a skin, and again when a particle has moved by half of
/// the skin. A wide skin means few searches and many pairs, so its width follows from the fastest particle.
/// Objects whose boxes come near each other form a swarm, which has its own skin and its own searches: a fast
/// object far away changes neither the pairs of this swarm nor their order. Within a frame swarms can merge,
/// but not split. All functions must be called by every thread of the team, except reserve(), which
/// allocates, and const functions.
class ObjectSwarms {
 public:
  void reserve(const World& world);

  /// Marks all swarms for a search ("due"), after prediction in a frame's first substep of h s.
  void begin_frame(const World& world, real h, Team& team);

  /// Called after prediction in any other substep. Returns whether a swarm is due: a particle has moved too
  /// far from its position at the last search (`searched`, by particle), or the swarm came near another one.
  bool follow(const World& world, const AlignedVector<vec4>& searched, Team& team);

  /// Copies the positions of a thread's share of the particles of due objects to `searched`.
  void note_places(const World& world, const Team& team, AlignedVector<vec4>& searched) const;

  Swarms swarms() const { return {swarms_, of_member_}; }
  /// m, bound of any particle's distance from its position at the last search, at the start and at the end of
  /// a substep.
  real stray() const { return stray_; }

 private:
  /// Members of one object beside each other, few enough for threads to share them evenly.
  struct Piece {
    std::int32_t object, first, end;
    real most = 0;  ///< m/s or m, squared: the longest velocity or displacement of its particles
    vec3 low{0}, high{0};
  };
  struct Object {
    bool present = false, due = false;
    std::int32_t root = 0;    ///< towards the least object of its swarm
    std::int32_t number = 0;  ///< of its swarm
    std::int32_t before = 0;  ///< number before swarms merged last
    real fastest = 0;         ///< m/s, squared, when the frame began
    vec3 low{0}, high{0};     ///< m, box of its particles
    vec3 searched_low{0}, searched_high{0};
  };

  template <class Of>
  void look(const World& world, const Team& team, const Of& of);
  void measure_boxes(const World& world, const Team& team);
  void collect_boxes();
  void join_near(real radius);
  void number_swarms(const World& world, real h);
  std::int32_t root_of(std::int32_t object);

  std::vector<Piece> pieces_;
  std::vector<Object> objects_;     ///< by number; those without members are not present
  std::vector<std::int32_t> by_x_;  ///< objects that are present, by their boxes' low ends
  std::vector<std::int32_t> of_member_;
  std::vector<Swarm> swarms_;
  std::vector<real> skins_;  ///< m, per swarm
  real h_ = 0, stray_ = 0;   ///< s, of the substeps of this frame; m, see stray()
};

}}  // namespace limber::LIMBER_PRECISION
