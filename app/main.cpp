#include "app/commands/command_line.hpp"

int main(int argc, char** argv) { return limber::run_command_line(argc, argv); }
