// The runs of a sweep: all combinations of the values of its settings.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

/// A setting and its values, as typed.
struct SweptSetting {
  std::string path;
  std::vector<std::string> values;
};

struct SweepGrid {
  std::vector<SweptSetting> settings;

  std::size_t runs() const;
  /// "path=value" of each setting in run number `run`; the last setting changes fastest.
  std::vector<std::string> assignments(std::size_t run) const;
  std::vector<std::string> values(std::size_t run) const;  ///< values of assignments(), without their paths
};

inline constexpr std::size_t most_runs = 100'000;

/// Parses "path=a,b,c" (vectors: "path=x,y,z;x,y,z"), "path=low:high:count" (equal steps) and
/// "path=low:high:count:log" (equal factors). Fails on a bad path, a value that the setting does not accept,
/// and too many runs.
Expected<SweepGrid> read_grid(const SceneDesc& scene, const std::vector<std::string>& set);

}  // namespace limber
