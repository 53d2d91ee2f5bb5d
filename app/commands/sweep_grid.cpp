#include "app/commands/sweep_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/commands/scene_source.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(at, begin)) != text.npos; begin = end + 1)
    out.push_back(text.substr(begin, end - begin));
  out.push_back(text.substr(begin));
  return out;
}

bool read_double(const std::string& text, double& value) {
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(value);
}

/// Parses "low:high:count", optionally followed by ":log".
Expected<std::vector<std::string>> read_range(const Field& field, const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  double low = 0.0, high = 0.0, count = 0.0;
  const bool by_factors = parts.size() == 4 && parts[3] == "log";
  if ((parts.size() != 3 && !by_factors) || !read_double(parts[0], low) || !read_double(parts[1], high) ||
      !read_double(parts[2], count) || count < 1.0 || count > double(most_runs) || count != std::floor(count))
    return Error{"'" + text + "' is not low:high:count", {}, 0, "for instance 1:20:5, or 1e-8:1e-2:7:log"};
  if (by_factors && !(low > 0.0 && high > 0.0))
    return Error{"'" + text + "': steps by factors need positive ends"};
  std::vector<std::string> out;
  for (int i = 0; i < int(count); ++i) {
    const double share = count > 1.0 ? i / (count - 1.0) : 0.0;
    const double value = by_factors ? low * std::pow(high / low, share) : low + share * (high - low);
    char number[32];
    std::snprintf(number, sizeof number, field.kind == Field::Kind::integer ? "%.0f" : "%.9g", value);
    if (out.empty() || out.back() != number) out.emplace_back(number);
  }
  return out;
}

Expected<std::vector<std::string>> read_values(const Field& field, const std::string& text) {
  const bool number = field.kind == Field::Kind::integer || field.kind == Field::Kind::number;
  if (number && text.find(':') != text.npos) return read_range(field, text);
  return split(text, field.kind == Field::Kind::vector ? ';' : ',');
}

}  // namespace

std::size_t SweepGrid::runs() const {
  std::size_t count = 1;
  for (const SweptSetting& setting : settings) count *= setting.values.size();
  return count;
}

std::vector<std::string> SweepGrid::values(std::size_t run) const {
  std::vector<std::string> out(settings.size());
  for (std::size_t k = settings.size(); k-- > 0;) {
    out[k] = settings[k].values[run % settings[k].values.size()];
    run /= settings[k].values.size();
  }
  return out;
}

std::vector<std::string> SweepGrid::assignments(std::size_t run) const {
  std::vector<std::string> out = values(run);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = settings[k].path + "=" + out[k];
  return out;
}

Expected<SweepGrid> read_grid(const SceneDesc& scene, const std::vector<std::string>& set) {
  SweepGrid grid;
  double runs = 1.0;
  for (const std::string& said : set) {
    SceneDesc copy = scene;
    const std::size_t equals = said.find('=');
    if (equals == said.npos || equals == 0)
      return Error{"'" + said + "' is not path=values", "--set", 0, "for instance solver.substeps=5,10,20"};
    const std::string path = said.substr(0, equals);
    const auto named = [&](Error error) {
      error.file = "--set " + path;
      return error;
    };
    const Expected<Setting> setting = find_setting(copy, path);
    if (!setting) return named(setting.error());
    auto values = read_values(*setting->field, said.substr(equals + 1));
    if (!values) return named(values.error());
    for (const std::string& value : *values)
      if (auto sound = apply_setting(copy, path + "=" + value); !sound) return sound.error();
    runs *= double(values->size());
    if (runs > double(most_runs))
      return Error{"more than " + std::to_string(most_runs) + " runs", "--set " + path, 0, "fewer values"};
    const auto again = [&](const SweptSetting& other) { return other.path == path; };
    if (std::any_of(grid.settings.begin(), grid.settings.end(), again))
      return Error{"is swept twice", "--set " + path};
    grid.settings.push_back({path, std::move(*values)});
  }
  return grid;
}

}  // namespace limber
