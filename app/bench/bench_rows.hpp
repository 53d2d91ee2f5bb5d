// The rows of `limber bench`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

/// A row of the benchmark. Kernel rows give ns per projection of one constraint, and their step is ten
/// iterations. Scene rows measure whole frames.
struct BenchRow {
  std::string name;
  int threads = 1;
  std::int64_t constraints = 0;
  int phases = 0;
  double ns_per_item = 0.0;
  double ms_per_step = 0.0;
  double strain = 0.0;             ///< mean, after the run
  double ratio_to_textbook = 0.0;  ///< ratio of ns_per_item; 0: no reference
  double ratio_to_coloured = 0.0;
};

/// A group of rows that are measured together.
struct BenchJob {
  std::string name;
  int threads;
  Expected<std::vector<BenchRow>> (*measure)(const BenchJob& job);
  int count = 0;  ///< particles along each side, or bodies
  bool bending = false;
};

/// All jobs, for each of the given numbers of threads.
std::vector<BenchJob> bench_jobs(const std::vector<int>& threads);

}  // namespace limber
