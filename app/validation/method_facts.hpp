// Properties of each method with cloth, tetrahedra, contacts, tears and held vertices, found by running it.
#pragma once

#include <string>
#include <vector>

#include "engine/core/methods.hpp"

namespace limber {

struct MethodFacts {
  SolverMethod method;
  bool whole = false;           ///< a hanging cloth comes to rest
  double cloth = 0.0;           ///< m, rms distance of that cloth from its rest position under Newton
  bool right_side_out = false;  ///< a clamped bar of tetrahedra comes to rest without inverted elements
  double bar = 0.0;             ///< relative error of the sag of the bar's tip, compared with Newton
  double held = 0.0;            ///< m, displacement of held vertices
  bool tears = false;           ///< a cloth under too much load tears, and the simulation continues
  bool rests = false;           ///< a cloth rests on a slope of tangent 0.9 mu
  bool slides = false;          ///< a cloth slides on a slope of tangent 1.1 mu
  double depth = 0.0;           ///< m, largest penetration of the slope
  int to_a_tenth = 0;  ///< iterations until a tenth is left of F - min F, or of the residual if F is not
                       ///< minimised; 0: more than most_iterations
  double cost = 0.0;   ///< cost of an iteration, in sweeps of XPBD

  static constexpr int most_iterations = 400;
};

/// Measures all methods in double, on one thread: except for the cost, the numbers are equal on every
/// machine. Takes a few seconds.
std::vector<MethodFacts> method_facts();

/// The rows of a Markdown table, one per method, without header.
std::vector<std::string> method_lines(const std::vector<MethodFacts>& facts);
extern const char* const method_table_header;

}  // namespace limber
