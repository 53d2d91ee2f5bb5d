#include "app/record/frame_series.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "app/commands/output_file.hpp"

namespace limber {
namespace fs = std::filesystem;

Expected<FrameSeries> FrameSeries::create(const std::string& path, std::string_view ending,
                                          std::string_view option) {
  const std::string stem = fs::path(path).replace_extension().string();
  FrameSeries series(stem, std::string(ending));
  if (Expected<void> writable = check_writable(FrameSeries(series).next(), option); !writable)
    return writable.error();
  const fs::path folder = fs::path(stem).has_parent_path() ? fs::path(stem).parent_path() : fs::path(".");
  const std::string start = fs::path(stem).filename().string() + "_";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start) || !name.ends_with(ending)) continue;
    const std::string number = name.substr(start.size(), name.size() - start.size() - ending.size());
    if (number.size() >= 4 && std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c); }))
      return Error{std::string(option) + ": there are files of an earlier series, " + name, path, 0,
                   "choose another name, or remove them"};
  }
  return series;
}

std::string FrameSeries::next() {
  char number[32];
  std::snprintf(number, sizeof number, "_%04d", ++files_);
  return stem_ + number + ending_;
}

}  // namespace limber
