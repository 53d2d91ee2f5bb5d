// Benchmark rows that time frames of a scene in code.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/bench/bench_rows.hpp"

namespace limber {

struct Measures;
struct SceneDesc;

/// The median frame of 60 after 10, of 10 substeps each. `items`: what a substep has of what the row counts.
Expected<std::vector<BenchRow>> measure_frames(const BenchJob& job, SceneDesc scene,
                                               const std::function<std::int64_t(const Measures&)>& items);

/// The median of 60 frames of a scene of bodies, after `warm` frames. Items are its joints or bodies.
Expected<std::vector<BenchRow>> measure_bodies(const BenchJob& job, SceneDesc scene, int warm);

}  // namespace limber
