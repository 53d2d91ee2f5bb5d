// Benchmark rows of solids of tetrahedra.
#pragma once

#include <vector>

#include "app/bench/bench_rows.hpp"

namespace limber {

/// Jobs for one number of threads: a bar of 7,680 tetrahedra that hangs from one end, in every material
/// model, and one of 61,440. Items are tetrahedra in a substep; the step is the median frame of 10 substeps.
std::vector<BenchJob> tet_jobs(int threads);

}  // namespace limber
