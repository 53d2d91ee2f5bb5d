// Benchmark rows of elastic rods.
#pragma once

#include <vector>

#include "app/bench/bench_rows.hpp"

namespace limber {

/// Jobs for one number of threads: 100 rods of 50 segments that swing down from a clamp, solved directly and
/// by sweeps, and one rod of 2,000 segments. Items are segments in a substep.
std::vector<BenchJob> rod_jobs(int threads);

}  // namespace limber
