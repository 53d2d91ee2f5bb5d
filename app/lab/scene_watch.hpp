// Detects faults while a scene runs, and how long they last.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/watch/warnings.hpp"
#include "engine/core/measures.hpp"

namespace limber {

class SceneWatch {
 public:
  /// A warning and the row `kind` of the table that found it.
  struct Found {
    std::size_t kind;  ///< into warning_kinds()
    Warning warning;
    int in_a_row = 0;  ///< consecutive looks at which it was found
    int missed = 0;    ///< looks since the last one at which it was found
    bool told = false;

    /// Identifies a fault among all present ones: "off_length/cloth".
    std::string key() const { return std::string(warning_kinds()[kind].name) + "/" + warning.subject; }
  };
  struct Change {
    std::vector<Found> raised;         ///< reported from this look on
    std::vector<std::string> settled;  ///< keys of reported faults that have ended
  };

  /// Whether look() must be called after this frame: after every tenth frame, and after an undone one.
  static bool due(const Simulation& simulation, bool undone);

  /// Takes the energy that later looks are compared with from the measures of the start. Without a call, the
  /// first look does so.
  void begin(const Measures& start) { first_energy_ = start.kinetic_energy + start.potential_energy; }

  Change look(const Sight& sight);

  /// Faults reported at present, in the order of the table.
  std::vector<const Found*> standing() const;
  /// The worst warning of each kind since the start, in the order of the table.
  const std::vector<Found>& worst() const { return worst_; }

  void forget() { *this = {}; }

 private:
  void note(std::size_t kind, Warning warning, Change& change);
  void keep_worst(const Found& found);

  std::vector<Found> found_, worst_;     ///< sorted by kind
  std::optional<double> first_energy_;   ///< J
  double largest_kinetic_energy_ = 0.0;  ///< J
};

}  // namespace limber
