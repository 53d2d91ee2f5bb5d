// Places of drops of spray in the list of drawn points.
#include "app/view/spray_slots.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace limber::spray_slots_test { namespace {

struct Drop {
  glm::vec3 place, velocity;
  int number;
};

/// Drops fly, some vanish and others are born: each keeps its slot, and no two share one.
TEST(SpraySlots, ADropKeepsItsSlotWhileOthersVanish) {
  std::uint64_t state = 3;
  const auto random = [&] {
    return float((state = state * 6364136223846793005u + 1442695040888963407u) >> 40) / 16777216.0f - 0.5f;
  };
  std::vector<Drop> drops;
  int born = 0, kept = 0, lost = 0;
  std::vector<std::uint32_t> slots;  // by number
  SpraySlots out;
  for (int frame = 0; frame < 60; ++frame) {
    for (int k = 0; k < 20; ++k)
      drops.push_back(
          {glm::vec3(random(), random(), random()), 3.0f * glm::vec3(random(), random(), random()), born++});
    std::erase_if(drops, [&](const Drop&) { return random() > 0.42f; });
    std::vector<glm::vec3> places;
    for (Drop& drop : drops) places.push_back(drop.place += drop.velocity / 60.0f);
    out.update(places, 0.02f);
    slots.resize(std::size_t(born), std::uint32_t(-1));
    std::set<std::uint32_t> taken;
    for (std::size_t i = 0; i < drops.size(); ++i) {
      const std::uint32_t slot = out.slot_of(i);
      EXPECT_LT(slot, out.slot_count());
      EXPECT_TRUE(taken.insert(slot).second);
      std::uint32_t& own = slots[std::size_t(drops[i].number)];
      if (own != std::uint32_t(-1)) ++(own == slot ? kept : lost);
      own = slot;
    }
  }
  EXPECT_GT(kept, 5000);
  EXPECT_LT(lost, kept / 100);
}

TEST(SpraySlots, FoamIsCrowdedAndALoneDropIsNot) {
  std::vector<glm::vec3> places{{1.0f, 0.0f, 0.0f}};
  for (int k = 0; k < 60; ++k) places.push_back(0.006f * glm::vec3(k % 10, 0, k / 10));
  SpraySlots out;
  out.update(places, 0.02f);
  EXPECT_EQ(out.crowd_of(0), 0.0f);
  EXPECT_GT(out.crowd_of(25), 5.0f);
}

}}  // namespace limber::spray_slots_test
