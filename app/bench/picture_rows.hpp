// Benchmark rows of pictures: drawing one without a window, and writing it as PNG.
#pragma once

#include "app/bench/bench_rows.hpp"

namespace limber {

/// Items are pixels; the step is the least of nine pictures of 1280 x 720. Of cloth_drape_sphere after a
/// second.
BenchJob picture_job();

}  // namespace limber
