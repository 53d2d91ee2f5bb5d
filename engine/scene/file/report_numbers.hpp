// What an `expect` block can bound: the numbers of a run's report by their paths.
#pragma once

#include <string>
#include <vector>

namespace limber {

struct SceneDesc;

/// Every path that a report of a scene can have, whatever its objects are: "strain.max",
/// "residual.rope.mean". The report itself is written where a run is (app/commands/report.cpp); tests compare
/// the two.
std::vector<std::string> report_numbers();

/// The same with what the report says of each object and tie of `scene` and of the bodies of each name:
/// "object_strain.cloth.max", "places.raft.low.y", "tie_force.seam".
std::vector<std::string> report_numbers(const SceneDesc& scene);

}  // namespace limber
