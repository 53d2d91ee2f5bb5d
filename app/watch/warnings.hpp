// What a person should know is wrong with a scene, and the setting that mends it: one table for `limber run`
// and the window.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// When a kind of warning is looked for.
enum class Moment {
  start,    ///< once a scene is built
  setting,  ///< then, and whenever a setting of the solver has changed
  running,  ///< between frames
};

/// One thing that is wrong.
struct Warning {
  std::string subject;             ///< the object, joint or pair that it is about; "" for the whole scene
  std::string text;                ///< one sentence: what is wrong, with numbers, and what mends it
  double severity = 0.0;           ///< grows with how bad it is; compared within one kind only
  std::vector<SetValue> remedies;  ///< changes that may mend it, the most promising one first
};

/// What there is to look at. `measures` is Simulation::measure() of now.
struct Sight {
  const Simulation& simulation;
  const Measures& measures;
  bool undone = false;                         ///< the last frame became non-finite and was undone
  std::optional<std::int64_t> crossings = {};  ///< pairs of triangles, where and when they were counted last
  bool alone = false;                          ///< nobody pulls, throws or changes anything
  std::optional<double> first_energy = {};     ///< J, at the first look: of motion, place and elements
  double largest_kinetic_energy = 0.0;         ///< J, at any look before
};

/// A row of the table.
struct WarningKind {
  std::string_view name;
  std::string_view state;  ///< what the status line says while it lasts: "cloth stretched"; "" for nothing
  Moment moment;
  int looks;  ///< in a row for which it has to last before it is told
  void (*find)(const Sight& sight, std::vector<Warning>& out);
};

std::span<const WarningKind> warning_kinds();

/// All that is wrong of the kinds of one moment, whether or not it lasts.
std::vector<Warning> find_warnings(Moment moment, const Sight& sight);

/// "substeps = 20": a remedy as the label of a button.
std::string label_of(const SetValue& remedy);

/// The text with the remedies as options: "... (--set solver.substeps=20)".
std::string told_on_console(const Warning& warning);

}  // namespace limber
