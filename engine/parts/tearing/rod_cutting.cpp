#include "engine/parts/tearing/rod_cutting.hpp"

#include <vector>

#include "engine/state/displacement.hpp"
#include "engine/state/rod_split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void cut_rods(World& world, const Blade& blade, CutResult& result) {
  struct Crossed {
    std::int32_t turn;
    bool at_end;
  };
  std::vector<Crossed> crossed;
  for (const RodSegment& segment : world.topology->rods.segments) {
    const auto place = [&](std::size_t end) {
      return place_of(world.particles, std::size_t(segment.points[end]));
    };
    if (const auto s = blade.crosses(place(0), place(1))) crossed.push_back({segment.turn, *s >= 0.5});
  }
  if (crossed.empty()) return;
  RodSplitter splitter(world);
  for (const Crossed& at : crossed) {
    const bool near = splitter.can_part(at.turn, at.at_end);
    if (!near && !splitter.can_part(at.turn, !at.at_end)) {
      result.refusal = "this segment of the rod ends where the rod does, or is held: nothing can part there";
      continue;
    }
    if (splitter.part(at.turn, near ? at.at_end : !at.at_end)) ++result.made;
  }
  result.full |= splitter.full();
}

}}  // namespace limber::LIMBER_PRECISION
