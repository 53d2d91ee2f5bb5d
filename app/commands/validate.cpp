// limber validate: the analytic cases as a table.
#include <algorithm>
#include <cstdio>

#include "app/commands/commands.hpp"
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
    std::snprintf(expected, sizeof expected, "%s%.12g", demand_text(c.demand), c.expected);
    std::printf("%-58s %18s %18.12g %10.2e %10.2e %s\n", c.name.c_str(), expected, c.got, c.error(),
                c.tolerance, c.ok() ? "ok" : "FAILED");
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

}  // namespace

int validate(const ValidateCommand& command) {
  if (std::ranges::count(built_precisions(), Precision::f64) == 0)
    return fail({"the cases are computed in double precision, which this build has not", "validate", 0,
                 "cmake -D LIMBER_DOUBLE_PRECISION=ON"});
  std::optional<OutputFile> csv;
  if (!command.csv.empty()) {
    Expected<OutputFile> opened = OutputFile::create(command.csv, "--csv");
    if (!opened) return fail(opened.error());
    csv.emplace(std::move(*opened));
  }
  const ValidationCases cases = validation_cases();
  print_table(cases);
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
