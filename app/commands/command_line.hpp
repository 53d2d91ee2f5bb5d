// The command line of limber: parse, then run one command.
#pragma once

namespace limber {

/// Parses the arguments, runs their command and returns the exit status. Usage errors name the option and the
/// nearest valid one on standard error.
int run_command_line(int argc, char** argv);

}  // namespace limber
