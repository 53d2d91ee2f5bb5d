// Paths of the numbers of a report, which an `expect` block can bound.
#pragma once

#include <string>
#include <vector>

namespace limber {

struct SceneDesc;

/// Paths that the report of every scene can have: "strain.max", "residual.rope.mean". The report itself is
/// written by app/commands/report.cpp; tests compare both lists.
std::vector<std::string> report_numbers();

/// Like report_numbers(), and also the numbers of each object and tie of `scene` and of the bodies of each
/// name: "object_strain.cloth.max", "places.raft.low.y", "tie_force.seam".
std::vector<std::string> report_numbers(const SceneDesc& scene);

}  // namespace limber
