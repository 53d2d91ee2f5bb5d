// Benchmark rows of pictures: drawing one without a window, and writing it as PNG.
#pragma once

#include "app/bench/bench_rows.hpp"

namespace limber {

/// Pictures of cloth_drape_sphere after one second. Items are pixels; the step is the minimum of nine
/// pictures of 1280 x 720.
BenchJob picture_job();

}  // namespace limber
