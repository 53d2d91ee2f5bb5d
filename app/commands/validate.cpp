// limber validate: runs the analytic cases and prints them as a table.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/commands/markdown.hpp"
#include "app/commands/output_file.hpp"
#include "app/validation/validation.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {
namespace {

const char* demand_text(ValidationCase::Demand demand) {
  switch (demand) {
    case ValidationCase::Demand::at_least:
      return ">=";
    case ValidationCase::Demand::at_most:
      return "<=";
    case ValidationCase::Demand::near:
      break;
  }
  return "";
}

void print_table(const ValidationCases& cases) {
  std::printf("%-58s %18s %18s %10s %10s\n", "case", "expected", "got", "error", "tolerance");
  for (const ValidationCase& c : cases) {
    char expected[32];
    std::snprintf(expected, sizeof expected, "%s%.12g", demand_text(c.demand), c.bound());
    std::printf("%-58s %18s %18.12g %10.2e %10.2e %s\n", c.name.c_str(), expected, c.got, c.error(),
                c.tolerance,
                !c.ok()   ? "FAILED"
                : c.off() ? "off"
                          : "ok");
  }
}

void write_csv(const ValidationCases& cases, OutputFile& file) {
  file.write("case,expected,got,error,tolerance,ok\n");
  for (const ValidationCase& c : cases) {
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, ",%.17g,%.17g,%.6g,%.6g,%d\n", c.expected, c.got, c.error(),
                  c.tolerance, c.ok() ? 1 : 0);
    file.write("\"" + c.name + "\"" + numbers);
  }
}

/// The number with `digits` significant digits.
std::string short_number(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return text;
}

/// Errors below this are rounding errors, whose digits differ between machines.
constexpr double rounding = 1e-9;

std::string error_text(const ValidationCase& c) {
  if (c.demand != ValidationCase::Demand::near && c.ok()) return "";
  if (c.error() < rounding) return "rounding";
  return c.expected != 0.0 ? short_number(100.0 * c.error() / std::abs(c.expected), 2) + " %"
                           : short_number(c.error(), 2);
}

/// Writes assets/manual/truth.md.
void write_markdown(const ValidationCases& cases, OutputFile& file) {
  file.write(
      "# Truth\n\n"
      "This page compares Limber with formulas, measurements and worked examples: small scenes in double\n"
      "precision. `limber validate --markdown FILE` writes it. The files of `app/validation` say where each\n"
      "reference comes from. Rows marked **off** are less accurate than they should be;\n"
      "[the limits](limits.md) say why.\n\n"
      "| case | limber | reference | error | |\n|---|---:|---:|---:|---|\n");
  for (const ValidationCase& c : cases) {
    const bool zero = c.expected == 0.0 && std::abs(c.got) < rounding;
    std::string mark;
    if (!c.ok())
      mark = "**failed**";
    else if (c.off())
      mark = "**off**, wanted " + (c.expected != 0.0
                                       ? short_number(100.0 * c.wanted / std::abs(c.expected), 2) + " %"
                                       : short_number(c.wanted, 2));
    file.write("| " + markdown_cell(c.name) + " | " + (zero ? "0" : short_number(c.got, 4)) + " | " +
               demand_text(c.demand) + short_number(c.bound(), 4) + " | " + error_text(c) + " | " + mark +
               " |\n");
  }
}

/// The cases of the named groups; of all groups if `names` is empty.
Expected<ValidationCases> cases_of(const std::vector<std::string>& names) {
  const std::span<const ValidationGroup> groups = validation_groups();
  std::string known;
  for (const ValidationGroup& group : groups) known += (known.empty() ? "" : ", ") + std::string(group.name);
  for (const std::string& name : names)
    if (std::ranges::count(groups, name, &ValidationGroup::name) == 0)
      return Error{"no group of cases is called '" + name + "'", "validate", 0, "one of " + known};
  ValidationCases all;
  for (const ValidationGroup& group : groups) {
    if (!names.empty() && std::ranges::count(names, group.name) == 0) continue;
    ValidationCases cases = group.cases();
    all.insert(all.end(), std::make_move_iterator(cases.begin()), std::make_move_iterator(cases.end()));
  }
  return all;
}

}  // namespace

int validate(const ValidateCommand& command) {
  if (std::ranges::count(built_precisions(), Precision::f64) == 0)
    return fail({"the cases are computed in double precision, which this build does not have", "validate", 0,
                 "cmake -D LIMBER_DOUBLE_PRECISION=ON"});
  std::optional<OutputFile> csv;
  if (!command.csv.empty()) {
    Expected<OutputFile> opened = OutputFile::create(command.csv, "--csv");
    if (!opened) return fail(opened.error());
    csv.emplace(std::move(*opened));
  }
  std::optional<OutputFile> markdown;
  if (!command.markdown.empty()) {
    Expected<OutputFile> opened = OutputFile::create(command.markdown, "--markdown");
    if (!opened) return fail(opened.error());
    markdown.emplace(std::move(*opened));
  }
  const Expected<ValidationCases> computed = cases_of(command.groups);
  if (!computed) return fail(computed.error());
  const ValidationCases& cases = *computed;
  print_table(cases);
  if (markdown) {
    write_markdown(cases, *markdown);
    if (Expected<void> done = markdown->commit(); !done) return fail(done.error());
  }
  if (csv) {
    write_csv(cases, *csv);
    if (Expected<void> done = csv->commit(); !done) return fail(done.error());
  }
  int failed = 0;
  for (const ValidationCase& c : cases) failed += c.ok() ? 0 : 1;
  std::printf("%d passed, %d failed\n", int(cases.size()) - failed, failed);
  return failed > 0 ? exit_failed : exit_ok;
}

}  // namespace limber
