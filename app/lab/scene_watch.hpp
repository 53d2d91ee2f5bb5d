// Notices what goes wrong while a scene runs, and for how long.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/watch/warnings.hpp"

namespace limber {

class SceneWatch {
 public:
  /// A warning of the table's row `kind`.
  struct Found {
    std::size_t kind;  ///< into warning_kinds()
    Warning warning;
    int in_a_row = 0;  ///< looks, up to the last one, at which it was found
    int missed = 0;    ///< looks since
    bool told = false;

    /// Unique among the things that are wrong at one time: "off_length/cloth".
    std::string key() const { return std::string(warning_kinds()[kind].name) + "/" + warning.subject; }
  };
  struct Change {
    std::vector<Found> raised;         ///< told from this look on
    std::vector<std::string> settled;  ///< keys of what was told and is over
  };

  /// Whether look() wants to see the state after this frame: every tenth one, and one that was undone.
  static bool due(const Simulation& simulation, bool undone);

  Change look(const Sight& sight);

  /// What is told now, in the order of the table.
  std::vector<const Found*> standing() const;
  /// The worst that each kind came to since the start, in the order of the table.
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
