// limber bench: prints a table of rows, each with its ratio to the reference loops.
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/bench/bench_rows.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/output_file.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;
using Baseline = std::map<std::pair<std::string, int>, double>;  ///< ms per step by name and threads

Json to_json(const BenchRow& row) {
  return {{"name", row.name},
          {"threads", row.threads},
          {"constraints", row.constraints},
          {"phases", row.phases},
          {"ns_per_item", row.ns_per_item},
          {"ms_per_step", row.ms_per_step},
          {"strain", row.strain},
          {"ratio_to_textbook", row.ratio_to_textbook},
          {"ratio_to_coloured", row.ratio_to_coloured}};
}

Expected<Baseline> read_baseline(const std::string& path) {
  Baseline baseline;
  if (path.empty()) return baseline;
  std::ifstream file(path);
  if (!file) return Error{"--baseline: cannot read this file", path};
  const Json rows = Json::parse(file, nullptr, false);
  const Error not_ours{"--baseline: not a file that 'limber bench --json' wrote", path};
  if (!rows.is_array()) return not_ours;
  for (const Json& row : rows) {
    if (!row.is_object()) return not_ours;
    const auto name = row.find("name"), threads = row.find("threads"), ms = row.find("ms_per_step");
    if (name == row.end() || threads == row.end() || ms == row.end()) return not_ours;
    if (!name->is_string() || !threads->is_number_integer() || !ms->is_number()) return not_ours;
    baseline[{name->get<std::string>(), threads->get<int>()}] = ms->get<double>();
  }
  return baseline;
}

void print_header(bool with_baseline) {
  std::printf("%-30s %7s %11s %6s %9s %10s %9s %9s %9s%s\n", "row", "threads", "constraints", "phases",
              "ns/item", "ms/step", "strain", "/textbook", "/coloured", with_baseline ? "  /baseline" : "");
}

std::string ratio_text(double ratio) {
  if (ratio == 0.0) return "-";
  char text[16];
  std::snprintf(text, sizeof text, "%.3f", ratio);
  return text;
}

void print_row(const BenchRow& row, const Baseline& baseline) {
  std::printf("%-30s %7d %11lld %6d %9.2f %10.4f %9.5f %9s %9s", row.name.c_str(), row.threads,
              static_cast<long long>(row.constraints), row.phases, row.ns_per_item, row.ms_per_step,
              row.strain, ratio_text(row.ratio_to_textbook).c_str(),
              ratio_text(row.ratio_to_coloured).c_str());
  if (const auto old = baseline.find({row.name, row.threads}); old != baseline.end() && old->second > 0.0) {
    std::printf("  %9.3f", row.ms_per_step / old->second);
  }
  std::printf("\n");
  std::fflush(stdout);
}

std::vector<int> thread_counts(int wanted) {
  if (wanted > 0) return {wanted};
  if (std::thread::hardware_concurrency() < 2) return {1};
  return {1, 2};
}

}  // namespace

int bench(const BenchCommand& command) {
  const Expected<Baseline> baseline = read_baseline(command.baseline);
  if (!baseline) return fail(baseline.error());
  std::optional<OutputFile> file;
  if (!command.json.empty()) {
    Expected<OutputFile> opened = OutputFile::create(command.json, "--json");
    if (!opened) return fail(opened.error());
    file.emplace(std::move(*opened));
  }

  std::vector<BenchJob> jobs = bench_jobs(thread_counts(command.threads));
  std::string names;
  for (const BenchJob& job : jobs) {
    if (names.find(job.name + ",") == std::string::npos) names += (names.empty() ? "" : " ") + job.name + ",";
  }
  std::erase_if(jobs, [&](const BenchJob& job) { return job.name.find(command.name) == std::string::npos; });
  if (jobs.empty()) {
    names.pop_back();
    return fail({"there is no benchmark '" + command.name + "'", {}, 0, "valid names: " + names});
  }

  print_header(!command.baseline.empty());
  Json all = Json::array();
  int status = exit_ok;
  for (const BenchJob& job : jobs) {
    const Expected<std::vector<BenchRow>> rows = job.measure(job);
    if (!rows) {  // pictures fail without OpenGL; measure the other rows
      status = fail(rows.error());
      continue;
    }
    for (const BenchRow& row : *rows) {
      print_row(row, *baseline);
      all.push_back(to_json(row));
    }
  }
  if (file) {
    file->write(all.dump(2) + "\n");
    if (Expected<void> done = file->commit(); !done) return fail(done.error());
  }
  return status;
}

}  // namespace limber
