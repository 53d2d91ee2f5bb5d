#include "app/view/rod_pieces.hpp"

#include <numeric>
#include <utility>

namespace limber {

std::vector<RodPiece> pieces_of(const ObjectModel& object) {
  const RodModel& rod = object.rod;
  if (!rod.pieces.empty()) return rod.pieces;
  const Index each = rod.strand > 0 ? rod.strand : rod.segments, points = each + (rod.closed ? 0 : 1);
  std::vector<RodPiece> out;
  for (Index s = 0; s < rod.segments; s += each) {
    RodPiece piece{rod.first_segment + s, std::vector<Index>(std::size_t(points)), rod.closed};
    std::iota(piece.points.begin(), piece.points.end(), object.first_vertex + s / each * points);
    out.push_back(std::move(piece));
  }
  return out;
}

}  // namespace limber
