#include "engine/core/settings/heat.hpp"

#include <array>

#include "engine/core/tunable.hpp"

namespace limber {
namespace {

constexpr std::array heat_table{
    boolean<&HeatSettings::enabled>(
        "enabled", "Heat",
        "Objects have a temperature, and bodies that are given one: they conduct and exchange heat, and what "
        "'melts' becomes fluid and freezes again.",
        Effect::rebuild),
    number<&HeatSettings::speed>({"speed", "Speed", "", 0, 100000,
                                  "Multiplies all rates of heat, so that ice which needs minutes melts in "
                                  "seconds. 1 is nature.",
                                  Effect::live, Scale::logarithmic}),
    number<&HeatSettings::ambient>(
        {"ambient", "Ambient", "deg C", -273, 5000,
         "Temperature of the air. Fluids with an expansion rise where they are warmer."}),
    number<&HeatSettings::exchange>({"exchange", "Exchange with air", "W/(m^2 K)", 0, 100000,
                                     "Between free surfaces and the air: still air 5 to 10, wind 50. Half a "
                                     "particle conducts before it.",
                                     Effect::live, Scale::logarithmic}),
    number<&HeatSettings::contact>(
        {"contact", "Exchange in contact", "W/(m^2 K)", 0, 1e7,
         "Between things that touch, and colliders that have a temperature. Half a particle conducts before "
         "it; particles of fluids and grains conduct among each other as one medium.",
         Effect::live, Scale::logarithmic}),
};

}  // namespace

std::span<const Field> heat_fields() { return heat_table; }

}  // namespace limber
