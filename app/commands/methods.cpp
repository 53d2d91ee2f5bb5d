// limber methods: runs every method on small scenes and prints what it does as a Markdown table.
#include <algorithm>
#include <cstdio>

#include "app/commands/commands.hpp"
#include "app/validation/method_facts.hpp"

namespace limber {

int print_methods() {
  if (std::ranges::count(built_precisions(), Precision::f64) == 0)
    return fail({"methods are measured in double precision, which this build does not have", "methods", 0,
                 "cmake -D LIMBER_DOUBLE_PRECISION=ON"});
  std::printf("%s\n", method_table_header);
  for (const std::string& line : method_lines(method_facts())) std::printf("%s\n", line.c_str());
  return exit_ok;
}

}  // namespace limber
