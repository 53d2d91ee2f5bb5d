// Analytic cases: small scenes made in code, run in double by the same engine as every scene, and compared
// with a number from a formula or a worked example.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// A row of the table printed by `limber validate`.
struct ValidationCase {
  enum class Demand { near, at_least, at_most };

  std::string name;
  double expected = 0.0;
  double got = 0.0;
  double tolerance = 0.0;  ///< absolute; its reason is given beside the case
  Demand demand = Demand::near;
  double wanted = 0.0;  ///< absolute; desired accuracy if `tolerance` is only the accuracy reached

  double error() const { return got > expected ? got - expected : expected - got; }

  /// Whether `got` meets the demand; a NaN never does.
  bool ok() const {
    switch (demand) {
      case Demand::at_least:
        return got >= expected - tolerance;
      case Demand::at_most:
        return got <= expected + tolerance;
      case Demand::near:
        break;
    }
    return error() <= tolerance;
  }
  /// The number in the column of references; for a one-sided demand, the limit that still passes.
  double bound() const {
    return demand == Demand::at_least  ? expected - tolerance
           : demand == Demand::at_most ? expected + tolerance
                                       : expected;
  }
  /// Whether the row is known to be inaccurate: within `tolerance`, but not as accurate as wanted.
  bool off() const { return wanted > 0.0 && error() > wanted; }
};
using ValidationCases = std::vector<ValidationCase>;

ValidationCases spring_cases();     ///< one spring: backward Euler, static sag, k', a worked example of three
                                    ///< particles
ValidationCases chain_cases();      ///< pendulum, small steps, catenary
ValidationCases motion_cases();     ///< momentum, damping, a spinning rod
ValidationCases contact_cases();    ///< friction on an incline
ValidationCases joint_cases();      ///< periods, elongations, a slider, a chain with a heavy end
ValidationCases heap_cases();       ///< angle of repose
ValidationCases solid_cases();      ///< bars of tetrahedra under their own weight
ValidationCases material_cases();   ///< constants of cloth and tetrahedra in pull, shear and bending
ValidationCases plastic_cases();    ///< a bar that yields, hardens and is released
ValidationCases rod_cases();        ///< elastica, periods, twist and loads of rods
ValidationCases rod_load_cases();   ///< buckling rods, a coil spring, a bent wire
ValidationCases rope_cases();       ///< friction around a drum
ValidationCases method_cases();     ///< energies of integrators, the common minimum of minimising methods
ValidationCases body_cases();       ///< free fall, spins, an impact, seams, a balloon's energy
ValidationCases fluid_cases();      ///< density, pressure, the front of a dam break
ValidationCases heat_cases();       ///< conduction, exchange, melting
ValidationCases flow_cases();       ///< a jet's contraction, sloshing, flow in a duct
ValidationCases viscosity_cases();  ///< plugs of any viscosity in a duct
ValidationCases air_cases();        ///< terminal speeds, a gas that lifts, a card that tumbles
ValidationCases drop_cases();       ///< surface tension of drops, balls in honey and water

struct ValidationGroup {
  std::string_view name;
  ValidationCases (*cases)();
};

/// All of the above by name, in this order.
std::span<const ValidationGroup> validation_groups();

}  // namespace limber
