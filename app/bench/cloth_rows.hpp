// Benchmark rows of cloth in whole scenes: self contact, tearing, volumes.
#pragma once

#include <vector>

#include "app/bench/bench_rows.hpp"

namespace limber {

/// Jobs for one number of threads. Items are particles in a substep; the step is the median frame.
std::vector<BenchJob> cloth_jobs(int threads);

}  // namespace limber
