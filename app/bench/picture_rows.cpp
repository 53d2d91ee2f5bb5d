#include "app/bench/picture_rows.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <utility>

#include "app/commands/picture.hpp"
#include "app/commands/scene_source.hpp"
#include "app/record/png_writer.hpp"

namespace limber {
namespace {

constexpr PictureSize size{1280, 720};
constexpr int pictures = 9;

/// Minimum time of `pictures` calls, ms.
template <class Call>
double least_ms(Call&& call) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < pictures; ++i) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return least;
}

Expected<std::unique_ptr<Simulation>> after(int frames, const std::string& name,
                                            const std::vector<std::string>& settings = {}) {
  Expected<SceneDesc> scene = load_scene(name, settings);
  if (!scene) return scene.error();
  auto simulation = make_simulation(std::move(*scene), {});
  for (int i = 0; simulation && i < frames; ++i) (*simulation)->step();
  return simulation;
}

Expected<std::vector<BenchRow>> measure_pictures(const BenchJob& job) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "limber_bench.png";
  auto taker = PictureTaker::create(file.string(), size);
  if (!taker) return taker.error();
  auto cloth = after(60, "cloth_drape_sphere");
  if (!cloth) return cloth.error();
  auto grains = after(1, "grains", {"objects.sand.copies=50,50,40"});
  if (!grains) return grains.error();

  Image image;
  Expected<void> written;
  const double particles = least_ms([&] { (*taker)->draw(**grains); });
  const double draw = least_ms([&] { image = (*taker)->draw(**cloth); });
  auto sheet = after(30, "cloth_hang", {"objects.cloth.columns=101", "objects.cloth.rows=101"});
  if (!sheet) return sheet.error();
  const double still = least_ms([&] { (*taker)->draw_in_window(**sheet, 1); });
  const double moving = least_ms([&] { (*taker)->draw_in_window(**sheet, 2); });
  const double write = least_ms([&] { written = write_png(image, file.string(), "bench"); });
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  if (!written) return written.error();
  const auto row = [&](const std::string& name, double ms) {
    const std::int64_t pixels = std::int64_t(size.width) * size.height;
    return BenchRow{job.name + " " + name, job.threads, pixels, 0, 1e6 * ms / double(pixels), ms};
  };
  return std::vector<BenchRow>{row("drawn", draw), row("as PNG", write), row("of 100,000 grains", particles),
                               row("20,000 triangles, at rest", still),
                               row("20,000 triangles, in motion", moving)};
}

}  // namespace

BenchJob picture_job() { return {"picture 1280x720", 1, measure_pictures}; }

}  // namespace limber
