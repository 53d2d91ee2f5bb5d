// Benchmark rows of rigid bodies with joints.
#pragma once

#include <vector>

#include "app/bench/bench_rows.hpp"

namespace limber {

/// Jobs for one number of threads: 100 chains of 20 links that swing from one end, 100 ragdolls of 11 boxes
/// with limits that fall on the ground, rings of 24 boxes, and nets of ball joints that hang from a fixed
/// row. Items are joints in a substep; the step is the median frame of 8 substeps.
std::vector<BenchJob> joint_jobs(int threads);

}  // namespace limber
