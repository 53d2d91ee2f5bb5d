#include "app/record/whole_frame.hpp"

#include <algorithm>
#include <limits>

namespace limber {
namespace {

constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

void add_fields(const ExportedPart& part, std::size_t first, WholeFrame& whole) {
  for (const ExportedField& field : part.fields) {
    auto found = std::ranges::find(whole.fields, field.name, &WholeField::name);
    if (found == whole.fields.end())
      found = whole.fields.insert(found, {std::string(field.name), std::string(field.unit), {}});
    found->values.resize(first, nothing);
    if (part.rigid)
      found->values.resize(first + part.positions.size(), field.values.front());
    else
      found->values.insert(found->values.end(), field.values.begin(), field.values.end());
  }
}

void add_cells(const ExportedPart& part, int number, bool with_tets, Index first, WholeFrame& whole) {
  if (with_tets && !part.tets.empty()) {
    for (const auto& [a, b, c, d] : part.tets)
      whole.tets.push_back({first + a, first + b, first + c, first + d}), whole.tet_parts.push_back(number);
    return;
  }
  for (const auto& [a, b, c] : part.triangles)
    whole.triangles.push_back({first + a, first + b, first + c}), whole.triangle_parts.push_back(number);
  for (std::vector<Index> line : part.lines) {
    for (Index& v : line) v += first;
    whole.lines.push_back(std::move(line)), whole.line_parts.push_back(number);
  }
  if (!part.is_points()) return;
  for (std::size_t v = 0; v < part.positions.size(); ++v)
    whole.points.push_back(first + Index(v)), whole.point_parts.push_back(number);
}

}  // namespace

WholeFrame whole_frame(const ExportedFrame& frame, bool with_tets) {
  WholeFrame whole;
  for (std::size_t p = 0; p < frame.parts.size(); ++p) {
    const ExportedPart& part = frame.parts[p];
    if (part.is_inside() && !with_tets) continue;
    const std::size_t first = whole.positions.size();
    whole.positions.insert(whole.positions.end(), part.positions.begin(), part.positions.end());
    whole.velocities.insert(whole.velocities.end(), part.velocities.begin(), part.velocities.end());
    whole.velocities.resize(whole.positions.size(), glm::dvec3(double(nothing)));
    whole.radii.resize(whole.positions.size(), part.radius);
    whole.parts.resize(whole.positions.size(), int(p));
    add_fields(part, first, whole);
    add_cells(part, int(p), with_tets, Index(first), whole);
  }
  for (WholeField& field : whole.fields) field.values.resize(whole.positions.size(), nothing);
  return whole;
}

}  // namespace limber
