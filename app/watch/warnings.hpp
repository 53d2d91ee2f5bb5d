// Warnings about a scene, with the settings that fix them. One table serves `limber run` and the window.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Time at which a kind of warning is looked for.
enum class Moment {
  start,    ///< once, after a scene is built
  setting,  ///< after a build, and after every change of a solver setting
  running,  ///< between frames
};

/// A fault of a scene.
struct Warning {
  std::string subject;             ///< the object, joint or pair at fault; "" for the whole scene
  std::string text;                ///< a sentence: the fault, its number, and a remedy
  double severity = 0.0;           ///< larger is worse; compared within one kind only
  std::vector<SetValue> remedies;  ///< changes that may fix it, the most promising first
};

/// Input of the warnings. `measures` is the present Simulation::measure().
struct Sight {
  const Simulation& simulation;
  const Measures& measures;
  bool undone = false;                         ///< the last frame became non-finite and was undone
  std::optional<std::int64_t> crossings = {};  ///< number of crossing pairs of triangles, if and when counted
                                               ///< last
  bool alone = false;                          ///< the user does not pull, throw or change anything
  std::optional<double> first_energy = {};     ///< J, kinetic, potential and elastic, at the start
  double viscosity_residual = 0.0;             ///< residual of the last frame, see StepReport
  double largest_kinetic_energy = 0.0;         ///< J, over all earlier looks
};

/// A row of the table of warnings.
struct WarningKind {
  std::string_view name;
  std::string_view state;  ///< text of the status line while it lasts: "cloth stretched"; "" for none
  Moment moment;
  int looks;  ///< consecutive looks at which the fault must be found
  void (*find)(const Sight& sight, std::vector<Warning>& out);
};

std::span<const WarningKind> warning_kinds();

/// All faults of one moment, whether or not they last.
std::vector<Warning> find_warnings(Moment moment, const Sight& sight);

/// Label of a remedy's button: "substeps = 20".
std::string label_of(const SetValue& remedy);

/// The text of a warning with its remedies as options: "... (--set solver.substeps=20)".
std::string told_on_console(const Warning& warning);

}  // namespace limber
