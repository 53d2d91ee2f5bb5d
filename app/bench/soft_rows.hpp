// Benchmark rows of soft solids of clusters.
#pragma once

#include <vector>

#include "app/bench/bench_rows.hpp"

namespace limber {

/// Jobs for one number of threads: a brick of 1,143 particles in 36 clusters, and 100 and 144 bricks of 91
/// particles in 8 clusters each, which touch nothing. Items are clusters in a substep; the step is the median
/// frame of 8 substeps.
std::vector<BenchJob> soft_jobs(int threads);

}  // namespace limber
