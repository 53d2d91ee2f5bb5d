// Benchmark rows that time frames of a scene made in code.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/bench/bench_rows.hpp"

namespace limber {

struct Measures;
struct SceneDesc;

/// Median of 60 frames after 10 warm-up frames. `items` gives, from the measures, the number of items in a
/// substep: constraints, contacts, particles.
Expected<std::vector<BenchRow>> measure_frames(const BenchJob& job, SceneDesc scene,
                                               const std::function<std::int64_t(const Measures&)>& items,
                                               int substeps = 10);

/// Median of 60 frames of a scene of bodies, after `warm` frames. Items are its
/// joints or, without joints, its bodies.
Expected<std::vector<BenchRow>> measure_bodies(const BenchJob& job, SceneDesc scene, int warm);

}  // namespace limber
