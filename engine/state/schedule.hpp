// The order in which constraints are visited: phases between barriers, their tasks, runs of slots.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

namespace limber {

/// A range of slots, no two of which share a vertex.
struct ColorRun {
  std::int32_t begin, end;
};
/// A run of slots of one constraint type, multiples of lane_group, in which no two slots share a vertex.
struct Segment {
  std::int32_t type;  ///< index into ConstraintTypes
  std::int32_t begin, end;
  std::int32_t object = -1;  ///< object to which all slots belong; -1: several objects
};
/// Segments that one thread processes in order.
struct Task {
  std::int32_t first_segment, segment_count;
};
/// Tasks that may run at the same time: no two write to the same particle. Barriers separate phases.
struct Phase {
  std::int32_t first_task, task_count;
};
/// phases -> tasks -> segments. Depends on the mesh only, never on the number of threads.
struct Schedule {
  std::vector<Phase> phases;
  std::vector<Task> tasks;
  std::vector<Segment> segments;

  static constexpr auto all_members = std::tuple(&Schedule::phases, &Schedule::tasks, &Schedule::segments);
};

}  // namespace limber
