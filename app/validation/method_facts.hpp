// What each method does with cloth, tetrahedra, contacts, tears and held vertices: found by running it.
#pragma once

#include <string>
#include <vector>

#include "engine/core/methods.hpp"

namespace limber {

struct MethodFacts {
  SolverMethod method;
  bool whole = false;           ///< a hanging cloth comes to rest
  double cloth = 0.0;           ///< m, rms distance of that to where Newton's comes to rest
  bool right_side_out = false;  ///< so does a clamped bar of tetrahedra, without any inverted
  double bar = 0.0;             ///< of the sag of its tip under Newton: how far off, as a share
  double held = 0.0;            ///< m, how far held vertices have moved
  bool tears = false;           ///< a cloth under too much load tears, and goes on
  bool rests = false;           ///< on a slope of 0.9 tan mu,
  bool slides = false;          ///< and not on one of 1.1
  double depth = 0.0;           ///< m, how far anything entered the slope
  int to_a_tenth = 0;  ///< iterations until a tenth is left of the residual, of F - min F where that is
                       ///< minimised; 0: more than most_iterations
  double cost = 0.0;   ///< of an iteration, in sweeps of XPBD

  static constexpr int most_iterations = 400;
};

/// In double, on one thread: the same numbers on every machine, but for the cost. Takes a few seconds.
std::vector<MethodFacts> method_facts();

/// As a table of Markdown, without its header: a line for each method.
std::vector<std::string> method_lines(const std::vector<MethodFacts>& facts);
extern const char* const method_table_header;

}  // namespace limber
